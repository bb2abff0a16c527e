"""What the commands of a fleet share: its server, and the sites that are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import printable
from headwater.errors import StoreError
from headwater.settings import redact_value
from headwater.store import is_server_url
from headwater.store.factory import requiring_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.store.postgres.fleet import Fleet


def open_fleet(db: str) -> Fleet:
    """The fleet on this server."""
    if not is_server_url(db):
        shown = redact_value("db", db)
        raise StoreError(f"a fleet needs PostgreSQL: --db postgresql://…/NAME, or HEADWATER_DB; {shown} is a file")
    with requiring_postgres():
        from headwater.store.postgres.connection import ServerConnection  # noqa: PLC0415  (an extra)
        from headwater.store.postgres.fleet import Fleet  # noqa: PLC0415  (an extra)
    return Fleet(ServerConnection(db))


def change_sites(fleet: Fleet, names: Sequence[str], change: Callable[[list[int]], int], done: str) -> int:
    """Find the sites, change them all, and say what came of it; gives the exit code."""
    sites: dict[int, tuple[str, str]] = {}
    unknown = []
    for name in names:
        found = fleet.find_sites(name)
        sites |= {number: (seeds, state) for number, seeds, state in found}
        unknown += [] if found else [name]
    for name in unknown:
        click.echo(f"{printable(name)} is no site of this fleet", err=True)
    if unknown:
        click.echo("nothing was changed", err=True)
        return 1
    count = change(list(sites))
    rest = len(sites) - count
    click.echo(
        f"{count:,} {'site' if count == 1 else 'sites'} {done}" + (f", {rest:,} were not affected" if rest else "")
    )
    return 0
