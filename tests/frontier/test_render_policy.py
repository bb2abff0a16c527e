"""Decisions to open pages in a browser."""

from __future__ import annotations

from itertools import count

import pytest

from headwater.frontier.render_policy import INSPECTED_PAGES, MAX_BARREN_RENDERS, MAX_PROBES, MAX_SHAPES, RenderPolicy

NUMBERS = count(1)


def visit(rendering: RenderPolicy, shape: str = "/a") -> int:
    """Start the visit of another page."""
    identity = next(NUMBERS)
    rendering.enter(identity, shape)
    return identity


def opened(rendering: RenderPolicy, added: int, shape: str = "/a") -> int:
    """Visit and open another page, which gains this many new pages."""
    identity = visit(rendering, shape)
    rendering.begin(identity)
    result = rendering.learn(identity, {next(NUMBERS) for _ in range(added)}, 1)
    rendering.leave(identity)
    return result


def is_opened(rendering: RenderPolicy, *, scripted: bool = False, may_gain: bool = False, shape: str = "/a") -> bool:
    """Return the decision on another page."""
    identity = visit(rendering, shape)
    assert rendering.can_decide_rendering(identity)
    wanted = rendering.is_wanted(identity, looks_scripted=scripted, may_gain=may_gain)
    rendering.leave(identity)
    return wanted


@pytest.mark.parametrize(
    ("gains", "scripted", "may_gain"),
    [
        ([], True, True),
        ([0] * (MAX_PROBES - 1), True, True),
        ([0] * MAX_PROBES, True, False),
        ([0] * MAX_BARREN_RENDERS, False, False),
        ([0, 3, 0, 0, 0], True, True),
        ([1, *[0] * 2 * MAX_BARREN_RENDERS], True, True),
    ],
)
def test_a_shape_is_opened_while_it_gains(gains: list[int], scripted: bool, may_gain: bool) -> None:
    rendering = RenderPolicy()
    for added in gains:
        opened(rendering, added)
    assert is_opened(rendering, scripted=True) is scripted
    assert is_opened(rendering, may_gain=True) is may_gain
    assert not is_opened(rendering)


def test_shapes_are_learned_separately() -> None:
    rendering = RenderPolicy()
    for _ in range(MAX_BARREN_RENDERS):
        opened(rendering, 0, "/a")
        opened(rendering, 1, "/b")
    assert not is_opened(rendering, scripted=True, shape="/a")
    assert is_opened(rendering, scripted=True, shape="/b")


def test_every_page_is_opened_if_renders_all_is_set() -> None:
    rendering = RenderPolicy(renders_all=True)
    for _ in range(MAX_BARREN_RENDERS):
        opened(rendering, 0)
    assert is_opened(rendering)
    assert rendering.can_decide_rendering(visit(rendering))
    assert rendering.can_decide_rendering(visit(rendering)), "nobody waits for others"


def test_a_few_failures_do_not_count_as_probes() -> None:
    rendering = RenderPolicy()
    for _ in range(MAX_BARREN_RENDERS + MAX_PROBES):
        assert is_opened(rendering, may_gain=True)
        identity = visit(rendering)
        rendering.begin(identity)
        rendering.discount_failed_render(identity)
        rendering.leave(identity)
    assert not is_opened(rendering, may_gain=True)
    assert is_opened(rendering, scripted=True), "failures say nothing of the pages"


def test_the_first_pages_of_a_shape_are_inspected() -> None:
    rendering = RenderPolicy()
    assert [rendering.should_inspect(visit(rendering)) for _ in range(INSPECTED_PAGES + 1)] == [
        True
    ] * INSPECTED_PAGES + [False]


def test_all_pages_are_inspected_if_one_of_the_first_gained() -> None:
    rendering = RenderPolicy()
    opened(rendering, 1)
    for _ in range(INSPECTED_PAGES):
        visit(rendering)
    assert rendering.should_inspect(visit(rendering))
    later = RenderPolicy()
    for added in (*[0] * INSPECTED_PAGES, 1):
        opened(later, added)
    assert not later.should_inspect(visit(later)), "what a later page gains may be known too late"


def test_later_pages_wait_until_the_first_are_done() -> None:
    rendering = RenderPolicy()
    first = [visit(rendering) for _ in range(INSPECTED_PAGES)]
    later = visit(rendering)
    assert all(map(rendering.can_decide_inspection, first))
    for one in first:
        assert not rendering.can_decide_inspection(later)
        rendering.leave(one)
    assert rendering.can_decide_inspection(later)


def test_decisions_wait_for_earlier_pages_of_the_shape_until_one_gained() -> None:
    rendering = RenderPolicy()
    first, second, third, other = visit(rendering), visit(rendering), visit(rendering), visit(rendering, "/b")
    assert [*map(rendering.can_decide_rendering, (first, second, third, other))] == [True, False, False, True]
    rendering.leave(first)
    assert [*map(rendering.can_decide_rendering, (second, third))] == [True, False]
    rendering.begin(second)
    rendering.learn(second, {next(NUMBERS)}, 1)
    assert rendering.can_decide_rendering(third), "whatever comes of the others, it is opened"


def test_a_page_that_several_lead_to_counts_once_per_round() -> None:
    rendering = RenderPolicy()
    first, second, third = visit(rendering), visit(rendering), visit(rendering)
    assert rendering.learn(first, {1, 2}, 1) == 2
    assert rendering.learn(second, {1, 2, 3}, 1) == 1
    assert rendering.learn(third, {1}, 2) == 1


def test_shapes_beyond_the_limit_are_not_tracked() -> None:
    rendering = RenderPolicy()
    for number in range(MAX_SHAPES):
        visit(rendering, f"/{number}")
    beyond = visit(rendering, "/too-many")
    assert not rendering.should_inspect(beyond)
    assert rendering.can_decide_inspection(beyond)
    assert rendering.can_decide_rendering(beyond)
    assert rendering.is_wanted(beyond, looks_scripted=True, may_gain=False)
    assert rendering.learn(beyond, {1}, 1) == 1
    rendering.begin(beyond)
    rendering.discount_failed_render(beyond)
    rendering.leave(beyond)
