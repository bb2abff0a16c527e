"""Find the changes that a scan saw, by the same rules as the history of each page."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from headwater.store.history.page_events import (
    CHANGES,
    COMPLETE_STATES,
    PageEvent,
    judge_presence,
    summarize_events,
    trace_events,
)
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import Page
    from headwater.store.browse_store import BrowseStore
    from headwater.store.history.page_events import StoredObservation
    from headwater.store.records import Scan

MAX_SCANS = 1_000
"""Scans of a site that its history goes back to."""


class _Seen(NamedTuple):
    """A page that may have changed, its event in the scan, and the hash of its content when it was last listed."""

    page: Page
    event: PageEvent
    content_hash: int | None


def find_changes(store: BrowseStore, scan: Scan, since: int) -> list[Page]:
    """Return the pages that changed since an earlier scan, each with its `change`, sorted by change and key.

    The URL of a page that moved is the old one, and `leads_to` the new one, which is not also listed as new.
    `last_seen` is the time of the scan.
    """
    candidates = _find_candidates(store, scan, since)
    seen = {identity: one for identity, page in candidates if (one := _compare(store, scan.number, since, page))}
    _merge_moves(seen)
    time = scan.finished or scan.started
    pages = (
        one.page._replace(change=one.event.change, last_seen=time, leads_to=one.event.moved_to or None)
        for one in seen.values()
    )
    return sorted(pages, key=lambda page: (CHANGES.index(page.change), page.key))


def read_page_history(store: BrowseStore, scan: int, key: str) -> list[PageEvent]:
    """Return the events of a page in all scans of the same site, the oldest first."""
    return trace_events(store.page_observations(scan, compute_identity(key), MAX_SCANS))


def _find_candidates(store: BrowseStore, scan: Scan, since: int) -> Iterator[tuple[int, Page]]:
    """Yield the pages that differ from the earlier scan, and from the last complete scan up to it."""
    same_site = store.scans_with_same_seeds(scan.number, MAX_SCANS)
    complete = (one.number for one in same_site if one.number <= since and one.state in COMPLETE_STATES)
    known: set[int] = set()
    for earlier in dict.fromkeys((since, next(complete, since))):
        for page in chain(store.changes(earlier, scan.number), store.unlisted_pages(earlier, scan.number)):
            identity = compute_identity(page.key)
            if identity not in known:
                known.add(identity)
                yield identity, page


def _compare(store: BrowseStore, scan: int, since: int, page: Page) -> _Seen | None:
    """Return what happened to a page since the earlier scan; None if nothing is known to have happened."""
    observations = store.page_observations(scan, compute_identity(page.key), MAX_SCANS)
    observations = [one for one in observations if one.scan <= scan]
    events = trace_events(observations)
    event = summarize_events(events, since)
    if event is None and page.change == "changed" and events and observations[-1].content_hash is None:
        event = PageEvent(scan, observations[-1].at, "changed")  # by other signs than the content, such as an ETag
    return None if event is None else _Seen(page, event, _find_last_hash(observations))


def _find_last_hash(observations: list[StoredObservation]) -> int | None:
    listed = (one for one in reversed(observations) if judge_presence(one) == "listed")
    return next((one.content_hash for one in listed), None)


def _merge_moves(seen: dict[int, _Seen]) -> None:
    """Turn a page that is gone and a new one with the same content into one that moved; remove the new ones."""
    new = {identity: one for identity, one in seen.items() if one.event.change == "new"}
    gone = {identity: one for identity, one in seen.items() if one.event.change == "gone"}
    hashes = Counter(one.content_hash for one in (*new.values(), *gone.values()))
    targets = {one.content_hash: one.page.url for one in new.values() if hashes[one.content_hash] == 2}
    for identity, one in gone.items():
        target = targets.get(one.content_hash)
        if target is not None and one.content_hash is not None:
            seen[identity] = one._replace(event=one.event._replace(change="moved", moved_to=target))
    moved_to = {one.event.moved_to for one in seen.values() if one.event.change == "moved"}
    for identity, one in new.items():
        if one.page.url in moved_to:
            del seen[identity]
