"""Serve `/metrics` in Prometheus text format and `/health` for the workers of one machine."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Self

from headwater.errors import SettingError, StoreError
from headwater.event_loop import stop_listening
from headwater.store.postgres.connection import ServerConnection
from headwater.store.postgres.fleet import Fleet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.settings import Settings
    from headwater.store.postgres.fleet import FleetStatus

SITE_STATES = ("idle", "waiting", "queued", "working", "paused", "cancelled", "done", "failed")
_CACHE_SECONDS = 5.0
"""Seconds for which a status is reused; counting millions of sites takes a while."""

_MAX_REQUEST_BYTES = 8192
CLIENT_TIMEOUT = 5.0
"""Seconds that a client has to send its request, and again to read the response."""

MAX_CLIENTS = 64
"""Connections at once; a new one closes the oldest, so that idle clients do not use up the open files."""


class MetricsServer:
    """Serves requests while the workers run, if the settings name an address."""

    def __init__(self, settings: Settings, pids: Callable[[], list[int]]) -> None:
        self._settings, self._pids = settings, pids
        self._server: asyncio.Server | None = None
        self._fleet: Fleet | None = None
        self._last: tuple[float, FleetStatus] | None = None
        self._lock = asyncio.Lock()
        self._clients: OrderedDict[asyncio.StreamWriter, None] = OrderedDict()

    async def __aenter__(self) -> Self:
        if self._settings.metrics is not None:
            host, _, port = self._settings.metrics.rpartition(":")
            try:
                self._server = await asyncio.start_server(self._accept, host.strip("[]") or "127.0.0.1", int(port))
            except (OSError, ValueError, OverflowError) as error:
                raise SettingError("metrics", f"cannot listen on {self._settings.metrics}: {error}") from None
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            await stop_listening(self._server)
        if self._fleet is not None:
            self._fleet.server.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients[writer] = None
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)[0].transport.abort()
        try:
            await self._answer(reader, writer)
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.transport.abort()
        finally:
            self._clients.pop(writer, None)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), CLIENT_TIMEOUT))[:_MAX_REQUEST_BYTES].split(
            b"\r\n", 1
        )[0]
        status, body = await self._build_response(line.split(b" ")[1] if line.count(b" ") == 2 else b"")
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
        writer.write(f"{head}Content-Length: {len(body.encode())}\r\nConnection: close\r\n\r\n{body}".encode())
        writer.close()
        await asyncio.wait_for(writer.wait_closed(), CLIENT_TIMEOUT)

    async def _build_response(self, path: bytes) -> tuple[str, str]:
        if path not in {b"/metrics", b"/health"}:
            return "404 Not Found", "not found; available are /metrics and /health\n"
        try:
            status = await self._get_status()
        except StoreError as error:
            return "503 Service Unavailable", f"{error}\n"
        if path == b"/metrics":
            return "200 OK", "\n".join([*format_metrics(status, len(self._pids())), ""])
        missing = self._find_missing_workers(status)
        return ("503 Service Unavailable", f"{missing}\n") if missing else ("200 OK", "ok\n")

    async def _get_status(self) -> FleetStatus:
        async with self._lock:
            if self._last is None or time.monotonic() - self._last[0] > _CACHE_SECONDS:
                status = await asyncio.to_thread(self._load_status)
                self._last = (time.monotonic(), status)
            return self._last[1]

    def _load_status(self) -> FleetStatus:
        if self._fleet is None:
            self._fleet = Fleet(ServerConnection(self._settings.db, reconnect_timeout=0.0))
        return self._fleet.status()

    def _find_missing_workers(self, status: FleetStatus) -> str:
        """Return a message that names the processes of this machine without a heartbeat; empty if all have one."""
        live = {worker.name for worker in status.workers if worker.silent < self._settings.stall_limit}
        silent = [pid for pid in self._pids() if not any(name.endswith(f":{pid}") for name in live)]
        if len(self._pids()) < (self._settings.processes or 1):
            return "a process is being replaced"
        return f"no heartbeat from process {', '.join(map(str, silent))}" if silent else ""


def format_metrics(status: FleetStatus, processes: int) -> Iterator[str]:
    """Yield the metrics of the fleet; pages and slices are those of live workers."""
    yield from _format_header("headwater_sites", "gauge", "Sites by state")
    for state in SITE_STATES:
        yield f'headwater_sites{{state="{state}"}} {status.states.get(state, 0)}'
    yield from _format_header("headwater_sites_due", "gauge", "Sites that are due and not in the queue yet")
    yield f"headwater_sites_due {status.due}"
    yield from _format_header("headwater_processes", "gauge", "Worker processes of this machine")
    yield f"headwater_processes {processes}"
    yield from _format_header(
        "headwater_failing_sites", "gauge", "Sites that are stuck or failed last time, at most ten"
    )
    yield f"headwater_failing_sites {len(status.failing_sites)}"
    for name, kind, text in (
        ("pages", "counter", "Pages stored since the worker started"),
        ("slices", "counter", "Slices started since the worker started"),
        ("sites", "gauge", "Sites that the worker is scanning"),
        ("rate", "gauge", "Pages per second, recently"),
        ("silent", "gauge", "Seconds since the last heartbeat"),
    ):
        metric = f"headwater_worker_{name}{'_total' if kind == 'counter' else ''}"
        yield from _format_header(metric, kind, text)
        for worker in status.workers:
            yield f'{metric}{{worker="{worker.name}"}} {getattr(worker, name):g}'


def _format_header(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
