"""`headwater settings`: the table of settings with the values in force and where each came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.options import format_value, load_settings, settings_options
from headwater.settings import SECTIONS, SETTINGS, redact_value

if TYPE_CHECKING:
    from headwater.settings import EffectiveSettings, Setting


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
    writer = {"text": _format_text, "json": _format_json, "toml": _format_toml}[style]
    click.echo(writer(load_settings(flags)))


def _format_text(chosen: EffectiveSettings) -> str:
    lines = [f"preset {chosen.preset}"]
    for section, title in SECTIONS.items():
        lines += ["", f"[{section}]  {title}"]
        for setting in _settings_in_section(section):
            value = format_value(_value(chosen, setting)) + (f" {setting.kind.unit}" if setting.kind.unit else "")
            lines.append(f"  {setting.name:<23} {value:<24} {chosen.origins[setting.name]:<18} {setting.help}")
    return "\n".join(lines)


def _format_json(chosen: EffectiveSettings) -> str:
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


def _format_toml(chosen: EffectiveSettings) -> str:
    lines = [f'preset = "{chosen.preset}"']
    for section in SECTIONS:
        lines += ["", f"[{section}]"]
        for setting in _settings_in_section(section):
            value = _value(chosen, setting)
            origin = chosen.origins[setting.name]
            is_default = origin == "default" or origin.startswith("preset ")
            text = '"none"' if value is None else json.dumps(value)
            lines += [f"# {setting.help}", f"{'# ' if is_default else ''}{setting.name} = {text}"]
    return "\n".join(lines)


def _settings_in_section(section: str) -> list[Setting]:
    return [setting for setting in SETTINGS.values() if setting.section == section]


def _value(chosen: EffectiveSettings, setting: Setting) -> Any:  # noqa: ANN401  (the setting's own type)
    """What is in force, as far as it may be shown."""
    return redact_value(setting.name, getattr(chosen.settings, setting.name))
