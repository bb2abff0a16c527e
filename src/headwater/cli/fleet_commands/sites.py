"""What the commands of a fleet share: its server, and the sites that are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headwater.cli.display.streams import printable
from headwater.errors import StoreError
from headwater.settings import public_value
from headwater.store import is_server
from headwater.store.opening import server_module

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def open_fleet(db: str) -> Any:  # noqa: ANN401  (its module is an extra)
    """The fleet on this server."""
    if not is_server(db):
        shown = public_value("db", db)
        raise StoreError(f"a fleet needs PostgreSQL: --db postgresql://…/NAME, or HEADWATER_DB; {shown} is a file")
    connection = server_module("store.connection").ServerConnection(db)
    return server_module("store.fleet").Fleet(connection)


def change_sites(fleet: Any, names: Sequence[str], change: Callable[[list[int]], int], done: str) -> int:  # noqa: ANN401
    """Find the sites, change them all, and say what came of it; gives the exit code."""
    sites: dict[int, tuple[str, str]] = {}
    unknown = []
    for name in names:
        found = fleet.find(name)
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
