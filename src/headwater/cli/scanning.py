"""A scan begun from the command line: seeds and flags checked before a file is made, secrets kept out of it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from headwater.cli.options import blaming, effective_settings, public_value
from headwater.fetch.credentials import without_user
from headwater.settings import SETTINGS
from headwater.store import SqliteStore
from headwater.urls import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.settings import Effective, Settings
    from headwater.store import Counts, Scan


class Begun(NamedTuple):
    """A scan that may run."""

    store: SqliteStore
    scan: Scan
    settings: Settings
    chosen: Effective


def begin_scan(seeds: Sequence[str], flags: Mapping[str, Any], preset: str) -> Begun:
    """Make the settings and the scan; mistakes are told before anything is written."""
    if not seeds:
        name = click.get_current_context().info_name
        raise click.UsageError(f"Name the URL to start from, for example: headwater {name} https://example.com")
    chosen = effective_settings(flags, preset)
    cleaned = [without_user(seed) for seed in seeds]
    seeds = [seed for seed, _ in cleaned]
    own = chosen.settings.credentials
    settings = replace(chosen.settings, credentials=(*own, *(line for _, line in cleaned if line)))
    with blaming(chosen):
        Scope.from_settings(seeds, settings)
    store = SqliteStore(settings.db)
    kept = {name: public_value(name, value) for name, value in asdict(settings).items() if not is_secret(name)}
    return Begun(store, store.begin(seeds, kept), settings, chosen)


def is_secret(name: str) -> bool:
    """Whether a setting is never stored."""
    return getattr(SETTINGS[name].kind, "secret", False)


def end_state(counts: Counts, limit: str) -> str:
    """How a scan ended; what a limit stopped, or what could not be had, `headwater resume` may go on with."""
    if limit and counts.waiting:
        return "limited"
    return "incomplete" if counts.deferred else "done"


def exit_code(fetched: int, incomplete: int, settings: Settings) -> int:
    """1 when nothing was found at all; 3 when something stayed incomplete and --strict was given."""
    if not fetched:
        return 1
    return 3 if settings.strict and incomplete else 0
