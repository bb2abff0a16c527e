"""`headwater dive`: read the pages of a cluster, and write them for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from headwater.classify import DEFAULT_CLUSTER_LIMIT
from headwater.cli.async_runner import run
from headwater.cli.display.dive_progress import DiveProgressLine
from headwater.cli.display.text_streams import printable
from headwater.cli.dive_commands.dive_export import export_dive, infer_style
from headwater.cli.dive_commands.scan_settings import merge_scan_settings
from headwater.cli.options import EffectiveSettings, SettingsCommand, gather_options, settings_options
from headwater.cli.scan_commands.scan_session import get_scan, prepare_session
from headwater.dive import Selection, create_dive, find_dive, run_dive_with_events
from headwater.dive.content.page_renderer import NO_BROWSER
from headwater.fetch.browser.chromium import explain_missing_browser
from headwater.plurals import format_count
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Dive, Store


class DiveRequest(NamedTuple):
    """The scan to read or the dive to export, and the listing or export to write."""

    scan: str | None
    listing: str | None
    style: str | None
    number: int | None


@click.command("dive", cls=SettingsCommand)
@click.argument("clusters", nargs=-1, metavar="[CLUSTER]...")
@click.option("--scan", metavar="N|NAME", help="Read pages of the scan with this number or name  [default: the last]")
@click.option(
    "--match", "include", multiple=True, metavar="PATTERN",
    help="Read only URLs that match a glob such as /docs/*, or a regular expression after re:",
)  # fmt: skip
@click.option("--all-languages", is_flag=True, help="Read pages in all languages instead of only --language")
@click.option("--list", "listing", flag_value="main", help="List the main clusters of the scan, and the dives")
@click.option("--list-all", "listing", flag_value="all", help="List all clusters of the scan, and the dives")
@click.option(
    "--export", "style", type=click.Choice(["md", "jsonl"]), help="Write the pages as Markdown files or as JSON lines"
)
@click.option("--dive", "number", type=click.IntRange(1), metavar="N", help="Export this dive without reading pages")
@gather_options(Selection, "selection")
@gather_options(DiveRequest, "request")
@settings_options("dive", "render", "fetch", "store", "output", without=("list",))
def command(selection: Selection, request: DiveRequest, chosen: EffectiveSettings) -> None:
    """Read the pages of CLUSTERS of the last scan in --db as Markdown, split into passages that can be searched.

    Unchanged pages are not read again; after an interruption, the same command continues. --export md writes one file
    per page, llms.txt and llms-full.txt into the folder --output; --export jsonl writes one line per page.
    """
    style = request.style
    if not request.listing and style is None and chosen.is_flag("output"):
        style = infer_style(chosen.settings.output or "")
    store = open_store(chosen.settings.db, must_exist=True)
    if request.listing:
        _print_clusters(store, DEFAULT_CLUSTER_LIMIT if request.listing == "main" else None)
        return
    if request.number is not None:
        dive, settings = find_dive(store.dives, request.number), chosen.settings
    else:
        scan = get_scan(store, request.scan, chosen.settings).number if request.scan else None
        settings = merge_scan_settings(store, scan, chosen)
        dive = _run_dive(store, selection, scan, settings)
    if style:
        export_dive(store, dive, style, settings)


def _run_dive(store: Store, selection: Selection, scan: int | None, settings: Settings) -> Dive:
    if not selection.clusters and not selection.include:
        _print_clusters(store, DEFAULT_CLUSTER_LIMIT)
        raise click.UsageError("Name a cluster, or choose pages with --match; --match '*' means all pages")
    prepare_session(settings)
    dive = create_dive(store, selection, settings, scan)
    with DiveProgressLine(settings) as line:
        dive = run(run_dive_with_events(store, dive, settings, line.show))
    if not settings.quiet:
        _print_summary(store, dive, settings)
    return dive


def _print_summary(store: Store, dive: Dive, settings: Settings) -> None:
    counts_by_reason = dict(store.dives.reason_counts(dive.number))
    without_browser = counts_by_reason.pop(NO_BROWSER, 0)
    reasons = ", ".join(f"{name} {count:,}" for name, count in counts_by_reason.items() if name != "done")
    click.echo(f"Dive {dive.number} into {printable(dive.name)}: {_format_progress(dive)}", err=True)
    if reasons:
        click.echo(f"  Not read: {reasons}", err=True)
    if without_browser:
        pages = "page needs" if without_browser == 1 else "pages need"
        missing = explain_missing_browser(settings.browser, settings.ca_file)
        click.echo(f"  {without_browser:,} {pages} a browser: {missing}", err=True)


def _print_clusters(store: Store, limit: int | None) -> None:
    scan = store.last_scan()
    clusters = store.clusters(scan.number) if scan else []
    for cluster in clusters[:limit]:
        click.echo(f"{cluster.pages:>7,}  {printable(cluster.title):<40}  {printable(cluster.name)}")
    if limit is not None and len(clusters) > limit:
        click.echo(f"{limit} of {len(clusters):,} clusters; list all with --list-all", err=True)
    for dive in store.dives.dives():
        click.echo(f"dive {dive.number}  {dive.state:<11}  {_format_progress(dive)}  {printable(dive.name)}", err=True)


def _format_progress(dive: Dive) -> str:
    return f"{dive.done:,} of {format_count(dive.pages, 'page')}, {format_count(dive.chunks, 'passage')}"
