"""URLs that repeat themselves, and families of pages that lead only to more of themselves."""

from __future__ import annotations

from itertools import islice, product
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.frontier.traps import (
    DEPTHS,
    MANY,
    MAX_FAMILIES,
    MAX_PATH_DEPTH,
    MAX_REPEATS,
    SAMPLE,
    Traps,
    repeats_itself,
)

SITE = "https://example.com"
CALENDAR = f"{SITE}/calendar/2024/05"
FILTER = f"{SITE}/shop?color=red&size=42"
LIST = f"{SITE}/list?page=2"
NUMBERED = f"{SITE}/items/17"
NAMES = st.text(ascii_lowercase, min_size=1, max_size=3)


def path_of(segments: list[str]) -> str:
    return SITE + "".join(f"/{segment}" for segment in segments)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", False),
        ("/a", False),
        ("/a/a", False),
        ("/a/a/a", True),
        ("/a/a/a/a", True),
        ("/a/a/a/", True),
        ("/a/a/b/a", False),
        ("/a/aa/aaa", False),
        ("/x/a/a/a", True),
        ("/a/a/a/x", True),
        ("/x/y/a/a/a/z", True),
        ("/a/b/a/b", False),
        ("/a/b/a/b/a", False),
        ("/a/b/a/b/a/b", True),
        ("/a/b/a/b/b/a", False),
        ("/x/a/b/a/b/a/b", True),
        ("/x/a/b/a/b/a/b/y", True),
        ("/a/b/a/b/x/a/b", False),
        ("/a/b/c/a/b/c", False),
        ("/a/b/c/a/b/c/a/b", False),
        ("/a/b/c/a/b/c/a/b/c", True),
        ("/a/b/b/a/c/c", False),
        ("/x?next=/a/a/a", False),
        ("/a/a/a?next=1", True),
        ("/a/a?next=/a", False),
    ],
)
def test_a_path_that_repeats_itself(path: str, expected: bool) -> None:
    assert repeats_itself(SITE + path) is expected
    assert repeats_itself("http://a" + path) is expected


@given(st.lists(NAMES, max_size=3), st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, max_size=3))
def test_a_block_repeated_often_enough_is_noticed_anywhere(
    before: list[str], block: list[str], after: list[str]
) -> None:
    assert repeats_itself(path_of(before + block * MAX_REPEATS + after))


@given(st.lists(NAMES, max_size=MAX_PATH_DEPTH, unique=True))
def test_different_segments_do_not_repeat(segments: list[str]) -> None:
    assert not repeats_itself(path_of(segments or [""]))


def test_a_path_deeper_than_the_limit_is_a_trap() -> None:
    segments = [f"s{number}" for number in range(MAX_PATH_DEPTH)]
    assert not repeats_itself(path_of(segments))
    assert repeats_itself(path_of([*segments, "more"]))


@pytest.mark.parametrize(
    ("url", "parent", "expected"),
    [
        # both have a query
        ("/list?page=3", "/list?page=2", True),
        ("/shop?size=9", "/list?page=2", True),
        ("/list?page=2", "/list", False),
        ("/list", "/list?page=2", False),
        # values in the same shape
        ("/items/2", "/items/1", True),
        ("/items/2", "/items", False),
        ("/items/2", "/orders/1", False),
        ("/items/2", "/items/1/reviews", False),
        ("/blog/2024/05", "/blog/2024/04", True),
        ("/docs/first-steps", "/docs/getting-started", True),
        ("/docs/first_steps", "/docs/getting-started", True),
        ("/docs/first+steps", "/docs/getting-started", True),
        ("/docs/first%20steps", "/docs/getting-started", True),
        ("/a;sid=1", "/a;sid=2", True),
        ("/en/about", "/de/about", True),
        ("/about/en", "/about/de", True),
        ("/latest/api", "/v2/api", True),
        ("/api/stable", "/api/latest", True),
        # no values
        ("/about", "/contact", False),
        ("/about", "/about", False),
        ("/team/about", "/team/contact", False),
        ("/fresh", "/deals", False),
    ],
)
def test_urls_that_a_trap_could_have_made(url: str, parent: str, expected: bool) -> None:
    assert Traps().is_suspect(SITE + url, SITE + parent) is expected
    assert Traps().is_suspect("http://shop-24.example" + url, "http://shop-24.example" + parent) is expected


def learn(traps: Traps, url: str, times: int, depth: int = 1) -> None:
    """Note pages at one depth that have the same content and no links."""
    for _ in range(times):
        traps.learn(url, depth, [], fingerprint=0)


def test_an_unknown_family_is_not_exhausted() -> None:
    assert not Traps().is_exhausted(FILTER)


def test_filters_are_exhausted_after_a_sample() -> None:
    traps = Traps()
    for number in range(SAMPLE):
        assert not traps.is_exhausted(FILTER)
        traps.learn(FILTER, 1, [], fingerprint=number)  # the content differs each time
    assert traps.is_exhausted(FILTER)
    learn(traps, FILTER, 1)
    assert traps.is_exhausted(FILTER)


def test_filters_of_one_path_are_one_family() -> None:
    traps = Traps()
    learn(traps, f"{SITE}/shop?color=red&size=42", SAMPLE - 1)
    learn(traps, f"{SITE}/shop?brand=acme&price=9&sale=1", 1)
    assert traps.is_exhausted(f"{SITE}/shop?material=wool&size=1")
    assert not traps.is_exhausted(f"{SITE}/shop?size=1")
    assert not traps.is_exhausted(f"{SITE}/outlet?color=red&size=42")


