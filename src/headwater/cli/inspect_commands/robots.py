"""`headwater robots`: check paths against a site's robots.txt and show the rule that decides."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from headwater.cli.async_runner import run
from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, SettingsCommand, format_option, settings_options
from headwater.fetch import FetchStack
from headwater.model import FetchFailure
from headwater.urls.parsing import parse_seed_url, resolve
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from headwater.fetch.policies.robots_gate import RobotsEntry
    from headwater.pages.files.robots_txt import Robots, RobotsRule
    from headwater.settings import Settings


@click.command("robots", cls=SettingsCommand)
@click.argument("url")
@click.argument("paths", nargs=-1)
@click.option("--agent", default=ROBOTS_NAME, metavar="NAME", help=f"Check for this crawler  [default: {ROBOTS_NAME}]")
@format_option
@settings_options("fetch")
def command(url: str, paths: tuple[str, ...], agent: str, style: str, chosen: EffectiveSettings) -> None:
    """Check PATHS, or URL itself, against the robots.txt of URL's site and show the rule that decides.

    Exit code: 1 if robots.txt failed to load, in which case nothing may be fetched for now; else 0.
    """
    seed = parse_seed_url(url)
    targets = {path: resolve(path, seed) or path for path in paths} or {url: seed}
    entry = run(_fetch_robots(seed, chosen.settings))
    write = _write_json if style == "json" else _write_text
    write(entry, agent, targets)
    sys.exit(1 if entry.robots is None else 0)


async def _fetch_robots(seed: str, settings: Settings) -> RobotsEntry:
    async with FetchStack(settings, [seed]) as stack:
        return await stack.get_robots(seed)


def _write_text(entry: RobotsEntry, agent: str, targets: dict[str, str]) -> None:
    click.echo(f"{entry.result.url}: {_describe_entry(entry)}", err=True)
    if entry.robots is None:
        return
    delay = entry.robots.crawl_delay(agent)
    if delay is not None:
        click.echo(f"delay       {delay:g} s")
    for sitemap in entry.robots.sitemaps:
        click.echo(f"sitemap     {printable(sitemap, 500)}")
    for label, url in targets.items():
        rule = entry.robots.find_deciding_rule(agent, url)
        click.echo(f"{_describe_verdict(rule):<10}  {printable(label, 500)}  {_describe_rule(rule)}")


def _write_json(entry: RobotsEntry, agent: str, targets: dict[str, str]) -> None:
    robots = entry.robots
    document = {
        "robots_txt": entry.result.url,
        "status": entry.result.status,
        "reachable": robots is not None,
        "crawl_delay": robots.crawl_delay(agent) if robots else None,
        "sitemaps": list(robots.sitemaps) if robots else [],
        "paths": [_make_json_row(robots, agent, url) for url in targets.values()],
    }
    click.echo(json.dumps(document, indent=2))


def _make_json_row(robots: Robots | None, agent: str, url: str) -> dict[str, object]:
    rule = robots.find_deciding_rule(agent, url) if robots else None
    allowed = robots is not None and (rule is None or rule.allow)
    return {"url": url, "allowed": allowed, "line": rule.line if rule else None, "text": rule.text if rule else None}


def _describe_entry(entry: RobotsEntry) -> str:
    if isinstance(entry.result, FetchFailure):
        meaning = "nothing may be fetched until it loads" if entry.robots is None else "everything is allowed"
        return f"not loaded, {entry.result.reason} {entry.result.detail}".strip() + f"; {meaning}"
    return f"{entry.result.status}, {len(entry.result.body):,} bytes"


def _describe_verdict(rule: RobotsRule | None) -> str:
    return "allowed" if rule is None or rule.allow else "disallowed"


def _describe_rule(rule: RobotsRule | None) -> str:
    return f"line {rule.line}: {printable(rule.text)}" if rule else "no rule matches"
