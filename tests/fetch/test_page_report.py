"""Reports of the script in a page are parsed, and rejected if the page has altered their shape."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.fetch.browser.page_report import iter_reports, parse_json, parse_report, parse_route_trigger


def report(**changes: Any) -> dict[str, Any]:
    """Return a valid report with some fields changed."""
    return {
        "url": "https://e.com/", "base": "https://e.com/", "html": "<p>", "title": "", "language": "", "text": "",
        "routes": [], "fragments": [], "tables": [], "frames": [], "listens_for_hash": False,
        "has_hidden_roots": False, "reacts_to_scrolling": False, **changes,
    }  # fmt: skip


def test_a_valid_report_with_frames() -> None:
    parsed = parse_report(report(routes=[["https://e.com/a", "click"]], frames=[report(url="https://e.com/frame")]))
    assert parsed is not None
    assert parsed.routes == [("https://e.com/a", "click")]
    assert [one.url for one in iter_reports([parsed])] == ["https://e.com/", "https://e.com/frame"]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        [],
        {},
        report(title=5),
        report(listens_for_hash=1),
        report(routes=["https://e.com/"]),
        report(routes=[["https://e.com/", 1]]),
        report(fragments=[["#a", True, "text"]]),
        report(frames=[{}]),
    ],
)
def test_altered_reports_are_rejected(value: object) -> None:
    assert parse_report(value) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("click in nav", ("click", "nav")),
        ("click in nonsense", ("click", None)),
        ("pushState", ("pushState", None)),
    ],
)
def test_route_triggers(text: str, expected: tuple[str, str | None]) -> None:
    assert parse_route_trigger(text) == expected


def test_lone_surrogates_are_replaced() -> None:
    assert parse_json(r'["a\ud83d", "\ud83d\ude00"]') == ["a\ufffd", "\U0001f600"]
