"""Detection of crawler traps: repeating paths, and families of pages that lead only to themselves."""

from __future__ import annotations

from itertools import islice, product
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.frontier.traps.trap_detector import (
    MAX_BARREN_SAMPLES,
    MAX_FAMILIES,
    MAX_PATH_DEPTH,
    MAX_REPEATS,
    MIN_TRAP_DEPTHS,
    MIN_TRAP_PAGES,
    NEVER_EXHAUSTED,
    SampleResult,
    TrapDetector,
    get_page_template,
    has_repeating_path,
    is_suspect,
)
from headwater.urls.identity import compute_identity
from headwater.urls.shapes import shape

SITE = "https://example.com"
CALENDAR = f"{SITE}/calendar/2024/05"
FILTER = f"{SITE}/shop?color=red&size=42"
LIST = f"{SITE}/list?page=2"
NUMBERED = f"{SITE}/items/17"
OTHER = f"{SITE}/outlet?color=red&size=42"
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
def test_repeating_paths_are_recognized(path: str, expected: bool) -> None:
    assert has_repeating_path(SITE + path) is expected
    assert has_repeating_path("http://a" + path) is expected


@given(st.lists(NAMES, max_size=3), st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, max_size=3))
def test_a_repeated_block_is_recognized_anywhere_in_the_path(
    before: list[str], block: list[str], after: list[str]
) -> None:
    assert has_repeating_path(path_of(before + block * MAX_REPEATS + after))


@given(st.lists(NAMES, max_size=MAX_PATH_DEPTH, unique=True))
def test_different_segments_do_not_repeat(segments: list[str]) -> None:
    assert not has_repeating_path(path_of(segments or [""]))


def test_a_path_deeper_than_the_limit_is_a_trap() -> None:
    segments = [f"s{number}" for number in range(MAX_PATH_DEPTH)]
    assert not has_repeating_path(path_of(segments))
    assert has_repeating_path(path_of([*segments, "more"]))


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
def test_urls_that_a_trap_could_have_generated_are_suspect(url: str, parent: str, expected: bool) -> None:
    assert is_suspect(SITE + url, SITE + parent) is expected
    assert is_suspect("http://shop-24.example" + url, "http://shop-24.example" + parent) is expected


@pytest.mark.parametrize(
    ("url", "other", "expected"),
    [
        ("/items/1", "/items/2", True),
        ("/items/1", "/orders/1", False),
        ("/items/1", "/items/1/reviews", False),
        ("/2024/05", "/2024/05/01", False),
        ("/list?page=1", "/shop?size=9", True),
        ("/list?page=1", "/list", False),
    ],
)
def test_pages_that_could_have_generated_the_same_suspects_have_one_template(
    url: str, other: str, expected: bool
) -> None:
    assert (get_page_template(SITE + url) == get_page_template(SITE + other)) is expected


@pytest.fixture
def traps() -> TrapDetector:
    traps = TrapDetector()
    traps.begin_round()
    return traps


def links(*paths: str) -> list[tuple[int, str]]:
    return [(compute_identity(SITE + path), shape(SITE + path)) for path in paths]


def learn(traps: TrapDetector, url: str, times: int, depth: int = 1) -> None:
    """Add pages at one depth that have the same content and no links."""
    for _ in range(times):
        traps.learn(url, depth, SampleResult(0))


def remaining(traps: TrapDetector, url: str, depth: int = 1) -> int:
    return traps.get_family(url).count_remaining_samples(depth)


@pytest.mark.parametrize(
    ("url", "expected"),
    [(FILTER, MAX_BARREN_SAMPLES), (CALENDAR, MAX_BARREN_SAMPLES), (LIST, MIN_TRAP_PAGES), (NUMBERED, NEVER_EXHAUSTED)],
)
def test_a_new_family_is_not_exhausted(traps: TrapDetector, url: str, expected: int) -> None:
    assert remaining(traps, url) == expected


def test_filters_are_exhausted_after_a_sample(traps: TrapDetector) -> None:
    for number in range(MAX_BARREN_SAMPLES):
        assert remaining(traps, FILTER) == MAX_BARREN_SAMPLES - number
        traps.learn(FILTER, 1, SampleResult(number))  # the content differs each time
    assert remaining(traps, FILTER) == 0
    learn(traps, FILTER, 1)
    assert remaining(traps, FILTER) == 0


def test_filters_of_one_path_are_one_family(traps: TrapDetector) -> None:
    learn(traps, f"{SITE}/shop?color=red&size=42", MAX_BARREN_SAMPLES - 1)
    learn(traps, f"{SITE}/shop?brand=acme&price=9&sale=1", 1)
    assert remaining(traps, f"{SITE}/shop?material=wool&size=1") == 0
    assert remaining(traps, f"{SITE}/shop?size=1") == MIN_TRAP_PAGES
    assert remaining(traps, f"{SITE}/outlet?color=red&size=42") == MAX_BARREN_SAMPLES


@pytest.mark.parametrize("url", [CALENDAR, f"{SITE}/events/2024-05-01", f"{SITE}/archive/2024"])
def test_calendars_are_exhausted_after_a_sample_without_new_content(traps: TrapDetector, url: str) -> None:
    learn(traps, url, 1 + MAX_BARREN_SAMPLES - 1)  # the content of the first is new
    assert remaining(traps, url) == 1
    learn(traps, url, 1)
    assert remaining(traps, url) == 0


