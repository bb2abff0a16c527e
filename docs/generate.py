"""Write the reference pages from the code. `tests/test_docs.py` checks that they are up to date."""

from __future__ import annotations

import inspect
from pathlib import Path

import click

from headwater.cli.main import COMMANDS, group
from headwater.cli.options import format_value
from headwater.settings import PRESET_SUMMARIES, PRESETS, SECTIONS, SETTINGS, Setting
from headwater.urls.skip_reasons import CRAWL_REASONS
from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

REFERENCE = Path(__file__).parent / "reference"
_REASON_HEADER = ("| reason | meaning |", "|---|---|")
EXIT_CODES = {
    0: "success",
    1: "failure",
    2: "invalid command line or setting",
    3: "incomplete, with `--strict`, or cut short (`watch --once`)",
    4: "something changed (`diff`, `watch --once`)",
    5: "issues were found (`audit --fail-on`)",
    130: "interrupted",
}
NOTICE = "<!-- Generated from the code by `make docs`. Do not edit. -->"


def settings_page() -> str:
    """Return the page of settings by section, with the values of each preset."""
    lines = [
        NOTICE,
        "# Settings",
        "",
        "Each setting is a flag (`--max-pages 10`), an environment variable (`HEADWATER_MAX_PAGES=10`), a key in",
        "`headwater.toml` (at the top level or in the table of its section) and a keyword argument in Python. Flags",
        "override environment variables, which override the file, the preset and the default. `headwater settings`",
        "prints the current values and their origin. Write times as `500ms`, `10s` or `2m`; `none` removes a limit",
        "and empties a list.",
    ]
    for section, title in SECTIONS.items():
        lines += [
            "",
            f"## {title}: `[{section}]`",
            "",
            "| setting | default | description | allowed values |",
            "|---|---|---|---|",
        ]
        lines += [_setting_row(row) for row in SETTINGS.values() if row.section == section]
    return "\n".join([*lines, *_preset_table(), ""])


def commands_page() -> str:
    """Return the page of commands with their help."""
    context = click.Context(group, info_name="headwater")
    lines = [NOTICE, "# Commands", ""]
    lines += [
        "Results are written to stdout, messages and progress to stderr.",
        "",
        "| exit code | meaning |",
        "|---|---|",
        *(f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items()),
    ]
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        lines += _help_lines(command, name, context)
    return "\n".join([*lines, ""])


def _help_lines(command: click.Command, name: str, parent: click.Context) -> list[str]:
    """Return the help of a command and of its subcommands."""
    context = click.Context(command, info_name=name, parent=parent, max_content_width=100)
    text = command.get_help(context)
    title = context.command_path
    lines = ["", f"## {title}", "", "```text", *(line.rstrip() for line in text.splitlines()), "```"]
    for subname, subcommand in getattr(command, "commands", {}).items():
        lines += _help_lines(subcommand, subname, context)
    return lines


def reasons_page() -> str:
    """Return the page of reasons to skip a URL, with the rules in the order in which they are applied."""
    lines = [NOTICE, "# Reasons a URL is skipped", ""]
    lines += ["The rules are applied in this order. The first rule that matches decides, and its name is the reason."]
    lines += ["`headwater explain URL --base SITE` shows the result of each rule.", "", *_REASON_HEADER]
    lines += [f"| `{get_rule_reason(rule)}` | {inspect.getdoc(rule)} |" for rule in SKIP_RULES]
    lines += ["", "Other reasons are recorded during a scan:", "", *_REASON_HEADER]
    lines += [f"| `{reason}` | {meaning} |" for reason, meaning in CRAWL_REASONS.items()]
    return "\n".join([*lines, ""])


def _setting_row(row: Setting) -> str:
    alias = f" (also read from `{row.alias}`{', in ms' if row.alias_unit != 1 else ''})" if row.alias else ""
    unit = f" {row.kind.unit}" if row.kind.unit and row.default is not None else ""
    return f"| `{row.name}` | `{format_value(row.default)}`{unit} | {row.help}{alias} | {row.kind.allowed} |"


def _preset_table() -> list[str]:
    in_presets = {name for values in PRESETS.values() for name in values}
    lines = [
        "",
        "## Presets",
        "",
        "`--preset NAME` starts from one of these presets. An empty cell means that the default applies.",
        "",
        *(f"- `{name}`: {summary}." for name, summary in PRESET_SUMMARIES.items()),
        "",
    ]
    lines += [f"| setting | {' | '.join(PRESETS)} |", "|---|" + "---|" * len(PRESETS)]
    for name in SETTINGS:
        if name in in_presets:
            cells = [
                format_value(values[name]).replace(",", ", ") if name in values else "" for values in PRESETS.values()
            ]
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return lines


PAGES = {"settings.md": settings_page, "commands.md": commands_page, "reasons.md": reasons_page}

if __name__ == "__main__":
    for file_name, write in PAGES.items():
        (REFERENCE / file_name).write_text(write())
