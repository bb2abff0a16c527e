"""`headwater discover`: the waterfall, stage by stage, and a summary of what it found (seed 004)."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn

import click

from headwater.cli.display.output import LineWriter, write_scan
from headwater.cli.display.scan_screen import Screen, summarize
from headwater.cli.display.streams import printable
from headwater.cli.options import blaming, settings_options
from headwater.cli.running import run, stopping_on_interrupt
from headwater.cli.scan_commands.scanning import begin_scan, exit_code
from headwater.discovery.reachability import check_reachable
from headwater.discovery.stage import Listener
from headwater.discovery.waterfall import discover_site, end_state, limit_of, open_context, problems_of
from headwater.errors import UnreachableError
from headwater.settings import public_value

if TYPE_CHECKING:
    from headwater.discovery.stage import StageReport
    from headwater.settings import Settings
    from headwater.store import Scan, Store


@click.command("discover")
@click.argument("urls", nargs=-1)
@click.option("--url", "more", multiple=True, metavar="URL", help="The site; the same as an argument")
@click.option("--file", "files", multiple=True, metavar="FILE", help="Sites, one a line; - is standard input")
@click.option("--stream", is_flag=True, help="Write each page when it answers, as text or jsonl")
@settings_options(
    "scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "store", "output", "many",
    also=("processes", "slice_time"),
)  # fmt: skip
def command(
    urls: tuple[str, ...],
    more: tuple[str, ...],
    files: tuple[str, ...],
    stream: bool,
    **flags: Any,  # noqa: ANN401
) -> None:
    """Find every page of the sites at URLS: navigation, sitemaps, links; then merge, classify and rank.

    The pages go to standard output or to --output, what happens to stderr, everything into --db. After an
    interruption `headwater resume` goes on.

    URLS of one host are one site. Several sites, from arguments, --file or standard input (-), are worked side by side,
    --sites at once, each as a scan of its own; lines that are no URL are named and left out, with --strict nothing is
    begun then. Exit code 0 if any page was found, 1 if none, 3 with --strict if a site or a page could not be had.
    """
    named = [*urls, *more]
    if files or "-" in named or len(named) > 1:
        from headwater.cli.scan_commands.site_lists import are_many, discover_sites  # noqa: PLC0415  (one site need not load it)

        if files or are_many(named, flags):
            if stream:
                raise click.UsageError("--stream is for one site; --format jsonl writes each of several when it ends")
            discover_sites(named, files, flags)
    store, scan, settings, chosen = begin_scan(named, flags, "full")
    with blaming(chosen):
        lines = LineWriter(store, scan, settings) if stream else None
        finish_discovery(store, scan, settings, lines)


def finish_discovery(store: Store, scan: Scan, settings: Settings, lines: LineWriter | None = None) -> NoReturn:
    """Run the stages that are left, to the end or to the interruption, and write what was asked for."""
    started = time.monotonic()
    try:
        reports = run(_discover(store, scan, settings, lines))
    except BaseException as error:
        store.end(scan.number, "interrupted")
        if not settings.quiet and not isinstance(error, UnreachableError):
            listed = store.listed(scan.number)
            db = public_value("db", settings.db)
            message = f"interrupted; {listed:,} pages so far are kept in {db}: `headwater resume` goes on"
            click.echo(f"\n{message}", err=True)
        raise
    counts = store.counts(scan.number)
    store.end(scan.number, end_state(counts, limit_of(reports)))
    if lines:
        lines.finish()
    else:
        write_scan(store, scan, settings)
    if not settings.quiet:
        summarize(store, scan, settings, reports, time.monotonic() - started)
    if limit_of(reports) == "interrupted":
        store.close()
        raise KeyboardInterrupt
    incomplete = counts.failed + counts.deferred + len(problems_of(reports))
    listed = store.listed(scan.number)
    is_reached = counts.fetched or any(report.urls for report in reports if report.name in {"nav", "sitemaps"})
    store.close()
    sys.exit(exit_code(listed if is_reached else 0, incomplete, settings))


async def _discover(store: Store, scan: Scan, settings: Settings, lines: LineWriter | None) -> list[StageReport]:
    with Screen(settings) as screen:
        listener = Listener(
            on_stage=screen.show,
            on_failed=lambda outcome: screen.say(
                f"{outcome.reason}  {printable(outcome.url, 500)}  {printable(outcome.detail)}".rstrip()
            ),
            on_settled=lines.write_settled if lines else None,
            on_loop=screen.watch,
        )
        async with open_context(store, scan.number, scan.seeds, settings, listener) as context:
            with stopping_on_interrupt(lambda: context.stop("interrupted"), screen.say):
                await check_reachable(context)
                return await discover_site(context)
