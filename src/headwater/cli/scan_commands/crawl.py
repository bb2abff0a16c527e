"""`headwater crawl`: follow links to every page, printing URLs as they are found or exporting them at the end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from headwater.cli.display.closing_notes import format_lost_session, format_unvisited_by_shape
from headwater.cli.display.crawl_progress import print_crawl_summary
from headwater.cli.display.result_output import (
    StreamingPageWriter,
    make_truncation_note,
    needs_whole_list,
    write_scan,
    writes_list,
)
from headwater.cli.display.scan_progress import ScanProgress
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import choose_exit_code, start_scan
from headwater.cli.scan_runs import Listener, ScanSession, crawl_links, run_scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.model import DiscoveredUrl
    from headwater.runner.scan_result import ScanResult
    from headwater.settings import Settings


@click.command("crawl", cls=SettingsCommand)
@click.argument("urls", nargs=-1)
@click.option("--url", "more", multiple=True, metavar="URL", help="Start here; the same as an argument")
@settings_options(
    "scope", "urls", "limits", "fetch", "render", "analysis", "store", "output",
    without=("check_external", "max_external"), preset="crawl", writes_output=True,
)  # fmt: skip
def command(urls: tuple[str, ...], more: tuple[str, ...], chosen: EffectiveSettings) -> None:
    """Follow links from URLS to every page of the site.

    Without --format, each new URL is printed when it is found, as [page] -> [URL]. Failures are printed to stderr.
    The scan is stored in --db; after an interruption, continue it with `headwater resume`.
    """
    session = start_scan([*urls, *more], chosen.settings)
    settings = session.settings
    finish_crawl(session, prints_found=chosen.origins["format"] == "default" and not writes_list(settings))


def finish_crawl(session: ScanSession, *, prints_found: bool) -> NoReturn:
    """Crawl to the end of the scan, write the results and exit."""
    store, scan, settings = session
    writer = StreamingPageWriter(store, scan, settings) if _streams(settings) and not prints_found else None
    outcome = run_scan(session, _crawl(session, writer, prints_found=prints_found))
    notes: list[str] = []
    if writer:
        writer.finish()
    elif not prints_found:
        write_scan(store, scan, settings)
        notes = make_truncation_note(store, scan.number, settings)
    notes += format_unvisited_by_shape(store, scan.number, settings)
    notes += format_lost_session(store, scan.number, settings)
    if not settings.quiet:
        print_crawl_summary(outcome, settings, notes)
    store.close()
    sys.exit(choose_exit_code(outcome.result.counts.fetched, outcome.result.missing, settings))


def _streams(settings: Settings) -> bool:
    return settings.format == "jsonl" and not needs_whole_list(settings)


async def _crawl(session: ScanSession, writer: StreamingPageWriter | None, *, prints_found: bool) -> ScanResult:
    with ScanProgress(session.settings, "crawl") as progress:

        def print_found(found: Sequence[DiscoveredUrl]) -> None:
            listed = [one for one in found if _is_listed(one, session.settings)]
            progress.print_result("".join(f"[{one.parent_url}] -> [{one.url}]\n" for one in listed))

        listener = Listener(
            on_found=print_found if prints_found else None,
            on_failed=progress.say_failed,
            on_saved=writer.write_saved if writer else None,
            on_crawl_started=progress.watch,
        )
        # Pages that are written as they are found cannot be updated by a later analysis of the links.
        return await crawl_links(session, listener, analyzes_links=not (prints_found or writer))


def _is_listed(one: DiscoveredUrl, settings: Settings) -> bool:
    return ("all" in settings.kinds or one.kind in settings.kinds) and not (one.kind == "page" and one.reason)
