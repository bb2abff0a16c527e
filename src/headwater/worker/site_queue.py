"""The queue of sites for workers, in the tables of procrastinate, filled from the table `site`."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from procrastinate.schema import SchemaManager

from headwater.errors import StoreError
from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg import Connection

    from headwater.store.postgres.connection import ServerConnection

_QUERIES = load_queries("postgres", "queue.sql")
QUEUE_NAME, TASK_NAME = "sites", "slice"


class WorkerReport(NamedTuple):
    """The report that a worker sends with each heartbeat."""

    worker: int
    name: str
    pages: int
    slices: int
    sites: int
    rate: float


class SiteQueue:
    """Jobs for sites that are due; every method is one transaction."""

    def __init__(self, server: ServerConnection) -> None:
        self._server = server
        server.run(self._migrate, "could not be given a queue")

    def create_jobs(self, limit: int, site: int | None = None) -> int:
        """Create jobs for due sites, or for one site, up to `limit` queued jobs; return the number of new ones."""

        def insert(connection: Connection[Any]) -> int:
            with connection.transaction():
                return _enqueue_due(connection, limit, site)

        return self._server.run(insert, "could not be written")

    def run_maintenance(
        self, stall: float, limit: int, *, should_sweep: bool, should_search: bool
    ) -> tuple[list[int], list[int]] | None:
        """Release the sites of silent workers, requeue sites that lost their job, reorder and fill the queue.

        Return the released and the requeued sites; None if another worker is doing this at the moment.
        """

        def work(connection: Connection[Any]) -> tuple[list[int], list[int]] | None:
            with connection.transaction():
                if not (connection.execute(_QUERIES["try_maintenance_lock"]).fetchone() or (False,))[0]:
                    return None
                released, lost = [], []
                if should_sweep:
                    released = [
                        site for site, _ in connection.execute(_QUERIES["release_stalled"], {"stall": stall}).fetchall()
                    ]
                if should_sweep and should_search:
                    rows = connection.execute(_QUERIES["requeue_lost"], {"stall": stall}).fetchall()
                    lost = [site for (site,) in rows]
                    connection.execute(_QUERIES["delete_old_workers"])
                connection.execute(_QUERIES["update_priorities"])
                _enqueue_due(connection, limit)
                return released, lost

        return self._server.run(work, "could not be written")

    def record_heartbeat(self, report: WorkerReport) -> bool:
        """Store a heartbeat; return False if the worker was already declared dead."""
        row = self._server.run(
            lambda connection: connection.execute(_QUERIES["heartbeat"], report._asdict()).fetchone()
        )
        return row is not None and row[0] == 1

    def mark_dead(self, name: str) -> None:
        """Declare a worker dead that is known to have ended, without waiting for the stall limit."""
        self._server.run(lambda connection: connection.execute(_QUERIES["mark_worker_dead"], (name,)))

    def remove_worker(self, worker: int) -> None:
        """Remove a worker that is shutting down."""
        self._server.run(lambda connection: connection.execute(_QUERIES["delete_worker"], (worker,)))

    def get_site_states(self, sites: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Return the epoch and state of sites."""
        rows = self._server.run(
            lambda connection: connection.execute(_QUERIES["site_states"], (list(sites),)).fetchall()
        )
        return {site: (epoch, state) for site, epoch, state in rows}

    def _migrate(self, connection: Connection[Any]) -> None:
        """Create or migrate the tables of procrastinate, which stores no version number."""
        known = _load_procrastinate_migrations()
        newest = max(known)
        with connection.transaction():
            (applied,) = connection.execute(_QUERIES["version"]).fetchone() or ("",)
            if applied > newest:
                raise StoreError(f"{self._server.display_url} was migrated by a newer Headwater ({applied})")
            if applied == newest:
                return
            if not applied:
                connection.execute(SchemaManager.get_schema().encode())
            for name, script in known.items():
                if applied and name > applied:
                    connection.execute(script.encode())
            connection.execute(_QUERIES["add_index"])
            connection.execute(_QUERIES["set_version"], (newest,))


def _enqueue_due(connection: Connection[Any], limit: int, site: int | None = None) -> int:
    room = limit
    if site is None:
        (waiting,) = connection.execute(_QUERIES["queued"]).fetchone() or (0,)
        room = limit - waiting
    if room <= 0:
        return 0
    return connection.execute(_QUERIES["enqueue_due"], {"site": site, "limit": room}).rowcount


def _load_procrastinate_migrations() -> dict[str, str]:
    """Return the migrations of procrastinate by name, in order."""
    folder = files("procrastinate.sql") / "migrations"
    scripts = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    return dict(sorted(scripts.items()))
