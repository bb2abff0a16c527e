"""A worker process: takes sites from the queue and runs several slices at once on one event loop."""

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
from headwater.worker.site_queue import QUEUE_NAME, TASK_NAME, SiteQueue, WorkerReport
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
    """Arguments of a worker process; `overrides` are the settings that apply to every site."""

    settings: Settings
    overrides: Mapping[str, object]
    crash_folder: str = ""
    parent: int = 0


def run_process(config: WorkerConfig) -> None:
    """Run a worker process until it receives SIGTERM or its parent ends."""
    replace_standard_streams()
    set_up_logging(config.settings.log)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    try:
        with create_runner() as runner:
            runner.run(WorkerProcess(config).run())
    except StoreError as error:  # the supervisor starts another process a little later
        log.warning("database failed, process ends", extra={"error": str(error)})
        sys.exit(1)


async def _disable_synchronous_commit(connection: AsyncConnection[Any]) -> None:
    """Take and end jobs without waiting for the disk, which is ten times as fast.

    Nothing is lost: the commit that starts a slice does wait, and puts everything before it on disk too. If a crash
    loses the end of a job, `SiteQueue.run_maintenance` repairs it.
    """
    await connection.execute("SET synchronous_commit = off")
    await connection.commit()


class WorkerProcess:
    """Connects the queue, the slices, the lease and the threads."""

    def __init__(self, config: WorkerConfig) -> None:
        self._config, self._settings = config, config.settings
        self._name = make_worker_name(os.getpid())
        self._lease = Lease(self._settings.stall_limit)
        self._stopping = asyncio.Event()
        self._worker: Worker | None = None
        self._number: int | None = None

    async def run(self) -> None:
        """Run slices until `stop` is called."""
        self._lease.exit_if_expired_on_resume()
        clock = asyncio.get_running_loop()
        clock.add_signal_handler(signal.SIGTERM, self.stop)
        clock.set_exception_handler(self._on_loop_error)
        server = self._server = ServerConnection(self._settings.db, idle_limit=self._settings.stall_limit / 3)
        self._queue = SiteQueue(server)
        self._slices = SliceWorker(
            Fleet(server), self._lease, self._settings, self._config.overrides, self._crash_record_path
        )
        heartbeat = HeartbeatThread(
            self._settings,
            self._lease,
            self._config.parent,
            self._make_report,
            on_parent_exit=lambda: clock.call_soon_threadsafe(self._on_parent_exit),
            on_lease_expired=lambda: clock.call_soon_threadsafe(self._on_lease_expired),
        )
        maintenance = MaintenanceThread(
            self._settings,
            lambda: {site: one.claim.epoch for site, one in list(self._slices.active.items())},
            lambda site, change: clock.call_soon_threadsafe(self._on_site_changed, site, change),
        )
        heartbeat.start()
        maintenance.start()
        try:
            await self._work_until_stopped()
        finally:
            await asyncio.to_thread(maintenance.stop)
            await asyncio.to_thread(heartbeat.stop)
            server.close()
            gc.collect()

    def stop(self) -> None:
        """Start no more slices; finish the running ones or return their sites to the queue."""
        self._stopping.set()
        self._server.limit_reconnect_time(self._settings.grace)
        if self._worker is not None:
            self._worker.stop()  # type: ignore[no-untyped-call]
        for one in list(self._slices.active.values()):
            one.stop()

    def _on_parent_exit(self) -> None:
        if not self._stopping.is_set():
            log.warning("parent process ended, stopping")
            self.stop()

    def _on_lease_expired(self) -> None:
        log.warning("heartbeat late, all sites are returned to the queue")
        for one in list(self._slices.active.values()):
            one.cancel()

    def _on_loop_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log errors of background tasks, such as finishing a job that was deleted while it ran."""
        error = context.get("exception")
        if isinstance(error, procrastinate.exceptions.ConnectorException):
            log.info("job deleted", extra={"error": str(error.__cause__ or error)})
        else:
            log.error(context.get("message", "error in a background task"), exc_info=error)

    async def _work_until_stopped(self) -> None:
        """Replace the queue's worker whenever it ends because the database is unavailable."""
        while not self._stopping.is_set():
            try:
                await self._work()
            except (procrastinate.exceptions.ConnectorException, StoreError) as error:
                log.warning("queue unavailable", extra={"error": str(error)})
                await self._wait(_RECONNECT_DELAY)

    async def _wait(self, seconds: float) -> None:
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
        app.task(name=TASK_NAME, queue=QUEUE_NAME, pass_context=True)(self._run_slice)
        async with app.open_async():
            self._worker = Worker(
                app,
                queues=[QUEUE_NAME],
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
            self._queue.create_jobs(1, site)

    def _on_site_changed(self, site: int, change: str) -> None:
        """Stop the slice of a site that another worker has claimed or a user has paused."""
        one = self._slices.active.get(site)
        if one is not None:
            log.info(f"site {change}", extra={"site": one.claim.seeds[0]})
            (one.cancel if change == "lost" else one.stop)()

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
            self._queue.remove_worker(self._number)
            self._number = None

    def _crash_record_path(self, site: int) -> str:
        """Return the path of the crash record of a site; the parent reads it if this process dies."""
        return str(Path(self._config.crash_folder) / f"{os.getpid()}-{site}") if self._config.crash_folder else ""


def make_worker_name(pid: int) -> str:
    """Return the name of a process of this machine in the fleet."""
    return f"{platform.node()}:{pid}"


def make_crash_folder() -> str:
    """Create a folder for crash records."""
    return tempfile.mkdtemp(prefix="headwater-worker-")
