"""Progress events in the store, for readers in other processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sample.serve import sample_site

import headwater
from tests.sites.table_site import table_site

if TYPE_CHECKING:
    from pathlib import Path


def test_a_scan_in_a_file_stores_progress_events(tmp_path: Path) -> None:
    with sample_site() as origin:
        found = headwater.discover(origin, db=str(tmp_path / "x.db"))
    events = [event.data for event in found.store.events(found.scan) if event.kind == "progress"]
    assert events[-1]["visited"] == 63
    assert events[-1]["failed"] == 1
    assert events[-1]["errors"] == {"http-404": 1}
    assert isinstance(events[-1]["named"], int)
    assert events[-1]["named"] >= 11
    found.store.close()


def test_the_number_of_events_does_not_grow_with_the_number_of_pages(tmp_path: Path) -> None:
    def make(_: str) -> dict[str, str]:
        links = "".join(f'<a href="/{number}">x</a>' for number in range(500))
        return {"/": links, **{f"/{number}": "hi" for number in range(500)}}

    with table_site(make) as site:
        found = headwater.discover(site.origin, db=str(tmp_path / "x.db"), stages=("crawl",), retries=0)
    events = found.store.events(found.scan)
    seconds = max(float(str(event.data["seconds"])) for event in events if event.kind == "progress")
    assert sum(event.kind == "progress" for event in events) <= 2 + 2 * seconds
    assert [event.data["visited"] for event in events if event.kind == "progress"][-1] == 501
    found.store.close()


def test_a_store_in_memory_gets_no_events() -> None:
    with sample_site() as origin:
        found = headwater.discover(origin)
    assert {event.kind for event in found.store.events(found.scan)} == {"stage"}