def test_other_shapes_are_exhausted_when_they_span_many_depths(traps: TrapDetector) -> None:
    learn(traps, NUMBERED, 1)
    for depth in range(1, MIN_TRAP_DEPTHS):
        learn(traps, NUMBERED, MAX_BARREN_SAMPLES, depth)
    assert remaining(traps, NUMBERED, MIN_TRAP_DEPTHS - 1) == NEVER_EXHAUSTED
    assert remaining(traps, NUMBERED, MIN_TRAP_DEPTHS) == 1
    learn(traps, NUMBERED, 1, MIN_TRAP_DEPTHS)
    assert remaining(traps, NUMBERED, MIN_TRAP_DEPTHS) == 0


def test_a_sample_is_needed_at_any_depth(traps: TrapDetector) -> None:
    for depth in range(MAX_BARREN_SAMPLES):
        learn(traps, NUMBERED, 1, depth)
    assert remaining(traps, NUMBERED, MAX_BARREN_SAMPLES) == 1
    learn(traps, NUMBERED, 1, MAX_BARREN_SAMPLES)
    assert remaining(traps, NUMBERED, MAX_BARREN_SAMPLES + 1) == 0


def test_pages_with_a_query_are_exhausted_when_they_are_many(traps: TrapDetector) -> None:
    learn(traps, LIST, 1 + MIN_TRAP_PAGES - 1)
    assert remaining(traps, LIST) == 1
    learn(traps, LIST, 1)
    assert remaining(traps, LIST) == 0


def test_pages_without_a_query_may_be_many(traps: TrapDetector) -> None:
    learn(traps, NUMBERED, 2 * MIN_TRAP_PAGES)
    assert remaining(traps, NUMBERED) == NEVER_EXHAUSTED


@pytest.mark.parametrize("url", [FILTER, CALENDAR, LIST, NUMBERED])
def test_one_page_reduces_the_remaining_samples_by_at_most_one(traps: TrapDetector, url: str) -> None:
    for depth in range(2 * MIN_TRAP_DEPTHS):
        for _ in range(5):
            before = remaining(traps, url, depth)
            learn(traps, url, 1, depth)
            assert remaining(traps, url, depth) >= before - 1


def test_new_content_restarts_the_count(traps: TrapDetector) -> None:
    learn(traps, CALENDAR, 1 + MAX_BARREN_SAMPLES - 1)
    traps.learn(CALENDAR, 1, SampleResult(1))
    assert remaining(traps, CALENDAR) == MAX_BARREN_SAMPLES


def test_new_content_restarts_the_depths(traps: TrapDetector) -> None:
    for depth in range(MIN_TRAP_DEPTHS - 1):
        learn(traps, NUMBERED, 1, depth)
    traps.learn(NUMBERED, 1, SampleResult(1))
    learn(traps, NUMBERED, MAX_BARREN_SAMPLES, MIN_TRAP_DEPTHS)
    assert remaining(traps, NUMBERED, MIN_TRAP_DEPTHS + 1) == NEVER_EXHAUSTED


def test_something_new_revives_an_exhausted_family(traps: TrapDetector) -> None:
    learn(traps, FILTER, MAX_BARREN_SAMPLES)
    traps.learn(FILTER, 1, SampleResult(0, links("/about")))
    assert remaining(traps, FILTER) == MAX_BARREN_SAMPLES


@pytest.mark.parametrize(
    ("paths", "is_new"),
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
def test_links_to_another_shape_are_new(traps: TrapDetector, paths: list[str], is_new: bool) -> None:
    learn(traps, FILTER, MAX_BARREN_SAMPLES - 1)
    traps.learn(FILTER, 1, SampleResult(0, links(*paths)))
    assert remaining(traps, FILTER) == (MAX_BARREN_SAMPLES if is_new else 0)


@pytest.mark.parametrize(
    ("family", "path", "is_later", "is_new_again"),
    [
        (FILTER, "/about", False, False),  # the same link counts once
        (FILTER, "/about/us", False, True),
        (OTHER, "/about", False, True),  # families do not depend on each other within a round
        (OTHER, "/shop?color=red", False, True),
        (FILTER, "/shop?color=red", False, False),  # the same shape counts once
        (FILTER, "/about/us", True, True),
        (FILTER, "/shop?color=red", True, False),
        (OTHER, "/shop?color=red", True, False),  # a shape with a query is new in one round only
    ],
)
def test_links_and_shapes_count_once(
    traps: TrapDetector, family: str, path: str, is_later: bool, is_new_again: bool
) -> None:
    traps.learn(FILTER, 1, SampleResult(0, links("/about", "/shop?color=blue")))
    if is_later:
        traps.begin_round()
    learn(traps, family, MAX_BARREN_SAMPLES - 1)
    traps.learn(family, 1, SampleResult(0, links(path)))
    assert remaining(traps, family) == (MAX_BARREN_SAMPLES if is_new_again else 0)


def test_families_are_counted_separately(traps: TrapDetector) -> None:
    learn(traps, f"{SITE}/events/2024", 1 + MAX_BARREN_SAMPLES)
    learn(traps, f"{SITE}/archive/2024", MAX_BARREN_SAMPLES)
    assert remaining(traps, f"{SITE}/events/1999") == 0
    assert remaining(traps, f"{SITE}/archive/1999") == 1


def test_families_are_forgotten_between_rounds_when_there_are_too_many(traps: TrapDetector) -> None:
    learn(traps, FILTER, MAX_BARREN_SAMPLES)
    names = ("".join(letters) for letters in product(ascii_lowercase, repeat=4))
    for name in islice(names, MAX_FAMILIES - 1):
        learn(traps, f"{SITE}/{name}?page=1", 1)
    traps.begin_round()
    assert remaining(traps, FILTER) == 0
    learn(traps, f"{SITE}/one/more?page=1", 1)
    assert remaining(traps, FILTER) == 0, "families are forgotten only between rounds"
    traps.begin_round()
    assert remaining(traps, FILTER) == MAX_BARREN_SAMPLES
