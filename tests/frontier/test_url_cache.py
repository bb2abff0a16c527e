"""The cache of URLs: one object per URL, links by directory, and eviction above the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.frontier.memory_budget import SHARED_ENTRY_LIMIT, MemoryBudget, create_process_budget
from headwater.frontier.url_cache import IGNORED_URL, UNKNOWN_DEPTH, CachedUrl, UrlCache
from headwater.model import Candidate, LinkPlacement, Spelling
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from headwater.model import UrlKind

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


def known_page(key: str) -> CachedUrl:
    return CachedUrl(Spelling(key, key, key), "page")


def test_a_new_url_has_no_depth() -> None:
    known = CachedUrl(Spelling("https://e.com/a?utm_x=1", "https://e.com/a", "e.com/a"), "page", "external", 2)
    assert (known.fetch_url, known.url, known.key) == ("https://e.com/a?utm_x=1", "https://e.com/a", "e.com/a")
    assert (known.kind, known.reason, known.hops, known.parent) == ("page", "external", 2, "")
    assert (known.depth, known.identity) == (UNKNOWN_DEPTH, compute_identity("e.com/a"))
    assert known.depth > 1_000_000, "no page is that deep"


def test_an_ignored_link_has_no_kind_and_is_never_reported() -> None:
    assert IGNORED_URL.kind is None
    assert IGNORED_URL.depth < 0


def test_there_is_one_object_per_url_and_kind() -> None:
    cache = UrlCache()
    first = known_page("k")
    assert cache.intern(first, "page") is first
    assert cache.intern(known_page("k"), "page") is first
    other_kind, other_key = known_page("k"), known_page("l")
    assert cache.intern(other_kind, "resource") is other_kind
    assert cache.intern(other_key, "page") is other_key


def test_a_visit_adds_the_page() -> None:
    cache = UrlCache()
    cache.note_visit(Candidate(compute_identity("k"), "k", "k", "k", 3))
    known = cache.by_key["k", "page"]
    assert (known.key, known.kind, known.depth) == ("k", "page", 3)
    assert cache.intern(known_page("k"), "page") is known


def test_a_visit_sets_the_depth_of_a_known_page() -> None:
    cache = UrlCache()
    known = cache.intern(known_page("k"), "page")
    known.depth, known.parent = 7, "https://e.com/"
    cache.note_visit(Candidate(compute_identity("k"), "k", "k", "k", 2))
    assert cache.by_key == {("k", "page"): known}
    assert (known.depth, known.parent) == (2, "")


def test_a_visit_does_not_change_other_kinds() -> None:
    cache = UrlCache()
    resource = cache.intern(known_page("k"), "resource")
    cache.note_visit(Candidate(compute_identity("k"), "k", "k", "k", 2))
    assert resource.depth == UNKNOWN_DEPTH
    assert cache.by_key["k", "page"].depth == 2


@pytest.mark.parametrize(("base", "other", "is_same"), DIRECTORIES)
def test_pages_of_a_directory_share_links(base: str, other: str, is_same: bool) -> None:
    cache = UrlCache()
    assert (cache.links_of(base) is cache.links_of(other)) is is_same
    assert (cache.links_of(base, "resource") is cache.links_of(other, "resource")) is is_same
    assert (cache.get_shared_elements(base) is cache.get_shared_elements(other)) is is_same
    assert (cache.get_settled_links(base, 1) is cache.get_settled_links(other, 1)) is is_same


@pytest.mark.parametrize("kind", ["external", "resource", "endpoint"])
def test_links_of_each_kind_are_separate(kind: UrlKind) -> None:
    cache = UrlCache()
    cache.links_of(PAGE)["a"] = IGNORED_URL
    assert cache.links_of(PAGE, "page") == {"a": IGNORED_URL}
    assert cache.links_of(PAGE, kind) == {}


def test_links_are_settled_for_one_depth() -> None:
    cache = UrlCache()
    cache.get_settled_links(PAGE, 2).add("a")
    assert cache.get_settled_links(PAGE, 2) == {"a"}
    assert cache.get_settled_links(PAGE, 1) == cache.get_settled_links(PAGE, 3) == set()


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
def test_shared_elements_count_for_the_best_page(page: tuple[int, str], other: tuple[int, str], expected: bool) -> None:
    shared_elements = UrlCache().get_shared_elements(PAGE)
    assert not shared_elements.was_seen_on_better_page(page, "style.css")
    assert shared_elements.was_seen_on_better_page(other, "style.css") is expected
    assert shared_elements.was_seen_on_better_page(other, "style.css")
    assert not shared_elements.was_seen_on_better_page(other, "other.css")


def test_shared_elements_of_a_worse_page_do_not_replace_the_best() -> None:
    shared_elements = UrlCache().get_shared_elements(PAGE)
    for depth, expected in [(2, False), (3, True), (2, True), (1, False), (2, True)]:
        assert shared_elements.was_seen_on_better_page((depth, ""), "style.css") is expected


def fill(cache: UrlCache, count: int) -> None:
    for number in range(count):
        cache.intern(known_page(f"k{number}"), "page")


def test_the_cache_is_full_above_the_limit() -> None:
    cache = UrlCache(MemoryBudget(3))
    fill(cache, 3)
    states = [cache.is_full]
    cache.note_visit(Candidate(compute_identity("one more"), "one more", "one more", "one more", 1))
    states.append(cache.is_full)
    cache.make_room()
    fill(cache, 3)
    states.append(cache.is_full)
    assert states == [False, True, False]


def test_long_urls_and_texts_count_as_several_entries() -> None:
    cache = UrlCache()
    cache.intern(known_page("k" * 1000), "page")
    assert cache.entries > 10
    before = cache.entries
    cache.links.number_of(7, LinkPlacement("content-link", "main"), "text " * 100)
    assert cache.entries > before + 4
    before = cache.entries
    cache.inlinks[7] += 1
    assert not cache.get_shared_elements(PAGE).was_seen_on_better_page((1, ""), "style.css")
    cache.get_shared_elements(PAGE).add("other.css")
    assert cache.entries == before + 3


def test_forget_evicts_every_url() -> None:
    cache = UrlCache(MemoryBudget(3))
    fill(cache, 4)
    cache.pages["p"] = known_page("p")
    cache.links_of(PAGE)["a"] = IGNORED_URL
    cache.get_settled_links(PAGE, 1).add("a")
    assert not cache.get_shared_elements(PAGE).was_seen_on_better_page((1, ""), "style.css")
    cache.inlinks[7] += 1
    cache.make_room()
    assert cache.has_evicted
    assert (cache.by_key, cache.pages, cache.by_directory) == ({}, {}, {})
    assert (cache.links_of(PAGE), cache.get_settled_links(PAGE, 1)) == ({}, set())
    assert not cache.get_shared_elements(PAGE).was_seen_on_better_page((1, ""), "style.css")
    assert cache.inlinks == {7: 1}, "link counts that are not stored yet must survive"


def test_link_numbers_are_evicted_first_if_they_take_most_space() -> None:
    cache = UrlCache(MemoryBudget(3))
    known = cache.intern(known_page("k"), "page")
    place = LinkPlacement("content-link", "main")
    for number in range(5):
        known.numbers["main", str(number)] = cache.links.number_of(known.identity, place, str(number))
    assert cache.is_full
    cache.make_room()
    assert (cache.by_key, known.numbers) == ({("k", "page"): known}, {})
    assert (cache.entries, cache.has_evicted) == (1, False)
    assert cache.links.number_of(known.identity, place, "0") == 6, "numbers that were assigned remain valid"


def test_scans_share_a_budget() -> None:
    budget = MemoryBudget(100)
    large, small = UrlCache(budget), UrlCache(budget)
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
    alone, one_of_four = UrlCache(create_process_budget(1)), UrlCache(create_process_budget(4))
    for cache in (alone, one_of_four):
        cache.size = SHARED_ENTRY_LIMIT // 4 + 1
    assert (alone.is_full, one_of_four.is_full) == (False, True)
