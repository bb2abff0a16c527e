"""The settings of a dive: those of its scan, overridden by what the user gives now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.settings import SETTINGS, build_settings

if TYPE_CHECKING:
    from headwater.settings import EffectiveSettings, Settings
    from headwater.store import Store


def merge_scan_settings(store: Store, number: int | None, chosen: EffectiveSettings) -> Settings:
    """Merge the settings of a scan, for example the private addresses it may request, with those given now."""
    scan = store.last_scan() if number is None else store.scan(number)
    if scan is None:
        return chosen.settings
    stored = {name: value for name, value in scan.settings.items() if name in SETTINGS}
    given = chosen.select(chosen.is_given)
    return build_settings({**stored, "output": None, "quiet": False, **given, "db": chosen.settings.db})
