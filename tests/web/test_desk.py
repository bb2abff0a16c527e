"""Reading a scan that still runs: an old view is shown while the next one is made, and no view that is too old."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

from headwater.store.factory import open_browse_store
from headwater.store.scan_index.builder import get_index_path
from headwater.web.serving.store_readers import StoreReaders
from tests.commands import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan
    from headwater.store.scan_index.index import ScanIndex


def made(_: BrowseStore, look: ScanIndex) -> float:
    return float(look.metadata["made"])


def set_age(db: str, scan: Scan, seconds: float) -> float:
    """Make the file look as old as this; return when it then was made."""
    path = get_index_path(db, scan.number)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE about SET value = ? WHERE name = 'made'", (str(time.time() - seconds),))
        return float(connection.execute("SELECT value FROM about WHERE name = 'made'").fetchone()[0])


def test_an_old_view_is_shown_while_the_next_is_made(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with closing(open_browse_store(db)) as store:
        scan = store.create_scan(["https://e.com/"], {})

    async def test() -> None:
        desk = StoreReaders(db)
        try:
            await desk.look(scan, made)
            old = set_age(db, scan, 2.2)  # older than it may be, by less than twice
            assert await desk.look(scan, made) == old
            async with asyncio.timeout(PATIENCE):
                while await desk.look(scan, made) == old:  # noqa: ASYNC110  (a thread makes it)
                    await asyncio.sleep(0.01)
            older = set_age(db, scan, 1000)
            assert await desk.look(scan, made) > older + 900
        finally:
            await asyncio.to_thread(desk.close)

    asyncio.run(test())
