"""The settings of a command: its flags merged with the environment, the settings file and the preset."""

from __future__ import annotations

import os
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.settings import (
    SETTINGS,
    EffectiveSettings,
    build_environment_layer,
    build_file_layer,
    build_mapping_layer,
    merge_layers,
)
from headwater.settings.choices import BINARY_FORMATS, FIELD_FORMATS, TABLE_FORMATS
from headwater.settings.value_kinds import NONE_WORDS, TextList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.settings import Layer, Settings
    from headwater.settings.choices import Format

DEFAULT_CONFIG_FILE = "headwater.toml"
CONFIG_VARIABLE = "HEADWATER_CONFIG"
FORMAT_BY_SUFFIX: Mapping[str, Format] = {
    ".txt": "text", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".html": "html",
    ".htm": "html", ".xml": "xml", ".md": "md", ".xlsx": "xlsx", ".parquet": "parquet", ".graphml": "graphml",
    ".dot": "dot", ".gv": "dot", ".atom": "atom",
}  # fmt: skip


def load_settings(flags: Mapping[str, object], default_preset: str = "full") -> EffectiveSettings:
    """Merge flags, environment, settings file, preset and defaults, in this order of precedence."""
    given = dict(flags)
    config = given.pop("config", None) or os.environ.get(CONFIG_VARIABLE)
    layers = (_build_flag_layer(given), build_environment_layer(os.environ), _read_config_file(config))
    chosen = merge_layers(layers, default_preset)
    output, db = chosen.settings.output, chosen.settings.db
    if output is not None and "://" not in db and Path(output).resolve() == Path(db).resolve():
        error = SettingError("output", f"{output} is the store that --db names; write to another file")
        raise chosen.attach_origin(error)
    return chosen


def prepare_output(chosen: EffectiveSettings) -> EffectiveSettings:
    """Check the output file, take the format from its name unless one was given, and check that it has fields."""
    chosen = _choose_format(chosen)
    settings = chosen.settings
    if settings.fields and settings.format not in FIELD_FORMATS:
        problem = f"{settings.format} has no fields to choose; use --format {', '.join(FIELD_FORMATS)}"
        raise chosen.attach_origin(SettingError("fields", problem))
    try:
        _check_format(settings)
    except SettingError as error:
        raise chosen.attach_origin(error) from None
    return chosen


def _check_format(settings: Settings) -> None:
    """Raise SettingError if the format cannot be written here, before anything is scanned."""
    if settings.format in BINARY_FORMATS:
        from headwater.export.tables import check_extra  # noqa: PLC0415  (few commands need it)

        check_extra(settings.format)
        if settings.output is None and sys.stdout.isatty():
            raise SettingError("format", f"{settings.format} is not text; name a file with --output")
    if settings.columns != "headwater" and settings.format not in TABLE_FORMATS:
        raise SettingError("columns", f"{settings.format} has no columns; use --format {', '.join(TABLE_FORMATS)}")
    if settings.columns != "headwater" and settings.fields:
        raise SettingError("columns", f"--fields chooses fields of Headwater; leave out --columns {settings.columns}")


def _choose_format(chosen: EffectiveSettings) -> EffectiveSettings:
    output = chosen.settings.output
    if output is None:
        return chosen
    problem = _find_output_problem(Path(output))
    if problem:
        raise chosen.attach_origin(SettingError("output", f"{output} cannot be written: {problem}"))
    if chosen.origins["format"] != "default":
        return chosen
    format_ = FORMAT_BY_SUFFIX.get(Path(output).suffix.lower(), chosen.settings.format)
    origins = {**chosen.origins, "format": chosen.origins["output"]}
    return replace(chosen, settings=replace(chosen.settings, format=format_), origins=origins)


def _find_output_problem(path: Path) -> str:
    """Return the reason why this file cannot be written; empty if it can."""
    if path.is_dir():
        return "it is a folder"
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist"
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return "permission denied"
    return ""


def _build_flag_layer(flags: Mapping[str, object]) -> Layer:
    values = {name: _split_words(name, value) for name, value in flags.items() if value not in (None, ())}
    origins = {"preset": "--preset"} | {name: setting.flag for name, setting in SETTINGS.items()}
    return build_mapping_layer(values, origins)


def _split_words(name: str, value: object) -> object:
    """Accept `--stages nav,crawl` as well as `--stages nav --stages crawl`, and `--sources none` as the empty list."""
    if not isinstance(value, tuple):
        return value
    setting = SETTINGS.get(name)
    if len(value) == 1 and value[0].lower() in NONE_WORDS:
        return []
    if setting and isinstance(setting.kind, TextList) and setting.kind.separator == ",":
        return [part.strip() for text in value for part in text.split(",") if part.strip()]
    return list(value)


def _read_config_file(config: object) -> Layer:
    """Read the settings file; without a name, read `headwater.toml` if it exists."""
    path = Path(str(config or DEFAULT_CONFIG_FILE))
    if not config and not path.is_file():
        return build_file_layer({}, "")
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingError("config", f"{path} cannot be read: {error.strerror}", "--config") from None
    except (ValueError, RecursionError) as error:  # tomllib raises these for huge numbers and deeply nested arrays
        raise SettingError("config", f"{path} is not valid TOML: {error}", str(path)) from None
    return build_file_layer(document, str(path))
