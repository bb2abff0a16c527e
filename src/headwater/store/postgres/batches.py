"""A batch on its way to PostgreSQL: kept once however often the connection is lost, refused once the fence is down."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from headwater.errors import LeaseLostError
from headwater.store.queries import load_queries
from headwater.store.rows import build_page_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from psycopg import Connection, Cursor

    from headwater.model import DiscoveredUrl

Result = TypeVar("Result")

_QUERIES = load_queries("postgres")
_ESCAPE = "\U0010fffe"
"""A character that no text has stands before the letter for one that PostgreSQL cannot hold."""


class Fence(NamedTuple):
    """Whose site it is: a batch is kept only while the site's epoch is still this one."""

    site: int
    epoch: int


class IdempotentTransaction(Generic[Result]):
    """One transaction, however often the connection is lost: it is kept once."""

    def __init__(self, scan: int, fence: Fence | None, pages: int) -> None:
        self._scan, self._fence, self._pages = scan, fence, pages
        self._revision = 0
        self._result: list[Result] = []

    def run(
        self,
        connection: Connection[Any],
        work: Callable[[Cursor[Any], int], Result],
        copy: Callable[[Cursor[Any]], int],
    ) -> Result:
        """Do the work, unless the try before got through and only its answer was lost."""
        if not self._was_committed(connection):
            with connection.transaction(), connection.cursor() as cursor:
                batch = copy(cursor)
                self._revision = self._bump_revision(cursor)
                self._result = [work(cursor, batch)]
        return self._result[0]

    def _was_committed(self, connection: Connection[Any]) -> bool:
        if not self._revision or not self._result:
            return False
        row = connection.execute(_QUERIES["revision"], (self._scan,)).fetchone()
        return row is not None and int(row[0]) >= self._revision

    def _bump_revision(self, cursor: Cursor[Any]) -> int:
        site, epoch = self._fence or (None, None)
        values = {"scan": self._scan, "site": site, "epoch": epoch, "pages": self._pages}
        row = cursor.execute(_QUERIES["mark"], values).fetchone()
        if row is None:
            raise LeaseLostError(f"site {site} was taken over: epoch {epoch} is past")
        return int(row[0])


def plan_merge(
    scan: int, everything: Sequence[DiscoveredUrl], now: str
) -> tuple[list[tuple[object, ...]], list[tuple[str, int]]]:
    """Rows to copy, and the statements that merge them: one statement may not touch a row twice."""
    seen: Counter[tuple[bool, int]] = Counter()
    rows: list[tuple[object, ...]] = []
    for place, one in enumerate(everything):
        kind = (one.metadata is not None, one.identity)
        rows.append((place, seen[kind], kind[0], *escape_row(build_page_row(scan, one, now)[1:])))
        seen[kind] += 1
    statements: list[tuple[str, int]] = []
    for query, is_listed in (("add_found", False), ("add_listed", True)):
        most = max((count for kind, count in seen.items() if kind[0] == is_listed), default=0)
        statements += [(query, number) for number in range(most)]
    return rows, statements


def escape_row(row: Iterable[object]) -> tuple[object, ...]:
    """A row whose texts PostgreSQL can hold."""
    return tuple(_escape_text(value) if type(value) is str else value for value in row)


def _escape_text(text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:  # half of a surrogate pair
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = text.replace(_ESCAPE, _ESCAPE + "e")
    return text.replace("\x00", _ESCAPE + "0") if "\x00" in text else text


def unescape_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row as it was before `escape_row`."""
    if any(type(value) is str and _ESCAPE in value for value in row):
        return tuple(_unescape_text(value) if type(value) is str else value for value in row)
    return row


def _unescape_text(text: str) -> str:
    return text.replace(_ESCAPE + "0", "\x00").replace(_ESCAPE + "e", _ESCAPE)
