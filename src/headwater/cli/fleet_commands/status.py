"""`headwater status`: print the queue, the workers, their rates, and the sites that fail."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import click

from headwater.cli.display.terminal import clear_screen
from headwater.cli.display.text_streams import printable
from headwater.cli.fleet_commands.sites import open_fleet
from headwater.cli.options import EffectiveSettings, SettingsCommand, format_option, settings_options
from headwater.plurals import format_count

if TYPE_CHECKING:
    from headwater.store.postgres.fleet import ActiveSite, FailingSite, FleetStatus

STATE_ORDER = ("waiting", "queued", "working", "paused", "done", "failed", "cancelled", "idle")


@click.command("status", cls=SettingsCommand)
@format_option
@click.option("--watch", is_flag=True, help="Print the state again every --interval seconds, until Ctrl-C")
@click.option(
    "--interval", type=click.FloatRange(0.2, 3600), default=2.0, metavar="SECONDS", help="With --watch  [default: 2]"
)
@settings_options(also=("db",), has_preset=False)
def command(style: str, watch: bool, interval: float, chosen: EffectiveSettings) -> None:
    """Print the state of the fleet in --db: sites by state, workers and their rates, and sites that fail or stall."""
    fleet = open_fleet(chosen.settings.db)
    while True:
        status = fleet.status()
        text = _format_json(status) if style == "json" else _format_text(status)
        if watch and style == "text" and sys.stdout.isatty():
            clear_screen()
        click.echo(text)
        if not watch:
            return
        time.sleep(interval)


def _format_json(status: FleetStatus) -> str:
    return json.dumps(
        {
            "sites": status.states,
            "due": status.due,
            "pages_per_second": round(sum(worker.rate for worker in status.workers), 2),
            "workers": [worker._asdict() for worker in status.workers],
            "working": [_describe_site(site) for site in status.active_sites],
            "failing_sites": [_describe_site(site) for site in status.failing_sites],
        }
    )


def _describe_site(site: ActiveSite | FailingSite) -> dict[str, object]:
    """Return the fields of a site, which users know by its first seed."""
    others = {name: value for name, value in site._asdict().items() if name not in {"site", "seed"}}
    return {"site": site.seed, **others}


def _format_text(status: FleetStatus) -> str:
    counts = ", ".join(f"{status.states[state]:,} {state}" for state in STATE_ORDER if state in status.states)
    rate = sum(worker.rate for worker in status.workers)
    lines = [f"sites    {counts or 'none'}; {status.due:,} due", f"rate     {rate:,.1f} pages/s"]
    lines.append(f"workers  {len(status.workers)}")
    for worker in status.workers:
        work = f"{worker.sites:>4} sites {worker.pages:>9,} pages {worker.rate:>8,.1f}/s"
        lines.append(f"  {printable(worker.name, 40):<28}{work}  last heartbeat {worker.silent:.0f} s ago")
    for seed, slices, pages, idle in status.active_sites:
        work = f"slice {slices:,}, {format_count(pages, 'page')}, last update {idle:.0f} s ago"
        lines.append(f"  ▸ {printable(seed, 60):<60} {work}")
    for _, seed, state, failures, error, idle in status.failing_sites:
        reason = printable(error, 80) or f"no update for {idle:.0f} s"
        lines.append(f"  ! {printable(seed, 60):<60} {state}, {format_count(failures, 'failure')}: {reason}")
    return "\n".join(lines)
