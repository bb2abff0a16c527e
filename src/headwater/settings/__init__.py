"""Settings: the table, presets of values, and the layers a value can come from."""

from headwater.settings.all_settings import SETTINGS, Settings, redact_value
from headwater.settings.choices import SECTIONS
from headwater.settings.layers import (
    EffectiveSettings,
    Layer,
    build_environment_layer,
    build_file_layer,
    build_mapping_layer,
    build_settings,
    merge_layers,
)
from headwater.settings.presets import PRESET_SUMMARIES, PRESETS, preset
from headwater.settings.setting import Setting

__all__ = [
    "PRESETS",
    "PRESET_SUMMARIES",
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
