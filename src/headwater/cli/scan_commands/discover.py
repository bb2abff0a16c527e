"""`headwater discover`: the waterfall, stage by stage, and a summary of what it found (seed 004)."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn

import click

from headwater.cli.async_runner import run, stop_on_interrupt
from headwater.cli.display.result_output import StreamingPageWriter, write_scan
from headwater.cli.display.scan_progress import ScanProgress, print_scan_summary
from headwater.cli.display.text_streams import printable
from headwater.cli.options import add_setting_origin, settings_options
from headwater.cli.scan_commands.scan_session import choose_exit_code, start_scan
from headwater.errors import UnreachableError
from headwater.runner.scan_runner import Listener, ScanRunner, ScanTask
from headwater.settings import redact_value

if TYPE_CHECKING:
    from headwater.runner.scan_result import ScanResult
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
        from headwater.cli.scan_commands.site_lists import are_several_sites, discover_sites  # noqa: PLC0415  (one site need not load it)

        if files or are_several_sites(named, flags):
            if stream:
                raise click.UsageError("--stream is for one site; --format jsonl writes each of several when it ends")
            discover_sites(named, files, flags)
    store, scan, settings, chosen = start_scan(named, flags, "full")
    with add_setting_origin(chosen):
        lines = StreamingPageWriter(store, scan, settings) if stream else None
        finish_scan(store, scan, settings, lines)


def finish_scan(store: Store, scan: Scan, settings: Settings, lines: StreamingPageWriter | None = None) -> NoReturn:
    """Run the stages that are left, to the end or to the interruption, and write what was asked for."""
    started = time.monotonic()
    try:
        result = run(_discover(store, scan, settings, lines))
    except BaseException as error:
        if not settings.quiet and not isinstance(error, UnreachableError):
            listed = store.listed(scan.number)
            db = redact_value("db", settings.db)
            message = f"interrupted; {listed:,} pages so far are kept in {db}: `headwater resume` goes on"
            click.echo(f"\n{message}", err=True)
        raise
    if lines:
        lines.finish()
    else:
        write_scan(store, scan, settings)
    if not settings.quiet:
        print_scan_summary(store, scan, settings, result, time.monotonic() - started)
    if result.limit == "interrupted":
        store.close()
        raise KeyboardInterrupt
    listed = store.listed(scan.number) if result.is_reached else 0
    store.close()
    sys.exit(choose_exit_code(listed, result.missing, settings))


async def _discover(store: Store, scan: Scan, settings: Settings, lines: StreamingPageWriter | None) -> ScanResult:
    with ScanProgress(settings) as screen:
        listener = Listener(
            on_stage=screen.show,
            on_failed=lambda outcome: screen.say(
                f"{outcome.reason}  {printable(outcome.url, 500)}  {printable(outcome.detail)}".rstrip()
            ),
            on_saved=lines.write_settled if lines else None,
            on_crawl_started=screen.watch,
        )
        runner = ScanRunner(ScanTask(store, scan, settings, listener))
        with stop_on_interrupt(lambda: runner.stop("interrupted"), screen.say):
            return await runner.run()
