"""Dives in PostgreSQL: words in a `tsvector` of the page's language, vectors as bytes, and in pgvector where it is."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg

from headwater.errors import StoreError
from headwater.store.dive_rows import (
    Document,
    Message,
    Passage,
    PendingPage,
    build_dive_key,
    parse_dive_page_row,
    parse_dive_row,
    parse_scan_page_row,
)
from headwater.store.postgres.batches import escape_row, unescape_row
from headwater.store.postgres.connection import get_first_line
from headwater.store.postgres.pgvector import PgvectorIndex
from headwater.store.postgres.text_search import extract_words, get_text_search_config
from headwater.store.queries import load_queries
from headwater.store.rows import timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from psycopg import Connection, Cursor

    from headwater.store.dive_rows import ChunkRow, Dive, DivePage, PageContent, ScanPage
    from headwater.store.postgres.connection import ServerConnection

Result = TypeVar("Result")

_QUERIES = load_queries("postgres", "dives.sql")
_BATCH_SIZE = 50
_STREAM_BATCH_SIZE = 5000


class PostgresDiveStore:
    """The dives of a store on a server; shares its connection. All it writes may be written twice."""

    def __init__(self, server: ServerConnection) -> None:
        self._server = server
        self._vectors = PgvectorIndex(server)

    @property
    def path(self) -> str:
        """The server's URL without its password."""
        return self._server.display_url

    def listed(self, scan: int) -> Iterator[ScanPage]:
        """Every listed page of a scan that no rule refused and no request failed for."""
        return map(parse_scan_page_row, self._stream("pages_of_scan", (scan,)))

    def begin(
        self, scan: int, seeds: Sequence[str], selection: Mapping[str, Any], pages: Sequence[ScanPage]
    ) -> tuple[int, bool]:
        """The dive into these pages, and whether it goes on with one that did not end."""
        key = escape_row(build_dive_key(seeds, selection))
        before = self._row("find_dive", {"seeds": key[0], "selection": key[1]})
        goes_on = before is not None and before[1] in {"running", "interrupted"}
        rows = [escape_row((one.identity, one.url, one.fetch_url, one.title, one.language)) for one in pages]
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(5)]

        def write(cursor: Cursor[Any]) -> int:
            row = cursor.execute(_QUERIES["add_dive"], (scan, *key, timestamp())).fetchone()
            number = int(row[0]) if row else 0
            if not goes_on:
                cursor.execute(_QUERIES["wait_again"], (number,))
            for query in ("drop_other_chunks", "drop_other_pages"):
                cursor.execute(_QUERIES[query], (number, columns[0]))
            cursor.execute(_QUERIES["add_pages"], (number, *columns))
            return number

        return self._write(write), goes_on

    def dives(self) -> list[Dive]:
        """Every dive, the oldest first."""
        return [parse_dive_row(row) for row in self._rows("dives", {"number": 0})]

    def dive(self, number: int) -> Dive | None:
        """One dive."""
        row = self._row("dives", {"number": number}) if number else None
        return None if row is None else parse_dive_row(row)

    def waiting(self, dive: int, after: int, limit: int) -> list[PendingPage]:
        """Pages still to be read, behind a number."""
        return [PendingPage(*row) for row in self._rows("waiting", dive, after, limit)]

    def settle(self, page: int, content: PageContent, reason: str = "") -> None:
        """Keep what a page says."""
        headings = json.dumps(content.headings)
        self._execute_write("settle_read", reason, *content[:-2], headings, content.markdown, timestamp(), page)

    def mark_unchanged(self, page: int, etag: str = "", last_modified: str = "", reason: str = "") -> None:
        """The page is as it was."""
        self._execute_write("settle_unchanged", reason, etag, last_modified, timestamp(), page)

    def set_page_state(self, page: int, state: str, reason: str) -> None:
        """The page failed or was skipped."""
        self._execute_write("settle_other", state, reason, page)

    def keep_previous_content(self, page: int, reason: str) -> None:
        """The page could not be had this time; what it said before stays."""
        self._execute_write("settle_kept", reason, page)

    def twin(self, dive: int, content_hash: int, page: int) -> str:
        """The URL of another page of the dive that says the very same."""
        row = self._row("twin", dive, content_hash, page)
        return str(row[0]) if row else ""

    def reason_counts(self, dive: int) -> Mapping[str, int]:
        """How many pages are done, and how many are not for which reason."""
        return dict(self._rows("reasons", dive))

    def pages(self, dive: int) -> Iterator[DivePage]:
        """Every page that was read, by URL; some at a time, so that writing meanwhile is safe."""
        numbers = [number for (number,) in self._rows("page_numbers", dive)]
        for start in range(0, len(numbers), _BATCH_SIZE):
            yield from map(parse_dive_page_row, self._rows("pages_by_number", numbers[start : start + _BATCH_SIZE]))

    def page(self, url: str, dive: int = 0) -> DivePage | None:
        """A page that was read, in one dive or in the newest that has it."""
        row = self._row("page_of_url", {"url": escape_row((url,))[0], "dive": dive})
        return None if row is None else parse_dive_page_row(row)

    def documents(self, dive: int, after: int, limit: int, state: str = "") -> list[Document]:
        """Pages behind a number, without what they say; those in one state if it is named."""
        values = {"dive": dive, "after": after, "limit": limit, "state": state}
        return [Document(*row) for row in self._rows("documents", values)]

    def languages(self, dive: int) -> Mapping[str, int]:
        """How many pages were read in which language, the most first."""
        return dict(self._rows("languages", dive))

    def repeated_blocks(self, dive: int) -> frozenset[int]:
        """The hashes of blocks that the cluster's pages share."""
        row = self._row("repeated", dive)
        return frozenset(json.loads(row[0])) if row else frozenset()

    def set_repeated_blocks(self, dive: int, hashes: Iterable[int]) -> None:
        """Note which blocks the pages share."""
        self._execute_write("set_repeated", json.dumps(sorted(hashes)), dive)

    def set_chunks(self, dive: int, page: int, chunked_hash: int | None, chunks: Sequence[ChunkRow]) -> None:
        """Replace the passages of a page, with their words as its language has them."""
        rows = [escape_row((*one, extract_words(one.heading), extract_words(one.text))) for one in chunks]

        def write(cursor: Cursor[Any]) -> None:
            cursor.execute(_QUERIES["drop_chunks"], (page,))
            if rows:
                language = cursor.execute(_QUERIES["language_of_page"], (page,)).fetchone()
                config = get_text_search_config(language[0] if language else "")
                cursor.execute(_QUERIES["note_config"], {"config": config, "dive": dive})
                cursor.execute(_QUERIES["add_chunks"], (dive, page, config, *map(list, zip(*rows, strict=True))))
            cursor.execute(_QUERIES["mark_chunked"], (chunked_hash, page))
            cursor.execute(_QUERIES["grow_version"], (dive,))

        self._write(write)

    def pages_with_stale_chunks(self, dive: int) -> list[int]:
        """Pages that have passages and should not."""
        return [number for (number,) in self._rows("empty_pages", dive)]

    def set_embedder(self, dive: int, name: str) -> None:
        """Note by what the passages are embedded."""
        self._execute_write("set_embedder", name, dive)

    def unembedded_texts(self, dive: int, embedder: str, limit: int) -> list[tuple[int, str]]:
        """Texts without a vector, short ones first: (hash, text)."""
        rows = self._rows("unembedded", dive, embedder, limit)
        return [(one, f"{heading}\n{text}" if heading else text) for one, heading, text in rows]

    def count_unembedded(self, dive: int, embedder: str) -> int:
        """How many texts have no vector yet."""
        row = self._row("count_unembedded", dive, embedder)
        return int(row[0]) if row else 0

    def add_vectors(self, dive: int, embedder: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep vectors by the hash of their text."""
        kept = dict(rows)

        def write(cursor: Cursor[Any]) -> None:
            cursor.execute(_QUERIES["add_vectors"], (embedder, list(kept), list(kept.values())))
            cursor.execute(_QUERIES["grow_version"], (dive,))

        self._write(write)

    def vectors(self, dive: int, embedder: str) -> Iterator[tuple[int, bytes]]:
        """Every vector of a dive: (passage, vector)."""
        values = {"dive": dive, "embedder": embedder}
        return ((number, content) for number, content in self._stream("vectors", values))

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None = None
    ) -> list[tuple[int, float]] | None:
        """The passages most alike to a query, found by pgvector; None where the server has none."""
        return self._vectors.nearest(dive, embedder, query, limit, among)

    def version(self, dive: int) -> tuple[int, str]:
        """A number that grows with every change of passages or vectors, and the embedder."""
        row = self._row("version", dive)
        return (int(row[0]), str(row[1])) if row else (0, "")

    def match(self, dive: int, words: Sequence[str], limit: int, heading_weight: float) -> list[int]:
        """Passages that have any of these words, the best first."""
        weight = 1 / max(heading_weight, 1.0)
        values = {
            "dive": dive, "words": [extract_words(word) for word in words], "limit": limit,
            "weights": [weight, weight, weight, 1.0],
        }  # fmt: skip
        return [number for (number,) in self._rows("match_words", values)]

    def known(self, dive: int | None) -> tuple[int, int, str] | None:
        """Number, scan and embedder of a dive, or of the newest; without counting anything."""
        row = self._row("known_dive", {"number": dive or 0})
        return None if row is None else (int(row[0]), int(row[1]), str(row[2]))

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """Passages by number, in this order."""
        found = {row[0]: Passage(*row) for row in self._rows("passages", list(numbers))}
        return [found[number] for number in numbers if number in found]

    def places(self, dive: int) -> Iterator[tuple[int, str, str]]:
        """Every passage with URL and language of its page, for filters."""
        return ((number, url, language) for number, url, language in self._stream("places", (dive,)))

    def add_message(self, dive: int, message: Message) -> None:
        """Keep a turn of the conversation, once, however often the connection is lost."""
        role, text, citations, at = escape_row(
            (message.role, message.text, json.dumps([dict(one) for one in message.citations]), timestamp())
        )
        values = {"dive": dive, "role": role, "text": text, "citations": citations, "at": at}
        tries = count()
        self._write(lambda cursor: cursor.execute(_QUERIES["add_message"], {**values, "again": next(tries) > 0}))

    def messages(self, dive: int, limit: int) -> list[Message]:
        """The last turns of the conversation, in order."""
        rows = self._rows("messages", dive, limit)
        return [Message(role, text, json.loads(citations), at) for role, text, citations, at in rows]

    def forget_messages(self, dive: int) -> int:
        """Forget the conversation; gives how many turns it had."""
        return self._write(lambda cursor: cursor.execute(_QUERIES["forget_messages"], (dive,)).rowcount)

    def end(self, dive: int, state: str) -> None:
        """Note how the dive ended."""
        self._execute_write("end_dive", state, timestamp(), dive)

    def _execute_write(self, query: str, *values: object) -> None:
        row = escape_row(values)
        self._write(lambda cursor: cursor.execute(_QUERIES[query], row))

    def _write(self, work: Callable[[Cursor[Any]], Result]) -> Result:
        def run(connection: Connection[Any]) -> Result:
            with connection.transaction(), connection.cursor() as cursor:
                return work(cursor)

        return self._server.run(run, "could not be written")

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  (whatever the query takes)
        given = values[0] if values and isinstance(values[0], dict) else values
        return self._server.run(
            lambda connection: [unescape_row(row) for row in connection.execute(_QUERIES[query], given).fetchall()]
        )

    def _row(self, query: str, *values: Any) -> tuple[Any, ...] | None:  # noqa: ANN401  (whatever the query takes)
        return next(iter(self._rows(query, *values)), None)

    def _stream(self, query: str, values: Sequence[object] | Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
        """Rows as they are wanted, over a connection of their own."""
        connection = self._server.open_second_connection()
        try:
            with connection.transaction(), connection.cursor(name="stream") as cursor:
                cursor.itersize = _STREAM_BATCH_SIZE
                for row in cursor.execute(_QUERIES[query], values, binary=True):
                    yield unescape_row(row)
        except psycopg.Error as error:
            raise StoreError(f"{self._server.display_url} could not be read: {get_first_line(error)}") from None
        finally:
            connection.close()
