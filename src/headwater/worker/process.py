"""One worker process: takes slices from the queue and works several side by side on one event loop."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import platform
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import procrastinate
from procrastinate.worker import Worker

from headwater.errors import StoreError
from headwater.event_loop import create_runner
from headwater.output_stream import replace_standard_streams
from headwater.store.postgres.connection import ServerConnection
from headwater.store.postgres.fleet import Fleet
from headwater.worker.lease import Lease
from headwater.worker.logs import set_up_logging
from headwater.worker.site_queue import QUEUE, TASK, SiteQueue, WorkerReport
from headwater.worker.slice_worker import SliceWorker
from headwater.worker.threads import HEARTBEATS_PER_STALL, HeartbeatThread, MaintenanceThread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from psycopg import AsyncConnection

    from headwater.settings import Settings

_DISABLED_INTERVAL = 1e9
_RECONNECT_DELAY = 1.0
_LEASE_POLL_INTERVAL = 0.2
log = logging.getLogger("headwater.worker")


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """What a process is started with: its settings, and those of them that hold for every site."""

    settings: Settings
    overrides: Mapping[str, object]
    crash_folder: str = ""
    parent: int = 0


def run_process(orders: WorkerConfig) -> None:
    """The whole life of a process; ends when it is told to, or when its parent is gone."""
    replace_standard_streams()
    set_up_logging(orders.settings.log)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides
    try:
        with create_runner() as runner:
            runner.run(WorkerProcess(orders).run())
    except StoreError as error:  # the server is away or full; another process is started a little later
        log.warning("could not go on", extra={"error": str(error)})
        sys.exit(1)


async def _disable_synchronous_commit(connection: AsyncConnection[Any]) -> None:
    """Jobs are taken and ended ten times as fast, and nothing is lost: a slice begins with a commit that does wait, and
    what was written before it is then on the disk too; an end that a crash forgets is found by the sweep."""
    await connection.execute("SET synchronous_commit = off")
    await connection.commit()


class WorkerProcess:
    """Wires the queue, the slices, the lease and the threads together."""

    def __init__(self, orders: WorkerConfig) -> None:
        self._orders, self._settings = orders, orders.settings
        self._name = make_worker_name(os.getpid())
        self._lease = Lease(self._settings.stall_limit)
        self._stopping = asyncio.Event()
        self._worker: Worker | None = None
        self._number: int | None = None

    async def run(self) -> None:
        """Work until told to stop."""
        self._lease.exit_if_expired_on_resume()
        clock = asyncio.get_running_loop()
        clock.add_signal_handler(signal.SIGTERM, self.stop)
        clock.set_exception_handler(self._on_loop_error)
        server = self._server = ServerConnection(self._settings.db, idle_limit=self._settings.stall_limit / 3)
        self._queue = SiteQueue(server)
        self._slices = SliceWorker(
            Fleet(server), self._lease, self._settings, self._orders.overrides, self._crash_record_path
        )
        heartbeat = HeartbeatThread(
            self._settings,
            self._lease,
            self._orders.parent,
            self._make_report,
            on_orphan=lambda: clock.call_soon_threadsafe(self._on_parent_exit),
            on_late=lambda: clock.call_soon_threadsafe(self._on_lease_expired),
        )
        housekeeping = MaintenanceThread(
            self._settings,
            lambda: {site: one.claim.epoch for site, one in list(self._slices.active.items())},
            lambda site, what: clock.call_soon_threadsafe(self._tell, site, what),
        )
        heartbeat.start()
        housekeeping.start()
        try:
            await self._work_until_stopped()
        finally:
            await asyncio.to_thread(housekeeping.stop)
            await asyncio.to_thread(heartbeat.stop)
            server.close()
            gc.collect()

    def stop(self) -> None:
        """Begin nothing more; finish or hand back what is under way."""
        self._stopping.set()
        self._server.limit_reconnect_time(self._settings.grace)
        if self._worker is not None:
            self._worker.stop()  # type: ignore[no-untyped-call]
        for one in list(self._slices.active.values()):
            one.stop()

    def _on_parent_exit(self) -> None:
        if not self._stopping.is_set():
            log.warning("parent gone, stopping")
            self.stop()

    def _on_lease_expired(self) -> None:
        log.warning("heartbeat late, everything is handed back")
        for one in list(self._slices.active.values()):
            one.cancel()

    def _on_loop_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Jobs that were taken away while they ran cannot be finished, and the queue's worker tells nobody of it."""
        error = context.get("exception")
        if isinstance(error, procrastinate.exceptions.ConnectorException):
            log.info("job gone", extra={"error": str(error.__cause__ or error)})
        else:
            log.error(context.get("message", "problem"), exc_info=error)

    async def _work_until_stopped(self) -> None:
        """The queue's own worker gives up when the database is away; then a new one is made."""
        while not self._stopping.is_set():
            try:
                await self._work()
            except (procrastinate.exceptions.ConnectorException, StoreError) as error:
                log.warning("queue away", extra={"error": str(error)})
                await self._rest(_RECONNECT_DELAY)

    async def _rest(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return

    async def _work(self) -> None:
        connector = procrastinate.PsycopgConnector(
            conninfo=self._settings.db,
            min_size=1,
            max_size=4,
            timeout=min(30.0, self._settings.stall_limit),
            kwargs={"application_name": "headwater-queue"},
            configure=_disable_synchronous_commit,
        )
        app = procrastinate.App(connector=connector)
        app.task(name=TASK, queue=QUEUE, pass_context=True)(self._run_slice)
        async with app.open_async():
            self._worker = Worker(
                app,
                queues=[QUEUE],
                name=self._name,
                concurrency=self._settings.concurrency,
                fetch_job_polling_interval=self._settings.stall_limit / HEARTBEATS_PER_STALL,
                abort_job_polling_interval=_DISABLED_INTERVAL,
                update_heartbeat_interval=_DISABLED_INTERVAL,
                stalled_worker_timeout=self._settings.stall_limit * 10,
                shutdown_graceful_timeout=self._settings.grace + _RECONNECT_DELAY,
                delete_jobs="always",
                install_signal_handlers=False,
            )
            try:
                await self._worker.run()  # type: ignore[no-untyped-call]
            finally:
                self._deregister()

    async def _run_slice(self, context: procrastinate.JobContext, site: int) -> None:
        while not self._lease.is_held() and not self._stopping.is_set():  # noqa: ASYNC110  (a thread renews it)
            await asyncio.sleep(_LEASE_POLL_INTERVAL)
        if await self._slices.work(site, context.job.worker_id) and not self._stopping.is_set():
            self._queue.feed(1, site)

    def _tell(self, site: int, what: str) -> None:
        """House-keeping has news of a site."""
        one = self._slices.active.get(site)
        if one is not None:
            log.info(f"site {what}", extra={"site": one.claim.seeds[0]})
            (one.cancel if what == "lost" else one.stop)()

    def _make_report(self) -> WorkerReport | None:
        worker = self._worker
        number = worker.worker_id if worker is not None else None
        if number is None:
            return None
        self._number = number
        slices = self._slices
        return WorkerReport(number, self._name, slices.pages, slices.slices, len(slices.active), 0.0)

    def _deregister(self) -> None:
        self._worker = None
        if self._number is not None:
            self._queue.leave(self._number)
            self._number = None

    def _crash_record_path(self, site: int) -> str:
        """Where it is noted which page is being examined; the parent reads it if this process dies."""
        return str(Path(self._orders.crash_folder) / f"{os.getpid()}-{site}") if self._orders.crash_folder else ""


def make_worker_name(pid: int) -> str:
    """How a process of this machine is called in the fleet."""
    return f"{platform.node()}:{pid}"


def make_crash_folder() -> str:
    """A new folder for notes of what is being examined."""
    return tempfile.mkdtemp(prefix="headwater-worker-")
