"""Decisions on the browser, in the order in which visits began."""

from __future__ import annotations

from itertools import count

import pytest

from headwater.frontier.render_policy import (
    GAIN_WINDOW,
    INSPECTED_PAGES,
    MAX_BARREN_PROBES,
    MAX_BARREN_RENDERS,
    MAX_SHAPES,
    MIN_BARREN_PROBES,
    SHELL_INTERVAL,
    VISITS_PER_BARREN_PROBE,
    RenderPolicy,
)

NUMBERS = count(1)
PROBES = 2
"""Pages of a shape that are opened to see if they gain, where a page looks like an application."""


def visit(rendering: RenderPolicy, shape: str = "/a") -> int:
    """Begin the visit of another page."""
    identity = next(NUMBERS)
    rendering.enter(identity, shape)
    return identity


def opened(rendering: RenderPolicy, added: int, shape: str = "/a") -> int:
    """Visit and open another page, which gains so many pages that nobody knew."""
    identity = visit(rendering, shape)
    rendering.begin(identity)
    result = rendering.learn(identity, {next(NUMBERS) for _ in range(added)}, 1)
    rendering.leave(identity)
    return result


def is_opened(rendering: RenderPolicy, *, is_shell: bool = False, may_gain: bool = False, shape: str = "/a") -> bool:
    """Return the decision on another page."""
    identity, max_probes = visit(rendering, shape), PROBES if may_gain else 0
    assert rendering.can_decide_rendering(identity, is_shell=is_shell, max_probes=max_probes)
    wanted = rendering.is_wanted(identity, is_shell=is_shell, max_probes=max_probes)
    rendering.leave(identity)
    return wanted


def can_decide_all(rendering: RenderPolicy, *identities: int, is_shell: bool = True) -> list[bool]:
    """Return for each page whether it can be decided."""
    return [rendering.can_decide_rendering(one, is_shell=is_shell, max_probes=PROBES) for one in identities]


def probe(
    rendering: RenderPolicy, gain: int, shape: str, max_probes: int = PROBES, template: int | None = None
) -> bool:
    """Visit a page with links of its own; open it if it is wanted, with this gain. Return True if it was opened."""
    identity = visit(rendering, shape)
    is_wanted = rendering.is_wanted(
        identity, is_shell=False, max_probes=max_probes, template=next(NUMBERS) if template is None else template
    )
    if is_wanted:
        rendering.begin(identity)
        rendering.learn(identity, {next(NUMBERS) for _ in range(gain)}, 1)
    rendering.leave(identity)
    return is_wanted


@pytest.mark.parametrize(
    ("gains", "shell", "may_gain"),
    [
        ([], True, True),
        ([0] * (PROBES - 1), True, True),
        ([0] * PROBES, True, False),
        ([0] * MAX_BARREN_RENDERS, False, False),
        ([0, 3, 0, 0, 0], True, True),
        ([0, 1, *[0] * GAIN_WINDOW], True, False),
        ([1, *[0] * (GAIN_WINDOW - 1), 1, *[0] * (GAIN_WINDOW - 1)], True, True),
        ([1, *[0] * (GAIN_WINDOW - 1), 1, *[0] * GAIN_WINDOW * 2], True, False),
        ([1, *[0] * GAIN_WINDOW, 5], True, False),
    ],
)
def test_a_shape_is_opened_while_it_gains(gains: list[int], shell: bool, may_gain: bool) -> None:
    rendering = RenderPolicy()
    for added in gains:
        opened(rendering, added)
    assert is_opened(rendering, may_gain=True) is may_gain
    assert is_opened(rendering, is_shell=True) is shell
    assert not is_opened(rendering)


def test_shells_of_a_barren_shape_are_still_sampled() -> None:
    rendering = RenderPolicy()
    shells = []
    for number in range(3 * SHELL_INTERVAL):
        identity = visit(rendering)
        if rendering.is_wanted(identity, is_shell=True, max_probes=0):
            shells.append(number)
            rendering.learn(identity, set(), 1)
        rendering.leave(identity)
    assert shells == [*range(MAX_BARREN_RENDERS), SHELL_INTERVAL, 2 * SHELL_INTERVAL]


def test_pages_of_a_window_are_decided_together_and_those_after_it_when_it_is_done() -> None:
    rendering = RenderPolicy()
    opened(rendering, 1)
    window = [visit(rendering) for _ in range(GAIN_WINDOW)]
    later = visit(rendering)
    assert can_decide_all(rendering, *window, later, is_shell=False) == [True] * GAIN_WINDOW + [False]
    assert can_decide_all(rendering, later, is_shell=True) == [True], "shells are opened anyway"
    for one in reversed(window):
        rendering.learn(one, {1}, 2)
        rendering.leave(one)
    assert can_decide_all(rendering, later, is_shell=False) == [True]
    assert rendering.is_wanted(later, is_shell=False, max_probes=1), "one page of the window led to a new page"


def test_pages_like_a_barren_one_beside_it_are_not_opened() -> None:
    rendering = RenderPolicy()
    assert probe(rendering, 0, "/", template=1)
    assert probe(rendering, 0, "/orchard/cider", template=1), "the seed differs from pages of its template"
    assert not probe(rendering, 0, "/orchard/visit", template=1)
    assert probe(rendering, 1, "/orchard/list", template=2)
    assert probe(rendering, 1, "/shop/list", template=1)


def test_pages_without_signs_of_an_application_have_a_smaller_budget() -> None:
    rendering = RenderPolicy()
    assert [probe(rendering, 0, f"/shape{number}", max_probes=1) for number in range(2)] == [True, False]
    assert probe(rendering, 0, "/application")


