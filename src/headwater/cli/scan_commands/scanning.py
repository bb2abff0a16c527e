"""A scan begun from the command line: seeds and flags checked before a file is made, secrets kept out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from headwater.api import public_settings, without_secrets
from headwater.cli.display.hints import advise_export
from headwater.cli.options import blaming, list_settings
from headwater.errors import StoreError
from headwater.settings import public_value
from headwater.store import open_store
from headwater.urls import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.settings import Effective, Settings
    from headwater.store import Scan, Store


class Begun(NamedTuple):
    """A scan that may run."""

    store: Store
    scan: Scan
    settings: Settings
    chosen: Effective


def begin_scan(seeds: Sequence[str], flags: Mapping[str, Any], preset: str) -> Begun:
    """Make the settings and the scan; mistakes are told before anything is written."""
    if not seeds:
        name = click.get_current_context().info_name
        raise click.UsageError(f"Name the URL to start from, for example: headwater {name} https://example.com")
    chosen = list_settings(flags, preset)
    seeds, settings = without_secrets(seeds, chosen.settings)
    with blaming(chosen):
        Scope.from_settings(seeds, settings)
    store = open_store(settings.db, settings.transaction_timeout)
    scan = store.begin(seeds, public_settings(settings))
    hold(store, f"scan-{scan.number}", settings)
    return Begun(store, scan, settings, chosen)


def hold(store: Store, name: str, settings: Settings) -> None:
    """Keep other processes from working on a scan or list until this command ends, however it ends."""
    click.get_current_context().call_on_close(store.close)
    db = public_value("db", settings.db)
    advise_export(str(db), all_sites=name.startswith("list-"), resumes=True)
    if not store.hold(name):
        what = name.replace("-", " ")
        raise StoreError(f"{what} of {db} is under way in another process; wait for it, or stop it first")


def exit_code(fetched: int, incomplete: int, settings: Settings) -> int:
    """1 when nothing was found at all; 3 when something stayed incomplete and --strict was given."""
    if not fetched:
        return 1
    return 3 if settings.strict and incomplete else 0
