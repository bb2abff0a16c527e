"""Flags made from the settings table, and the settings that result from flags, environment and file."""

from __future__ import annotations

import os
import tomllib
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwater.errors import SettingError
from headwater.settings import (
    PRESETS,
    SETTINGS,
    EffectiveSettings,
    Setting,
    build_environment_layer,
    build_file_layer,
    build_mapping_layer,
    merge_layers,
)
from headwater.settings.value_kinds import Choice, Flag, TextList

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from headwater.settings import Layer
    from headwater.settings.table import Format

DEFAULT_CONFIG_FILE = "headwater.toml"
FORMAT_BY_SUFFIX: Mapping[str, Format] = {
    ".txt": "text", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".html": "html",
    ".htm": "html", ".xml": "xml", ".md": "md",
}  # fmt: skip


def settings_options(
    *sections: str, also: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--preset`, `--config` and a flag for each setting of these sections, and of `also`, to a command."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        rows = [
            setting
            for setting in SETTINGS.values()
            if (setting.section in sections or setting.name in also) and setting.name not in without
        ]
        for setting in reversed(rows):
            function = _option(setting)(function)
        config = click.option(
            "--config", metavar="FILE", help=f"Read settings from this file instead of {DEFAULT_CONFIG_FILE}"
        )
        preset = click.option("--preset", metavar="NAME", help=f"Start from one of {', '.join(PRESETS)}")
        return preset(config(function))

    return decorate


def load_settings(flags: Mapping[str, Any], default_preset: str = "full") -> EffectiveSettings:
    """What holds: flags before environment before file before preset before default."""
    given = dict(flags)
    config = given.pop("config", None) or os.environ.get("HEADWATER_CONFIG")
    layers = [_flag_layer(given), build_environment_layer(os.environ), read_config_file(config)]
    chosen = merge_layers(layers, default_preset)
    output, db = chosen.settings.output, chosen.settings.db
    if output is not None and "://" not in db and Path(output).resolve() == Path(db).resolve():
        raise chosen.attach_origin(
            SettingError("output", f"{output} is the store that --db names; write to another file")
        )
    return chosen


def load_output_settings(flags: Mapping[str, Any], default_preset: str = "full") -> EffectiveSettings:
    """Return the settings of a command that writes a list of pages, after checking that its output can be written."""
    chosen = load_settings(flags, default_preset)
    output = chosen.settings.output
    if output is None:
        return chosen
    problem = _output_problem(Path(output))
    if problem:
        raise chosen.attach_origin(SettingError("output", f"{output} cannot be written: {problem}"))
    return _infer_format(chosen, output)


def _output_problem(path: Path) -> str:
    """Return what keeps this file from being written; empty if nothing does."""
    if path.is_dir():
        return "it is a folder"
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist"
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return "permission denied"
    return ""


def _infer_format(chosen: EffectiveSettings, output: str) -> EffectiveSettings:
    """Take the format from the name of the output file, unless one was given."""
    if chosen.origins["format"] != "default":
        return chosen
    format_ = FORMAT_BY_SUFFIX.get(Path(output).suffix.lower(), chosen.settings.format)
    origins = {**chosen.origins, "format": chosen.origins["output"]}
    return replace(chosen, settings=replace(chosen.settings, format=format_), origins=origins)


@contextmanager
def add_setting_origin(chosen: EffectiveSettings) -> Iterator[None]:
    """Mistakes in a setting that show themselves only when it is used are told with their origin too."""
    try:
        yield
    except SettingError as error:
        raise chosen.attach_origin(error) from None


def _option(setting: Setting) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    names = [*setting.flags, setting.flag, setting.name]
    help_text = f"{setting.help}  [default: {format_value(setting.default)}{' ' + setting.kind.unit if setting.kind.unit else ''}]"
    if isinstance(setting.kind, Flag):
        names[-2] = f"{setting.flag}/--no-{setting.flag[2:]}"
        return click.option(*names, default=None, help=help_text)
    return click.option(*names, multiple=isinstance(setting.kind, TextList), metavar=_metavar(setting), help=help_text)


def _metavar(setting: Setting) -> str:
    if isinstance(setting.kind, Choice):
        return "|".join(setting.kind.options)
    return {"s": "SECONDS", "bytes": "BYTES"}.get(setting.kind.unit, "N" if hasattr(setting.kind, "whole") else "TEXT")


def format_value(value: object) -> str:
    """A value as it would be typed."""
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _flag_layer(flags: Mapping[str, Any]) -> Layer:
    values = {name: _split_words(name, value) for name, value in flags.items() if value not in (None, ())}
    return build_mapping_layer(
        values, {"preset": "--preset"} | {name: setting.flag for name, setting in SETTINGS.items()}
    )


def _split_words(name: str, value: Any) -> Any:  # noqa: ANN401  (whatever click gives)
    """`--stages nav,crawl` and `--stages nav --stages crawl` are the same."""
    setting = SETTINGS.get(name)
    if setting and isinstance(setting.kind, TextList) and setting.kind.separator == ",":
        return [part.strip() for text in value for part in text.split(",") if part.strip()]
    return list(value) if isinstance(value, tuple) else value


def read_config_file(config: str | None) -> Layer:
    """What the settings file says; without a name, `headwater.toml` where there is one."""
    path = Path(config or DEFAULT_CONFIG_FILE)
    if config is None and not path.is_file():
        return build_file_layer({}, "")
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingError("config", f"{path} cannot be read: {error.strerror}", "--config") from None
    except (ValueError, RecursionError) as error:  # tomllib lets numbers of 5,000 digits and deep arrays fail as such
        raise SettingError("config", f"{path} is not valid TOML: {error}", str(path)) from None
    return build_file_layer(document, str(path))
