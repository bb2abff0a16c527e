"""The process of a scan that was started through the server."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from headwater.store.factory import open_browse_store
from headwater.web.scans.views import get_scan_status
from tests.commands import until
from tests.sites.table_site import table_site
from tests.web.serving import serving

if TYPE_CHECKING:
    from pathlib import Path


def test_a_scan_resumed_much_later_is_running_from_the_start(tmp_path: Path) -> None:
    """Its last event is old then, as are those of a process that has died."""
    with (
        table_site(lambda _: {"/": '<a href="/a">a</a>', "/a": "a"}) as site,
        serving(tmp_path) as server,
        closing(open_browse_store(server.db)) as store,
    ):
        number = server.scan(site.origin, settings={"max_pages": 1})
        with closing(sqlite3.connect(server.db)) as connection, connection:
            connection.execute("UPDATE event SET at = '2020-01-01T00:00:00+00:00'")
        with site.holding("/robots.txt"):
            assert server.request(f"/api/v1/scans/{number}/resume", {"settings": {"max_pages": None}}).status == 200
            seen = until(lambda: {get_scan_status(store, number).state} - {"queued"})
            assert seen == {"running"}
        assert server.wait(number) == "done"
