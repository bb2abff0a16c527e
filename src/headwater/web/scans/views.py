"""Scans as the API and the screens show them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from headwater.discovery.stage_names import OPTIONAL_STAGES, STAGE_NAMES
from headwater.store.diagnosis import read_diagnosis
from headwater.web.records import restore_record
from headwater.web.scans.records import ScanProgress, ScanRow, ScanStatus, ScanView, StageRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Event, Scan

STALLED_AFTER = 20.0
"""Seconds without an event after which a scan in state `running` counts as stalled."""

MAX_NEWEST_URLS = 8


def get_scan_status(store: BrowseStore, number: int) -> ScanStatus:
    """Return the state of a scan."""
    scan = store.scan(number)
    assert scan is not None
    state = _get_running_state(store, scan) if scan.state == "running" else scan.state
    return ScanStatus(scan=number, state=state, is_live=state in {"running", "queued"}, finished=scan.finished)


def list_scan_rows(store: BrowseStore, limit: int, before: int | None = None) -> list[ScanRow]:
    """Return scans, newest first."""
    return [_make_row(store, scan) for scan in store.scans(limit, before)]


def make_scan_view(store: BrowseStore, scan: Scan) -> ScanView:
    """Return a scan with its stages and counts, all of which the store has ready."""
    row = _make_row(store, scan)
    progress = store.last_event(scan.number, "progress")
    last = store.last_event(scan.number)
    return ScanView(
        **asdict(row),
        settings=scan.settings,
        stages=_make_stages(store, scan),
        progress=restore_record(progress.data, ScanProgress) if progress else None,
        failure=None if row.is_live else _find_failure(store, scan.number, last),
        last_event=last.number if last else 0,
        skipped=store.skipped_counts(scan.number),
        newest=tuple(store.latest_urls(scan.number, MAX_NEWEST_URLS)) if row.is_live else (),
        diagnosis=() if row.is_live else tuple(read_diagnosis(store, scan.number)),
    )


def seconds_since(moment: str) -> float:
    """Return the seconds that have passed since a stored time."""
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()


def _make_row(store: BrowseStore, scan: Scan) -> ScanRow:
    progress = store.last_event(scan.number, "progress")
    summary = store.evidence(scan.number, "discovery_summary")
    status = get_scan_status(store, scan.number)
    return ScanRow(
        number=scan.number,
        seeds=scan.seeds,
        state=status.state,
        is_live=status.is_live,
        started=scan.started,
        finished=scan.finished,
        pages=_get_count(summary[-1].content, "total") if summary else None,
        visited=_get_count(progress.data, "visited") if progress else None,
    )


def _get_count(stored: Mapping[str, object], name: str) -> int | None:
    count = stored.get(name)
    return count if isinstance(count, int) else None


def _make_stages(store: BrowseStore, scan: Scan) -> tuple[StageRow, ...]:
    """Return the stages in order, each as its last event describes it."""
    last = {str(event.data["name"]): event for event in store.events_of_kind(scan.number, "stage")}
    left_out = {name for name, setting in OPTIONAL_STAGES.items() if not scan.settings.get(setting)}
    return tuple(
        restore_record(last[name].data, StageRow, at=last[name].at) if name in last else StageRow(name=name)
        for name in STAGE_NAMES
        if name not in left_out
    )


def _find_failure(store: BrowseStore, scan: int, last: Event | None) -> str | None:
    """Return why the last run failed; a failure is over once the scan was resumed."""
    failure = store.last_event(scan, "failure")
    return str(failure.data.get("message")) if failure and last and failure.number == last.number else None


def _get_running_state(store: BrowseStore, scan: Scan) -> str:
    """Return the state of an unfinished scan: a fleet may have queued or paused it, any other process may have died."""
    site = store.fleet_site(scan.number)
    if site is None:
        event = store.last_event(scan.number)
        is_stalled = seconds_since(event.at if event else scan.started) > STALLED_AFTER
        return "stalled" if is_stalled else "running"
    if site.is_claimed:
        return "running"
    return "paused" if site.state == "paused" else "queued"
