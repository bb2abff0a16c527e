"""`headwater submit`: submit any number of sites to a fleet, from arguments, files or standard input."""

from __future__ import annotations

import sys

import click

from headwater.cli.fleet_commands.sites import open_fleet
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.seed_reader import STANDARD_INPUT, SeedReader
from headwater.errors import SettingError
from headwater.plurals import format_count
from headwater.runner.scan_setup import check_settings, public_settings
from headwater.settings.value_kinds import seconds
from headwater.store.factory import requiring_postgres

_INTERVAL = seconds(1.0, 10 * 365 * 86_400.0)


@click.command("submit", cls=SettingsCommand)
@click.argument("urls", nargs=-1)
@click.option("--file", "files", multiple=True, metavar="FILE", help="A file with one site per line; - is stdin")
@click.option(
    "--priority",
    type=click.IntRange(-1000, 1000),
    default=0,
    metavar="N",
    help="Scan higher numbers first  [default: 0]",
)
@click.option("--every", metavar="TIME", help="Repeat the scan about this often (6h, 1d), more often if a site changes")
@click.option("--fixed", is_flag=True, help="With --every, repeat the scan after exactly this time")
@settings_options("scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "analysis", "store", "output")
def command(
    urls: tuple[str, ...],
    files: tuple[str, ...],
    *,
    priority: int,
    every: str | None,
    fixed: bool,
    chosen: EffectiveSettings,
) -> None:
    """Submit sites to the fleet in --db: URLS, the lines of --file, or the lines of stdin.

    Blank lines and lines that start with # are ignored. Lines that are not URLs are reported and skipped; with
    --strict nothing is submitted. Sites that are already waiting or running are left as they are.
    """
    settings = chosen.settings
    _check_settings(chosen)
    reader = SeedReader(urls, files or (() if urls else (STANDARD_INPUT,)), "give them to `headwater worker`")
    interval = _parse_interval(every)
    fleet = open_fleet(settings.db)
    with requiring_postgres():
        from headwater.store.postgres.fleet import SubmitOptions  # noqa: PLC0415  (an extra)
    options = SubmitOptions(settings=public_settings(settings), priority=priority, every=interval, is_fixed=fixed)
    result = fleet.submit(reader.seeds(strict=settings.strict), options)
    fleet.server.close()
    skipped = f"; {format_count(reader.invalid, 'line')} skipped" if reader.invalid else ""
    click.echo(
        f"{result.new:,} new, {result.again:,} submitted again, {result.known:,} already waiting or running{skipped}",
        err=True,
    )
    sys.exit(0 if sum(result) else 1)


def _check_settings(chosen: EffectiveSettings) -> None:
    """Raise errors that would otherwise appear only on a worker."""
    check_settings(["https://example.com/"], chosen.settings)
    for name in ("header", "credentials"):
        if getattr(chosen.settings, name) and chosen.is_flag(name):
            raise SettingError(name, "it is secret and never stored; pass it to `headwater worker`")


def _parse_interval(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return _INTERVAL.read(text)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not allowed; expected {_INTERVAL.allowed}", param_hint="--every"
        ) from None
