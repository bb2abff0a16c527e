"""Which page of a group with the same content is listed, and which spelling is tried next."""

from __future__ import annotations

import pytest

from headwater.store.duplicates import (
    DuplicatePage,
    choose_next_spelling,
    choose_representative,
    find_canonical_duplicates,
    find_duplicates,
)
from headwater.store.page_lists import STATES
from headwater.urls.identity import compute_identity

FETCHED, DUPLICATE = STATES.index("fetched"), STATES.index("duplicate")


def member(url: str, canonical: str = "", inlinks: int = 0, *, is_seed: bool = False) -> DuplicatePage:
    return DuplicatePage(compute_identity(url), url, url, canonical, inlinks, is_seed)


@pytest.mark.parametrize(
    ("group", "listed"),
    [
        ([member("https://e.com/index.html"), member("https://e.com/")], "https://e.com/"),
        ([member("https://e.com/index.html", inlinks=9), member("https://e.com/")], "https://e.com/index.html"),
        (
            [member("https://e.com/a?x=1", "https://e.com/a", 9), member("https://e.com/a", "https://e.com/a")],
            "https://e.com/a",
        ),
        ([member("https://e.com/a", "https://e.com/elsewhere"), member("https://e.com/ab")], "https://e.com/a"),
        ([member("https://e.com/b"), member("https://e.com/a")], "https://e.com/a"),
        ([member("https://e.com/index.html", is_seed=True), member("https://e.com/", inlinks=9)], "https://e.com/index.html"),
    ],
)  # fmt: skip
def test_one_of_a_group_is_listed(group: list[DuplicatePage], listed: str) -> None:
    assert choose_representative(group).url == listed
    assert choose_representative(group[::-1]).url == listed


def test_the_others_name_the_one_that_is_listed() -> None:
    rows = [
        (7, 1, "https://e.com/a", "https://e.com/a", "", 3, False, 0),
        (7, 2, "https://e.com/b", "https://e.com/b", "", 5, False, 0),
        (8, 3, "https://e.com/c", "https://e.com/c", "", 0, False, 0),
        (8, 4, "https://e.com/d", "https://e.com/d", "", 0, False, 0),
    ]
    assert find_duplicates(1, rows) == [(2, 1, 1), (3, 1, 4)]


def test_pages_of_the_site_come_before_those_of_other_sites() -> None:
    other = DuplicatePage(1, "https://o.org/a", "https://o.org/a", "", 9, hops=1)
    own = DuplicatePage(2, "https://e.com/longer", "https://e.com/longer", "https://o.org/a")
    assert choose_representative([other, own]) == own


def test_a_canonical_merges_pages_with_the_same_text_only() -> None:
    urls = {name: compute_identity(f"https://e.com/{name}") for name in "abc"}
    kept = {urls["a"]: (FETCHED, None, 10), urls["b"]: (DUPLICATE, urls["a"], 20), urls["c"]: (FETCHED, None, 30)}

    def find(_: int, identity: int, text: int) -> tuple[int, int, int | None] | None:
        state, leads_to, own = kept[identity]
        return (identity, state, leads_to) if own == text else None

    def twins(*rows: tuple[int, str, int]) -> list[tuple[int, int, int]]:
        return list(find_canonical_duplicates(1, rows, find))

    assert twins((5, "https://e.com/c", 30)) == [(urls["c"], 1, 5)]
    assert twins((5, "https://e.com/c", 31)) == []
    assert twins((5, "https://e.com/b", 20)) == [(urls["a"], 1, 5)]  # what it names is a duplicate itself
    assert twins((urls["c"], "https://e.com/c", 30)) == []  # it names itself
    assert twins((5, "nonsense", 30)) == []
    chain = twins((urls["c"], "https://e.com/a", 10), (6, "https://e.com/c", 30))
    assert chain == [(urls["a"], 1, urls["c"]), (urls["a"], 1, 6)]


@pytest.mark.parametrize(
    ("tried", "others", "following", "rest"),
    [
        ("http://e.com/a", "\nhttp://e.com/a/", "http://e.com/a/", ""),
        ("http://e.com/a", "\nhttp://e.com/b\nhttps://e.com/z\nhttp://e.com/a", "https://e.com/z", "http://e.com/b"),
        ("http://e.com/a", "\nhttp://e.com/a", "http://e.com/a", ""),
        (
            "x",
            "\n".join(f"http://e.com/{n}" for n in range(9)),
            "http://e.com/0",
            "\n".join(f"http://e.com/{n}" for n in (1, 2, 3)),
        ),
    ],
)
def test_https_is_tried_first_and_nothing_twice(tried: str, others: str, following: str, rest: str) -> None:
    assert choose_next_spelling(1, 2, tried, others) == (following, rest, 1, 2)
