"""Exports over HTTP: an exporter writes in a thread, at most a little ahead of whoever reads."""

from __future__ import annotations

import io
import queue
import threading
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headwater.export import EXPORTERS, Output
from headwater.export.sitemap_files import MAX_URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO, TextIO

    from headwater.model import Page

EXPORT_TYPES = {
    "text": ("text/plain; charset=utf-8", "txt"),
    "json": ("application/json", "json"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "html": ("text/html; charset=utf-8", "html"),
    "xml": ("application/xml", "xml"),
    "md": ("text/markdown; charset=utf-8", "md"),
}
ZIP_TYPE = ("application/zip", "zip")
_CHUNK_SIZE = 1 << 16
_MAX_QUEUED_CHUNKS = 16
_PUT_TIMEOUT = 0.5


class _ReaderGone(Exception):  # noqa: N818
    """Nobody reads any more."""


class Pipe(io.RawIOBase):
    """Bytes from the thread that writes to the one that reads; full, it lets the writer wait."""

    def __init__(self) -> None:
        self.chunks: queue.Queue[bytes | BaseException | None] = queue.Queue(_MAX_QUEUED_CHUNKS)
        self.is_left = threading.Event()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self.put(bytes(data))
        return len(data)

    def put(self, chunk: bytes | BaseException | None) -> None:
        while not self.is_left.is_set():
            try:
                self.chunks.put(chunk, timeout=_PUT_TIMEOUT)
            except queue.Full:
                continue
            return
        raise _ReaderGone


def stream_export(
    pages: Callable[[], Iterable[Page]], style: str, title: str, origin: str, count: int
) -> Iterator[bytes]:
    """The export in chunks; `pages` is called in the thread that writes. Leaving the loop ends it."""
    write = _write_parts if should_zip(style, count) else _write
    yield from stream_writer(lambda pipe: write(pages(), style, title, origin, pipe))


def stream_writer(write: Callable[[Pipe], None]) -> Iterator[bytes]:
    """What a function writes, in chunks; it runs in a thread of its own. Leaving the loop ends it."""
    pipe = Pipe()

    def work() -> None:
        try:
            write(pipe)
            pipe.put(None)
        except _ReaderGone:
            return
        except BaseException as error:  # noqa: BLE001  (told where it is read)
            if not pipe.is_left.is_set():
                pipe.put(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (chunk := pipe.chunks.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk
    finally:
        pipe.is_left.set()
        thread.join()


def should_zip(style: str, count: int) -> bool:
    """A sitemap of more URLs than one file may hold comes as several, in an archive."""
    return style == "xml" and count > MAX_URLS


def _write(pages: Iterable[Page], style: str, title: str, origin: str, pipe: Pipe) -> None:
    with open_text_writer(pipe) as stream:
        EXPORTERS[style](pages, Output(stream, title=title, origin=origin))


def _write_parts(pages: Iterable[Page], style: str, title: str, origin: str, pipe: Pipe) -> None:
    """The parts as they come, then the index, which names them all."""
    index = io.StringIO()
    buffered = open_buffered_writer(pipe)
    with open_archive(buffered) as archive:

        @contextmanager
        def open_part(name: str) -> Iterator[TextIO]:
            with archive.open(name, "w") as entry, io.TextIOWrapper(entry, "utf-8", newline="") as stream:
                yield stream

        EXPORTERS[style](pages, Output(index, open_part, title, origin))
        archive.writestr("sitemap.xml", index.getvalue())
    buffered.flush()


def open_text_writer(pipe: Pipe) -> io.TextIOWrapper:
    """For text."""
    return io.TextIOWrapper(
        open_buffered_writer(pipe), "utf-8", errors="surrogatepass", newline="", write_through=False
    )


def open_buffered_writer(pipe: Pipe) -> io.BufferedWriter:
    """For bytes, so that chunks are not too small."""
    return io.BufferedWriter(pipe, _CHUNK_SIZE)  # type: ignore[arg-type]


def open_archive(raw: io.BufferedWriter) -> zipfile.ZipFile:
    """An archive that is written on and on, never gone back in."""
    return zipfile.ZipFile(_UnseekableStream(raw), "w", zipfile.ZIP_DEFLATED)  # type: ignore[call-overload, no-any-return]


class _UnseekableStream:
    """All that an archive needs of what it is written to."""

    def __init__(self, raw: BinaryIO | io.BufferedWriter) -> None:
        self._raw = raw

    def write(self, data: bytes) -> int:
        return self._raw.write(data)

    def flush(self) -> None:
        self._raw.flush()
