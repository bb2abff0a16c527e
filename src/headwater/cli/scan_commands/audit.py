"""`headwater audit`: list what is wrong with a site, by severity."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from headwater.audit import SEVERITIES, audit
from headwater.audit.baseline import parse_baseline
from headwater.cli.options import EffectiveSettings, SettingsCommand, gather_options, settings_options
from headwater.cli.scan_commands.audit_input import build_audit_input
from headwater.cli.scan_commands.discover import run_with_progress
from headwater.cli.scan_commands.scan_session import get_scan, start_scan
from headwater.cli.scan_runs import ScanSession, run_scan
from headwater.export.audit import AUDIT_WRITERS, FORMATS_BY_SUFFIX
from headwater.output_stream import open_output
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.audit import AuditReport, Severity

EXIT_ISSUES = 5
COMPLETE_STATES = frozenset({"done"})


class AuditOptions(NamedTuple):
    """Options of the command that are not settings."""

    name: str | None
    style: str | None
    output: Path | None
    fail_on: Severity | None
    baseline: Path | None


@click.command("audit", cls=SettingsCommand)
@click.argument("url", required=False)
@click.option("--scan", "name", metavar="N|NAME", help="Audit a scan in --db instead of scanning  [default: the last]")
@click.option("--format", "style", type=click.Choice(list(AUDIT_WRITERS)), help="Write this format  [default: text]")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Exit with code 5 if an issue is this severe or worse")
@click.option(
    "--baseline", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Leave out the issues of an earlier report, written with --format json",
)  # fmt: skip
@settings_options(
    "scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "analysis", "store", also=("quiet",)
)
@gather_options(AuditOptions, "options")
def command(url: str | None, options: AuditOptions, chosen: EffectiveSettings) -> None:
    """Scan the site at URL, or take a scan in --db, and list broken links, redirect chains, orphans and more.

    Each rule says why it matters and how to fix it. In continuous integration, --fail-on error makes the command fail,
    --format junit or sarif writes a report that CI systems show, and --baseline reports only what is new.

    Exit code: 5 with --fail-on if there are such issues, else 0; 1 if the site could not be scanned.
    """
    if url and options.name:
        raise click.UsageError("Name either a URL to scan or a stored scan, not both")
    known = _read_baseline(options.baseline)
    store, scan, _ = _run_scan(url, chosen) if url else _open_scan(options.name, chosen)
    report = audit(
        build_audit_input(store, scan),
        is_complete=scan.state in COMPLETE_STATES,
        known=known,
    )
    _write(report, options)
    store.close()
    sys.exit(EXIT_ISSUES if options.fail_on and report.fails_at(options.fail_on) else 0)


def _run_scan(url: str, chosen: EffectiveSettings) -> ScanSession:
    settings = chosen.settings if chosen.is_given("analyze") else replace(chosen.settings, analyze=True)
    session = start_scan([url], settings)
    run_scan(session, run_with_progress(session))
    scan = session.store.scan(session.scan.number)
    return session._replace(scan=scan or session.scan)


def _open_scan(name: str | None, chosen: EffectiveSettings) -> ScanSession:
    store = open_store(chosen.settings.db, must_exist=True)
    return ScanSession(store, get_scan(store, name, chosen.settings), chosen.settings)


def _read_baseline(path: Path | None) -> frozenset[tuple[str, str]]:
    if path is None:
        return frozenset()
    try:
        return parse_baseline(path.read_text("utf-8"))
    except ValueError as error:
        raise click.UsageError(f"--baseline {path}: {error}") from None


def _write(report: AuditReport, options: AuditOptions) -> None:
    by_suffix = FORMATS_BY_SUFFIX.get(options.output.suffix.lower()) if options.output else None
    write = AUDIT_WRITERS[options.style or by_suffix or "text"]
    if options.output is None:
        write(report, sys.stdout)
        return
    with open_output(options.output) as stream:
        write(report, stream)