@pytest.mark.parametrize("url", [CALENDAR, f"{SITE}/events/2024-05-01", f"{SITE}/archive/2024"])
def test_calendars_are_exhausted_after_a_sample_without_new_content(url: str) -> None:
    traps = Traps()
    learn(traps, url, 1 + SAMPLE - 1)  # the content of the first is new
    assert not traps.is_exhausted(url)
    learn(traps, url, 1)
    assert traps.is_exhausted(url)


def test_other_shapes_are_exhausted_when_they_go_deeper_and_deeper() -> None:
    traps = Traps()
    learn(traps, NUMBERED, 1)
    for depth in range(1, DEPTHS):
        learn(traps, NUMBERED, SAMPLE, depth)
    assert not traps.is_exhausted(NUMBERED)
    learn(traps, NUMBERED, 1, DEPTHS)
    assert traps.is_exhausted(NUMBERED)


def test_a_sample_is_needed_however_deep_it_goes() -> None:
    traps = Traps()
    for depth in range(SAMPLE):
        learn(traps, NUMBERED, 1, depth)
    assert not traps.is_exhausted(NUMBERED)
    learn(traps, NUMBERED, 1, SAMPLE)
    assert traps.is_exhausted(NUMBERED)


def test_pages_with_a_query_are_exhausted_when_they_are_many() -> None:
    traps = Traps()
    learn(traps, LIST, 1 + MANY - 1)
    assert not traps.is_exhausted(LIST)
    learn(traps, LIST, 1)
    assert traps.is_exhausted(LIST)


def test_pages_without_a_query_may_be_many() -> None:
    traps = Traps()
    learn(traps, NUMBERED, 2 * MANY)
    assert not traps.is_exhausted(NUMBERED)


def test_new_content_restarts_the_count() -> None:
    traps = Traps()
    learn(traps, CALENDAR, 1 + SAMPLE - 1)
    traps.learn(CALENDAR, 1, [], fingerprint=1)
    learn(traps, CALENDAR, SAMPLE - 1)
    assert not traps.is_exhausted(CALENDAR)
    learn(traps, CALENDAR, 1)
    assert traps.is_exhausted(CALENDAR)


def test_new_content_restarts_the_depths() -> None:
    traps = Traps()
    for depth in range(DEPTHS - 1):
        learn(traps, NUMBERED, 1, depth)
    traps.learn(NUMBERED, 1, [], fingerprint=1)
    learn(traps, NUMBERED, SAMPLE, DEPTHS)
    assert not traps.is_exhausted(NUMBERED)


def test_an_exhausted_family_that_brings_news_is_no_longer_exhausted() -> None:
    traps = Traps()
    learn(traps, FILTER, SAMPLE)
    traps.learn(FILTER, 1, [f"{SITE}/about"], fingerprint=0)
    assert not traps.is_exhausted(FILTER)


@pytest.mark.parametrize(
    ("found", "is_news"),
    [
        ([], False),
        (["/shop?color=blue&size=1"], False),
        (["/about"], True),
        (["/items/1"], True),
        (["/shop?color=blue&size=1", "/about"], True),
        (["/about", "/shop?color=blue&size=1"], True),
        (["/shop?color=blue"], True),
        (["/shop?size=9&color=red&brand=acme"], True),
    ],
)
def test_urls_of_another_shape_are_news(found: list[str], is_news: bool) -> None:
    traps = Traps()
    learn(traps, FILTER, SAMPLE - 1)
    traps.learn(FILTER, 1, [SITE + path for path in found], fingerprint=0)
    assert traps.is_exhausted(FILTER) is not is_news


@pytest.mark.parametrize(("path", "is_news_again"), [("/about", True), ("/shop?color=blue", False)])
def test_a_shape_with_a_query_is_news_once(path: str, is_news_again: bool) -> None:
    traps = Traps()
    traps.learn(f"{SITE}/other?a=1&b=2", 1, [SITE + path], fingerprint=0)
    learn(traps, FILTER, SAMPLE - 1)
    traps.learn(FILTER, 1, [SITE + path], fingerprint=0)
    assert traps.is_exhausted(FILTER) is not is_news_again


def test_families_are_counted_separately() -> None:
    traps = Traps()
    learn(traps, f"{SITE}/events/2024", 1 + SAMPLE)
    learn(traps, f"{SITE}/archive/2024", SAMPLE)
    assert traps.is_exhausted(f"{SITE}/events/1999")
    assert not traps.is_exhausted(f"{SITE}/archive/1999")


def test_families_are_forgotten_when_there_are_too_many() -> None:
    traps = Traps()
    learn(traps, FILTER, SAMPLE)
    names = ("".join(letters) for letters in product(ascii_lowercase, repeat=4))
    for name in islice(names, MAX_FAMILIES - 1):
        learn(traps, f"{SITE}/{name}?page=1", 1)
    learn(traps, f"{SITE}/aaaa?page=2", 1)
    assert traps.is_exhausted(FILTER), "a known family takes no more room"
    learn(traps, f"{SITE}/one/more?page=1", 1)
    assert not traps.is_exhausted(FILTER)
