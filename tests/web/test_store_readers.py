"""The index of a running scan: an aging one is used while the next is built, an outdated one is not."""

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


def get_build_time(_: BrowseStore, index: ScanIndex) -> float:
    return float(index.metadata["made"])


def set_age(db: str, scan: Scan, seconds: float) -> float:
    """Give the index, which may be used for a thousand seconds, this age; return its new build time."""
    path = get_index_path(db, scan.number)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE about SET value = '100' WHERE name = 'seconds'")
        connection.execute("UPDATE about SET value = ? WHERE name = 'made'", (str(time.time() - seconds),))
        return float(connection.execute("SELECT value FROM about WHERE name = 'made'").fetchone()[0])


def test_an_aging_index_is_used_while_the_next_is_built(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with closing(open_browse_store(db)) as store:
        scan = store.create_scan(["https://e.com/"], {})

    async def test() -> None:
        readers = StoreReaders(db)
        try:
            await readers.query_index(scan, get_build_time)
            old = set_age(db, scan, 1500)  # between the fresh and the usable age
            assert await readers.query_index(scan, get_build_time) == old
            async with asyncio.timeout(PATIENCE):
                while await readers.query_index(scan, get_build_time) == old:  # noqa: ASYNC110  (a thread builds it)
                    await asyncio.sleep(0.01)
            older = set_age(db, scan, 5000)
            assert await readers.query_index(scan, get_build_time) > older + 4000
        finally:
            await asyncio.to_thread(readers.close)

    asyncio.run(test())
