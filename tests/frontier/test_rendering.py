"""Decisions on the browser, in the order in which visits began."""

from __future__ import annotations

from itertools import count

import pytest

from headwater.frontier.rendering import LOOKS, MAX_SHAPES, PATIENCE, PROBES, Rendering

NUMBERS = count(1)


def visit(rendering: Rendering, shape: str = "/a") -> int:
    """Begin the visit of another page."""
    identity = next(NUMBERS)
    rendering.enter(identity, shape)
    return identity


def opened(rendering: Rendering, added: int, shape: str = "/a") -> int:
    """Visit and open another page, which gains so many pages that nobody knew."""
    identity = visit(rendering, shape)
    rendering.begin(identity)
    result = rendering.learn(identity, {next(NUMBERS) for _ in range(added)}, 1)
    rendering.leave(identity)
    return result


def is_opened(rendering: Rendering, *, scripted: bool = False, may_gain: bool = False, shape: str = "/a") -> bool:
    """Return the decision on another page."""
    identity = visit(rendering, shape)
    assert rendering.may_decide(identity)
    wanted = rendering.is_wanted(identity, looks_scripted=scripted, may_gain=may_gain)
    rendering.leave(identity)
    return wanted


@pytest.mark.parametrize(
    ("gains", "scripted", "may_gain"),
    [
        ([], True, True),
        ([0] * (PROBES - 1), True, True),
        ([0] * PROBES, True, False),
        ([0] * PATIENCE, False, False),
        ([0, 3, 0, 0, 0], True, True),
        ([1, *[0] * 2 * PATIENCE], True, True),
    ],
)
def test_a_shape_is_opened_while_it_gains(gains: list[int], scripted: bool, may_gain: bool) -> None:
    rendering = Rendering()
    for added in gains:
        opened(rendering, added)
    assert is_opened(rendering, scripted=True) is scripted
    assert is_opened(rendering, may_gain=True) is may_gain
    assert not is_opened(rendering)


def test_shapes_are_learned_separately() -> None:
    rendering = Rendering()
    for _ in range(PATIENCE):
        opened(rendering, 0, "/a")
        opened(rendering, 1, "/b")
    assert not is_opened(rendering, scripted=True, shape="/a")
    assert is_opened(rendering, scripted=True, shape="/b")


def test_every_page_is_opened_if_that_was_asked_for() -> None:
    rendering = Rendering(opens_all=True)
    for _ in range(PATIENCE):
        opened(rendering, 0)
    assert is_opened(rendering)
    assert rendering.may_decide(visit(rendering))
    assert rendering.may_decide(visit(rendering)), "nobody waits for others"


def test_failures_are_no_probes_until_there_are_many() -> None:
    rendering = Rendering()
    for _ in range(PATIENCE + PROBES):
        assert is_opened(rendering, may_gain=True)
        identity = visit(rendering)
        rendering.begin(identity)
        rendering.forgive(identity)
        rendering.leave(identity)
    assert not is_opened(rendering, may_gain=True)
    assert is_opened(rendering, scripted=True), "failures say nothing of the pages"


def test_the_first_pages_of_a_shape_are_looked_at() -> None:
    rendering = Rendering()
    assert [rendering.is_looked_at(visit(rendering)) for _ in range(LOOKS + 1)] == [True] * LOOKS + [False]


def test_all_pages_are_looked_at_if_one_of_the_first_gained() -> None:
    rendering = Rendering()
    opened(rendering, 1)
    for _ in range(LOOKS):
        visit(rendering)
    assert rendering.is_looked_at(visit(rendering))
    later = Rendering()
    for added in (*[0] * LOOKS, 1):
        opened(later, added)
    assert not later.is_looked_at(visit(later)), "what a later page gains may be known too late"


def test_later_pages_wait_until_the_first_are_done() -> None:
    rendering = Rendering()
    first = [visit(rendering) for _ in range(LOOKS)]
    later = visit(rendering)
    assert all(map(rendering.may_look, first))
    for one in first:
        assert not rendering.may_look(later)
        rendering.leave(one)
    assert rendering.may_look(later)


def test_decisions_wait_for_earlier_pages_of_the_shape_until_one_gained() -> None:
    rendering = Rendering()
    first, second, third, other = visit(rendering), visit(rendering), visit(rendering), visit(rendering, "/b")
    assert [*map(rendering.may_decide, (first, second, third, other))] == [True, False, False, True]
    rendering.leave(first)
    assert [*map(rendering.may_decide, (second, third))] == [True, False]
    rendering.begin(second)
    rendering.learn(second, {next(NUMBERS)}, 1)
    assert rendering.may_decide(third), "whatever comes of the others, it is opened"


def test_a_page_that_several_lead_to_counts_once_a_round() -> None:
    rendering = Rendering()
    first, second, third = visit(rendering), visit(rendering), visit(rendering)
    assert rendering.learn(first, {1, 2}, 1) == 2
    assert rendering.learn(second, {1, 2, 3}, 1) == 1
    assert rendering.learn(third, {1}, 2) == 1


def test_shapes_beyond_the_limit_are_not_learned_from() -> None:
    rendering = Rendering()
    for number in range(MAX_SHAPES):
        visit(rendering, f"/{number}")
    beyond = visit(rendering, "/too-many")
    assert not rendering.is_looked_at(beyond)
    assert rendering.may_look(beyond)
    assert rendering.may_decide(beyond)
    assert rendering.is_wanted(beyond, looks_scripted=True, may_gain=False)
    assert rendering.learn(beyond, {1}, 1) == 1
    rendering.begin(beyond)
    rendering.forgive(beyond)
    rendering.leave(beyond)
