"""One object per URL, answers by directory, and forgetting above the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.frontier.memory import IGNORED, NEVER, Known, Memory, identity_of
from headwater.frontier.memory_budget import LIMIT_OF_MANY, MemoryBudget, budget_for
from headwater.model import Candidate, Place, Spelling

if TYPE_CHECKING:
    from headwater.model import Kind

PAGE = "https://e.com/docs/intro"
DIRECTORIES = [
    ("https://e.com/docs/intro", "https://e.com/docs/other", True),
    ("https://e.com/docs/intro", "https://e.com/docs/", True),
    ("https://e.com/docs/intro", "https://e.com/docs/deep/intro", False),
    ("https://e.com/docs/intro", "https://e.com/blog/intro", False),
    ("https://e.com/docs/", "https://e.com/docs", False),
    ("https://e.com/a", "https://e.com/", True),
    ("https://e.com/a", "https://f.com/a", False),
    ("http://a/x", "http://a/y", True),
    ("http://a/x", "http://b/x", False),
]


def known_page(key: str) -> Known:
    return Known(Spelling(key, key, key), "page")


def test_a_new_url_has_no_depth_yet() -> None:
    known = Known(Spelling("https://e.com/a?utm_x=1", "https://e.com/a", "e.com/a"), "page", "external", 2)
    assert (known.fetch_url, known.url, known.key) == ("https://e.com/a?utm_x=1", "https://e.com/a", "e.com/a")
    assert (known.kind, known.reason, known.hops, known.parent) == ("page", "external", 2, "")
    assert (known.depth, known.identity) == (NEVER, identity_of("e.com/a"))
    assert known.depth > 1_000_000, "no page is that deep"


def test_an_ignored_link_has_no_kind_and_never_gets_nearer() -> None:
    assert IGNORED.kind is None
    assert IGNORED.depth < 0


def test_identities_of_stored_scans_stay_valid() -> None:
    assert identity_of("https://example.com/") == 1493557592560457051
    assert identity_of("") == -1970711489451281740


@given(st.text(), st.text())
def test_identities_fit_a_signed_column_and_differ(key: str, other: str) -> None:
    assert -(1 << 63) <= identity_of(key) < 1 << 63
    assert (identity_of(key) == identity_of(other)) is (key == other)


def test_any_text_has_an_identity() -> None:
    assert identity_of("\ud800") != identity_of("\ufffd")


def test_there_is_one_object_per_url_and_kind() -> None:
    memory = Memory()
    first = known_page("k")
    assert memory.remember(first, "page") is first
    assert memory.remember(known_page("k"), "page") is first
    other_kind, other_key = known_page("k"), known_page("l")
    assert memory.remember(other_kind, "resource") is other_kind
    assert memory.remember(other_key, "page") is other_key


def test_a_visit_makes_a_page_known() -> None:
    memory = Memory()
    memory.note_visit(Candidate(identity_of("k"), "k", "k", "k", 3))
    known = memory.by_key["k", "page"]
    assert (known.key, known.kind, known.depth) == ("k", "page", 3)
    assert memory.remember(known_page("k"), "page") is known


def test_a_visit_sets_the_depth_of_a_known_page() -> None:
    memory = Memory()
    known = memory.remember(known_page("k"), "page")
    known.depth, known.parent = 7, "https://e.com/"
    memory.note_visit(Candidate(identity_of("k"), "k", "k", "k", 2))
    assert memory.by_key == {("k", "page"): known}
    assert (known.depth, known.parent) == (2, "")


def test_a_visit_of_a_page_leaves_other_kinds_alone() -> None:
    memory = Memory()
    resource = memory.remember(known_page("k"), "resource")
    memory.note_visit(Candidate(identity_of("k"), "k", "k", "k", 2))
    assert resource.depth == NEVER
    assert memory.by_key["k", "page"].depth == 2


@pytest.mark.parametrize(("base", "other", "is_same"), DIRECTORIES)
def test_pages_of_a_directory_share_what_is_known(base: str, other: str, is_same: bool) -> None:
    memory = Memory()
    assert (memory.links_of(base) is memory.links_of(other)) is is_same
    assert (memory.links_of(base, "resource") is memory.links_of(other, "resource")) is is_same
    assert (memory.furniture_of(base) is memory.furniture_of(other)) is is_same
    assert (memory.settled_of(base, 1) is memory.settled_of(other, 1)) is is_same


@pytest.mark.parametrize("kind", ["external", "resource", "endpoint"])
def test_links_of_each_kind_are_separate(kind: Kind) -> None:
    memory = Memory()
    memory.links_of(PAGE)["a"] = IGNORED
    assert memory.links_of(PAGE, "page") == {"a": IGNORED}
    assert memory.links_of(PAGE, kind) == {}


def test_links_are_settled_for_one_depth() -> None:
    memory = Memory()
    memory.settled_of(PAGE, 2).add("a")
    assert memory.settled_of(PAGE, 2) == {"a"}
    assert memory.settled_of(PAGE, 1) == memory.settled_of(PAGE, 3) == set()


@pytest.mark.parametrize(
    ("page", "other", "expected"),
    [
        ((2, "b"), (2, "b"), True),
        ((2, "b"), (3, "a"), True),
        ((2, "b"), (2, "c"), True),
        ((2, "b"), (2, "a"), False),
        ((2, "b"), (1, "c"), False),
    ],
)
def test_furniture_counts_for_the_best_page(page: tuple[int, str], other: tuple[int, str], expected: bool) -> None:
    furniture = Memory().furniture_of(PAGE)
    assert not furniture.has(page, "style.css")
    assert furniture.has(other, "style.css") is expected
    assert furniture.has(other, "style.css")
    assert not furniture.has(other, "other.css")


def test_furniture_of_a_worse_page_does_not_replace_the_best() -> None:
    furniture = Memory().furniture_of(PAGE)
    for depth, expected in [(2, False), (3, True), (2, True), (1, False), (2, True)]:
        assert furniture.has((depth, ""), "style.css") is expected


def fill(memory: Memory, count: int) -> None:
    for number in range(count):
        memory.remember(known_page(f"k{number}"), "page")


def test_memory_is_full_above_the_limit() -> None:
    memory = Memory(MemoryBudget(3))
    fill(memory, 3)
    states = [memory.is_full]
    memory.note_visit(Candidate(identity_of("one more"), "one more", "one more", "one more", 1))
    states.append(memory.is_full)
    memory.make_room()
    fill(memory, 3)
    states.append(memory.is_full)
    assert states == [False, True, False]


def test_long_urls_texts_and_counts_take_up_more_room() -> None:
    memory = Memory()
    memory.remember(known_page("k" * 1000), "page")
    assert memory.entries > 10
    before = memory.entries
    memory.links.number_of(7, Place("content-link", "main"), "text " * 100)
    assert memory.entries > before + 4
    before = memory.entries
    memory.inlinks[7] += 1
    assert not memory.furniture_of(PAGE).has((1, ""), "style.css")
    memory.furniture_of(PAGE).add("other.css")
    assert memory.entries == before + 3


def test_every_url_is_forgotten() -> None:
    memory = Memory(MemoryBudget(3))
    fill(memory, 4)
    memory.pages["p"] = known_page("p")
    memory.links_of(PAGE)["a"] = IGNORED
    memory.settled_of(PAGE, 1).add("a")
    assert not memory.furniture_of(PAGE).has((1, ""), "style.css")
    memory.inlinks[7] += 1
    memory.make_room()
    assert memory.has_forgotten
    assert (memory.by_key, memory.pages, memory.by_directory) == ({}, {}, {})
    assert (memory.links_of(PAGE), memory.settled_of(PAGE, 1)) == ({}, set())
    assert not memory.furniture_of(PAGE).has((1, ""), "style.css")
    assert memory.inlinks == {7: 1}, "link counts that are not stored yet must survive"


def test_numbers_of_links_are_forgotten_first_where_they_are_most() -> None:
    memory = Memory(MemoryBudget(3))
    known = memory.remember(known_page("k"), "page")
    place = Place("content-link", "main")
    for number in range(5):
        known.numbers["main", str(number)] = memory.links.number_of(known.identity, place, str(number))
    assert memory.is_full
    memory.make_room()
    assert (memory.by_key, known.numbers) == ({("k", "page"): known}, {})
    assert (memory.entries, memory.has_forgotten) == (1, False)
    assert memory.links.number_of(known.identity, place, "0") == 6, "numbers that were handed out stay valid"


def test_scans_share_a_budget() -> None:
    budget = MemoryBudget(100)
    large, small = Memory(budget), Memory(budget)
    fill(large, 90)
    fill(small, 10)
    assert not large.is_full, "there is room as long as others need less than their share"
    fill(small, 1)
    assert (large.is_full, small.is_full) == (True, False)
    large.make_room()
    assert budget.entries == 11
    fill(small, 89)
    assert not small.is_full
    large.close()
    small.close()
    assert budget.entries == 0


def test_processes_divide_the_budget() -> None:
    alone, one_of_four = Memory(budget_for(1)), Memory(budget_for(4))
    for memory in (alone, one_of_four):
        memory.size = LIMIT_OF_MANY // 4 + 1
    assert (alone.is_full, one_of_four.is_full) == (False, True)
