"""`headwater discover`: run every stage of a scan, write the pages and print a summary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from headwater.cli.display.result_output import StreamingPageWriter, write_scan
from headwater.cli.display.scan_progress import ScanProgress, print_scan_summary
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import choose_exit_code, start_scan
from headwater.cli.scan_runs import Listener, ScanSession, run_scan, run_stages

if TYPE_CHECKING:
    from headwater.runner.scan_result import ScanResult


@click.command("discover", cls=SettingsCommand)
@click.argument("urls", nargs=-1)
@click.option("--url", "more", multiple=True, metavar="URL", help="The site; the same as an argument")
@click.option("--file", "files", multiple=True, metavar="FILE", help="A file with one site per line; - is stdin")
@click.option("--stream", is_flag=True, help="Write each page as soon as it has loaded, as text or jsonl")
@settings_options(
    "scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "analysis", "store", "output", "many",
    also=("processes", "slice_time"), writes_output=True,
)  # fmt: skip
def command(
    urls: tuple[str, ...], more: tuple[str, ...], files: tuple[str, ...], stream: bool, chosen: EffectiveSettings
) -> None:
    """Find every page of the sites at URLS, then classify and rank the pages.

    The pages are written to standard output or --output, messages to stderr, and everything is stored in --db. After
    an interruption, continue with `headwater resume`.

    URLS on one host are one site. Several sites, given as arguments, with --file or on stdin (-), are scanned
    side by side, --sites at once, each as a scan of its own. Lines that are not URLs are reported and skipped; with
    --strict nothing is started.

    Exit code: 0 if a page was found, 1 if not, 3 with --strict if a site or page failed to load.
    """
    named = [*urls, *more]
    if files or "-" in named or len(named) > 1:
        from headwater.cli.scan_commands.site_lists import are_several_sites, discover_sites  # noqa: PLC0415  (slow)

        if files or are_several_sites(named, chosen.settings):
            if stream:
                raise click.UsageError("--stream works for one site only; for several, use --format jsonl")
            discover_sites(named, files, chosen.settings)
    finish_scan(start_scan(named, chosen.settings), streams=stream)


def finish_scan(session: ScanSession, *, streams: bool = False) -> NoReturn:
    """Run the remaining stages of a scan, write the results and exit."""
    store, scan, settings = session
    writer = StreamingPageWriter(store, scan, settings) if streams else None
    outcome = run_scan(session, run_with_progress(session, writer))
    if writer:
        writer.finish()
    else:
        write_scan(store, scan, settings)
    if not settings.quiet:
        print_scan_summary(session, outcome)
    listed = store.count_listed(scan.number)
    store.close()
    if outcome.result.limit == "interrupted":
        raise KeyboardInterrupt
    result = outcome.result
    sys.exit(choose_exit_code(listed if result.is_reached else 0, result.missing, settings))


async def run_with_progress(session: ScanSession, writer: StreamingPageWriter | None = None) -> ScanResult:
    """Run the remaining stages of a scan, and show progress."""
    with ScanProgress(session.settings) as progress:
        listener = Listener(
            on_stage=progress.show,
            on_failed=progress.say_failed,
            on_saved=writer.write_saved if writer else None,
            on_crawl_started=progress.watch,
        )
        return await run_stages(session, listener, progress.say)