def test_shapes_are_learned_separately() -> None:
    rendering = RenderPolicy()
    for _ in range(MAX_BARREN_RENDERS):
        opened(rendering, 0, "/a")
        opened(rendering, 1, "/b")
    assert not is_opened(rendering, is_shell=True, shape="/a")
    assert is_opened(rendering, is_shell=True, shape="/b")


def test_every_page_is_opened_if_that_was_asked_for() -> None:
    rendering = RenderPolicy(renders_all=True)
    for _ in range(MAX_BARREN_RENDERS):
        opened(rendering, 0)
    assert is_opened(rendering)
    assert rendering.can_decide_rendering(visit(rendering), is_shell=True, max_probes=0)
    assert rendering.can_decide_rendering(visit(rendering), is_shell=True, max_probes=0), "nobody waits for others"


def test_an_opening_that_failed_is_no_probe() -> None:
    rendering = RenderPolicy()
    identity = visit(rendering)
    assert rendering.is_wanted(identity, is_shell=False, max_probes=1)
    rendering.begin(identity)
    rendering.discount_failed_render(identity)
    rendering.leave(identity)
    assert probe(rendering, 0, "/a", max_probes=1)
    assert not probe(rendering, 0, "/a", max_probes=1)
    assert is_opened(rendering, is_shell=True), "failures say nothing about the pages"


def test_the_first_pages_of_a_shape_are_looked_at() -> None:
    rendering = RenderPolicy()
    assert [rendering.should_inspect(visit(rendering)) for _ in range(INSPECTED_PAGES + 1)] == [
        True
    ] * INSPECTED_PAGES + [False]


def test_all_pages_are_looked_at_if_one_of_the_first_gained() -> None:
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
    assert can_decide_all(rendering, first, second, third, other) == [True, False, False, True]
    rendering.leave(first)
    assert can_decide_all(rendering, second, third) == [True, False]
    rendering.begin(second)
    rendering.learn(second, {next(NUMBERS)}, 1)
    assert can_decide_all(rendering, third) == [True], "whatever comes of the others, it is opened"


def test_a_page_that_several_lead_to_counts_once_a_round() -> None:
    rendering = RenderPolicy()
    first, second, third = visit(rendering), visit(rendering), visit(rendering)
    assert rendering.learn(first, {1, 2}, 1) == 2
    assert rendering.learn(second, {1, 2, 3}, 1) == 1
    assert rendering.learn(third, {1}, 2) == 1


def test_shapes_beyond_the_limit_are_not_learned_from() -> None:
    rendering = RenderPolicy()
    for number in range(MAX_SHAPES):
        visit(rendering, f"/{number}")
    beyond = visit(rendering, "/too-many")
    assert not rendering.should_inspect(beyond)
    assert rendering.can_decide_inspection(beyond)
    assert rendering.can_decide_rendering(beyond, is_shell=False, max_probes=1)
    assert rendering.is_wanted(beyond, is_shell=True, max_probes=0)
    assert rendering.learn(beyond, {1}, 1) == 1
    rendering.begin(beyond)
    rendering.discount_failed_render(beyond)
    rendering.leave(beyond)


def test_probes_that_gain_nothing_have_a_budget_for_the_site() -> None:
    rendering = RenderPolicy()
    opened = [probe(rendering, 0, f"/shape{number}") for number in range(MIN_BARREN_PROBES + 2)]
    assert opened == [True] * MIN_BARREN_PROBES + [False, False]


def test_probes_that_gain_cost_no_budget() -> None:
    rendering = RenderPolicy()
    assert all(probe(rendering, 1, f"/shape{number}") for number in range(3 * MIN_BARREN_PROBES))


def test_the_budget_grows_with_the_site_up_to_a_limit() -> None:
    rendering = RenderPolicy()
    shapes = (f"/shape{number}" for number in range(VISITS_PER_BARREN_PROBE * 2 * MAX_BARREN_PROBES))
    opened = [number for number, shape in enumerate(shapes) if probe(rendering, 0, shape)]
    assert opened[:MIN_BARREN_PROBES] == [0, 1, 2]
    assert opened[MIN_BARREN_PROBES : MIN_BARREN_PROBES + 2] == [VISITS_PER_BARREN_PROBE, 2 * VISITS_PER_BARREN_PROBE]
    assert len(opened) == MAX_BARREN_PROBES


def test_pages_that_scripts_fill_cost_no_budget_and_wait_for_no_other_shape() -> None:
    rendering = RenderPolicy()
    for number in range(2 * MIN_BARREN_PROBES):
        opened(rendering, 0, f"/shape{number}")
    assert probe(rendering, 0, "/other")
    first, second = visit(rendering, "/x"), visit(rendering, "/y")
    assert can_decide_all(rendering, first, second, is_shell=True) == [True, True]


def test_a_probe_waits_for_the_probes_of_other_shapes_that_started_before_it() -> None:
    rendering = RenderPolicy()
    first, second = visit(rendering, "/x"), visit(rendering, "/y")
    assert can_decide_all(rendering, first, second, is_shell=False) == [True, False]
    rendering.leave(first)
    assert can_decide_all(rendering, second, is_shell=False) == [True]


def test_nobody_waits_once_the_budget_is_spent() -> None:
    rendering = RenderPolicy()
    for number in range(MIN_BARREN_PROBES):
        probe(rendering, 0, f"/shape{number}")
    first, second = visit(rendering, "/x"), visit(rendering, "/y")
    assert can_decide_all(rendering, first, second, is_shell=False) == [True, True]
