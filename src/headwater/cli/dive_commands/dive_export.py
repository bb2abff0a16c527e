"""Write the pages of a dive as Markdown files or as JSON lines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headwater.cli.display.hints import set_hint
from headwater.dive import iter_documents
from headwater.dive.content.export_formats import (
    build_front_matter,
    build_page_record,
    choose_file_name,
    iter_llms_full_txt,
    iter_llms_txt,
    parse_front_matter_url,
    parse_llms_urls,
)
from headwater.errors import OutputError
from headwater.output_stream import open_output
from headwater.plurals import format_count

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from typing import TextIO

    from headwater.settings import Settings
    from headwater.store import Dive, Store


def export_dive(store: Store, dive: Dive, style: str, settings: Settings) -> None:
    """Write a dive to standard output, a file or a folder."""
    db = settings.redacted_db
    command = f"headwater dive --db {db} --dive {dive.number} --export {style}"
    set_hint(f"The dive is stored in {db}: `{command} -o {'FOLDER' if style == 'md' else 'FILE'}` writes it.")
    if style == "md":
        folder = Path(settings.output or f"dive-{dive.number}")
        try:
            _write_files(store, dive, folder, settings)
        except OSError as error:
            raise OutputError(str(error.filename or folder), error.strerror or str(error)) from error
    elif settings.output is None:
        _write_lines(store, dive, sys.stdout)
    else:
        with open_output(Path(settings.output)) as stream:
            _write_lines(store, dive, stream)


def infer_style(output: str) -> str:
    """Return the style of export that the name of an output file implies."""
    if Path(output).suffix == ".jsonl":
        return "jsonl"
    raise click.UsageError(f"--output {output} needs --export: md for a folder of Markdown files, jsonl for one file")


def _write_lines(store: Store, dive: Dive, stream: TextIO) -> None:
    for page, markdown in iter_documents(store.dives, dive.number):
        stream.write(json.dumps(build_page_record(page, markdown), ensure_ascii=False) + "\n")


def _write_files(store: Store, dive: Dive, folder: Path, settings: Settings) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    taken: dict[str, int] = {}
    for page, markdown in iter_documents(store.dives, dive.number):
        _write(folder / choose_file_name(page.url, taken), [build_front_matter(page), "\n", markdown])
    name = f"{dive.name} ({', '.join(dive.seeds)})"
    _remove_stale(folder, name, taken)
    _write(folder / "llms.txt", iter_llms_txt(name, iter_documents(store.dives, dive.number)))
    _write(folder / "llms-full.txt", iter_llms_full_txt(name, iter_documents(store.dives, dive.number)))
    if not settings.quiet:
        click.echo(f"  Wrote {format_count(len(taken), 'page')}, llms.txt and llms-full.txt to {folder}", err=True)


def _remove_stale(folder: Path, name: str, taken: Container[str]) -> None:
    """Remove the files of pages that the previous export of this dive listed in llms.txt and this one lacks."""
    index = folder / "llms.txt"
    earlier = parse_llms_urls(index.read_text("utf-8", "replace"), name) if index.is_file() else set()
    for path in folder.glob("*.md") if earlier else ():
        if path.name.lower() not in taken and parse_front_matter_url(path.read_text("utf-8", "replace")) in earlier:
            path.unlink()


def _write(path: Path, parts: Iterable[str]) -> None:
    with open_output(path) as stream:
        stream.writelines(parts)
