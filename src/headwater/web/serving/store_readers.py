"""Store queries in a few threads, each with its own connection, so that the event loop stays free."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from headwater.store.factory import open_browse_store
from headwater.store.scan_index.builder import build_scan_index
from headwater.store.scan_index.index import ScanIndex
from headwater.web.serving.index_files import IndexFiles
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan

    IndexQuery = Callable[[BrowseStore, ScanIndex], "Result"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

THREADS = 4
MAX_OPEN_INDEXES = 8
STALENESS_FACTOR = 10
"""Factor between the time it took to build the index of a running scan and the age it may reach."""

MAX_FRESH_AGE, MAX_USABLE_AGE = 1.0, 2.0
"""Relative ages: an older index than the first is rebuilt; up to the second it is used in the meantime."""

QUERY_TIMEOUT = 10.0
"""Seconds after which a query is cancelled, so that a few slow ones do not occupy every thread."""

RECONNECT_TIMEOUT = 3.0
"""Seconds a request waits for a database server that is not reachable."""

BUILD_TIMEOUT = 600.0
"""Seconds that API requests wait for the index of a scan."""

SCREEN_BUILD_TIMEOUT = 1.5
"""Seconds that a screen waits for the index before it says that the index is being built."""

LIVE_STATES = frozenset({"running", "queued"})


class StoreReaders:
    """Runs queries in threads, and builds the index of a scan when it is first needed."""

    def __init__(self, db: str) -> None:
        self.db = db
        self._index_files = IndexFiles(db)
        self._pool = ThreadPoolExecutor(THREADS, "reading")
        self._build_pool = ThreadPoolExecutor(1, "indexing")
        self._local = threading.local()
        self._is_closing = threading.Event()
        self._cached: dict[Any, tuple[float, asyncio.Future[Any] | None]] = {}
        self._builds: dict[int, asyncio.Future[None]] = {}

    async def read(
        self,
        query: Callable[Concatenate[BrowseStore, Parameters], Result],
        *values: Parameters.args,
        **named: Parameters.kwargs,
    ) -> Result:
        """Run `query(store, *values)` in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: query(self.store(), *values, **named))

    async def read_cached(self, query: Callable[[BrowseStore], Result], seconds: float) -> Result:
        """Run a query at most once in this time, less often if it is slow, and share the result."""
        now = time.monotonic()
        until, result = self._cached.get(query, (0.0, None))
        if result is None or (result.done() and (now > until or result.cancelled() or result.exception())):
            result = asyncio.ensure_future(self.read(query))
            self._cached[query] = (now + seconds, result)
            result.add_done_callback(lambda done: self._extend_cache(query, done, seconds, now))
        return cast("Result", await asyncio.shield(result))

    def _extend_cache(
        self, query: Callable[..., Any], result: asyncio.Future[Any], seconds: float, started: float
    ) -> None:
        took = time.monotonic() - started
        self._cached[query] = (time.monotonic() + max(seconds, STALENESS_FACTOR * took), result)

    async def scan(self, number: int) -> Scan:
        """Return a scan by its number; raise Problem if it does not exist."""
        scan: Scan | None = await self.read(lambda store: store.scan(number))
        if scan is None:
            raise Problem(404, f"There is no scan {number}")
        return scan

    async def query_index(
        self,
        scan: Scan,
        query: Callable[Concatenate[BrowseStore, ScanIndex, Parameters], Result],
        *values: Parameters.args,
        **named: Parameters.kwargs,
    ) -> Result:
        """Run `query(store, index, *values)` in a thread; wait for the index to be built if necessary."""
        return await self._query_within(BUILD_TIMEOUT, scan, lambda store, index: query(store, index, *values, **named))

    async def query_ready_index(
        self,
        scan: Scan,
        query: Callable[Concatenate[BrowseStore, ScanIndex, Parameters], Result],
        *values: Parameters.args,
        **named: Parameters.kwargs,
    ) -> Result:
        """Like `query_index`, but raise Problem 503 if the index is not ready in a moment."""
        within = SCREEN_BUILD_TIMEOUT
        return await self._query_within(within, scan, lambda store, index: query(store, index, *values, **named))

    async def _query_within(self, seconds: float, scan: Scan, query: IndexQuery[Result]) -> Result:
        def work(max_age: float) -> tuple[float, Result | None]:
            """Return the age of the index and the result together, because each trip to a thread takes time."""
            age = self._relative_age(scan)
            return age, self._query(scan, query) if age <= max_age else None

        loop = asyncio.get_running_loop()
        age, result = await loop.run_in_executor(self._pool, work, MAX_USABLE_AGE)
        if age > MAX_FRESH_AGE:
            build = self._start_build(scan)
            if age > MAX_USABLE_AGE:
                await _wait_for_build(build, seconds)
                _, result = await loop.run_in_executor(self._pool, work, math.inf)
        return cast("Result", result)

    def _query(self, scan: Scan, query: IndexQuery[Result]) -> Result:
        index = self._open_thread_index(scan)
        try:
            with index.limit(QUERY_TIMEOUT):
                return query(self.store(), index)
        except TimeoutError:
            raise Problem(
                422, "This search takes too long in so large a scan. Use fewer or longer words", "text"
            ) from None

    @contextmanager
    def open_index(self, scan: Scan) -> Iterator[tuple[BrowseStore, ScanIndex]]:
        """Open the store and the index of a scan for a thread outside the pool, such as an exporting one."""
        store, index = open_browse_store(self.db), ScanIndex(str(self._index_files.path(scan.number)))
        try:
            yield store, index
        finally:
            index.close()
            store.close()

    def store(self) -> BrowseStore:
        """Return the store of the current thread."""
        if not hasattr(self._local, "store"):
            self._local.store = open_browse_store(self.db, RECONNECT_TIMEOUT)
            self._local.indexes = OrderedDict()
        return self._local.store  # type: ignore[no-any-return]

    def close(self) -> None:
        """Wait for running queries, then close the stores and indexes."""
        self._is_closing.set()
        self._build_pool.shutdown(cancel_futures=True)
        closing = [self._pool.submit(self._close_thread) for _ in range(THREADS)]
        for future in closing:
            future.result()
        self._pool.shutdown()
        self._index_files.close()

    def _start_build(self, scan: Scan) -> asyncio.Future[None]:
        """Build the index of a scan, or return the build that is running."""
        build = self._builds.get(scan.number)
        if build is None:
            loop = asyncio.get_running_loop()
            build = asyncio.ensure_future(loop.run_in_executor(self._build_pool, self._build, scan))
            self._builds[scan.number] = build
            build.add_done_callback(lambda done: self._finish_build(scan.number, done))
        return build

    def _finish_build(self, number: int, build: asyncio.Future[None]) -> None:
        self._builds.pop(number, None)
        if not build.cancelled():
            build.exception()  # marks it as retrieved; requests that wait get it, later ones build again

    def _build(self, scan: Scan) -> None:
        store = open_browse_store(self.db)
        try:
            path, should_continue = self._index_files.path(scan.number), lambda: not self._is_closing.is_set()
            build_scan_index(store, scan.number, path, make_scan_stamp(scan), should_continue)
            self._index_files.evict_unused()
        finally:
            store.close()

    def _relative_age(self, scan: Scan) -> float:
        """Return the age of the index relative to the age it may reach; infinite if it is missing or outdated."""
        if not self._index_files.path(scan.number).is_file():
            return math.inf
        metadata = self._open_thread_index(scan).metadata
        if metadata["stamp"] != make_scan_stamp(scan):
            return math.inf
        if scan.state not in LIVE_STATES:
            return 0.0
        return (time.time() - float(metadata["made"])) / max(2.0, STALENESS_FACTOR * float(metadata["seconds"]))

    def _open_thread_index(self, scan: Scan) -> ScanIndex:
        """Return the current index of a scan; its file is replaced while the scan runs and after it ended."""
        self.store()
        indexes: OrderedDict[int, tuple[float, ScanIndex]] = self._local.indexes
        path = self._index_files.path(scan.number)
        modified = path.stat().st_mtime_ns
        if scan.number in indexes and indexes[scan.number][0] == modified:
            indexes.move_to_end(scan.number)
            return indexes[scan.number][1]
        if scan.number in indexes:
            indexes.pop(scan.number)[1].close()
        indexes[scan.number] = (modified, ScanIndex(str(path)))
        if len(indexes) > MAX_OPEN_INDEXES:
            indexes.popitem(last=False)[1][1].close()
        return indexes[scan.number][1]

    def _close_thread(self) -> None:
        if hasattr(self._local, "store"):
            self._local.store.close()
            for _, index in self._local.indexes.values():
                index.close()
            del self._local.store
        time.sleep(0.01)  # lets every thread of the pool take one of these calls


async def _wait_for_build(build: asyncio.Future[None], seconds: float) -> None:
    try:
        await asyncio.wait_for(asyncio.shield(build), seconds)
    except TimeoutError:
        raise Problem(503, "The URLs of this scan are being indexed; a million take half a minute") from None


def make_scan_stamp(scan: Scan) -> str:
    """Return a text that changes when a scan was resumed or has ended."""
    return f"{scan.state} {scan.finished}" if scan.state not in LIVE_STATES else "live"
