"""Sections of a site in which pages are at the URL with a slash."""

from __future__ import annotations

import pytest

from headwater.frontier.slash_habits import MAX_SAMPLES, SlashHabit, SlashHabits, get_section


@pytest.mark.parametrize(
    ("url", "section"),
    [
        ("https://example.com/docs/intro", "example.com/docs"),
        ("https://example.com/docs/a/b", "example.com/docs"),
        ("https://example.com/about", "example.com/"),
        ("https://example.com/docs/", ""),
        ("https://example.com/", ""),
        ("https://example.com", ""),
        ("https://example.com/docs/intro.html", ""),
        ("https://example.com/docs?page=2", ""),
    ],
)
def test_the_section_of_a_page(url: str, section: str) -> None:
    assert get_section(url) == section


@pytest.mark.parametrize(
    ("results", "adds_slash"),
    [
        ([True, True, True], True),
        ([True, True, None], True),
        ([True, None, None], False),
        ([True, True, False], False),
        ([False, False, False], False),
    ],
)
def test_the_first_pages_decide(results: list[bool | None], *, adds_slash: bool) -> None:
    habit = SlashHabit()
    assert [habit.take_sample() for _ in range(MAX_SAMPLES + 2)] == [True] * MAX_SAMPLES + [False] * 2
    for number, result in enumerate(results, 1):
        habit.add_result(adds_slash=result)
        assert habit.is_decided == (number == MAX_SAMPLES)
    assert habit.adds_slash == adds_slash


def test_sections_are_separate() -> None:
    habits = SlashHabits()
    docs = habits.get_habit("https://example.com/docs/a")
    assert habits.get_habit("https://example.com/docs/b") is docs
    assert habits.get_habit("https://example.com/blog/a") is not docs
    assert habits.get_habit("https://example.com/blog/") is None
