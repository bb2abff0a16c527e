"""Run scans for the commands, with messages about how to continue an interrupted one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import click

from headwater.cli.async_runner import run, stop_on_interrupt
from headwater.cli.display.closing_notes import format_resume_command
from headwater.errors import UnreachableError
from headwater.plurals import format_count
from headwater.runner.scan_runner import Listener, ScanRunner, ScanTask

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from headwater.runner.scan_result import ScanResult, StageReport
    from headwater.settings import Settings
    from headwater.store import Scan, Store

__all__ = ["Listener", "ScanOutcome", "ScanSession", "crawl_links", "read_sitemaps", "run_scan", "run_stages"]


class ScanSession(NamedTuple):
    """A scan that this process may run, and the store that holds it."""

    store: Store
    scan: Scan
    settings: Settings


class ScanOutcome(NamedTuple):
    """The result of a scan, and the seconds it took."""

    result: ScanResult
    seconds: float


def run_scan(session: ScanSession, work: Coroutine[object, object, ScanResult]) -> ScanOutcome:
    """Run a scan. If it is interrupted, print how to continue it."""
    store, scan, settings = session
    started = time.monotonic()
    try:
        result = run(work)
    except BaseException as error:
        if not settings.quiet and not isinstance(error, UnreachableError):
            pages = format_count(store.count_listed(scan.number), "page")
            command = format_resume_command(settings)
            click.echo(f"\n{pages} stored in {settings.redacted_db}. Continue with: {command}", err=True)
        raise
    return ScanOutcome(result, time.monotonic() - started)


async def run_stages(session: ScanSession, listener: Listener, say: Callable[[str], None]) -> ScanResult:
    """Run the remaining stages of a scan; the first Ctrl-C stops it gracefully."""
    runner = _create_runner(session, listener)
    with stop_on_interrupt(lambda: runner.stop("interrupted"), say):
        return await runner.run()


async def crawl_links(session: ScanSession, listener: Listener, *, analyzes_links: bool) -> ScanResult:
    """Run only the crawl of a scan, without the stages around it."""
    return await _create_runner(session, listener).crawl(analyzes_links=analyzes_links)


async def read_sitemaps(session: ScanSession) -> StageReport:
    """Read the sitemaps of a site, including those its start page names, without visiting other pages."""
    return await _create_runner(session, Listener()).read_sitemaps()


def _create_runner(session: ScanSession, listener: Listener) -> ScanRunner:
    return ScanRunner(ScanTask(session.store, session.scan, session.settings, listener))
