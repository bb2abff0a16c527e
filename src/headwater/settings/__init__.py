"""Every choice a user has: one table, presets over it, and the layers a value can come from."""

from headwater.settings.layers import (
    Effective,
    Layer,
    effective,
    environment_layer,
    file_layer,
    from_mapping,
    mapping_layer,
)
from headwater.settings.presets import PRESETS, preset
from headwater.settings.table import SECTIONS, SETTINGS, Setting, Settings, public_value

__all__ = [
    "PRESETS",
    "SECTIONS",
    "SETTINGS",
    "Effective",
    "Layer",
    "Setting",
    "Settings",
    "effective",
    "environment_layer",
    "file_layer",
    "from_mapping",
    "mapping_layer",
    "preset",
    "public_value",
]
