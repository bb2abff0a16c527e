"""Open a fleet and change the state of its sites."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.errors import StoreError
from headwater.plurals import format_count
from headwater.settings import redact_value
from headwater.store import is_server_url
from headwater.store.factory import requiring_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.store.postgres.fleet import Fleet


def open_fleet(db: str) -> Fleet:
    """Open the fleet of a database."""
    if not is_server_url(db):
        redacted = redact_value("db", db)
        raise StoreError(
            f"a fleet needs PostgreSQL, and {redacted} is a file; set --db or HEADWATER_DB to postgresql://HOST/NAME"
        )
    with requiring_postgres():
        from headwater.store.postgres.connection import ServerConnection  # noqa: PLC0415  (an extra)
        from headwater.store.postgres.fleet import Fleet  # noqa: PLC0415  (an extra)
    return Fleet(ServerConnection(db))


def change_sites(db: str, names: Sequence[str], change: Callable[[Fleet, list[int]], int], outcome: str) -> NoReturn:
    """Change all named sites, or none if one is unknown; print the result and exit."""
    fleet = open_fleet(db)
    numbers: set[int] = set()
    unknown = []
    for name in names:
        found = [number for number, *_ in fleet.find_sites(name)]
        numbers.update(found)
        if not found:
            unknown.append(name)
    for name in unknown:
        click.echo(f"{printable(name)} is not a site of this fleet", err=True)
    if unknown:
        click.echo("Nothing was changed", err=True)
        sys.exit(1)
    count = change(fleet, sorted(numbers))
    unchanged = len(numbers) - count
    click.echo(f"{format_count(count, 'site')} {outcome}" + (f", {unchanged:,} unchanged" if unchanged else ""))
    sys.exit(0)


def make_command(name: str, change: Callable[[Fleet, list[int]], int], outcome: str, text: str) -> click.Command:
    """Return a command that changes the sites it is given; `text` is its help."""

    @click.command(name, cls=SettingsCommand, help=text)
    @click.argument("sites", nargs=-1, required=True)
    @settings_options(also=("db",), has_preset=False)
    def command(sites: tuple[str, ...], chosen: EffectiveSettings) -> None:
        change_sites(chosen.settings.db, sites, change, outcome)

    return command
