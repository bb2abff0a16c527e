"""Exports over HTTP: an exporter writes in a thread, a few chunks ahead of the client at most."""

from __future__ import annotations

import io
import queue
import threading
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from headwater.export import EXPORTERS, Output
from headwater.export.sitemap_files import MAX_URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO, TextIO

    from headwater.model import Page, StoredLink

EXPORT_TYPES = {
    "text": ("text/plain; charset=utf-8", "txt"),
    "json": ("application/json", "json"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "html": ("text/html; charset=utf-8", "html"),
    "xml": ("application/xml", "xml"),
    "md": ("text/markdown; charset=utf-8", "md"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    "parquet": ("application/vnd.apache.parquet", "parquet"),
    "graphml": ("application/graphml+xml", "graphml"),
    "dot": ("text/vnd.graphviz", "dot"),
}
ZIP_TYPE = ("application/zip", "zip")
_CHUNK_SIZE = 1 << 16
_MAX_QUEUED_CHUNKS = 16
_PUT_TIMEOUT = 0.5


class _ReaderGone(Exception):  # noqa: N818
    """The client has disconnected."""


class Pipe(io.RawIOBase):
    """Passes bytes from the writing thread to the reading one; the writer waits while it is full."""

    def __init__(self) -> None:
        self.chunks: queue.Queue[bytes | BaseException | None] = queue.Queue(_MAX_QUEUED_CHUNKS)
        self.is_reader_gone = threading.Event()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self.put(bytes(data))
        return len(data)

    def put(self, chunk: bytes | BaseException | None) -> None:
        while not self.is_reader_gone.is_set():
            try:
                self.chunks.put(chunk, timeout=_PUT_TIMEOUT)
            except queue.Full:
                continue
            return
        raise _ReaderGone


class ExportSource(NamedTuple):
    """The pages of an export and the links between them, as functions that are called in the writing thread."""

    pages: Callable[[], Iterable[Page]]
    links: Callable[[], Iterable[StoredLink]] | None = None


class ExportedDocument(NamedTuple):
    """The format of an export, its title, the origin of its URLs, and the fields to write instead of all.

    `extracted` are the names of the values that its scan extracted.
    """

    style: str
    title: str
    origin: str
    fields: tuple[str, ...] = ()
    extracted: tuple[str, ...] = ()


def stream_export(source: ExportSource, document: ExportedDocument, count: int) -> Iterator[bytes]:
    """Yield an export in chunks. Closing the generator ends the export."""
    write = _write_parts if should_zip(document.style, count) else _write
    yield from stream_writer(lambda pipe: write(source, document, pipe))


def stream_writer(write: Callable[[Pipe], None]) -> Iterator[bytes]:
    """Yield in chunks what a function writes in its own thread. Closing the generator ends the thread."""
    pipe = Pipe()

    def work() -> None:
        try:
            write(pipe)
            pipe.put(None)
        except _ReaderGone:
            return
        except BaseException as error:  # noqa: BLE001  (raised again in the reading thread)
            if not pipe.is_reader_gone.is_set():
                pipe.put(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (chunk := pipe.chunks.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk
    finally:
        pipe.is_reader_gone.set()
        thread.join()


def should_zip(style: str, count: int) -> bool:
    """Return True if an export is an archive: a sitemap of more URLs than one file may hold."""
    return style == "xml" and count > MAX_URLS


def _write(source: ExportSource, document: ExportedDocument, pipe: Pipe) -> None:
    style, title, origin, fields, extracted = document
    with open_text_writer(pipe) as stream:
        output = Output(stream, None, title, origin, fields, extracted=extracted, read_links=source.links)
        EXPORTERS[style](source.pages(), output)


def _write_parts(source: ExportSource, document: ExportedDocument, pipe: Pipe) -> None:
    """Write the parts of a sitemap as they come, then the index that lists them."""
    index = io.StringIO()
    buffered = open_buffered_writer(pipe)
    with open_archive(buffered) as archive:

        @contextmanager
        def open_part(name: str) -> Iterator[TextIO]:
            with archive.open(name, "w") as entry, io.TextIOWrapper(entry, "utf-8", newline="") as stream:
                yield stream

        EXPORTERS[document.style](source.pages(), Output(index, open_part, document.title, document.origin))
        archive.writestr("sitemap.xml", index.getvalue())
    buffered.flush()


def open_text_writer(pipe: Pipe) -> io.TextIOWrapper:
    """Return a text stream that writes to a pipe."""
    return io.TextIOWrapper(
        open_buffered_writer(pipe), "utf-8", errors="surrogatepass", newline="", write_through=False
    )


def open_buffered_writer(pipe: Pipe) -> io.BufferedWriter:
    """Return a byte stream that writes to a pipe in large chunks."""
    return io.BufferedWriter(pipe, _CHUNK_SIZE)  # type: ignore[arg-type]


def open_archive(raw: io.BufferedWriter) -> zipfile.ZipFile:
    """Return an archive that is written in one pass, without seeking."""
    return zipfile.ZipFile(_UnseekableStream(raw), "w", zipfile.ZIP_DEFLATED)  # type: ignore[call-overload, no-any-return]


class _UnseekableStream:
    """The two methods that an archive calls on the stream it is written to."""

    def __init__(self, raw: BinaryIO | io.BufferedWriter) -> None:
        self._raw = raw

    def write(self, data: bytes) -> int:
        return self._raw.write(data)

    def flush(self) -> None:
        self._raw.flush()
