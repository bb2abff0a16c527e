"""`headwater pause`: sites rest, however far they have come."""

from __future__ import annotations

import sys
from typing import Any

import click

from headwater.cli.fleet_commands.sites import change_sites, open_fleet
from headwater.cli.options import load_settings, settings_options


@click.command("pause")
@click.argument("sites", nargs=-1, required=True)
@settings_options("store")
def command(sites: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Let the sites with these seeds, or of these hosts, rest until `headwater resume SITE`.

    What is under way is finished and kept.
    """
    fleet = open_fleet(load_settings(flags).settings.db)
    sys.exit(change_sites(fleet, sites, fleet.pause, "paused"))
