"""Command-line options made from the settings table, and decorators that hand options to a command by name."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.bare_options import resolve_bare_options
from headwater.cli.settings_loading import DEFAULT_CONFIG_FILE, load_settings, prepare_output
from headwater.errors import SettingError
from headwater.settings import PRESETS, SECTIONS, SETTINGS, EffectiveSettings, Setting
from headwater.settings.value_kinds import Choice, Flag, Number, TextList

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Any]
    Decorator = Callable[[Command], Command]

__all__ = [
    "EffectiveSettings",
    "SettingsCommand",
    "dive_option",
    "format_option",
    "format_value",
    "gather_options",
    "settings_options",
]


class SettingOption(click.Option):
    """An option made from a setting, listed under the title of its section in the help of a command."""

    def __init__(self, *arguments: Any, setting: Setting, **named: Any) -> None:  # noqa: ANN401  (the arguments of click)
        super().__init__(*arguments, **named)
        self.section, self.bare_value = setting.section, setting.bare_value


class SettingsCommand(click.Command):
    """A command whose help lists the options of settings under the titles of their sections."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an option without its value does not take the next option for it."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        flags = frozenset(flag for one in options for flag in (*one.opts, *one.secondary_opts))
        with_value = [one for one in options if not one.is_flag and one.nargs == 1 and not one.count]
        values = {flag: getattr(one, "bare_value", "") for one in with_value for flag in one.opts}
        return super().parse_args(ctx, resolve_bare_options(args, flags, values))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the command itself, then those of each section."""
        groups: dict[str, list[tuple[str, str]]] = {section: [] for section in ("", *SECTIONS)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if isinstance(parameter, click.Option) and record is not None:
                groups[parameter.section if isinstance(parameter, SettingOption) else ""].append(record)
        for section, records in groups.items():
            if records:
                with formatter.section(SECTIONS.get(section, "Options")):
                    formatter.write_dl(records)


format_option = click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="Output for people or for programs"
)
dive_option = click.option(
    "--dive", "number", type=click.IntRange(1), metavar="N", help="Use this dive  [default: the newest]"
)


def settings_options(
    *sections: str,
    also: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    preset: str = "full",
    has_preset: bool = True,
    writes_output: bool = False,
) -> Decorator:
    """Add `--preset`, `--config` and a flag for each setting of these sections, and of `also`, to a command.

    The command gets the effective settings as its argument `chosen`. Setting errors that it raises name the origin of
    the setting. With `writes_output`, the output file is checked before the command runs.
    """
    rows = [
        setting
        for setting in SETTINGS.values()
        if (setting.section in sections or setting.name in also) and setting.name not in without
    ]
    names = [*(["preset"] if has_preset else []), "config", *(setting.name for setting in rows)]

    def decorate(function: Command) -> Command:
        @wraps(function)
        def call(**arguments: Any) -> Any:  # noqa: ANN401  (every option has its own type)
            chosen = load_settings({name: arguments.pop(name) for name in names}, preset)
            chosen = prepare_output(chosen) if writes_output else chosen
            try:
                return function(chosen=chosen, **arguments)
            except SettingError as error:
                raise chosen.attach_origin(error) from None

        decorated: Command = call
        for setting in reversed(rows):
            decorated = _make_option(setting)(decorated)
        decorated = _config_option(decorated)
        return _preset_option(decorated) if has_preset else decorated

    return decorate


def gather_options(record: type[Any], parameter: str) -> Decorator:
    """Pass the options that are fields of a NamedTuple to a command as one argument."""

    def decorate(function: Command) -> Command:
        @wraps(function)
        def call(**arguments: Any) -> Any:  # noqa: ANN401  (every option has its own type)
            fields = {name: arguments.pop(name) for name in record._fields}
            return function(**arguments, **{parameter: record(**fields)})

        return call

    return decorate


def format_value(value: object) -> str:
    """Return a value as it would be typed."""
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


_config_option = click.option(
    "--config", metavar="FILE", help=f"Read settings from this file instead of {DEFAULT_CONFIG_FILE}"
)
_preset_option = click.option("--preset", metavar="|".join(PRESETS), help="Start from the settings of this preset")


def _make_option(setting: Setting) -> Decorator:
    names = [*setting.flags, setting.flag, setting.name]
    help_text = f"{setting.help}{_format_default(setting)}"
    details: dict[str, Any] = {"multiple": isinstance(setting.kind, TextList), "metavar": _get_metavar(setting)}
    if isinstance(setting.kind, Flag):
        names[-2] = f"{setting.flag}/--no-{setting.flag[2:]}"
        details = {"default": None}
    return click.option(*names, cls=SettingOption, setting=setting, help=help_text, **details)


def _format_default(setting: Setting) -> str:
    """Return for example `  [default: 15 s]`; empty for texts and lists without a default."""
    if not isinstance(setting.kind, Number) and setting.default in (None, ()):
        return ""
    unit = f" {setting.kind.unit}" if setting.kind.unit and setting.default is not None else ""
    return f"  [default: {format_value(setting.default).replace(',', ', ')}{unit}]"


def _get_metavar(setting: Setting) -> str:
    if isinstance(setting.kind, Choice):
        return "|".join(setting.kind.options)
    if isinstance(setting.kind, Number):
        return {"s": "SECONDS", "bytes": "BYTES"}.get(setting.kind.unit, "N")
    return f"[{setting.metavar}]" if setting.bare_value else setting.metavar or "TEXT"
