"""Clicks on the hash routes of a page."""

from __future__ import annotations

import pytest

from headwater.frontier.route_clicks import MAX_SAMPLES, RouteClickPolicy


@pytest.mark.parametrize(
    ("gains", "barren"),
    [
        ([False, False, False], ["button 1", "button 2", "menu"]),
        ([False, True, False], ["button 2"]),
        ([True, True, True], []),
    ],
)
def test_elements_that_gained_nothing_on_the_first_routes_are_barren(gains: list[bool], barren: list[str]) -> None:
    clicks = RouteClickPolicy().get_clicks("https://e.com/")
    assert [clicks.take_sample() for _ in range(MAX_SAMPLES + 1)] == [True, True, True, False]
    for elements, gained in zip((["menu"], ["menu", "button 1"], ["button 2"]), gains, strict=True):
        assert not clicks.is_decided
        clicks.add_result(elements, has_gained=gained)
    assert clicks.is_decided
    assert clicks.barren_elements == barren


def test_pages_are_separate() -> None:
    policy = RouteClickPolicy()
    assert policy.get_clicks("https://e.com/") is policy.get_clicks("https://e.com/")
    assert policy.get_clicks("https://e.com/") is not policy.get_clicks("https://e.com/app")
