"""The queue that hands slices to workers: procrastinate's tables beside ours, fed from `site`, swept of the silent."""

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
QUEUE, TASK = "sites", "slice"


class WorkerReport(NamedTuple):
    """What a worker says of itself."""

    worker: int
    name: str
    pages: int
    slices: int
    sites: int
    rate: float


class SiteQueue:
    """Sites that are ready, as jobs; every method is one transaction."""

    def __init__(self, server: ServerConnection) -> None:
        self._server = server
        server.run(self._bring_up_to_date, "could not be given a queue")

    def feed(self, most: int, site: int | None = None) -> int:
        """Make jobs of sites that are due, or of this one, as long as the queue is short; gives how many."""

        def insert(connection: Connection[Any]) -> int:
            with connection.transaction():
                return _enqueue_due(connection, most, site)

        return self._server.run(insert, "could not be written")

    def run_maintenance(
        self, stall: float, most: int, *, sweeps: bool, searches: bool
    ) -> tuple[list[int], list[int]] | None:
        """One worker's duty at a time: free the sites of silent workers, find lost ones, order and feed the queue.

        Gives what was freed and what was found; None if another worker is at it.
        """

        def work(connection: Connection[Any]) -> tuple[list[int], list[int]] | None:
            with connection.transaction():
                if not (connection.execute(_QUERIES["try_maintenance_lock"]).fetchone() or (False,))[0]:
                    return None
                freed, lost = [], []
                if sweeps:
                    rows = connection.execute(_QUERIES["release_stalled"], {"stall": stall}).fetchall()
                    freed = [site for site, _ in rows]
                if sweeps and searches:
                    rows = connection.execute(_QUERIES["requeue_lost"], {"stall": stall}).fetchall()
                    lost = [site for (site,) in rows]
                    connection.execute(_QUERIES["delete_old_workers"])
                connection.execute(_QUERIES["update_priorities"])
                _enqueue_due(connection, most)
                return freed, lost

        return self._server.run(work, "could not be written")

    def record_heartbeat(self, beat: WorkerReport) -> bool:
        """A worker lives; false if it is taken for dead already."""
        row = self._server.run(lambda connection: connection.execute(_QUERIES["heartbeat"], beat._asdict()).fetchone())
        return row is not None and row[0] == 1

    def mark_dead(self, name: str) -> None:
        """A worker is known to have ended; nobody needs to wait until its silence is noticed."""
        self._server.run(lambda connection: connection.execute(_QUERIES["mark_worker_dead"], (name,)))

    def leave(self, worker: int) -> None:
        """A worker says goodbye."""
        self._server.run(lambda connection: connection.execute(_QUERIES["delete_worker"], (worker,)))

    def watch(self, sites: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Epoch and state of sites, for whoever works on them."""
        query = _QUERIES["site_states"]
        rows = self._server.run(lambda connection: connection.execute(query, (list(sites),)).fetchall())
        return {site: (epoch, state) for site, epoch, state in rows}

    def _bring_up_to_date(self, connection: Connection[Any]) -> None:
        """Procrastinate keeps no version of its tables, so we note the last of its migrations that was applied."""
        known = _load_procrastinate_migrations()
        newest = max(known)
        with connection.transaction():
            (applied,) = connection.execute(_QUERIES["version"]).fetchone() or ("",)
            if applied > newest:
                raise StoreError(f"{self._server.display_url} has the queue of a newer Headwater ({applied})")
            if applied == newest:
                return
            if not applied:
                connection.execute(SchemaManager.get_schema().encode())
            for name, script in known.items():
                if applied and name > applied:
                    connection.execute(script.encode())
            connection.execute(_QUERIES["add_index"])
            connection.execute(_QUERIES["set_version"], (newest,))


def _enqueue_due(connection: Connection[Any], most: int, site: int | None = None) -> int:
    room = most
    if site is None:
        (waiting,) = connection.execute(_QUERIES["queued"]).fetchone() or (0,)
        room = most - waiting
    if room <= 0:
        return 0
    return connection.execute(_QUERIES["enqueue_due"], {"site": site, "limit": room}).rowcount


def _load_procrastinate_migrations() -> dict[str, str]:
    """Procrastinate's migrations by name, in order."""
    folder = files("procrastinate.sql") / "migrations"
    scripts = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    return dict(sorted(scripts.items()))
