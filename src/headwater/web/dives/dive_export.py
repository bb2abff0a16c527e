"""Exports of a dive: Markdown files in an archive, JSON lines, llms.txt; streamed while the client reads."""

from __future__ import annotations

import io
import json
from contextlib import closing
from typing import TYPE_CHECKING

from headwater.dive import iter_documents
from headwater.dive.content.export_formats import (
    build_front_matter,
    build_page_record,
    choose_file_name,
    iter_llms_full_txt,
    iter_llms_txt,
)
from headwater.store import open_store
from headwater.web.serving.streaming import Pipe, open_archive, open_buffered_writer, open_text_writer, stream_writer

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Iterable, Iterator

    from headwater.store import DivePage

TEXT_TYPE = "text/plain; charset=utf-8"
DIVE_EXPORT_TYPES = {
    "zip": ("application/zip", "pages.zip", "Markdown, one file per page (zip)"),
    "jsonl": ("application/x-ndjson", "pages.jsonl", "JSON lines, one per page"),
    "llms": (TEXT_TYPE, "llms.txt", "llms.txt: list of the pages"),
    "llms-full": (TEXT_TYPE, "llms-full.txt", "llms-full.txt: text of all pages"),
}
"""Format: media type, end of the file name, description."""


def stream_dive_export(db: str, number: int, name: str, style: str) -> Iterator[bytes]:
    """Yield the export in chunks."""

    def write(pipe: Pipe) -> None:
        with closing(open_store(db)) as store:

            def pages() -> Iterator[tuple[DivePage, str]]:
                return iter_documents(store.dives, number)

            if style == "zip":
                with open_buffered_writer(pipe) as raw, open_archive(raw) as archive:
                    _write_archive(archive, name, pages)
            else:
                with open_text_writer(pipe) as stream:
                    stream.writelines(_format_pages(style, name, pages()))

    yield from stream_writer(write)


def _format_pages(style: str, name: str, pages: Iterable[tuple[DivePage, str]]) -> Iterable[str]:
    if style == "jsonl":
        return (json.dumps(build_page_record(page, markdown), ensure_ascii=False) + "\n" for page, markdown in pages)
    return (iter_llms_txt if style == "llms" else iter_llms_full_txt)(name, pages)


def _write_archive(archive: zipfile.ZipFile, name: str, pages: Callable[[], Iterable[tuple[DivePage, str]]]) -> None:
    taken: dict[str, int] = {}
    for page, markdown in pages():
        archive.writestr(
            choose_file_name(page.url, taken), f"{build_front_matter(page)}\n{markdown}".encode(errors="replace")
        )
    for file, make in (("llms.txt", iter_llms_txt), ("llms-full.txt", iter_llms_full_txt)):
        with archive.open(file, "w") as entry, io.TextIOWrapper(entry, "utf-8", "replace", newline="") as stream:
            stream.writelines(make(name, pages()))
