"""A connection to PostgreSQL that comes back after the server went away, and says in plain words what is wrong."""

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
"""Seconds for which a server that went away is waited for."""

_RETRY_DELAY = 0.25
_MIGRATION_LOCK = 0x48445754  # one process brings the schema up to date, the others wait for it
_QUERIES = load_queries("postgres")
_MIGRATIONS = load_migrations("postgres")
_RETRYABLE_SQLSTATES = frozenset({"57P01", "57P02", "57P03", "40P01", "40001", "53300", "25P03", "25P04"})
"""The server shuts down or starts, a deadlock, too many connections, a transaction that was idle for too long."""

_DEFAULT_OPTIONS = {
    "connect_timeout": 10,
    "application_name": "headwater",
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 5,
}
_ERROR_MESSAGES = (
    ("password authentication failed", "the server refuses the user name or the password"),
    ("no password supplied", "the server wants a password; write it into the URL or into ~/.pgpass"),
    ("authentication failed", "the server refuses the user"),
    ("no pg_hba.conf entry", "the server does not let this user in from here"),
    ("does not exist", ""),
    ("too many clients", "the server has no connection left; lower --processes or raise its max_connections"),
)


class ServerConnection:
    """One connection, used by one thread; `url` is never shown with its password."""

    def __init__(
        self,
        url: str,
        *,
        patience: float = RECONNECT_TIMEOUT,
        idle_limit: float = 60.0,
        statement_limit: float | None = None,
    ) -> None:
        self.display_url = str(redact_value("db", url))
        self._url, self._patience, self._idle_limit = url, patience, idle_limit
        self._statement_limit = statement_limit
        self.temp_row_counts: Counter[str] = Counter()
        """Rows in the connection's temporary tables."""
        self._batches = count(1)
        self._connection: Connection[Any] | None = self._open()
        try:
            self._bring_up_to_date(self._connection)
            self._prepare(self._connection)
        except psycopg.Error as error:
            raise self._build_connect_error(error) from None
        except BaseException:
            self._connection.close()
            raise

    def run(self, work: Callable[[Connection[Any]], Result], problem: str = "could not be read") -> Result:
        """Do it; if the connection is lost, do it again on a new one, for as long as patience lasts."""
        until = 0.0
        while True:
            try:
                return work(self._alive())
            except psycopg.Error as error:
                until = until or time.monotonic() + self._patience
                if not self._is_transient(error) or time.monotonic() > until:
                    raise StoreError(f"{self.display_url} {problem}: {get_first_line(error)}") from None
                time.sleep(_RETRY_DELAY)

    def limit_reconnect_time(self, seconds: float) -> None:
        """Wait no longer than this for a server that is away: whoever has to end soon has no more time."""
        self._patience = min(self._patience, seconds)

    def next_batch_number(self) -> int:
        """A number for the rows of one batch."""
        return next(self._batches)

    def open_second_connection(self) -> Connection[Any]:
        """A second connection, for reading at length while the first one writes."""
        return self._open()

    def close(self) -> None:
        """Say goodbye."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _alive(self) -> Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._url, **self._options())
            self._prepare(self._connection)
        return self._connection

    def _is_transient(self, error: psycopg.Error) -> bool:
        """Whether another try may help: the connection is gone, or the server asks for patience."""
        if any(text in str(error) for text, _ in _ERROR_MESSAGES[:4]):
            return False
        is_lost = self._connection is None or self._connection.closed
        if is_lost and self._connection is not None:
            self._connection.close()
        return is_lost or error.sqlstate in _RETRYABLE_SQLSTATES

    def _open(self) -> Connection[Any]:
        try:
            return psycopg.connect(self._url, **self._options())
        except psycopg.Error as error:
            raise self._build_connect_error(error) from None

    def _options(self) -> dict[str, Any]:
        given = conninfo_to_dict(self._url)
        more = {name: value for name, value in _DEFAULT_OPTIONS.items() if name not in given}
        return {**more, "autocommit": True, "client_encoding": "utf8"}

    def _build_connect_error(self, error: psycopg.Error) -> StoreError:
        line = get_first_line(error)
        meaning = next((meaning or line for text, meaning in _ERROR_MESSAGES if text in line), "")
        return StoreError(f"{self.display_url} cannot be used as a store: {meaning or f'no answer: {line}'}")

    def _prepare(self, connection: Connection[Any]) -> None:
        connection.execute("SELECT set_config('client_min_messages', 'warning', false)")
        # A plan made while a table was empty reads the whole of it; kept plans stay until somebody analyses the table.
        connection.execute("SELECT set_config('plan_cache_mode', 'force_custom_plan', false)")
        limit = f"{int(self._idle_limit * 1000)}ms"
        connection.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", (limit,))
        if self._statement_limit is not None:
            limit = f"{int(self._statement_limit * 1000)}ms"
            connection.execute("SELECT set_config('statement_timeout', %s, false)", (limit,))
        connection.execute(_QUERIES["make_tables"])
        self.temp_row_counts.clear()

    def _bring_up_to_date(self, connection: Connection[Any]) -> None:
        version = self._read_version(connection)
        newest = max(_MIGRATIONS)
        if version > newest:
            raise StoreError(
                f"{self.display_url} was made by a newer Headwater (version {version}, this one knows {newest})"
            )
        if version == newest:
            return
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            version = self._read_version(connection)
            if version < 0:
                connection.execute(_QUERIES["make_version"])
            for number, script in _MIGRATIONS.items():
                if number > version:
                    connection.execute(script.encode())
                    connection.execute(_QUERIES["set_version"], (number,))

    def _read_version(self, connection: Connection[Any]) -> int:
        """The schema's version; -1 if there is nothing yet."""
        is_ours, is_used, server = connection.execute(_QUERIES["version"]).fetchone() or (False, False, 0)
        if server < MIN_SERVER_VERSION:
            raise StoreError(f"{self.display_url} is PostgreSQL {server // 10_000}; Headwater needs 15 or newer")
        if not is_ours and is_used:
            hint = "name an empty database, or an empty schema with ?options=-csearch_path%3DNAME"
            raise StoreError(f"{self.display_url} holds tables of another program; {hint}")
        return int((connection.execute(_QUERIES["applied"]).fetchone() or (0,))[0]) if is_ours else -1


def get_first_line(error: BaseException) -> str:
    """What went wrong, without the server's further explanations."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
