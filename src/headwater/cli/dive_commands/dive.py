"""`headwater dive`: reads the pages of a cluster, and writes them for other tools."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwater.classify import DEFAULT_CLUSTER_LIMIT
from headwater.cli.async_runner import run as run_to_end
from headwater.cli.display.hints import set_hint
from headwater.cli.display.text_streams import printable
from headwater.cli.dive_commands.common import DiveProgressLine, merge_scan_settings, open_existing_store
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.dive import Selection, begin, documents, find_dive, run_told
from headwater.dive.content.documents import (
    file_name,
    front_matter,
    listed_urls,
    llms_full_txt,
    llms_txt,
    record,
    url_of,
)
from headwater.dive.content.rendering import NO_BROWSER
from headwater.errors import OutputError
from headwater.fetch.browser.chromium import what_is_missing
from headwater.output_stream import open_output
from headwater.settings import redact_value

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from typing import TextIO

    from headwater.settings import Settings
    from headwater.store import Dive, Store


@click.command("dive")
@click.argument("clusters", nargs=-1, metavar="[CLUSTER]...")
@click.option("--scan", "scan", type=click.IntRange(1), metavar="N", help="Which scan  [default: the last]")
@click.option(
    "--match", "patterns", multiple=True, metavar="GLOB", help="Only URLs that match: /docs/*, or re: and an expression"
)
@click.option("--all-languages", is_flag=True, help="Read pages in other languages than --language too")
@click.option("--list", "lists", is_flag=True, help="List the main clusters of the scan, and the dives")
@click.option("--list-all", "lists_all", is_flag=True, help="List all clusters of the scan, and the dives")
@click.option(
    "--export", "style", type=click.Choice(["md", "jsonl"]), help="Write the pages: Markdown files, or JSON lines"
)
@click.option("--dive", "number", type=click.IntRange(1), metavar="N", help="Export this dive without reading anything")
@settings_options("dive", "render", "fetch", "store", "output", without=("list",))
def command(
    clusters: tuple[str, ...],
    *,
    scan: int | None,
    patterns: tuple[str, ...],
    all_languages: bool,
    lists: bool,
    lists_all: bool,
    style: str | None,
    number: int | None,
    **flags: Any,  # noqa: ANN401  (click gives every flag its own type)
) -> None:
    """Read the pages of CLUSTERS of the last scan in --db: clean Markdown, cut into passages that can be searched.

    Unchanged pages are not read again; after an interruption the same command goes on. --export md writes one file a
    page with llms.txt and llms-full.txt into the folder --output, --export jsonl one line a page.
    """
    chosen = load_settings(flags)
    if not lists and style is None and chosen.origins["output"].startswith("-"):
        style = _infer_format(chosen.settings.output or "")
    store = open_existing_store(chosen.settings.db)
    if lists or lists_all:
        _print_clusters(store, None if lists_all else DEFAULT_CLUSTER_LIMIT)
        return
    with add_setting_origin(chosen):
        if number is not None:
            dive, settings = find_dive(store.dives, number), chosen.settings
        else:
            dive, settings = _run_dive(
                store, Selection(clusters, patterns, all_languages), scan, merge_scan_settings(store, scan, chosen)
            )
        if style:
            _export(store, dive, style, settings)


def _infer_format(output: str) -> str:
    """Return the format that the name of a file asks for."""
    if Path(output).suffix == ".jsonl":
        return "jsonl"
    raise click.UsageError(f"--output {output} needs --export: md for a folder of Markdown files, jsonl for one file")


def _run_dive(store: Store, selection: Selection, scan: int | None, settings: Settings) -> tuple[Dive, Settings]:
    if not selection.clusters and not selection.include:
        _print_clusters(store)
        raise click.UsageError("Name a cluster, or pages with --match; --match '*' means all")
    dive = begin(store, selection, settings, scan)
    with DiveProgressLine(settings) as line:
        dive = run_to_end(run_told(store, dive, settings, line.show))
    if not settings.quiet:
        _summarize(store, dive, settings)
    return dive, settings


def _summarize(store: Store, dive: Dive, settings: Settings) -> None:
    counts_by_reason = dict(store.dives.reason_counts(dive.number))
    wanted = counts_by_reason.pop(NO_BROWSER, 0)
    reasons = ", ".join(f"{name} {count:,}" for name, count in counts_by_reason.items() if name != "done")
    counts = f"{dive.done:,} of {dive.pages:,} pages, {dive.chunks:,} passages"
    click.echo(f"dive {dive.number} into {printable(dive.name)}: {counts}", err=True)
    if reasons:
        click.echo(f"  not read: {reasons}", err=True)
    if wanted:
        pages = "page wants" if wanted == 1 else "pages want"
        missing = what_is_missing(settings.browser, settings.ca_file)
        click.echo(f"  {wanted:,} {pages} a browser and went without: {missing}", err=True)


def _print_clusters(store: Store, most: int | None = DEFAULT_CLUSTER_LIMIT) -> None:
    scan = store.last_scan()
    clusters = store.clusters(scan.number) if scan else []
    for cluster in clusters[:most]:
        click.echo(f"{cluster.pages:>7,}  {printable(cluster.title):<40}  {printable(cluster.name)}")
    if most is not None and len(clusters) > most:
        click.echo(f"{most} of {len(clusters):,} clusters; --list-all lists all of them", err=True)
    for dive in store.dives.dives():
        click.echo(
            f"dive {dive.number}  {dive.state:<11}  {dive.done:,} of {dive.pages:,} pages, {dive.chunks:,} passages  "
            f"{printable(dive.name)}",
            err=True,
        )


def _export(store: Store, dive: Dive, style: str, settings: Settings) -> None:
    db = redact_value("db", settings.db)
    command = f"headwater dive --db {db} --dive {dive.number} --export {style}"
    set_hint(f"The dive is kept in {db}: `{command} -o {'FOLDER' if style == 'md' else 'FILE'}` writes it.")
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


def _write_lines(store: Store, dive: Dive, stream: TextIO) -> None:
    for page, markdown in documents(store.dives, dive.number):
        stream.write(json.dumps(record(page, markdown), ensure_ascii=False) + "\n")


def _write_files(store: Store, dive: Dive, folder: Path, settings: Settings) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    taken: dict[str, int] = {}
    for page, markdown in documents(store.dives, dive.number):
        _write(folder / file_name(page.url, taken), [front_matter(page), "\n", markdown])
    name = f"{dive.name} ({', '.join(dive.seeds)})"
    _remove_stale(folder, name, taken)
    _write(folder / "llms.txt", llms_txt(name, documents(store.dives, dive.number)))
    _write(folder / "llms-full.txt", llms_full_txt(name, documents(store.dives, dive.number)))
    if not settings.quiet:
        click.echo(f"  {len(taken):,} pages, llms.txt and llms-full.txt are in {folder}", err=True)


def _remove_stale(folder: Path, name: str, taken: Container[str]) -> None:
    """Remove files of pages that the last export of this dive had and this one has not; llms.txt lists those."""
    index = folder / "llms.txt"
    earlier = listed_urls(index.read_text("utf-8", "replace"), name) if index.is_file() else set()
    for path in folder.glob("*.md") if earlier else ():
        if path.name.lower() not in taken and url_of(path.read_text("utf-8", "replace")) in earlier:
            path.unlink()


def _write(path: Path, parts: Iterable[str]) -> None:
    with open_output(path) as stream:
        stream.writelines(parts)
