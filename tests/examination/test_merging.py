"""Merging the findings of two examinations of one page, such as before and after opening it in a browser."""

from __future__ import annotations

import pytest

from headwater.examination import merge_findings
from headwater.model import Findings

FETCHED = Findings(
    [],
    links=[1, 2],
    skipped={"not-http": 1, "empty": 2},
    title="Loading",
    language="en",
    canonical="https://e.com/",
    content_hash=7,
    spellings=[(1, "https://e.com/a")],
    new_links=[(1, "/a")],
    cleared=[3],
    new_pages=frozenset({1}),
)
RENDERED = Findings([], links=[2, 3], skipped={"empty": 1, "other-host": 4}, title="Title", new_pages=frozenset({2}))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("links", [1, 2, 3]),
        ("skipped", {"not-http": 1, "empty": 3, "other-host": 4}),
        ("title", "Title"),
        ("language", "en"),
        ("canonical", "https://e.com/"),
        ("content_hash", 7),
        ("spellings", [(1, "https://e.com/a")]),
        ("new_links", [(1, "/a")]),
        ("cleared", [3]),
        ("new_pages", {1, 2}),
    ],
)
def test_findings_are_added_and_the_second_takes_precedence(field: str, expected: object) -> None:
    assert getattr(merge_findings(FETCHED, RENDERED), field) == expected


def test_merging_does_not_change_its_arguments() -> None:
    merge_findings(FETCHED, RENDERED)
    assert FETCHED.skipped == {"not-http": 1, "empty": 2}
    assert FETCHED.links == [1, 2]
