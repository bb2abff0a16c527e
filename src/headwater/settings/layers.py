"""Layers of settings: flags override the environment, then the file, the preset and the defaults.

Every value keeps its origin, so that error messages and `headwater settings` can name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.settings.all_settings import SETTINGS, Settings
from headwater.settings.choices import SECTIONS
from headwater.settings.presets import get_preset_values
from headwater.settings.value_kinds import Number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from headwater.settings.setting import Setting

VARIABLE_PREFIX = "HEADWATER_"
NON_SETTING_VARIABLES = ("HEADWATER_TOKEN", "HEADWATER_CONFIG", "HEADWATER_WEBHOOK_SECRET")
"""Variables with the prefix that are not settings, besides `HEADWATER_TEST_…` of the tests."""

_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS.values()}
_BY_ALIAS = {setting.alias: setting for setting in SETTINGS.values() if setting.alias}


@dataclass(frozen=True, slots=True)
class Layer:
    """Validated values from one place, each with its origin, for example `--max-pages`."""

    values: Mapping[str, object] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    preset: str | None = None
    preset_origin: str = ""


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    """The effective settings, the origin of each, the preset they start from, and the layers they were merged from."""

    settings: Settings
    origins: Mapping[str, str]
    preset: str
    layers: Sequence[Layer] = ()

    def is_given(self, name: str) -> bool:
        """Return True if a flag, the environment or the file sets this setting."""
        return self.origins[name] != "default" and not self.origins[name].startswith("preset ")

    def is_flag(self, name: str) -> bool:
        """Return True if a command-line flag sets this setting."""
        return self.origins[name].startswith("-")

    def select(self, is_wanted: Callable[[str], bool]) -> dict[str, object]:
        """Return the values of the settings whose names pass a test."""
        return {name: getattr(self.settings, name) for name in SETTINGS if is_wanted(name)}

    def attach_origin(self, error: SettingError) -> SettingError:
        """Return an error raised after loading with the origin of its setting added."""
        return error if error.origin else error.at(self.origins.get(error.name, ""))


def merge_layers(layers: Sequence[Layer], default_preset: str = "full") -> EffectiveSettings:
    """Merge layers, highest precedence first."""
    source = next((layer for layer in layers if layer.preset is not None), None)
    name = source.preset if source and source.preset else default_preset
    values = dict(get_preset_values(name, source.preset_origin if source else ""))
    origins = dict.fromkeys(SETTINGS, "default") | dict.fromkeys(values, f"preset {name}")
    for layer in reversed(layers):
        values.update(layer.values)
        origins.update(layer.origins)
    return EffectiveSettings(Settings(**values), origins, name, layers)  # type: ignore[arg-type]


def build_settings(values: Mapping[str, object]) -> Settings:
    """Build settings from names and values, for example keyword arguments; `preset` names a preset."""
    return merge_layers([build_mapping_layer(values)]).settings


def build_mapping_layer(values: Mapping[str, object], origins: Mapping[str, str] | None = None) -> Layer:
    """Build a layer from names and values, and the origin of each name."""
    collector = _Collector()
    for name, value in values.items():
        collector.add(name, value, (origins or {}).get(name, ""))
    return collector.build()


def build_environment_layer(variables: Mapping[str, str]) -> Layer:
    """Build a layer from `HEADWATER_…` variables and the aliases of settings, such as `URL_DISCOVERY_CRAWL_TIMEOUT`."""
    collector = _Collector()
    for variable in sorted(variables):
        text = variables[variable].strip()
        if variable in _BY_ALIAS and _BY_ALIAS[variable].variable not in variables:
            collector.add_alias(_BY_ALIAS[variable], text)
        elif variable.startswith(VARIABLE_PREFIX) and not _is_reserved(variable):
            name = (
                _BY_VARIABLE[variable].name
                if variable in _BY_VARIABLE
                else variable.removeprefix(VARIABLE_PREFIX).lower()
            )
            collector.add(name, text, variable)
    return collector.build()


def build_file_layer(document: Mapping[str, object], path: str) -> Layer:
    """Build a layer from a parsed TOML file with settings at the top level or in the table of their section."""
    collector = _Collector()
    for name, value in document.items():
        if name in SECTIONS and isinstance(value, dict):
            for inner, inner_value in value.items():
                _check_section(inner, name, path)
                collector.add(inner, inner_value, path)
        else:
            collector.add(name, value, path)
    return collector.build()


class _Collector:
    """Validates values one by one and collects them into a layer."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.origins: dict[str, str] = {}
        self.preset: str | None = None
        self.preset_origin = ""

    def add(self, name: str, value: object, origin: str) -> None:
        """Add a value by the name of its setting."""
        if name == "preset":
            self.preset, self.preset_origin = str(value), origin
            return
        self._put(_find(name, origin), value, origin)

    def add_alias(self, setting: Setting, text: str) -> None:
        """Add the value of an alias, converted from its unit."""
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

    def build(self) -> Layer:
        """Return the collected values as a layer."""
        return Layer(self.values, self.origins, self.preset, self.preset_origin)


def _find(name: str, origin: str) -> Setting:
    setting = SETTINGS.get(name)
    if setting is not None:
        return setting
    similar = get_close_matches(name, [*SETTINGS, "preset"], n=1)
    hint = f"did you mean {similar[0]}?" if similar else "`headwater settings` lists all settings"
    raise SettingError(name, f"no such setting; {hint}", origin)


def _check_section(name: str, section: str, path: str) -> None:
    setting = SETTINGS.get(name)
    if setting is not None and setting.section != section:
        raise SettingError(name, f"it is under [{section}] but belongs under [{setting.section}]", path)


def _is_reserved(variable: str) -> bool:
    return variable in NON_SETTING_VARIABLES or variable.startswith("HEADWATER_TEST_")
