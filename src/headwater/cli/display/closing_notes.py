"""Closing lines of a summary: what is incomplete, how to continue, and how to write a report."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from headwater.cli.display.text_streams import printable
from headwater.plurals import format_count
from headwater.runner.scan_result import DEFERRED_MESSAGE
from headwater.settings import SETTINGS
from headwater.store.diagnosis import read_diagnosis, read_missed_pages

if TYPE_CHECKING:
    from headwater.runner.scan_result import ScanResult
    from headwater.settings import Settings
    from headwater.store import Counts, Store

_OTHER_REASONS = {"host-unresponsive": "the host stopped answering"}


def format_incomplete_notice(result: ScanResult, settings: Settings) -> list[str]:
    """Return the limit that ended a scan early, how many known URLs were not visited, and how to continue."""
    if not result.is_cut_short or result.limit == "per_shape":
        return []
    limit, unvisited = result.limit, result.counts.candidates + result.counts.held
    setting = SETTINGS.get(limit)
    is_of_sitemaps = setting is not None and setting.section == "sitemaps"
    cause = _OTHER_REASONS.get(limit, f"the scan was {limit}")
    if setting:
        ended = "the sitemaps" if is_of_sitemaps else "the scan"
        cause = f"{setting.flag} {getattr(settings, limit):g} ended {ended}"
    consequence = f"{unvisited:,} known URL{' was' if unvisited == 1 else 's were'} not visited"
    if is_of_sitemaps or (limit == "max_urls_per_source" and not unvisited):
        consequence = "not all sitemaps were read"
    command = format_resume_command(settings, limit if setting else "")
    return ["", f"INCOMPLETE: {cause}; {consequence}. Continue with: {command}", ""]


def format_unvisited_by_shape(store: Store, scan: int, settings: Settings) -> list[str]:
    """Return how many pages --per-shape left unvisited, and how to visit more."""
    limit = settings.per_shape
    count = store.count_unvisited_by_shape(scan) if limit is not None else 0
    if not count or limit is None:
        return []
    listed = f"{format_count(count, 'page')} listed without a visit because of --per-shape {limit}"
    return [f"{listed}. Visit more with: {format_resume_command(settings, 'per_shape', str(2 * limit))}"]


def format_lost_session(store: Store, scan: int, settings: Settings) -> list[str]:
    """Return that the session of the user ended during the scan, if it did."""
    lost = store.evidence(scan, "session_lost")
    if not lost:
        return []
    content = lost[-1].content
    counts = f"after {content['accepted']:,} pages, {content['refused']:,} asked for a login"
    advice = "To log in again, repeat" if settings.login else "Log in again, save the session and repeat"
    return [f"The session seems to have ended: {counts}. {advice} the scan"]


def format_missing_browser(store: Store, scan: int) -> list[str]:
    """Return what a browser would add to a scan that had none; nothing if the site shows no signs of that."""
    missed = read_missed_pages(store, scan)
    if missed is None:
        return []
    if missed.built:
        verb = "is" if missed.built == 1 else "are"
        what = f"would add links and text of {format_count(missed.built, 'page')} that {verb} built by scripts"
    else:
        what = (
            f"may add links: {format_count(missed.probes, 'page')} had parts that scripts fill or that react to clicks"
        )
    return [f"A browser {what}; {missed.problem}"]


def format_diagnosis(store: Store, scan: int) -> list[str]:
    """Return the stored explanation of a scan with few pages."""
    causes = read_diagnosis(store, scan)
    return ["", "Why so few pages?", *(f"  - {printable(cause, 500)}" for cause in causes)] if causes else []


def format_deferred(counts: Counts, settings: Settings) -> list[str]:
    """Return how many URLs were deferred and how to retry them."""
    if not counts.deferred:
        return []
    return [f"{counts.deferred:,} deferred: {DEFERRED_MESSAGE}. Retry with: {format_resume_command(settings)}"]


def format_report_hint(settings: Settings) -> str:
    """Return where the scan is stored, and the command that writes an HTML report of it."""
    command = shlex.join(["headwater", "export", *_get_db_flag(settings), "-o", "report.html"])
    return f"Stored in {settings.redacted_db}. Write an HTML report with: {command}"


def format_resume_command(settings: Settings, limit: str = "", value: str = "none") -> str:
    """Return the command that continues a scan with another value of the limit that ended it."""
    lifted = [SETTINGS[limit].flag, value] if limit else []
    return shlex.join(["headwater", "resume", *_get_db_flag(settings), *lifted])


def _get_db_flag(settings: Settings) -> list[str]:
    return [] if settings.db == SETTINGS["db"].default else ["--db", settings.redacted_db]
