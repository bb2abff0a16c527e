"""Writes the reference pages that follow from the code; `tests/test_docs.py` holds them to it."""

from __future__ import annotations

import inspect
from pathlib import Path

import click

from headwater.cli.main import COMMANDS, group
from headwater.cli.options import format_value
from headwater.settings import PRESETS, SECTIONS, SETTINGS, Setting
from headwater.urls.skip_reasons import CRAWL_REASONS
from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

REFERENCE = Path(__file__).parent / "reference"
NOTICE = "<!-- Written by `make docs` from the code: change that instead. -->"


def settings_page() -> str:
    """Every setting by section, and what each preset makes of it."""
    lines = [
        NOTICE,
        "# Settings",
        "",
        "A setting is a flag (`--max-pages 10`), an environment variable (`HEADWATER_MAX_PAGES=10`), a key in",
        "`headwater.toml` (at the top, or under its section's heading) and a keyword argument in Python. The first of",
        "flag, environment, file, preset and default that speaks of it decides. `headwater settings` prints the values",
        "in force and where each came from. Times may be written `500ms`, `10s` or `2m`; `none` lifts a limit.",
    ]
    for section, title in SECTIONS.items():
        lines += [
            "",
            f"## {title}: `[{section}]`",
            "",
            "| setting | default | what it does | allowed |",
            "|---|---|---|---|",
        ]
        lines += [_setting_row(row) for row in SETTINGS.values() if row.section == section]
    return "\n".join([*lines, *_preset_table(), ""])


def commands_page() -> str:
    """Every command with its help."""
    context = click.Context(group, info_name="headwater")
    lines = [NOTICE, "# Commands", ""]
    lines += [
        "Data goes to stdout, everything for people to stderr. Exit codes: 0 done, 1 failed, 2 usage, 130 interrupted."
    ]
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        text = command.get_help(click.Context(command, info_name=name, parent=context, max_content_width=100))
        lines += ["", f"## headwater {name}", "", "```text", *(line.rstrip() for line in text.splitlines()), "```"]
    return "\n".join([*lines, ""])


def reasons_page() -> str:
    """Every reason a URL can be refused for, in the order the rules are asked."""
    lines = [NOTICE, "# Reasons a URL is refused", ""]
    lines += ["The rules are asked in this order; the first that applies decides, and its name is the reason."]
    lines += ["`headwater explain URL --base SITE` shows them at work.", "", "| reason | what it says |", "|---|---|"]
    lines += [f"| `{get_rule_reason(rule)}` | {inspect.getdoc(rule)} |" for rule in SKIP_RULES]
    lines += ["", "Other reasons arise while a site is read:", "", "| reason | what it says |", "|---|---|"]
    lines += [f"| `{reason}` | {meaning} |" for reason, meaning in CRAWL_REASONS.items()]
    return "\n".join([*lines, ""])


def _setting_row(row: Setting) -> str:
    alias = f" (also read from `{row.alias}`{', in ms' if row.alias_unit != 1 else ''})" if row.alias else ""
    unit = f" {row.kind.unit}" if row.kind.unit else ""
    return f"| `{row.name}` | `{format_value(row.default)}`{unit} | {row.help}{alias} | {row.kind.allowed} |"


def _preset_table() -> list[str]:
    named = {name for values in PRESETS.values() for name in values}
    lines = [
        "",
        "## Presets",
        "",
        "`--preset NAME` starts from one of these; where a cell is empty the default holds.",
        "",
    ]
    lines += [f"| setting | {' | '.join(PRESETS)} |", "|---|" + "---|" * len(PRESETS)]
    for name in SETTINGS:
        if name in named:
            cells = [
                format_value(values[name]).replace(",", ", ") if name in values else "" for values in PRESETS.values()
            ]
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return lines


PAGES = {"settings.md": settings_page, "commands.md": commands_page, "reasons.md": reasons_page}

if __name__ == "__main__":
    for file_name, write in PAGES.items():
        (REFERENCE / file_name).write_text(write())
