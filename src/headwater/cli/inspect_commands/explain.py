"""`headwater explain`: show what each rule decides about a URL, or how a scan found it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import get_stdin, printable, read_lines
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.errors import StoreError
from headwater.export.records import make_record
from headwater.plurals import format_count
from headwater.store import open_store
from headwater.store.diagnosis import read_diagnosis
from headwater.store.provenance import restore_scope, trace_url
from headwater.urls import Scope, explain, judge, resolve, shape, spell_url
from headwater.urls.parsing import get_authority, parse_seed_url, serialize_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from headwater.model import Spelling, Verdict
    from headwater.settings import Settings
    from headwater.store import Scan, Store
    from headwater.store.provenance import Provenance
    from headwater.urls import RuleResult

_MARKS = {True: "yes", False: "no", None: "-"}
_CONSEQUENCES = {
    None: "neither visited nor listed",
    "resource": "not visited; listed with --kinds resource",
    "external": "not visited; recorded as external, and followed with --max-external-hops",
}


@click.command("explain", cls=SettingsCommand)
@click.argument("urls", nargs=-1)
@click.option("--base", "bases", multiple=True, metavar="URL", help="The base URL of the site; may be given repeatedly")
@click.option("--page", metavar="URL", help="The page that contains the link")
@click.option(
    "--hops", type=click.IntRange(0), default=0, metavar="N", help="Links from the site to that page  [default: 0]"
)
@click.option(
    "--format", "style", type=click.Choice(["text", "line", "jsonl"]), default="text", help="For people or for programs"
)
@settings_options("scope", "urls", also=("db",))
def command(
    urls: tuple[str, ...], *, bases: tuple[str, ...], page: str | None, hops: int, style: str, chosen: EffectiveSettings
) -> None:
    """Show what each rule decides about URLS, or about the lines of stdin.

    Relative URLs are resolved as links on --page, or against the first --base. With --db, the site is that of the
    last scan or list of sites, and for a URL that was found, its sources and the path from the seed are shown.
    """
    if chosen.is_flag("db") or (chosen.is_given("db") and not bases):
        _explain_scan(urls or _read_urls(), chosen.settings, style)
        return
    if not bases:
        raise click.UsageError("Name the site with --base URL, or a store with --db FILE")
    scope = Scope.from_settings(bases, chosen.settings)
    write = _WRITERS[style]
    for text in urls or _read_urls():
        url = text if page else _make_absolute(text, parse_seed_url(bases[0]))
        verdict = judge(url, scope, page=page, hops=hops)
        steps = explain(url, scope, page=page, hops=hops)
        write(text, spell_url(resolve(url, page) or "" if page else url, scope.policy), steps, verdict)


def _explain_scan(urls: Iterable[str], settings: Settings, style: str) -> None:
    store = open_store(settings.db, must_exist=True)
    last = store.last_scan()
    if last is None:
        raise StoreError(f"{settings.redacted_db} holds no scan")
    for text in urls:
        url = _make_absolute(text, parse_seed_url(last.seeds[0]))
        scan = _find_site_scan(store, last, url)
        provenance = trace_url(store, scan, url)
        if provenance.page is not None:
            _write_provenance(provenance, style)
            continue
        scope = restore_scope(scan)
        verdict = judge(url, scope)
        _WRITERS[style](text, spell_url(url, scope.policy), explain(url, scope), verdict)
        if verdict.allowed and style == "text":
            click.echo(f"  scan {scan.number} did not find it: no visited page links to it and no sitemap lists it\n")
            for cause in read_diagnosis(store, scan.number):
                click.echo(f"  {printable(cause, 500)}")


def _find_site_scan(store: Store, last: Scan, url: str) -> Scan:
    """Return the scan of the URL's own site if the last scan belongs to a list of sites."""
    number, href = store.site_lists.find_list(last.number), serialize_url(url)
    if number is None or href is None:
        return last
    scan = store.site_lists.find_scan(number, get_authority(href))
    return last if scan is None else store.scan(scan) or last


def _write_provenance(provenance: Provenance, style: str) -> None:
    page = provenance.page
    assert page is not None
    if style == "jsonl":
        click.echo(json.dumps({**make_record(page), "chain": [step._asdict() for step in provenance.chain]}))
        return
    outcome = f"{page.state} {page.status or ''} {page.reason or ''}".strip()
    if page.kind != "page":
        outcome = f"{page.kind}, not visited: {page.reason}" if page.reason else page.kind
    lines = [printable(page.url, 500), f"  {outcome}; sources: {', '.join(page.sources)}"]
    if style == "line":
        click.echo(f"{page.state:<10}  {', '.join(page.sources):<17}  {printable(page.url, 500)}")
        return
    if page.clusters:
        lines.append(f"  clusters: {', '.join(printable(cluster) for cluster in page.clusters)}")
    for depth, step in enumerate(provenance.chain):
        lines.append(
            f"  {'  ' * min(depth, 20)}{'' if not depth else '└ '}{printable(step.url, 500)}  {printable(step.how)}"
        )
    click.echo("\n".join([*lines, ""]))


def _read_urls() -> Iterator[str]:
    for batch in read_lines(get_stdin()):
        yield from (line.decode("utf-8", "replace") for line in batch if line and line.strip())


def _make_absolute(text: str, base: str) -> str:
    """Resolve a relative URL; texts that are skipped without resolving them stay as they are."""
    stripped = text.strip()
    return text if not stripped or stripped.startswith("#") else resolve(stripped, base) or text


def _write_text(text: str, spelling: Spelling | None, steps: list[RuleResult], verdict: Verdict) -> None:
    lines = [printable(text, 500)]
    if spelling:
        fields = {**spelling._asdict(), "shape": shape(spelling.key)}
        lines += [f"  {name:<10} {printable(value, 500)}" for name, value in fields.items()]
    width = max(len(step.rule) for step in steps)
    for number, step in enumerate(steps, 1):
        detail = printable(step.detail, 500) + ("   <- decides" if step.decides else "")
        lines.append(f"  {number:>3}  {step.rule:<{width}}  {_MARKS[step.applies]:<4} {detail}".rstrip())
    click.echo("\n".join([*lines, f"  {_describe_verdict(verdict)}", ""]))


def _describe_verdict(verdict: Verdict) -> str:
    if not verdict.allowed:
        return f"skipped: {verdict.reason} ({_CONSEQUENCES[verdict.kind]})"
    return f"allowed, {format_count(verdict.hops, 'link')} away from the site" if verdict.hops else "allowed"


def _write_line(text: str, spelling: Spelling | None, _: list[RuleResult], verdict: Verdict) -> None:
    url = spelling.url if spelling else text
    click.echo(f"{'allowed' if verdict.allowed else 'skipped'}  {verdict.reason or '-':<17}  {printable(url, 500)}")


def _write_json(text: str, spelling: Spelling | None, steps: list[RuleResult], verdict: Verdict) -> None:
    spellings = spelling._asdict() if spelling else dict.fromkeys(("fetch_url", "url", "key"))
    fields = {"shape": shape(spelling.key) if spelling else None, "rules": [step._asdict() for step in steps]}
    click.echo(json.dumps({"input": text, **spellings, **verdict._asdict(), **fields}))


_WRITERS = {"text": _write_text, "line": _write_line, "jsonl": _write_json}
