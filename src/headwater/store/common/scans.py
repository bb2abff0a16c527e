"""Scans, their events and their evidence in SQL."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from headwater.model import Evidence
from headwater.store.common.database import SqlRole
from headwater.store.records import Event, Scan
from headwater.store.rows import (
    SCAN_NAME_EVENT,
    build_evidence_values,
    build_scan_values,
    build_site_key,
    dump_json,
    timestamp,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.store.common.database import Session


class SqlScans(SqlRole):
    """Stores scans and their state."""

    def create_scan(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """Add a scan that is running."""
        scan = self.scan(add_scan(self._db, seeds, settings))
        assert scan is not None
        return scan

    def last_scan(self, *, unfinished: bool = False) -> Scan | None:
        """Return the newest scan, or the newest unfinished one."""
        return self._db.find(Scan, "last_unfinished_scan" if unfinished else "last_scan")

    def scan(self, number: int) -> Scan | None:
        """Return a scan by its number."""
        return self._db.find(Scan, "scan_by_number", number=number)

    def name_scan(self, scan: int, name: str) -> None:
        """Give a scan a name."""
        self._db.write("add_event", scan=scan, now=timestamp(), kind=SCAN_NAME_EVENT, data=json.dumps({"id": name}))

    def scan_by_name(self, name: str) -> Scan | None:
        """Return the newest scan with this name."""
        return self._db.find(Scan, "scan_by_name", kind=SCAN_NAME_EVENT, data=json.dumps({"id": name}))

    def previous_scan(self, scan: int) -> int | None:
        """Return the number of the newest earlier scan of the same seeds that has ended."""
        number: int | None = self._db.value("previous_scan", scan=scan)
        return number

    def finish_scan(self, scan: int, state: str) -> None:
        """Store the end of a scan and its final state."""
        self._db.write("finish_scan", scan=scan, state=state, now=timestamp())

    def is_stop_requested(self, scan: int) -> bool:
        """Return True if someone asked the scan to stop."""
        return bool(self._db.value("stop_request", scan=scan) == "stop")

    def clear_stop_request(self, scan: int) -> None:
        """Remove a stop request from before the scan was started."""
        self._db.execute("clear_stop_request", scan=scan)


class SqlEvents(SqlRole):
    """Stores the events of scans."""

    def add_event(self, scan: int, kind: str, data: Mapping[str, object]) -> None:
        """Add an event."""
        self._db.write("add_event", scan=scan, now=timestamp(), kind=kind, data=dump_json(data))

    def events(self, scan: int, after: int = 0, limit: int = 1000) -> list[Event]:
        """Return the events with higher numbers than `after`."""
        return self._db.select(Event, "events", scan=scan, after=after, limit=limit)


class SqlEvidence(SqlRole):
    """Stores evidence."""

    def add_evidence(self, scan: int, evidence: Evidence) -> int:
        """Add a piece of evidence and return its number."""
        return self._db.add("add_evidence", scan=scan, **build_evidence_values(evidence))

    def update_evidence(self, number: int, content: Mapping[str, object]) -> None:
        """Replace the content of a piece of evidence, and set its end to the current time."""
        scan = self._db.value("scan_of_evidence", number=number)
        if scan is not None:
            self._db.write("update_evidence", scan=scan, number=number, content=dump_json(content), now=timestamp())

    def evidence(self, scan: int, kind: str = "") -> list[Evidence]:
        """Return the evidence of a scan in order, all of it or of one kind."""
        return self._db.select(Evidence, "evidence", scan=scan, kind=kind)

    def flag_unreliable_sitemaps(self, scan: int, previous: int) -> None:
        """Mark the sitemaps whose `lastmod` changed for pages that mostly did not."""

        def flag(session: Session) -> None:
            for number, content in session.rows("unreliable_sitemaps", old=previous, new=scan):
                flagged = json.dumps({**json.loads(content), "unreliable_lastmod": True})
                session.execute("set_evidence_content", number=number, content=flagged)

        self._db.transact(flag, scan)


def add_scan(session: Session, seeds: Sequence[str], settings: Mapping[str, object]) -> int:
    """Add a scan and its site, unless the site is known, and return the scan's number."""
    site, host = build_site_key(seeds)
    session.execute("add_site", seeds=site, host=host, now=timestamp())
    return session.insert("add_scan", **build_scan_values(seeds, settings, site))
