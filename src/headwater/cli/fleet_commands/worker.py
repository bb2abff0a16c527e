"""`headwater worker`: works the sites of a fleet, in as many processes as asked for, until it is told to stop."""

from __future__ import annotations

from typing import Any

import click

from headwater.cli.async_runner import run
from headwater.cli.fleet_commands.sites import open_fleet
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.settings import SETTINGS
from headwater.store.factory import requiring_postgres


@click.command("worker")
@settings_options("worker", "fetch", "store")
def command(**flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Work the sites that were submitted to --db: each for a slice of time, a host on one worker at a time.

    Settings of requests that are given here hold for every site; credentials and headers belong here, for they are
    never stored. SIGTERM or Ctrl-C: what is under way is finished or handed back within the grace period.
    """
    chosen = load_settings(flags)
    open_fleet(chosen.settings.db).server.close()
    given = {
        name: getattr(chosen.settings, name)
        for name, origin in chosen.origins.items()
        if SETTINGS[name].section == "fetch" and origin != "default" and not origin.startswith("preset ")
    }
    with add_setting_origin(chosen):
        with requiring_postgres():
            from headwater.worker.logs import set_up_logging  # noqa: PLC0415  (an extra)
            from headwater.worker.supervisor import supervise  # noqa: PLC0415  (an extra)
        set_up_logging(chosen.settings.log)
        run(supervise(chosen.settings, given))
