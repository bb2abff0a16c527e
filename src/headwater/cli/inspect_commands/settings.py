"""`headwater settings`: the table of settings with the values in force and where each came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.options import effective_settings, settings_options, shown
from headwater.settings import SECTIONS, SETTINGS, public_value

if TYPE_CHECKING:
    from headwater.settings import Effective, Setting


@click.command("settings")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "toml"]),
    default="text",
    help="How the table is written",
)
@settings_options(*(section for section in SECTIONS if section != "output"))
def command(style: str, **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Print every setting with the value in force and its origin: flag, environment, file, preset or default.

    --format toml prints what can be saved as headwater.toml.
    """
    writer = {"text": _text, "json": _json, "toml": _toml}[style]
    click.echo(writer(effective_settings(flags)))


def _text(chosen: Effective) -> str:
    lines = [f"preset {chosen.preset}"]
    for section, title in SECTIONS.items():
        lines += ["", f"[{section}]  {title}"]
        for setting in _rows(section):
            value = shown(_value(chosen, setting)) + (f" {setting.kind.unit}" if setting.kind.unit else "")
            lines.append(f"  {setting.name:<23} {value:<24} {chosen.origins[setting.name]:<18} {setting.help}")
    return "\n".join(lines)


def _json(chosen: Effective) -> str:
    rows = {
        setting.name: {
            "value": _value(chosen, setting),
            "origin": chosen.origins[setting.name],
            "default": setting.default,
            "unit": setting.kind.unit,
            "section": setting.section,
            "allowed": setting.kind.allowed,
            "flag": setting.flag,
            "environment": setting.variable,
            "help": setting.help,
        }
        for setting in SETTINGS.values()
    }
    return json.dumps({"preset": chosen.preset, "settings": rows}, indent=2)


def _toml(chosen: Effective) -> str:
    lines = [f'preset = "{chosen.preset}"']
    for section in SECTIONS:
        lines += ["", f"[{section}]"]
        for setting in _rows(section):
            value = _value(chosen, setting)
            origin = chosen.origins[setting.name]
            is_default = origin == "default" or origin.startswith("preset ")
            text = '"none"' if value is None else json.dumps(value)
            lines += [f"# {setting.help}", f"{'# ' if is_default else ''}{setting.name} = {text}"]
    return "\n".join(lines)


def _rows(section: str) -> list[Setting]:
    return [setting for setting in SETTINGS.values() if setting.section == section]


def _value(chosen: Effective, setting: Setting) -> Any:  # noqa: ANN401  (the setting's own type)
    """What is in force, as far as it may be shown."""
    return public_value(setting.name, getattr(chosen.settings, setting.name))
