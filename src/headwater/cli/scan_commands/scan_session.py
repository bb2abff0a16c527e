"""A scan begun from the command line: seeds and flags checked before a file is made, secrets kept out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from headwater.cli.display.hints import set_export_hint
from headwater.cli.options import add_setting_origin, load_output_settings
from headwater.errors import StoreError
from headwater.runner.scan_setup import extract_credentials, public_settings
from headwater.settings import redact_value
from headwater.store import open_store
from headwater.urls import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.settings import EffectiveSettings, Settings
    from headwater.store import Scan, Store


class StartedScan(NamedTuple):
    """A scan that may run."""

    store: Store
    scan: Scan
    settings: Settings
    chosen: EffectiveSettings


def start_scan(seeds: Sequence[str], flags: Mapping[str, Any], preset: str) -> StartedScan:
    """Make the settings and the scan; mistakes are told before anything is written."""
    if not seeds:
        name = click.get_current_context().info_name
        raise click.UsageError(f"Name the URL to start from, for example: headwater {name} https://example.com")
    chosen = load_output_settings(flags, preset)
    seeds, settings = extract_credentials(seeds, chosen.settings)
    with add_setting_origin(chosen):
        Scope.from_settings(seeds, settings)
    store = open_store(settings.db, settings.transaction_timeout)
    scan = store.begin(seeds, public_settings(settings))
    acquire_lock(store, f"scan-{scan.number}", settings)
    return StartedScan(store, scan, settings, chosen)


def acquire_lock(store: Store, name: str, settings: Settings) -> None:
    """Keep other processes from working on a scan or list until this command ends, however it ends."""
    click.get_current_context().call_on_close(store.close)
    db = redact_value("db", settings.db)
    set_export_hint(str(db), all_sites=name.startswith("list-"), resumes=True)
    if not store.acquire_lock(name):
        what = name.replace("-", " ")
        raise StoreError(f"{what} of {db} is under way in another process; wait for it, or stop it first")


def choose_exit_code(fetched: int, incomplete: int, settings: Settings) -> int:
    """1 when nothing was found at all; 3 when something stayed incomplete and --strict was given."""
    if not fetched:
        return 1
    return 3 if settings.strict and incomplete else 0
