"""The interface between the store's roles and a connection of either dialect."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from headwater.store.common.readers import Record, build_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Result = TypeVar("Result")
Row = Any
"""A row as the driver returns it: a tuple."""

Values = dict[str, object]


class Session(ABC):
    """Runs named queries. Values are given by name, records are read by the names of the columns."""

    @abstractmethod
    def fetch(self, query: str, values: Values) -> tuple[tuple[str, ...], list[Row]]:
        """Run a query and return the names of its columns and its rows."""

    @abstractmethod
    def execute(self, query: str, /, **values: object) -> int:
        """Run a statement and return the number of rows it changed."""

    @abstractmethod
    def execute_many(self, query: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Run a statement for every row."""

    @abstractmethod
    def write_rows(self, query: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement for many rows: SQLite for each of them, PostgreSQL once, with an array for every column."""

    @abstractmethod
    def insert(self, query: str, /, **values: object) -> int:
        """Insert a row and return its number."""

    def rows(self, query: str, /, **values: object) -> list[Row]:
        """Return the rows of a query."""
        return self.fetch(query, values)[1]

    def value(self, query: str, /, **values: object) -> Any:  # noqa: ANN401  (whatever the column holds)
        """Return the first column of the first row; None if there is no row."""
        rows = self.fetch(query, values)[1]
        return rows[0][0] if rows else None

    def column(self, query: str, /, **values: object) -> list[Any]:
        """Return the first column of every row."""
        return [row[0] for row in self.fetch(query, values)[1]]

    def select(self, record: type[Record], query: str, /, **values: object) -> list[Record]:
        """Return the rows of a query as records."""
        names, rows = self.fetch(query, values)
        return [*map(build_reader(record, names), rows)]

    def select_keyed(self, record: type[Record], key: str, query: str, /, **values: object) -> list[tuple[Any, Record]]:
        """Return the rows of a query as records, each with the value of one further column."""
        names, rows = self.fetch(query, values)
        read, position = build_reader(record, names), names.index(key)
        return [(row[position], read(row)) for row in rows]

    def find(self, record: type[Record], query: str, /, **values: object) -> Record | None:
        """Return the first row of a query as a record."""
        names, rows = self.fetch(query, values)
        return build_reader(record, names)(rows[0]) if rows else None


class Database(Session):
    """A connection: every call is one transaction of its own, except within `transact`."""

    @abstractmethod
    def transact(self, work: Callable[[Session], Result], scan: int | None = None, pages: int = 0) -> Result:
        """Run statements in one transaction, which is refused if the process has lost its lease on the scan.

        `pages` is added to the counter of the scan's site.
        """

    @abstractmethod
    def stream(self, record: type[Record], query: str, /, **values: object) -> Iterator[Record]:
        """Yield the rows of a query as records, without reading all of them first."""

    def write(self, query: str, /, *, scan: int, **values: object) -> None:
        """Run one statement that belongs to a scan, in a transaction of its own."""
        self.transact(lambda session: session.execute(query, scan=scan, **values), scan)

    def add(self, query: str, /, *, scan: int, **values: object) -> int:
        """Insert one row that belongs to a scan, in a transaction of its own, and return its number."""
        return self.transact(lambda session: session.insert(query, scan=scan, **values), scan)


class SqlRole:
    """A role of the store, implemented over a database of either dialect."""

    def __init__(self, db: Database) -> None:
        self._db = db
