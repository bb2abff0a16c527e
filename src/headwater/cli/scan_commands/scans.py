"""`headwater scans`: list, name and delete the scans of a store."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, settings_options
from headwater.cli.scan_commands.scan_session import get_scan
from headwater.errors import StoreError
from headwater.plurals import format_count
from headwater.store.factory import open_browse_store
from headwater.store.scan_index.builder import get_index_path

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Scan
    from headwater.store.browse_store import BrowseStore

MAX_NAME = 200
LIVE_STATES = frozenset({"running", "queued"})
_COLUMNS = "{number:>6}  {name:16}  {state:11}  {pages:>9}  {started:19}  {seeds}"


@click.group("scans", invoke_without_command=True)
@click.option("--json", "is_json", is_flag=True, help="Print JSON for programs")
@click.option("--limit", type=click.IntRange(1), default=100, metavar="N", help="List at most N scans  [default: 100]")
@settings_options(also=("db",), has_preset=False)
@click.pass_context
def command(ctx: click.Context, is_json: bool, limit: int, chosen: EffectiveSettings) -> None:
    """List the scans in --db, the newest first: number, name, state, pages, start and seeds.

    The number or the name of a scan can be given wherever a command takes --scan.
    """
    if ctx.invoked_subcommand is not None:
        given = {name: value for name in ("db", "config") if (value := ctx.params[name]) is not None}
        ctx.default_map = {ctx.invoked_subcommand: given}  # `scans --db X delete 1` means `scans delete 1 --db X`
        return
    store = _open(chosen.settings)
    scans = store.scans(limit + 1)
    rows = [_describe(store, scan) for scan in scans[:limit]]
    if is_json:
        click.echo(json.dumps(rows, indent=2))
        return
    if rows:
        click.echo(_format_row({name: name for name in rows[0]}))
    for row in rows:
        click.echo(_format_row({**row, "started": str(row["started"])[:19].replace("T", " ")}))
    if len(scans) > limit:
        click.echo(f"There are more than {format_count(limit, 'scan')}; raise --limit to list them", err=True)


@command.command("name")
@click.argument("scan", metavar="N|NAME")
@click.argument("name")
@settings_options(also=("db",), has_preset=False)
def name_command(scan: str, name: str, chosen: EffectiveSettings) -> None:
    """Name a scan, or rename it."""
    if not name.isprintable() or not name.strip() or len(name) > MAX_NAME or name.isdecimal():
        raise click.UsageError(f"NAME must be a line of at most {MAX_NAME} characters, and not a number")
    store = _open(chosen.settings)
    found, holder = get_scan(store, scan, chosen.settings), store.scan_by_name(name)
    if holder is not None and holder.number != found.number:
        raise StoreError(f"scan {holder.number} is named {printable(name)} already; choose another name")
    store.name_scan(found.number, name)
    click.echo(f"Scan {found.number} is named {printable(name)}", err=True)


@command.command("delete")
@click.argument("scans", nargs=-1, required=True, metavar="N|NAME...")
@click.option("--yes", is_flag=True, help="Delete without asking")
@settings_options(also=("db",), has_preset=False)
def delete_command(scans: tuple[str, ...], yes: bool, chosen: EffectiveSettings) -> None:
    """Delete scans, and give their space back.

    Their pages, links and evidence are deleted too. A scan that is running, or that a dive was made from, is not
    deleted.
    """
    settings = chosen.settings
    store = _open(settings)
    chosen_scans = list({scan.number: scan for scan in (get_scan(store, name, settings) for name in scans)}.values())
    for scan in chosen_scans:
        _lock(store, scan, settings)
        click.echo(f"Scan {scan.number} of {printable(', '.join(scan.seeds))}, started {scan.started}", err=True)
    if not yes and not _confirm(f"Delete {format_count(len(chosen_scans), 'scan')}?"):
        sys.exit(1)
    for scan in chosen_scans:
        store.delete_scan(scan.number)
        if store.path:
            get_index_path(store.path, scan.number).unlink(missing_ok=True)
    click.echo(f"Deleted {format_count(len(chosen_scans), 'scan')}. {_reclaim(store)}", err=True)


def _confirm(question: str) -> bool:
    """Ask a question; raise UsageError if nobody can answer it, as in a script."""
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo(err=True)
        raise click.UsageError("Nothing was deleted: add --yes to delete without asking") from None


def _open(settings: Settings) -> BrowseStore:
    """Open the store until the command ends; a missing file is an error."""
    store = open_browse_store(settings.db, must_exist=True)
    click.get_current_context().call_on_close(store.close)
    return store


def _describe(store: BrowseStore, scan: Scan) -> dict[str, object]:
    return {
        "number": scan.number, "name": store.scan_name(scan.number), "state": scan.state,
        "pages": store.count_listed(scan.number), "started": scan.started, "finished": scan.finished,
        "seeds": list(scan.seeds),
    }  # fmt: skip


def _format_row(row: dict[str, object]) -> str:
    seeds = row["seeds"]
    texts = {name: f"{value:,}" if isinstance(value, int) and name == "pages" else value for name, value in row.items()}
    texts["seeds"] = ", ".join(seeds) if isinstance(seeds, list) else seeds
    return printable(_COLUMNS.format(**texts))


def _lock(store: BrowseStore, scan: Scan, settings: Settings) -> None:
    """Keep other processes from resuming a scan that is about to be deleted; raise StoreError if one runs it."""
    names = [f"scan-{scan.number}"]
    if scan.state in LIVE_STATES:
        part_of = store.site_lists.find_list(scan.number)
        names += ["serve", *([f"list-{part_of}"] if part_of is not None else [])]
    site = store.fleet_site(scan.number)
    if (site is not None and site.is_claimed) or not all(map(store.acquire_lock, names)):
        raise StoreError(f"scan {scan.number} of {settings.redacted_db} is running; stop it before you delete it")


def _reclaim(store: BrowseStore) -> str:
    """Give the space back, and return a sentence about it."""
    try:
        size = store.reclaim_space()
    except StoreError as error:
        return f"The space was not given back ({error}); later scans will use it."
    return f"{size / 1e6:,.1f} MB were given back." if store.path else "The server reuses the space."
