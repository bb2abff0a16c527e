"""Where a value comes from: flag, environment, file, preset, default, in this order; each value keeps its origin."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.settings.presets import get_preset_values
from headwater.settings.table import SECTIONS, SETTINGS, Setting, Settings
from headwater.settings.value_kinds import Number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VARIABLE_PREFIX = "HEADWATER_"
NON_SETTING_VARIABLES = ("HEADWATER_TOKEN", "HEADWATER_CONFIG")
"""Variables with our prefix that are no settings; `HEADWATER_TEST_…` belongs to the tests."""

_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS.values()}
_BY_ALIAS = {setting.alias: setting for setting in SETTINGS.values() if setting.alias}


@dataclass(frozen=True, slots=True)
class Layer:
    """Checked values from one place, each with the words that name the place."""

    values: Mapping[str, object] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    preset: str | None = None
    preset_origin: str = ""


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    """The settings in force, where each came from, and the preset beneath them."""

    settings: Settings
    origins: Mapping[str, str]
    preset: str

    def attach_origin(self, error: SettingError) -> SettingError:
        """The same error with the origin of its setting, for mistakes that show themselves later."""
        return error if error.origin else error.at(self.origins.get(error.name, ""))


def merge_layers(layers: Sequence[Layer], default_preset: str = "full") -> EffectiveSettings:
    """The settings that result from layers given strongest first."""
    chosen = next((layer for layer in layers if layer.preset is not None), None)
    name = chosen.preset if chosen and chosen.preset else default_preset
    values = dict(get_preset_values(name, chosen.preset_origin if chosen else ""))
    origins = dict.fromkeys(SETTINGS, "default") | dict.fromkeys(values, f"preset {name}")
    for layer in reversed(layers):
        values.update(layer.values)
        origins.update(layer.origins)
    return EffectiveSettings(Settings(**values), origins, name)  # type: ignore[arg-type]


def build_settings(values: Mapping[str, object]) -> Settings:
    """Settings from names and values, for example keyword arguments; `preset` names a preset."""
    return merge_layers([build_mapping_layer(values)]).settings


def build_mapping_layer(values: Mapping[str, object], origins: Mapping[str, str] | None = None) -> Layer:
    """Names and values as Python gives them, with the words for where each came from."""
    collected = _Collector()
    for name, value in values.items():
        collected.add(name, value, (origins or {}).get(name, ""))
    return collected.layer()


def build_environment_layer(variables: Mapping[str, str]) -> Layer:
    """`HEADWATER_…` variables, and seed 001's `URL_DISCOVERY_…` names, which count milliseconds."""
    collected = _Collector()
    for variable in sorted(variables):
        text = variables[variable].strip()
        if variable in _BY_ALIAS and _BY_ALIAS[variable].variable not in variables:
            collected.add_alias(_BY_ALIAS[variable], text)
        elif variable.startswith(VARIABLE_PREFIX) and not _is_other(variable):
            name = (
                _BY_VARIABLE[variable].name
                if variable in _BY_VARIABLE
                else variable.removeprefix(VARIABLE_PREFIX).lower()
            )
            collected.add(name, text, variable)
    return collected.layer()


def build_file_layer(document: Mapping[str, object], path: str) -> Layer:
    """A parsed TOML file: settings at the top or under the heading of their section."""
    collected = _Collector()
    for name, value in document.items():
        if name in SECTIONS and isinstance(value, dict):
            for inner, inner_value in value.items():
                _check_section(inner, name, path)
                collected.add(inner, inner_value, path)
        else:
            collected.add(name, value, path)
    return collected.layer()


class _Collector:
    """Checks values one by one and gathers them into a layer."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.origins: dict[str, str] = {}
        self.preset: str | None = None
        self.preset_origin = ""

    def add(self, name: str, value: object, origin: str) -> None:
        if name == "preset":
            self.preset, self.preset_origin = str(value), origin
            return
        self._put(_find(name, origin), value, origin)

    def add_alias(self, setting: Setting, text: str) -> None:
        scaled: object = text
        if isinstance(setting.kind, Number) and setting.alias_unit != 1.0:
            scaled = float(text) * setting.alias_unit if text.isdecimal() else f"{text} ms"
        self._put(setting, scaled, setting.alias)

    def _put(self, setting: Setting, value: object, origin: str) -> None:
        try:
            checked = setting.kind.read(value) if isinstance(value, str) else setting.kind.validate(value)
        except (ValueError, OverflowError):
            raise setting.create_value_error(value, origin) from None
        self.values[setting.name] = checked
        self.origins[setting.name] = origin

    def layer(self) -> Layer:
        return Layer(self.values, self.origins, self.preset, self.preset_origin)


def _find(name: str, origin: str) -> Setting:
    setting = SETTINGS.get(name)
    if setting is not None:
        return setting
    near = get_close_matches(name, [*SETTINGS, "preset"], n=1)
    hint = f"did you mean {near[0]}?" if near else "`headwater settings` lists them all"
    raise SettingError(name, f"there is no such setting; {hint}", origin)


def _check_section(name: str, section: str, path: str) -> None:
    setting = SETTINGS.get(name)
    if setting is not None and setting.section != section:
        raise SettingError(name, f"it stands under [{section}] but belongs under [{setting.section}]", path)


def _is_other(variable: str) -> bool:
    return variable in NON_SETTING_VARIABLES or variable.startswith("HEADWATER_TEST_")
