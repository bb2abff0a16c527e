"""How many sitemaps are asked for."""

from __future__ import annotations

from headwater.frontier.file_budget import FileBudget


def test_files_that_bring_urls_make_room_for_more() -> None:
    budget = FileBudget(2, None)
    budget.note_file()
    assert budget.has_room(0)
    budget.note_file()
    assert not budget.has_room(0)
    assert budget.has_room(1)


def test_failures_in_a_row_are_counted_by_host() -> None:
    budget = FileBudget(None, 2)
    budget.note_failure("a")
    budget.note_answer("a")
    budget.note_failure("a")
    budget.note_failure("b")
    assert not budget.is_failing("a")
    budget.note_failure("a")
    assert (budget.is_failing("a"), budget.is_failing("b")) == (True, False)


def test_a_timeout_weighs_more_than_other_failures() -> None:
    budget = FileBudget(None, 10)
    for _ in range(4):
        assert not budget.is_failing("a")
        budget.note_failure("a", is_timeout=True)
    assert budget.is_failing("a")


def test_without_limits_nothing_is_refused() -> None:
    budget = FileBudget(None, None)
    for _ in range(1000):
        budget.note_file()
        budget.note_failure("a")
    assert budget.has_room(0)
    assert not budget.is_failing("a")
