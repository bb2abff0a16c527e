"""`headwater submit`: sites for the fleet, from the command line, a file or standard input, in any number."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.fleet_commands.sites import open_fleet
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.cli.scan_commands.seed_reader import SeedReader
from headwater.errors import SettingError, UrlError
from headwater.runner.scan_setup import public_settings
from headwater.settings.value_kinds import seconds
from headwater.store.factory import requiring_postgres
from headwater.urls import Scope

if TYPE_CHECKING:
    from headwater.settings import EffectiveSettings

_INTERVAL = seconds(1.0, 10 * 365 * 86_400.0)


@click.command("submit")
@click.argument("urls", nargs=-1)
@click.option("--file", "files", multiple=True, metavar="FILE", help="Sites, one a line; - is standard input")
@click.option("--priority", type=click.IntRange(-1000, 1000), default=0, metavar="N", help="Higher ones go first")
@click.option("--every", metavar="TIME", help="Scan again about this often (6h, 1d): sooner if a site changes a lot")
@click.option("--fixed", is_flag=True, help="With --every: always after exactly this time")
@settings_options("scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "store", "output")
def command(
    urls: tuple[str, ...],
    files: tuple[str, ...],
    priority: int,
    every: str | None,
    fixed: bool,
    **flags: Any,  # noqa: ANN401
) -> None:
    """Give sites to the fleet of --db: URLS, the lines of --file, or of standard input.

    Blank lines and those that begin with # are skipped; lines that are no URL are named and left out, with --strict
    nothing at all is submitted then. Sites that wait or are worked on already stay as they are.
    """
    chosen = load_settings(flags)
    _check_settings(chosen)
    lines = SeedReader(urls, files or (() if urls else ("-",)), "give them to `headwater worker`")
    fleet = open_fleet(chosen.settings.db)
    with requiring_postgres():
        from headwater.store.postgres.fleet import SubmitOptions  # noqa: PLC0415  (an extra)
    wish = SubmitOptions(
        settings=public_settings(chosen.settings), priority=priority, every=_parse_interval(every), is_fixed=fixed
    )
    try:
        done = fleet.submit(lines.seeds(strict=chosen.settings.strict), wish)
    except UrlError:
        click.echo("nothing was submitted, for --strict was given", err=True)
        sys.exit(2)
    fleet.server.close()
    refused = f"; {lines.refused:,} lines refused" if lines.refused else ""
    click.echo(
        f"{done.new:,} new, {done.again:,} again, {done.known:,} waiting or under way already{refused}", err=True
    )
    sys.exit(0 if sum(done) else 1)


def _check_settings(chosen: EffectiveSettings) -> None:
    """Mistakes that would otherwise show themselves on a worker."""
    with add_setting_origin(chosen):
        Scope.from_settings(["https://example.com/"], chosen.settings)
    for name in ("header", "credentials"):
        if getattr(chosen.settings, name) and chosen.origins[name].startswith("-"):
            raise SettingError(
                name, "it is secret and never stored; give it to `headwater worker`", chosen.origins[name]
            )


def _parse_interval(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return _INTERVAL.read(text)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not allowed; expected {_INTERVAL.allowed}", param_hint="--every"
        ) from None
