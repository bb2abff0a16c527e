"""Empty pages of calendars."""

from __future__ import annotations

from headwater.classify.views import PeriodPages
from headwater.classify.views.periods import MIN_EQUAL_PERIODS
from headwater.model import ContentSketch

EMPTY, WEEKLY = ContentSketch(template=1), ContentSketch(template=2, links=frozenset({1}))


def find_empty(*months: ContentSketch, path: str = "/calendar?month=") -> set[str]:
    pages = PeriodPages()
    for number, sketch in enumerate(months, 1):
        pages.add(number, f"https://e.com{path}2024-{number:02}", sketch)
    return {key[-2:] for _, key in pages.find_empty()}


def test_months_that_are_equal_apart_from_the_date_are_empty() -> None:
    busy = ContentSketch(template=7, texts=frozenset({1}))
    assert find_empty(*[EMPTY] * MIN_EQUAL_PERIODS, busy) == {"01", "02", "03", "04", "05"}
    assert find_empty(*[EMPTY] * MIN_EQUAL_PERIODS, busy, path="/calendar/") == {"01", "02", "03", "04", "05"}


def test_a_few_equal_months_are_not_enough() -> None:
    assert find_empty(*[EMPTY] * (MIN_EQUAL_PERIODS - 1)) == set()


def test_months_with_an_entry_that_repeats_are_not_empty() -> None:
    months = [*[WEEKLY] * MIN_EQUAL_PERIODS, *[EMPTY] * MIN_EQUAL_PERIODS]
    assert find_empty(*months) == {"06", "07", "08", "09", "10"}


def test_pages_without_a_date_are_not_compared() -> None:
    assert find_empty(*[ContentSketch()] * 9) == set()
