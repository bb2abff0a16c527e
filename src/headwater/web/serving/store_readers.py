"""Where reading happens: a few threads, each with its own view of the store, so that the page answers meanwhile."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from headwater.store.factory import open_browse_store
from headwater.store.scan_index.builder import build_scan_index
from headwater.store.scan_index.index import ScanIndex
from headwater.web.serving.index_files import IndexFiles
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan

Result = TypeVar("Result")

THREADS = 4
MAX_OPEN_INDEXES = 8
STALENESS_FACTOR = 10
"""A view of a scan that still runs may be this many times as old as it took to make."""

FRESH, USABLE = 1.0, 2.0
"""A view that is older than it may be is still shown while the next one is made, up to twice that age."""

QUERY_TIMEOUT = 10.0
"""Seconds after which a question is given up, so that a few of them do not occupy every thread."""

RECONNECT_TIMEOUT = 3.0
"""Seconds a request waits for a server of the store that went away."""

LIVE_STATES = frozenset({"running", "queued"})


class StoreReaders:
    """Reads in threads; makes the file a scan is looked at through when somebody first looks."""

    def __init__(self, db: str) -> None:
        self.db = db
        self._index_files = IndexFiles(db)
        self._pool = ThreadPoolExecutor(THREADS, "reading")
        self._build_pool = ThreadPoolExecutor(1, "laying-out")
        self._local = threading.local()
        self._is_closing = threading.Event()
        self._cached: dict[Any, tuple[float, asyncio.Future[Any] | None]] = {}
        self._builds: dict[int, asyncio.Future[None]] = {}

    async def read(self, ask: Callable[..., Result], *values: Any) -> Result:  # noqa: ANN401
        """Ask a store something: `ask(store, *values)`."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: ask(self.store(), *values))

    async def read_cached(self, ask: Callable[[BrowseStore], Result], seconds: float) -> Result:
        """The same, but asked once in so many seconds however many want to know, less often if it takes long."""
        now = time.monotonic()
        until, answer = self._cached.get(ask, (0.0, None))
        if answer is None or (answer.done() and (now > until or answer.cancelled() or answer.exception())):
            answer = asyncio.ensure_future(self.read(ask))
            self._cached[ask] = (now + seconds, answer)
            answer.add_done_callback(lambda done: self._keep(ask, done, seconds, now))
        result: Result = await asyncio.shield(answer)
        return result

    def _keep(self, ask: Callable[..., Any], answer: asyncio.Future[Any], seconds: float, began: float) -> None:
        took = time.monotonic() - began
        self._cached[ask] = (time.monotonic() + max(seconds, STALENESS_FACTOR * took), answer)

    async def scan(self, number: int) -> Scan:
        """A scan by its number; a problem if there is none."""
        scan: Scan | None = await self.read(lambda store: store.scan(number))
        if scan is None:
            raise Problem(404, f"there is no scan {number}")
        return scan

    async def look(self, scan: Scan, ask: Callable[..., Result], *values: Any, patience: float = 600.0) -> Result:  # noqa: ANN401
        """Ask about the URLs of a scan: `ask(store, look, *values)`; waits this long for its file to be made."""

        def work(oldest: float) -> tuple[float, Result | None]:
            """Return the age of the file and the answer, in one trip to the thread, for every trip takes its time."""
            age = self._relative_age(scan)
            return age, self._ask(scan, ask, *values) if age <= oldest else None

        loop = asyncio.get_running_loop()
        age, answer = await loop.run_in_executor(self._pool, work, USABLE)
        if age > FRESH:
            making = self._start_build(scan)
            if age > USABLE:
                await _wait_for_build(making, patience)
                _, answer = await loop.run_in_executor(self._pool, work, math.inf)
        return cast("Result", answer)

    def _ask(self, scan: Scan, ask: Callable[..., Result], *values: Any) -> Result:  # noqa: ANN401
        look = self._open_thread_index(scan)
        try:
            with look.limit(QUERY_TIMEOUT):
                return ask(self.store(), look, *values)
        except TimeoutError:
            raise Problem(422, "this takes too long on so large a scan; use fewer or longer words", "text") from None

    @contextmanager
    def opened(self, scan: Scan) -> Iterator[tuple[BrowseStore, ScanIndex]]:
        """A view of the store and of a scan for a thread that is none of ours, such as one that exports."""
        store, look = open_browse_store(self.db), ScanIndex(str(self._index_files.path(scan.number)))
        try:
            yield store, look
        finally:
            look.close()
            store.close()

    def store(self) -> BrowseStore:
        """This thread's own view of the store."""
        if not hasattr(self._local, "store"):
            self._local.store = open_browse_store(self.db, RECONNECT_TIMEOUT)
            self._local.looks = OrderedDict()
        return self._local.store  # type: ignore[no-any-return]

    def close(self) -> None:
        """Wait for what is being read, and let go of the files."""
        self._is_closing.set()
        self._build_pool.shutdown(cancel_futures=True)
        closing = [self._pool.submit(self._close_thread) for _ in range(THREADS)]
        for future in closing:
            future.result()
        self._pool.shutdown()
        self._index_files.close()

    def _start_build(self, scan: Scan) -> asyncio.Future[None]:
        """Make the file of a scan; one at a time, however many ask for it."""
        making = self._builds.get(scan.number)
        if making is None:
            loop = asyncio.get_running_loop()
            making = asyncio.ensure_future(loop.run_in_executor(self._build_pool, self._build, scan))
            self._builds[scan.number] = making
            making.add_done_callback(lambda done: self._finish_build(scan.number, done))
        return making

    def _finish_build(self, number: int, making: asyncio.Future[None]) -> None:
        self._builds.pop(number, None)
        if not making.cancelled():
            making.exception()  # whoever waits is told; else the next one who looks tries again

    def _build(self, scan: Scan) -> None:
        store = open_browse_store(self.db)
        try:
            path, is_wanted = self._index_files.path(scan.number), lambda: not self._is_closing.is_set()
            build_scan_index(store, scan.number, path, make_scan_stamp(scan), is_wanted)
            self._index_files.make_room()
        finally:
            store.close()

    def _relative_age(self, scan: Scan) -> float:
        """Return how old the file is, as a share of what it may be; without end if it is of no use any more."""
        if not self._index_files.path(scan.number).is_file():
            return math.inf
        about = self._open_thread_index(scan).metadata
        if about["stamp"] != make_scan_stamp(scan):
            return math.inf
        if scan.state not in LIVE_STATES:
            return 0.0
        return (time.time() - float(about["made"])) / max(2.0, STALENESS_FACTOR * float(about["seconds"]))

    def _open_thread_index(self, scan: Scan) -> ScanIndex:
        """The file as it is now: it is replaced while a scan runs, and after it ended."""
        self.store()
        looks: OrderedDict[int, tuple[float, ScanIndex]] = self._local.looks
        path = self._index_files.path(scan.number)
        made = path.stat().st_mtime_ns
        if scan.number in looks and looks[scan.number][0] == made:
            looks.move_to_end(scan.number)
            return looks[scan.number][1]
        if scan.number in looks:
            looks.pop(scan.number)[1].close()
        looks[scan.number] = (made, ScanIndex(str(path)))
        if len(looks) > MAX_OPEN_INDEXES:
            looks.popitem(last=False)[1][1].close()
        return looks[scan.number][1]

    def _close_thread(self) -> None:
        if hasattr(self._local, "store"):
            self._local.store.close()
            for _, look in self._local.looks.values():
                look.close()
            del self._local.store
        time.sleep(0.01)  # so that every thread gets one of these


async def _wait_for_build(making: asyncio.Future[None], patience: float) -> None:
    try:
        await asyncio.wait_for(asyncio.shield(making), patience)
    except TimeoutError:
        raise Problem(
            503, "The URLs of this scan are being laid out for looking; a million take half a minute"
        ) from None


def make_scan_stamp(scan: Scan) -> str:
    """What differs once a scan has gone on or ended."""
    return f"{scan.state} {scan.finished}" if scan.state not in LIVE_STATES else "live"
