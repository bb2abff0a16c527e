"""Connection to PostgreSQL that is restored after it was lost, with errors that say what to do."""

from __future__ import annotations

import time
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from headwater.errors import StoreError
from headwater.settings import redact_value
from headwater.store.queries import load_migrations, load_queries

if TYPE_CHECKING:
    from collections.abc import Callable

    from psycopg import Connection

Result = TypeVar("Result")

MIN_SERVER_VERSION = 150_000
RECONNECT_TIMEOUT = 30.0
"""Seconds to wait for a server that is unreachable."""

_RETRY_DELAY = 0.25
_MIGRATION_LOCK = 0x48445754  # one process migrates the schema, the others wait for it
_QUERIES = load_queries("postgres")
_MIGRATIONS = load_migrations("postgres")
_RETRYABLE_SQLSTATES = frozenset({"57P01", "57P02", "57P03", "40P01", "40001", "53300", "25P03", "25P04"})
"""Shutdown or start of the server, deadlock, too many connections, transaction idle for too long."""

_DEFAULT_OPTIONS = {
    "connect_timeout": 10,
    "application_name": "headwater",
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 5,
}
_ERROR_MESSAGES = (
    ("password authentication failed", "the server rejected the user name or the password"),
    ("no password supplied", "the server requires a password; put it into the URL or into ~/.pgpass"),
    ("authentication failed", "the server rejected the user"),
    ("no pg_hba.conf entry", "the server does not accept this user from this host"),
    ("does not exist", ""),
    ("too many clients", "the server has no free connection; lower --processes or raise its max_connections"),
)


_BROKEN_PIPELINE = "cannot exit pipeline mode while busy"


class ServerConnection:
    """Connection for one thread; `url` is never shown with its password."""

    def __init__(
        self,
        url: str,
        reconnect_timeout: float = RECONNECT_TIMEOUT,
        statement_limit: float | None = None,
        *,
        idle_limit: float = 60.0,
    ) -> None:
        self.display_url = str(redact_value("db", url))
        self._url, self._reconnect_timeout, self._idle_limit = url, reconnect_timeout, idle_limit
        self._statement_limit = statement_limit
        self.temp_row_counts: Counter[str] = Counter()
        """Number of rows in each temporary table."""
        self._batches = count(1)
        self._connection: Connection[Any] | None = self._open()
        try:
            self._migrate(self._connection)
            self._prepare(self._connection)
        except psycopg.Error as error:
            raise self._build_connect_error(error) from None
        except BaseException:
            self._connection.close()
            raise

    def run(self, work: Callable[[Connection[Any]], Result], problem: str = "could not be read") -> Result:
        """Run `work`; if the connection is lost, repeat it on a new one until the reconnect timeout."""
        deadline = 0.0
        while True:
            try:
                return work(self._get_connection())
            except psycopg.Error as error:
                deadline = deadline or time.monotonic() + self._reconnect_timeout
                if not self._is_transient(error) or time.monotonic() > deadline:
                    raise StoreError(f"{self.display_url} {problem}: {get_first_line(error)}") from None
                time.sleep(_RETRY_DELAY)

    def limit_reconnect_time(self, seconds: float) -> None:
        """Lower the reconnect timeout, for a process that has to end soon."""
        self._reconnect_timeout = min(self._reconnect_timeout, seconds)

    def next_batch_number(self) -> int:
        """Return a number for the rows of one batch."""
        return next(self._batches)

    def open_second_connection(self) -> Connection[Any]:
        """Open a second connection, for long reads while the first one writes."""
        return self._open()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _get_connection(self) -> Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._url, **self._build_options())
            self._prepare(self._connection)
        return self._connection

    def _is_transient(self, error: psycopg.Error) -> bool:
        """Return True if another try may succeed: the connection is lost, or the server is busy or starting."""
        if any(text in str(error) for text, _ in _ERROR_MESSAGES[:4]):
            return False
        # A connection that breaks during executemany reports the pipeline first, and is marked as closed only later.
        is_lost = self._connection is None or self._connection.closed or _BROKEN_PIPELINE in str(error)
        if is_lost and self._connection is not None:
            self._connection.close()
        return is_lost or error.sqlstate in _RETRYABLE_SQLSTATES

    def _open(self) -> Connection[Any]:
        try:
            return psycopg.connect(self._url, **self._build_options())
        except psycopg.Error as error:
            raise self._build_connect_error(error) from None

    def _build_options(self) -> dict[str, Any]:
        given = conninfo_to_dict(self._url)
        more = {name: value for name, value in _DEFAULT_OPTIONS.items() if name not in given}
        return {**more, "autocommit": True, "client_encoding": "utf8"}

    def _build_connect_error(self, error: psycopg.Error) -> StoreError:
        line = get_first_line(error)
        meaning = next((meaning or line for text, meaning in _ERROR_MESSAGES if text in line), "")
        return StoreError(f"{self.display_url} cannot be used as a store: {meaning or f'no answer: {line}'}")

    def _prepare(self, connection: Connection[Any]) -> None:
        connection.execute("SELECT set_config('client_min_messages', 'warning', false)")
        # A plan made for an empty table reads all of it, and a cached plan lasts until the table is analyzed.
        connection.execute("SELECT set_config('plan_cache_mode', 'force_custom_plan', false)")
        limit = f"{int(self._idle_limit * 1000)}ms"
        connection.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", (limit,))
        if self._statement_limit is not None:
            limit = f"{int(self._statement_limit * 1000)}ms"
            connection.execute("SELECT set_config('statement_timeout', %s, false)", (limit,))
        connection.execute(_QUERIES["create_temp_tables"])
        self.temp_row_counts.clear()

    def _migrate(self, connection: Connection[Any]) -> None:
        version = self._read_version(connection)
        newest = max(_MIGRATIONS)
        if version > newest:
            raise StoreError(
                f"{self.display_url} was written by a newer Headwater"
                f" (its schema has version {version}, this one supports {newest})"
            )
        if version == newest:
            return
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            version = self._read_version(connection)
            if version < 0:
                connection.execute(_QUERIES["create_version_table"])
            for number, script in _MIGRATIONS.items():
                if number > version:
                    connection.execute(script.encode())
                    connection.execute(_QUERIES["set_version"], {"version": number})

    def _read_version(self, connection: Connection[Any]) -> int:
        """Return the schema's version; -1 for an empty database."""
        is_ours, is_used, server = connection.execute(_QUERIES["inspect_schema"]).fetchone() or (False, False, 0)
        if server < MIN_SERVER_VERSION:
            raise StoreError(f"{self.display_url} is PostgreSQL {server // 10_000}; Headwater needs 15 or newer")
        if not is_ours and is_used:
            hint = "use an empty database, or an empty schema with ?options=-csearch_path%3DNAME"
            raise StoreError(f"{self.display_url} holds tables of another program; {hint}")
        return int((connection.execute(_QUERIES["schema_version"]).fetchone() or (0,))[0]) if is_ours else -1


def get_first_line(error: BaseException) -> str:
    """Return the first line of an error, without the server's further explanations."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
