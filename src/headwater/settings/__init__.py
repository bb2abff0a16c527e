"""Every choice a user has: one table, presets over it, and the layers a value can come from."""

from headwater.settings.layers import (
    EffectiveSettings,
    Layer,
    build_environment_layer,
    build_file_layer,
    build_mapping_layer,
    build_settings,
    merge_layers,
)
from headwater.settings.presets import PRESETS, preset
from headwater.settings.table import SECTIONS, SETTINGS, Setting, Settings, redact_value

__all__ = [
    "PRESETS",
    "SECTIONS",
    "SETTINGS",
    "EffectiveSettings",
    "Layer",
    "Setting",
    "Settings",
    "build_environment_layer",
    "build_file_layer",
    "build_mapping_layer",
    "build_settings",
    "merge_layers",
    "preset",
    "redact_value",
]
