"""`headwater settings`: print every setting with its value and its origin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from headwater.cli.options import EffectiveSettings, SettingsCommand, format_value, settings_options
from headwater.settings import SECTIONS, SETTINGS

if TYPE_CHECKING:
    from headwater.settings import Setting

VALUE_WIDTH = 24


@click.command("settings", cls=SettingsCommand)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "toml"]),
    default="text",
    help="Output for people, for programs or for headwater.toml",
)
@settings_options(*(section for section in SECTIONS if section != "output"))
def command(style: str, chosen: EffectiveSettings) -> None:
    """Print every setting with its value and its origin: flag, environment, file, preset or default.

    The output of --format toml can be saved as headwater.toml.
    """
    writer = {"text": _format_text, "json": _format_json, "toml": _format_toml}[style]
    click.echo(writer(chosen))


def _format_text(chosen: EffectiveSettings) -> str:
    lines = [f"preset {chosen.preset}"]
    for section, title in SECTIONS.items():
        lines += ["", f"[{section}]  {title}"]
        for setting in _get_section_settings(section):
            value = format_value(_get_redacted_value(chosen, setting))
            unit = f" {setting.kind.unit}" if setting.kind.unit and value != "none" else ""
            text = _shorten(value + unit)
            lines.append(f"  {setting.name:<23} {text:<24} {chosen.origins[setting.name]:<18} {setting.help}")
    return "\n".join(lines)


def _shorten(text: str) -> str:
    return text if len(text) <= VALUE_WIDTH else text[: VALUE_WIDTH - 1] + "…"


def _format_json(chosen: EffectiveSettings) -> str:
    rows = {
        setting.name: {
            "value": _get_redacted_value(chosen, setting),
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
        for setting in _get_section_settings(section):
            value = _get_redacted_value(chosen, setting)
            text = '"none"' if value is None else json.dumps(value)
            lines += [f"# {setting.help}", f"{'' if chosen.is_given(setting.name) else '# '}{setting.name} = {text}"]
    return "\n".join(lines)


def _get_section_settings(section: str) -> list[Setting]:
    return [setting for setting in SETTINGS.values() if setting.section == section]


def _get_redacted_value(chosen: EffectiveSettings, setting: Setting) -> object:
    """Return the value with secrets hidden."""
    return setting.redact(getattr(chosen.settings, setting.name))
