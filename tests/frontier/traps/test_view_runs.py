"""Runs of views: how many suspects with the same parameters are visited before the rest is skipped."""

from __future__ import annotations

import pytest

from headwater.frontier.traps.content_memory import MAX_SKETCHES, ContentMemory
from headwater.frontier.traps.trap_detector import SampleResult, may_be_view
from headwater.frontier.traps.view_runs import CHECK_INTERVAL, MAX_VIEWS, MAX_VIEWS_AFTER_CONTENT, MAX_VIEWS_OF_VIEWS
from tests.frontier.traps.test_sampling import run

PRINTED = [f"/p/{number:03}?print=1" for number in range(100)]
VIEW = SampleResult(0, is_view=True)
REST = len(PRINTED) - MAX_VIEWS
CHECKS = REST // CHECK_INTERVAL


def make_content(path: str) -> SampleResult:
    return SampleResult(hash(path), new_texts=frozenset({hash(path)}), is_view=True)


@pytest.mark.parametrize("parallel", [1, 10, 64])
def test_a_few_views_are_visited_and_then_checks_only(parallel: int) -> None:
    visited, skipped = run(PRINTED, lambda _: VIEW, parallel)
    assert visited[:MAX_VIEWS] == PRINTED[:MAX_VIEWS]
    assert len(visited) == MAX_VIEWS + CHECKS
    assert len(skipped) == REST - CHECKS


@pytest.mark.parametrize("parallel", [1, 10, 64])
def test_parameters_that_choose_content_are_all_visited(parallel: int) -> None:
    assert run(PRINTED, make_content, parallel) == (PRINTED, [])


@pytest.mark.parametrize("parallel", [1, 10, 64])
def test_content_of_two_pages_makes_the_run_longer(parallel: int) -> None:
    with_content = set(PRINTED[:2])
    visited, _ = run(PRINTED, lambda path: make_content(path) if path in with_content else VIEW, parallel)
    assert visited[: 2 + MAX_VIEWS_AFTER_CONTENT] == PRINTED[: 2 + MAX_VIEWS_AFTER_CONTENT]
    assert len(visited) < len(PRINTED)


@pytest.mark.parametrize("parallel", [1, 10, 64])
def test_further_parameters_of_views_need_fewer_samples(parallel: int) -> None:
    pairs = [f"/shop?brand={number}&size={size}" for number in range(5) for size in range(4)]
    triples = [f"{pair}&sort=age" for pair in pairs]
    visited, _ = run([*pairs, *triples], lambda _: VIEW, parallel)
    assert visited == sorted([*pairs[:MAX_VIEWS], *triples[:MAX_VIEWS_OF_VIEWS]])


@pytest.mark.parametrize(
    ("url", "parent", "expected"),
    [
        ("https://e.com/p/3?print=1", "https://e.com/p/3", True),
        ("https://e.com/w?title=Tea&action=edit", "https://e.com/wiki/Tea", True),
        ("https://e.com/list?page=2", "https://e.com/list", False),
        ("https://e.com/p/3?print=1", "https://e.com/p/4", False),
        ("https://e.com/p/3", "https://e.com/p/3", False),
        ("https://e.com/p/3/print", "https://e.com/p/3", True),
        ("https://e.com/p/3/print", "https://e.com/p/4", False),
        ("https://e.com/p/3/reviews", "https://e.com/p/3", False),
    ],
)
def test_a_page_may_link_to_views_of_itself(url: str, parent: str, expected: bool) -> None:
    assert may_be_view(url, parent) is expected


def test_only_content_of_earlier_rounds_is_known() -> None:
    memory = ContentMemory()
    memory.add("https://e.com/a?x=1", b"sketch", [1, 2], 1)
    assert memory.find_new_texts([1, 3], 1) == {1, 3}
    assert memory.find_new_texts([1, 3], 2) == {3}
    assert memory.find_sketch("https://e.com/a?x=1", 1) is None
    assert memory.find_sketch("https://e.com/a?x=1", 2) == b"sketch"
    assert not memory.has_equal("https://e.com/a?y=1", b"sketch", 1)
    assert memory.has_equal("https://e.com/a?y=1", b"sketch", 2)
    assert not memory.has_equal("https://e.com/b?x=1", b"sketch", 2)


def test_memory_is_freed_when_a_round_begins() -> None:
    memory = ContentMemory()
    for number in range(MAX_SKETCHES + 1):
        memory.add(f"https://e.com/{number}", b"", [], 1)
    memory.begin_round()
    assert memory.find_sketch("https://e.com/1", 2) is None
