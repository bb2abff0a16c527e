"""Events of a page over several scans: new, changed, gone, moved, back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.store.history.page_events import PageEvent, StoredObservation, summarize_events, trace_events
from headwater.store.page_lists import STATES

if TYPE_CHECKING:
    from headwater.store.history.page_events import Change

FETCHED, FAILED, REDIRECTED = STATES.index("fetched"), STATES.index("failed"), STATES.index("redirected")
OTHER = {name: STATES.index(name) for name in ("waiting", "deferred", "skipped", "discovered", "duplicate", "held")}

Seen = tuple[str, int | None, int | None, str, int | None]
ABSENT: Seen = ("done", None, None, "", None)
CUT: Seen = ("interrupted", None, None, "", None)
LIMITED: Seen = ("limited", None, None, "", None)
NOT_FOUND: Seen = ("done", FAILED, 404, "http-404", None)


def fetched(content: int | None = 1, scan_state: str = "done") -> Seen:
    return (scan_state, FETCHED, 200, "", content)


def in_state(name: str) -> Seen:
    return ("done", OTHER[name], None, "", None)


# What each scan saw of a page, and its events as (number of the scan, change).
HISTORIES: list[tuple[list[Seen], list[tuple[int, str]]]] = [
    ([], []),
    ([ABSENT, fetched()], [(2, "new")]),
    ([fetched(), fetched()], [(1, "new")]),
    ([fetched(1), fetched(2), fetched(2), fetched(1)], [(1, "new"), (2, "changed"), (4, "changed")]),
    ([fetched(), NOT_FOUND], [(1, "new"), (2, "gone")]),
    ([fetched(), ("done", FAILED, 410, "http-410", None)], [(1, "new"), (2, "gone")]),
    ([fetched(), ("done", FAILED, 200, "soft-404", None)], [(1, "new"), (2, "gone")]),
    ([fetched(), ABSENT, ABSENT], [(1, "new"), (2, "gone")]),
    ([fetched(), NOT_FOUND, fetched()], [(1, "new"), (2, "gone"), (3, "back")]),
    ([fetched(1), NOT_FOUND, fetched(2), fetched(3)], [(1, "new"), (2, "gone"), (3, "back"), (4, "changed")]),
    ([fetched(), NOT_FOUND, NOT_FOUND, fetched(), NOT_FOUND], [(1, "new"), (2, "gone"), (4, "back"), (5, "gone")]),
    # A scan that was cut short, or a page that failed to load, says nothing.
    ([fetched(), CUT, fetched()], [(1, "new")]),
    ([fetched(), LIMITED, fetched()], [(1, "new")]),
    ([fetched(), ("incomplete", None, None, "", None), fetched()], [(1, "new")]),
    ([fetched(), ("incomplete", FAILED, 404, "http-404", None)], [(1, "new"), (2, "gone")]),
    ([fetched(), CUT, ABSENT], [(1, "new"), (3, "gone")]),
    ([fetched(), ("limited", FAILED, 404, "http-404", None)], [(1, "new"), (2, "gone")]),
    ([fetched(), ("done", FAILED, 503, "http-503", None), fetched()], [(1, "new")]),
    ([fetched(), ("done", FAILED, 403, "http-403", None), fetched()], [(1, "new")]),
    ([fetched(), ("done", FAILED, None, "timeout", None), fetched()], [(1, "new")]),
    ([fetched(), in_state("deferred"), fetched()], [(1, "new")]),
    ([fetched(), in_state("skipped"), fetched()], [(1, "new")]),
    ([fetched(), in_state("duplicate"), fetched()], [(1, "new")]),
    ([fetched(), in_state("waiting"), fetched()], [(1, "new")]),
    ([fetched(), NOT_FOUND, in_state("waiting")], [(1, "new"), (2, "gone")]),
    ([in_state("waiting"), fetched()], [(2, "new")]),
    ([in_state("discovered"), fetched()], [(1, "new")]),
    ([NOT_FOUND, fetched()], [(2, "new")]),
    # Contents are compared with the last known one.
    ([fetched(1), fetched(None), fetched(1)], [(1, "new")]),
    ([fetched(1), fetched(None), fetched(2)], [(1, "new"), (3, "changed")]),
    ([fetched(None), fetched(2)], [(1, "new")]),
    ([fetched(1), fetched(2, "interrupted")], [(1, "new"), (2, "changed")]),
]


@pytest.mark.parametrize(("history", "expected"), HISTORIES)
def test_events_of_a_page(history: list[Seen], expected: list[tuple[int, str]]) -> None:
    observations = [
        StoredObservation(number, f"day {number}", *seen, leads_to=None) for number, seen in enumerate(history, 1)
    ]
    events = trace_events(observations)
    assert [(event.scan, event.change) for event in events] == expected
    assert all(event.at == f"day {event.scan}" for event in events)


# Events by scan, the scan to compare with, and the difference that the later events make.
SUMMARIES: list[tuple[list[tuple[int, Change]], int, str | None]] = [
    ([], 1, None),
    ([(1, "new")], 1, None),
    ([(2, "new")], 1, "new"),
    ([(2, "new"), (3, "changed")], 1, "new"),
    ([(2, "new"), (3, "gone")], 1, None),
    ([(1, "new"), (2, "changed")], 1, "changed"),
    ([(1, "new"), (2, "changed"), (3, "gone")], 1, "gone"),
    ([(1, "new"), (2, "gone"), (3, "back")], 1, None),
    ([(1, "new"), (2, "changed"), (3, "gone"), (4, "back")], 1, "changed"),
    ([(1, "new"), (2, "gone"), (3, "back")], 2, "back"),
    ([(1, "new"), (2, "gone"), (3, "back"), (4, "changed")], 2, "back"),
    ([(1, "new"), (2, "gone"), (3, "back"), (4, "moved")], 2, None),
    ([(1, "new"), (2, "moved")], 1, "moved"),
]


@pytest.mark.parametrize(("events", "since", "expected"), SUMMARIES)
def test_the_difference_that_events_make(events: list[tuple[int, Change]], since: int, expected: str | None) -> None:
    found = summarize_events([PageEvent(scan, "", change) for scan, change in events], since)
    assert (found and found.change) == expected


@pytest.mark.parametrize(
    ("target", "change", "moved_to"), [("https://e.com/b", "moved", "https://e.com/b"), (None, "gone", "")]
)
def test_a_page_that_redirects_has_moved(target: str | None, change: str, moved_to: str) -> None:
    rows = [(FETCHED, None), (REDIRECTED, target), (REDIRECTED, target), (FETCHED, None)]
    observations = [
        StoredObservation(number, "", "done", state, 200, "", 1, leads_to=to) for number, (state, to) in enumerate(rows)
    ]
    events = trace_events(observations)
    assert [(event.change, event.moved_to) for event in events] == [("new", ""), (change, moved_to), ("back", "")]
