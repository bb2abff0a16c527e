"""Decisions to open pages in a browser."""

from __future__ import annotations

from itertools import count

import pytest

from headwater.frontier.render_policy import INSPECTED_PAGES, MAX_BARREN_RENDERS, MAX_PROBES, MAX_SHAPES, RenderPolicy

NUMBERS = count(1)


def visit(policy: RenderPolicy, shape: str = "/a") -> int:
    """Start the visit of another page."""
    identity = next(NUMBERS)
    policy.enter(identity, shape)
    return identity


def open_page(policy: RenderPolicy, added: int, shape: str = "/a") -> int:
    """Visit and open another page, which gains this many new pages."""
    identity = visit(policy, shape)
    policy.begin(identity)
    result = policy.learn(identity, {next(NUMBERS) for _ in range(added)}, 1)
    policy.leave(identity)
    return result


def is_opened(policy: RenderPolicy, *, scripted: bool = False, may_gain: bool = False, shape: str = "/a") -> bool:
    """Return the decision on another page."""
    identity = visit(policy, shape)
    assert policy.can_decide_rendering(identity)
    wanted = policy.is_wanted(identity, looks_scripted=scripted, may_gain=may_gain)
    policy.leave(identity)
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
    policy = RenderPolicy()
    for added in gains:
        open_page(policy, added)
    assert is_opened(policy, scripted=True) is scripted
    assert is_opened(policy, may_gain=True) is may_gain
    assert not is_opened(policy)


def test_shapes_are_learned_separately() -> None:
    policy = RenderPolicy()
    for _ in range(MAX_BARREN_RENDERS):
        open_page(policy, 0, "/a")
        open_page(policy, 1, "/b")
    assert not is_opened(policy, scripted=True, shape="/a")
    assert is_opened(policy, scripted=True, shape="/b")


def test_every_page_is_opened_if_renders_all_is_set() -> None:
    policy = RenderPolicy(renders_all=True)
    for _ in range(MAX_BARREN_RENDERS):
        open_page(policy, 0)
    assert is_opened(policy)
    assert policy.can_decide_rendering(visit(policy))
    assert policy.can_decide_rendering(visit(policy)), "pages do not wait for each other"


def test_a_few_failures_do_not_count_as_probes() -> None:
    policy = RenderPolicy()
    for _ in range(MAX_BARREN_RENDERS + MAX_PROBES):
        assert is_opened(policy, may_gain=True)
        identity = visit(policy)
        policy.begin(identity)
        policy.discount_failed_render(identity)
        policy.leave(identity)
    assert not is_opened(policy, may_gain=True)
    assert is_opened(policy, scripted=True), "failures say nothing about the pages"


def test_the_first_pages_of_a_shape_are_inspected() -> None:
    policy = RenderPolicy()
    assert [policy.should_inspect(visit(policy)) for _ in range(INSPECTED_PAGES + 1)] == [True] * INSPECTED_PAGES + [
        False
    ]


def test_all_pages_are_inspected_if_one_of_the_first_gained() -> None:
    policy = RenderPolicy()
    open_page(policy, 1)
    for _ in range(INSPECTED_PAGES):
        visit(policy)
    assert policy.should_inspect(visit(policy))
    later = RenderPolicy()
    for added in (*[0] * INSPECTED_PAGES, 1):
        open_page(later, added)
    assert not later.should_inspect(visit(later)), "the gain of a later page may be known too late"


def test_later_pages_wait_until_the_first_are_done() -> None:
    policy = RenderPolicy()
    first = [visit(policy) for _ in range(INSPECTED_PAGES)]
    later = visit(policy)
    assert all(map(policy.can_decide_inspection, first))
    for one in first:
        assert not policy.can_decide_inspection(later)
        policy.leave(one)
    assert policy.can_decide_inspection(later)


def test_decisions_wait_for_earlier_pages_of_the_shape_until_one_gained() -> None:
    policy = RenderPolicy()
    first, second, third, other = visit(policy), visit(policy), visit(policy), visit(policy, "/b")
    assert [*map(policy.can_decide_rendering, (first, second, third, other))] == [True, False, False, True]
    policy.leave(first)
    assert [*map(policy.can_decide_rendering, (second, third))] == [True, False]
    policy.begin(second)
    policy.learn(second, {next(NUMBERS)}, 1)
    assert policy.can_decide_rendering(third), "it is opened regardless of the others"


def test_a_page_that_several_lead_to_counts_once_per_round() -> None:
    policy = RenderPolicy()
    first, second, third = visit(policy), visit(policy), visit(policy)
    assert policy.learn(first, {1, 2}, 1) == 2
    assert policy.learn(second, {1, 2, 3}, 1) == 1
    assert policy.learn(third, {1}, 2) == 1


def test_shapes_beyond_the_limit_are_not_tracked() -> None:
    policy = RenderPolicy()
    for number in range(MAX_SHAPES):
        visit(policy, f"/{number}")
    beyond = visit(policy, "/too-many")
    assert not policy.should_inspect(beyond)
    assert policy.can_decide_inspection(beyond)
    assert policy.can_decide_rendering(beyond)
    assert policy.is_wanted(beyond, looks_scripted=True, may_gain=False)
    assert policy.learn(beyond, {1}, 1) == 1
    policy.begin(beyond)
    policy.discount_failed_render(beyond)
    policy.leave(beyond)
