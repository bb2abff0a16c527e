"""`headwater worker`: scan the sites of a fleet, in one or more processes, until stopped."""

from __future__ import annotations

import click

from headwater.cli.async_runner import run
from headwater.cli.fleet_commands.sites import open_fleet
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import prepare_session
from headwater.fetch.egress import require_named_hosts
from headwater.settings import SETTINGS
from headwater.store.factory import requiring_postgres


@click.command("worker", cls=SettingsCommand)
@settings_options("worker", "fetch", "store")
def command(chosen: EffectiveSettings) -> None:
    """Scan the sites submitted to --db, each for a slice of time; a host is scanned by one worker at a time.

    Request settings given here apply to every site. Pass credentials and headers here, because they are never stored.
    On SIGTERM or Ctrl-C, running work is finished or handed back within --grace.
    """
    require_named_hosts(chosen.settings.allow_private)
    open_fleet(chosen.settings.db).server.close()
    given = chosen.select(lambda name: SETTINGS[name].section == "fetch" and chosen.is_given(name))
    with requiring_postgres():
        from headwater.worker.logs import set_up_logging  # noqa: PLC0415  (an extra)
        from headwater.worker.supervisor import supervise  # noqa: PLC0415  (an extra)
    prepare_session(chosen.settings)
    set_up_logging(chosen.settings.log)
    run(supervise(chosen.settings, given))
