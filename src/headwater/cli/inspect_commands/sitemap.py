"""`headwater sitemap`: list the pages in a site's sitemaps and feeds, and the tree of the files."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from headwater.cli.async_runner import run
from headwater.cli.display.result_output import make_truncation_note, write_pages
from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import prepare_session
from headwater.cli.scan_runs import ScanSession, read_sitemaps
from headwater.plurals import format_count
from headwater.runner.scan_setup import extract_credentials
from headwater.settings import SETTINGS
from headwater.store import MemoryStore, select_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import Evidence, Page
    from headwater.runner.scan_result import StageReport


@click.command("sitemap", cls=SettingsCommand)
@click.argument("urls", nargs=-1, required=True)
@settings_options("scope", "urls", "sitemaps", "limits", "fetch", "output")
def command(urls: tuple[str, ...], chosen: EffectiveSettings) -> None:
    """List the pages in the sitemaps of the sites at URLS, and print the tree of sitemap files to stderr.

    Only the start page is visited, because it may name sitemaps. Nothing is stored.
    """
    settings = replace(chosen.settings, stages=("nav", "sitemaps"))
    if not chosen.is_given("max_urls_per_source"):
        settings = replace(settings, max_urls_per_source=None)
    seeds, settings = extract_credentials(urls, settings)
    prepare_session(settings, seeds)
    store = MemoryStore()
    session = ScanSession(store, store.create_scan(seeds, {}), settings)
    report = run(read_sitemaps(session))
    write_pages(_select_sitemap_pages(session), seeds, settings)
    if not settings.quiet:
        number = session.scan.number
        lines = ["", *_format_tree(store.evidence(number)), "", _format_summary(report)]
        click.echo("\n".join([*lines, *make_truncation_note(store, number, settings)]), err=True)
    sys.exit(0 if report.urls else 1)


def _select_sitemap_pages(session: ScanSession) -> Iterator[Page]:
    """Yield the pages that a sitemap lists, without those found only in the navigation."""
    store, scan, settings = session
    pages = select_pages(store, lambda: [scan.number], settings)
    return (page for page in pages if set(page.sources) - {"navigation", "seed"})


def _format_tree(evidence: list[Evidence]) -> list[str]:
    """Return one line per file, indented below the file that names it."""
    files = [one for one in evidence if one.kind in {"robots_txt", "sitemap_fetch"} and one.url]
    numbers = {one.number for one in files}
    roots = [one for one in files if one.parent not in numbers]
    return [line for root in roots for line in _format_branch(root, files, 0)]


def _format_branch(record: Evidence, files: list[Evidence], depth: int) -> list[str]:
    lines = ["  " * depth + _format_file(record)]
    for child in files:
        if child.parent == record.number:
            lines += _format_branch(child, files, depth + 1)
    return lines


def _format_file(record: Evidence) -> str:
    kind = record.content.get("kind") or ("robots.txt" if record.kind == "robots_txt" else "")
    urls = record.content.get("urls_found")
    sitemaps = record.content.get("sitemaps_named") or len(record.content.get("sitemaps_found") or ())  # type: ignore[arg-type]
    contents = ""
    if isinstance(urls, int) and urls:
        contents = format_count(urls, "URL")
    elif isinstance(sitemaps, int) and sitemaps:
        contents = format_count(sitemaps, "sitemap")
    problem = "" if record.success else str(record.content.get("meaning", "failed"))
    details = [str(kind), contents, problem, record.error]
    return f"{printable(record.url, 300)}  " + ", ".join(printable(detail) for detail in details if detail)


def _format_summary(report: StageReport) -> str:
    limit = f"; stopped by {SETTINGS[report.limit].flag}" if report.limit in SETTINGS else ""
    return f"{format_count(report.urls, 'URL')}, {report.note}{limit}"
