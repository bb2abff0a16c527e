"""`headwater sitemap`: what a site's sitemaps and feeds hold, with the tree of the files, in every format."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.async_runner import run
from headwater.cli.display.result_output import make_truncation_note, write_pages
from headwater.cli.display.text_streams import printable
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.runner.scan_setup import extract_credentials
from headwater.settings import SETTINGS
from headwater.store import MemoryStore, is_selected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import Evidence, Page
    from headwater.runner.scan_result import StageReport
    from headwater.settings import Settings
    from headwater.store import Scan, Store


@click.command("sitemap")
@click.argument("urls", nargs=-1, required=True)
@settings_options("scope", "urls", "sitemaps", "limits", "fetch", "output")
def command(urls: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """List the pages that the sitemaps of the sites at URLS name; the tree of the files goes to stderr.

    No page is visited but the root, which may name sitemaps too. Nothing is kept.
    """
    chosen = load_settings(flags)
    is_capped = not chosen.origins["max_urls_per_source"].startswith(("default", "preset"))
    settings = replace(chosen.settings, stages=("nav", "sitemaps"))
    settings = settings if is_capped else replace(settings, max_urls_per_source=None)
    with add_setting_origin(chosen):
        seeds, settings = extract_credentials(urls, settings)
        store = MemoryStore()
        scan = store.begin(seeds, {})
        report = run(ScanRunner(ScanTask(store, scan, settings)).read_sitemaps())
        write_pages(_sitemap_pages(store, scan, settings), scan.seeds, settings)
        if not settings.quiet:
            lines = ["", *_format_tree(store.evidence(scan.number)), "", _format_summary(report)]
            click.echo("\n".join([*lines, *make_truncation_note(store, scan.number, settings)]), err=True)
    sys.exit(0 if report.urls else 1)


def _sitemap_pages(store: Store, scan: Scan, settings: Settings) -> Iterator[Page]:
    """Without what only the navigation names."""
    pages = (page for page in store.pages(scan.number, settings.max_urls) if is_selected(page, settings))
    return (page for page in pages if set(page.sources) - {"navigation", "seed"})


def _format_tree(evidence: list[Evidence]) -> list[str]:
    """robots.txt, the files it names, the files these name."""
    files = [one for one in evidence if one.kind in {"robots_txt", "sitemap_fetch"} and one.url]
    numbers = {one.number for one in files}
    roots = [one for one in files if one.parent not in numbers]
    return [line for root in roots for line in _format_branch(root, files, 0)]


def _format_branch(one: Evidence, files: list[Evidence], depth: int) -> list[str]:
    lines = ["  " * depth + _format_file(one)]
    for child in files:
        if child.parent == one.number:
            lines += _format_branch(child, files, depth + 1)
    return lines


def _format_file(one: Evidence) -> str:
    what = one.content.get("kind") or ("robots.txt" if one.kind == "robots_txt" else "")
    count = one.content.get("urls_found")
    told = f"{count:,} URLs" if isinstance(count, int) and count else ""
    named = one.content.get("sitemaps_named") or len(one.content.get("sitemaps_found") or ())  # type: ignore[arg-type]
    told = told or (f"names {named} sitemaps" if named else "")
    meaning = "" if one.success else str(one.content.get("meaning", "failed"))
    details = [str(what), told, meaning, one.error]
    return f"{printable(one.url, 300)}  " + ", ".join(printable(detail) for detail in details if detail)


def _format_summary(report: StageReport) -> str:
    limit = f"; stopped by --{report.limit.replace('_', '-')}" if report.limit in SETTINGS else ""
    return f"{report.urls:,} URLs, {report.note}{limit}"
