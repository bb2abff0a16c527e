"""`headwater explain`: what each rule makes of a URL, in order, and which one decides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.display.text_streams import get_stdin, printable, read_lines
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.errors import StoreError
from headwater.export.records import make_record
from headwater.settings import redact_value
from headwater.store import open_store
from headwater.store.provenance import restore_scope, trace_url
from headwater.urls import Scope, explain, judge, resolve, shape, spell_url
from headwater.urls.parsing import get_authority, parse_seed_url, serialize_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from headwater.model import Spelling, Verdict
    from headwater.store import Scan, Store
    from headwater.store.provenance import Provenance
    from headwater.urls import RuleResult

_MARKS = {True: "yes", False: "no", None: "-"}
_CONSEQUENCES = {
    None: "neither visited nor listed",
    "resource": "not visited; listed with --kinds resource",
    "external": "not visited; recorded as external, and followed if --max-external-hops allows",
}


@click.command("explain")
@click.argument("urls", nargs=-1)
@click.option("--base", "bases", multiple=True, metavar="URL", help="The site: its base URL, or several")
@click.option("--db", metavar="FILE", help="Say how the last scan in this store found the URL, or why it did not")
@click.option("--page", metavar="URL", help="The page the link stands on")
@click.option(
    "--hops", type=click.IntRange(0), default=0, metavar="N", help="How far off the site that page is  [default: 0]"
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "line", "jsonl"]),
    default="text",
    help="For people, or for programs",
)
@settings_options("scope", "urls")
def command(
    urls: tuple[str, ...],
    *,
    bases: tuple[str, ...],
    db: str | None,
    page: str | None,
    hops: int,
    style: str,
    **flags: Any,  # noqa: ANN401  (click gives every flag its own type)
) -> None:
    """Say what each rule makes of URLS, or of the lines of standard input, and which one decides.

    Relative URLs are resolved as links on --page, or against the first --base. With --db the site is that of the last
    scan, or of the last list of sites, and a URL it lists is told with its sources and the way from the seed to it.
    """
    db = db or ("" if bases else _configured_store())
    if db:
        _explain_scan(urls or tuple(_read_urls()), db, style)
        return
    if not bases:
        raise click.UsageError("Name the site with --base URL, or a store with --db FILE")
    scope = _make_scope(bases, flags)
    write = {"text": _write_text, "line": _write_line, "jsonl": _write_json}[style]
    for text in urls or _read_urls():
        url = text if page else _make_absolute(text, parse_seed_url(bases[0]))
        verdict = judge(url, scope, page=page, hops=hops)
        steps = explain(url, scope, page=page, hops=hops)
        write(text, spell_url(resolve(url, page) or "" if page else url, scope.policy), steps, verdict)


def _configured_store() -> str:
    """The store that the environment or a file of settings names."""
    chosen = load_settings({})
    return "" if chosen.origins["db"] == "default" else chosen.settings.db


def _explain_scan(urls: Iterable[str], db: str, style: str) -> None:
    store = open_store(db, exists=True)
    scan = store.last()
    if scan is None:
        raise StoreError(f"{redact_value('db', db)} holds no scan")
    write = {"text": _write_text, "line": _write_line, "jsonl": _write_json}[style]
    last = scan
    for text in urls:
        url = _make_absolute(text, parse_seed_url(last.seeds[0]))
        scan = _find_site_scan(store, last, url)
        scope = restore_scope(scan)
        origin = trace_url(store, scan, url)
        if origin.page is not None:
            _write_origin(origin, style)
            continue
        verdict = judge(url, scope)
        write(text, spell_url(url, scope.policy), explain(url, scope), verdict)
        if verdict.allowed and style == "text":
            click.echo(f"  scan {scan.number} does not list it: nothing that was visited or read names it\n")


def _find_site_scan(store: Store, last: Scan, url: str) -> Scan:
    """Where the last scan is one of a list, the scan of the URL's own site."""
    number, href = store.lists.find_list(last.number), serialize_url(url)
    if number is None or href is None:
        return last
    scan = store.lists.find_scan(number, get_authority(href))
    return last if scan is None else store.scan(scan) or last


def _write_origin(origin: Provenance, style: str) -> None:
    page = origin.page
    assert page is not None
    if style == "jsonl":
        click.echo(json.dumps({**make_record(page), "chain": [step._asdict() for step in origin.chain]}))
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
    for depth, step in enumerate(origin.chain):
        lines.append(
            f"  {'  ' * min(depth, 20)}{'' if not depth else '└ '}{printable(step.url, 500)}  {printable(step.how)}"
        )
    click.echo("\n".join([*lines, ""]))


def _make_scope(bases: tuple[str, ...], flags: dict[str, Any]) -> Scope:
    chosen = load_settings(flags)
    with add_setting_origin(chosen):
        return Scope.from_settings(bases, chosen.settings)


def _read_urls() -> Iterator[str]:
    for batch in read_lines(get_stdin()):
        yield from (line.decode("utf-8", "replace") for line in batch if line and line.strip())


def _make_absolute(text: str, base: str) -> str:
    """A relative URL joined to the base; what the rules refuse by its text alone stays as it is."""
    stripped = text.strip()
    return text if not stripped or stripped.startswith("#") else resolve(stripped, base) or text


def _write_text(text: str, spelling: Spelling | None, steps: list[RuleResult], verdict: Verdict) -> None:
    lines = [printable(text, 500)]
    if spelling:
        named = {**spelling._asdict(), "shape": shape(spelling.key)}
        lines += [f"  {name:<10} {printable(value, 500)}" for name, value in named.items()]
    width = max(len(step.rule) for step in steps)
    for number, step in enumerate(steps, 1):
        detail = printable(step.detail, 500) + ("   <- decides" if step.decides else "")
        lines.append(f"  {number:>3}  {step.rule:<{width}}  {_MARKS[step.applies]:<4} {detail}".rstrip())
    fate = (
        f"refused: {verdict.reason} ({_CONSEQUENCES[verdict.kind]})"
        if not verdict.allowed
        else _describe_allowed(verdict)
    )
    click.echo("\n".join([*lines, f"  {fate}", ""]))


def _describe_allowed(verdict: Verdict) -> str:
    return f"allowed: {verdict.hops} step(s) off the site" if verdict.hops else "allowed: it is visited"


def _write_line(text: str, spelling: Spelling | None, _: list[RuleResult], verdict: Verdict) -> None:
    url = spelling.url if spelling else text
    click.echo(f"{'allowed' if verdict.allowed else 'refused'}  {verdict.reason or '-':<17}  {printable(url, 500)}")


def _write_json(text: str, spelling: Spelling | None, steps: list[RuleResult], verdict: Verdict) -> None:
    spellings = spelling._asdict() if spelling else dict.fromkeys(("fetch_url", "url", "key"))
    named = {"shape": shape(spelling.key) if spelling else None, "rules": [step._asdict() for step in steps]}
    click.echo(json.dumps({"input": text, **spellings, **verdict._asdict(), **named}))
