"""Derive the events of a page from what each scan of its site saw.

A page is gone only if a scan has seen that it is gone: it answered 404 or 410, redirected, or a scan that visited
everything did not find it. A scan that was cut short, or a page that failed to load, says nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from headwater.store.page_lists import STATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Presence = Literal["listed", "absent", "unknown"]
Change = Literal["new", "changed", "gone", "back", "moved"]

CHANGES: tuple[Change, ...] = ("new", "changed", "gone", "back", "moved")
COMPLETE_STATES = frozenset({"done"})
"""States of scans that visited every page they found; only those say that a page they do not have is gone."""

_GONE_STATUSES = frozenset({404, 410})
_SOFT_404 = "soft-404"


class StoredObservation(NamedTuple):
    """A page in one scan of its site; `state` is None if the scan does not have the page."""

    scan: int
    at: str
    scan_state: str
    state: int | None
    status: int | None
    reason: str | None
    content_hash: int | None
    leads_to: str | None


class PageEvent(NamedTuple):
    """A change of a page that a scan saw; `moved_to` is the URL that a page moved to."""

    scan: int
    at: str
    change: Change
    moved_to: str = ""


def judge_presence(seen: StoredObservation) -> Presence:
    """Return what a scan says about the existence of a page."""
    if seen.state is None:
        return "absent" if seen.scan_state in COMPLETE_STATES else "unknown"
    name = STATES[seen.state]
    if name in {"fetched", "discovered"}:
        return "listed"
    is_gone = name == "failed" and (seen.status in _GONE_STATUSES or seen.reason == _SOFT_404)
    return "absent" if is_gone or name == "redirected" else "unknown"


def trace_events(observations: Iterable[StoredObservation]) -> list[PageEvent]:
    """Return the events of a page from its observations, the oldest scan first."""
    events: list[PageEvent] = []
    last: Change | None = None
    known_hash: int | None = None
    for seen in observations:
        presence = judge_presence(seen)
        change = _find_change(presence, last, known_hash, seen)
        if presence == "listed":
            known_hash = seen.content_hash if seen.content_hash is not None else known_hash
        if change is not None:
            last = change
            events.append(PageEvent(seen.scan, seen.at, change, (seen.leads_to or "") if change == "moved" else ""))
    return events


def summarize_events(events: Sequence[PageEvent], since: int) -> PageEvent | None:
    """Return the difference that the events after the scan `since` make together; None if there is none."""
    before = [event for event in events if event.scan <= since]
    after = [event for event in events if event.scan > since]
    if not after:
        return None
    last, was_listed = after[-1], bool(before) and _is_listed_after(before[-1])
    if was_listed != _is_listed_after(last):
        return last if was_listed else last._replace(change="back" if before else "new")
    changed = [event for event in after if event.change == "changed"]
    return changed[-1] if was_listed and changed else None


def _is_listed_after(event: PageEvent) -> bool:
    return event.change not in {"gone", "moved"}


def _find_change(
    presence: Presence, last: Change | None, known_hash: int | None, seen: StoredObservation
) -> Change | None:
    is_present = last not in {None, "gone", "moved"}
    if presence == "absent" and is_present:
        return "moved" if seen.state is not None and STATES[seen.state] == "redirected" and seen.leads_to else "gone"
    if presence != "listed":
        return None
    if not is_present:
        return "new" if last is None else "back"
    is_changed = None not in {known_hash, seen.content_hash} and known_hash != seen.content_hash
    return "changed" if is_changed else None
