"""`headwater status`: the queue, the workers, the rates, and the sites that are in trouble."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import click

from headwater.cli.display.terminal import clear_screen
from headwater.cli.display.text_streams import printable
from headwater.cli.fleet_commands.sites import open_fleet
from headwater.cli.options import load_settings, settings_options

STATE_ORDER = ("waiting", "queued", "working", "paused", "done", "failed", "cancelled", "idle")


@click.command("status")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", help="How it is written")
@click.option("--watch", is_flag=True, help="Write it anew every --interval seconds, until Ctrl-C")
@click.option("--interval", type=click.FloatRange(0.2, 3600), default=2.0, metavar="SECONDS", help="For --watch")
@settings_options("store")
def command(style: str, watch: bool, interval: float, **flags: Any) -> None:  # noqa: ANN401
    """Say how the fleet of --db is doing: sites by state, workers and their rates, sites that are stuck or fail."""
    fleet = open_fleet(load_settings(flags).settings.db)
    while True:
        status = fleet.status()
        text = _format_json(status) if style == "json" else _format_text(status)
        if watch and style == "text" and sys.stdout.isatty():
            clear_screen()
        click.echo(text)
        if not watch:
            return
        time.sleep(interval)


def _format_json(status: Any) -> str:  # noqa: ANN401  (its module is an extra)
    return json.dumps(
        {
            "sites": status.states,
            "due": status.due,
            "pages_per_second": round(sum(worker.rate for worker in status.workers), 2),
            "workers": [worker._asdict() for worker in status.workers],
            "working": [dict(zip(("site", "slices", "pages", "idle"), row, strict=True)) for row in status.busy],
            "trouble": [
                dict(zip(("site", "state", "failures", "error", "idle"), row, strict=True))
                for row in status.failing_sites
            ],
        }
    )


def _format_text(status: Any) -> str:  # noqa: ANN401  (its module is an extra)
    counts = ", ".join(f"{status.states[state]:,} {state}" for state in STATE_ORDER if state in status.states)
    rate = sum(worker.rate for worker in status.workers)
    lines = [f"sites    {counts or 'none'}; {status.due:,} due", f"rate     {rate:,.1f} pages/s"]
    lines.append(f"workers  {len(status.workers)}")
    for worker in status.workers:
        told = f"{worker.sites:>4} sites {worker.pages:>9,} pages {worker.rate:>8,.1f}/s"
        lines.append(f"  {printable(worker.name, 40):<28}{told}  heard of {worker.silent:.0f} s ago")
    for site, slices, pages, idle in status.busy:
        lines.append(f"  ▸ {printable(site, 60):<60} slice {slices:,}, {pages:,} pages, {idle:.0f} s ago")
    for site, state, failures, error, idle in status.failing_sites:
        why = printable(error, 80) or f"nothing kept for {idle:.0f} s"
        lines.append(f"  ! {printable(site, 60):<60} {state}, {failures} failures: {why}")
    return "\n".join(lines)
