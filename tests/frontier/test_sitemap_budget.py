"""Limits on the number of sitemaps that are requested."""

from __future__ import annotations

from headwater.frontier.sitemap_budget import SitemapBudget


def test_files_with_urls_increase_the_budget() -> None:
    budget = SitemapBudget(2, None)
    budget.record_request()
    assert budget.has_room(0)
    budget.record_request()
    assert not budget.has_room(0)
    assert budget.has_room(1)


def test_consecutive_failures_are_counted_by_host() -> None:
    budget = SitemapBudget(None, 2)
    budget.record_failure("a")
    budget.record_response("a")
    budget.record_failure("a")
    budget.record_failure("b")
    assert not budget.is_failing("a")
    budget.record_failure("a")
    assert (budget.is_failing("a"), budget.is_failing("b")) == (True, False)


def test_a_timeout_counts_more_than_other_failures() -> None:
    budget = SitemapBudget(None, 10)
    for _ in range(4):
        assert not budget.is_failing("a")
        budget.record_failure("a", is_timeout=True)
    assert budget.is_failing("a")


def test_without_limits_every_file_is_requested() -> None:
    budget = SitemapBudget(None, None)
    for _ in range(1000):
        budget.record_request()
        budget.record_failure("a")
    assert budget.has_room(0)
    assert not budget.is_failing("a")
