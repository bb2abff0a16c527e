"""A worker whose parent was killed ends, even while the database is gone."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from psycopg.conninfo import conninfo_to_dict

from tests.commands import is_alive, until
from tests.worker.fleets import TestFleet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.postgres import Server

QUICK = ("--stall-limit", "3", "--grace", "5")


def test_an_orphan_ends_while_the_database_is_gone(postgres_server: Server, tmp_path: Path) -> None:
    with postgres_server.database() as url:
        fleet = TestFleet(url, tmp_path)
        with fleet.running_worker(*QUICK) as worker:
            until(lambda: fleet.query_value("SELECT count(*) FROM pg_tables WHERE tablename = 'worker'"))
            until(lambda: fleet.query("SELECT 1 FROM worker"))
            (child,) = worker.children()
            postgres_server.execute(f"DROP DATABASE {conninfo_to_dict(url)['dbname']} WITH (FORCE)")
            os.kill(worker.process.pid, signal.SIGKILL)
            until(lambda: not is_alive(child))
