"""Duplicates: the page of a group that is listed, and the spelling that is requested next."""

from __future__ import annotations

import pytest

from headwater.store.duplicates import (
    CanonicalPage,
    CanonicalTarget,
    DuplicatePage,
    choose_next_spelling,
    choose_representative,
    find_canonical_duplicates,
    find_duplicates,
)
from headwater.store.page_lists import STATES
from headwater.urls.identity import compute_identity

FETCHED, DUPLICATE = STATES.index("fetched"), STATES.index("duplicate")


def member(url: str, canonical: str = "", inlinks: int = 0, *, is_seed: bool = False, hops: int = 0) -> DuplicatePage:
    return DuplicatePage(
        content_hash=7, identity=compute_identity(url), key=url, url=url, canonical=canonical, inlinks=inlinks,
        is_seed=is_seed, hops=hops,
    )  # fmt: skip


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
def test_one_page_of_a_group_is_listed(group: list[DuplicatePage], listed: str) -> None:
    assert choose_representative(group).url == listed
    assert choose_representative(group[::-1]).url == listed


def test_duplicates_lead_to_the_page_that_is_listed() -> None:
    a, b = member("https://e.com/a", inlinks=3), member("https://e.com/b", inlinks=5)
    c, d = (member(f"https://e.com/{name}")._replace(content_hash=8) for name in "cd")
    assert find_duplicates([a, b, c, d]) == [(a.identity, b.identity), (d.identity, c.identity)]


def test_pages_of_the_site_come_before_those_of_other_sites() -> None:
    other = member("https://o.org/a", inlinks=9, hops=1)
    own = member("https://e.com/longer", "https://o.org/a")
    assert choose_representative([other, own]) == own


def test_a_canonical_url_merges_only_pages_with_the_same_text() -> None:
    urls = {name: compute_identity(f"https://e.com/{name}") for name in "abc"}
    texts = {urls["a"]: 10, urls["b"]: 20, urls["c"]: 30}
    targets = {
        urls["a"]: CanonicalTarget(identity=urls["a"], state=FETCHED, leads_to=None),
        urls["b"]: CanonicalTarget(identity=urls["b"], state=DUPLICATE, leads_to=urls["a"]),
        urls["c"]: CanonicalTarget(identity=urls["c"], state=FETCHED, leads_to=None),
    }

    def find(identity: int, text_hash: int) -> CanonicalTarget | None:
        return targets[identity] if texts[identity] == text_hash else None

    def duplicates(*pages: tuple[int, str, int]) -> list[tuple[int, int]]:
        rows = [CanonicalPage(identity=page, canonical=url, text_hash=text) for page, url, text in pages]
        return find_canonical_duplicates(rows, find)

    assert duplicates((5, "https://e.com/c", 30)) == [(5, urls["c"])]
    assert duplicates((5, "https://e.com/c", 31)) == []
    assert duplicates((5, "https://e.com/b", 20)) == [(5, urls["a"])]  # its canonical page is itself a duplicate
    assert duplicates((urls["c"], "https://e.com/c", 30)) == []  # it names itself
    assert duplicates((5, "nonsense", 30)) == []
    chain = duplicates((urls["c"], "https://e.com/a", 10), (6, "https://e.com/c", 30))
    assert chain == [(urls["c"], urls["a"]), (6, urls["a"])]


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
def test_the_next_spelling_is_https_if_possible_and_never_a_repetition(
    tried: str, others: str, following: str, rest: str
) -> None:
    assert choose_next_spelling(tried, others) == (following, rest)
