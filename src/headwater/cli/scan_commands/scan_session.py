"""Start and lock the scans that commands work on, and choose the exit code."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from headwater.cli.async_runner import run
from headwater.cli.display.hints import set_export_hint
from headwater.cli.scan_runs import ScanSession
from headwater.errors import StoreError
from headwater.fetch.login.login import check_login, find_exposed_secrets, log_in
from headwater.runner.scan_setup import check_settings, extract_credentials, public_settings
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings
    from headwater.store import Scan, Store

_MAX_DIGITS = 19
"""Numbers with this many digits may be larger than a store can hold."""


def start_scan(seeds: Sequence[str], settings: Settings) -> ScanSession:
    """Start a scan; mistakes in seeds and settings are raised before anything is written."""
    if not seeds:
        name = click.get_current_context().info_name
        raise click.UsageError(f"Name the URL to start from, for example: headwater {name} https://example.com")
    seeds, settings = extract_credentials(seeds, settings)
    check_settings(seeds, settings)
    prepare_session(settings, seeds)
    store = open_store(settings.db, settings.transaction_timeout)
    scan = store.create_scan(seeds, public_settings(settings))
    acquire_lock(store, f"scan-{scan.number}", settings)
    return ScanSession(store, scan, settings)


def get_scan(store: Store, name: str | None, settings: Settings) -> Scan:
    """Return the scan with this number or name, or the last one."""
    if name is None:
        scan = store.last_scan()
    else:
        scan = store.scan_by_name(name)
        if scan is None and name.isdecimal() and len(name) < _MAX_DIGITS:
            scan = store.scan(int(name))
    if scan is None:
        raise StoreError(f"{settings.redacted_db} holds no scan{'' if name is None else f' {name}'}")
    return scan


def prepare_session(settings: Settings, seeds: Sequence[str] = ()) -> None:
    """Log in if a recipe says so; raise SettingError if a file cannot be read, and warn if others can read it too."""
    check_login(settings)
    for path in find_exposed_secrets(settings):
        click.echo(f"Warning: other users can read {path}, which holds a secret; run: chmod 600 {path}", err=True)
    if settings.login is not None:
        run(log_in(settings, seeds, None if settings.quiet else partial(click.echo, err=True)))


def acquire_lock(store: Store, name: str, settings: Settings) -> None:
    """Keep other processes from working on a scan or list until this command ends."""
    click.get_current_context().call_on_close(store.close)
    set_export_hint(settings.redacted_db, all_sites=name.startswith("list-"), resumes=True)
    if not store.acquire_lock(name):
        what = name.replace("-", " ")
        raise StoreError(
            f"{what} of {settings.redacted_db} is running in another process; wait until it ends, or stop it"
        )


def choose_exit_code(pages: int, incomplete: int, settings: Settings) -> int:
    """Return 1 if no page was found, 3 if something is incomplete and --strict was given, else 0."""
    if not pages:
        return 1
    return 3 if settings.strict and incomplete else 0
