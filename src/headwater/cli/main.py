"""The `headwater` command: a table of subcommands; the module of a command is imported when it is called."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click

from headwater import __version__
from headwater.cli.display.hints import get_hint
from headwater.errors import (
    HeadwaterError,
    LoginError,
    OutputError,
    ScanStoppedError,
    StoreFailedError,
    UnreachableError,
)
from headwater.output_stream import STANDARD_OUTPUT, replace_standard_streams

GROUPS = {
    "Scan sites": (
        "scan_commands",
        {
            "discover": "Find every page of a site: navigation, sitemaps, links",
            "crawl": "Follow links to every page of a site",
            "resume": "Continue the last unfinished scan",
            "export": "Write a scan in any format",
            "diff": "Compare two scans of a site",
            "audit": "List what is wrong with a site",
            "scans": "List, name or delete stored scans",
            "watch": "Scan a site again and again, and report what changed",
        },
    ),
    "Inspect": (
        "inspect_commands",
        {
            "explain": "Show what each rule decides about a URL",
            "history": "Show when a page was new, changed, gone or back",
            "normalize": "Print URLs as Headwater lists them",
            "robots": "Check paths against a site's robots.txt",
            "sitemap": "List the contents of a site's sitemaps",
            "settings": "Print every setting, its value and its origin",
            "doctor": "Check what is installed and what is missing",
            "completion": "Print the completion script for a shell",
        },
    ),
    "Dive into a topic": (
        "dive_commands",
        {
            "dive": "Read the pages of a cluster, for search and questions",
            "search": "Search the passages of a dive",
            "ask": "Answer a question from the passages of a dive",
        },
    ),
    "Serve": (
        "server_commands",
        {
            "serve": "Start the web page and its API",
            "mcp": "Serve Headwater's tools to a language model",
        },
    ),
    "Operate a fleet": (
        "fleet_commands",
        {
            "submit": "Submit sites to the fleet",
            "worker": "Scan the fleet's sites on this machine",
            "status": "Show the state of the fleet",
            "pause": "Pause sites",
            "cancel": "Cancel sites",
        },
    ),
}
"""Section titles of `--help`, with the package of the modules and the commands with a line of help each."""

COMMANDS = {name: package for package, commands in GROUPS.values() for name in commands}
"""The package of each command."""

INTERRUPTED = "Interrupted"
_GROUP_OPTIONS = frozenset({"-h", "--help", "--version"})


def _looks_like_url(text: str) -> bool:
    return "://" in text or "." in text or text.startswith("localhost")


class _LazyGroup(click.Group):
    """A group that imports the module of a command when it is called, so that every command starts fast."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a name; `headwater https://example.com` is short for `headwater discover https://example.com`."""
        if args and args[0] not in COMMANDS and _looks_like_url(args[0]):
            args = ["discover", *args]
        if args and args[0] not in COMMANDS:
            close = get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {close[0]!r}?" if close else ""))
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; `headwater --url U` is short for `headwater discover --url U`."""
        if args and args[0].startswith("-") and args[0] not in _GROUP_OPTIONS:
            args = ["discover", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  (the return value of any command)
        """Run the command; add its advice to the error about output that cannot be written."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except OutputError as error:
            error.advice = get_hint(ctx) or error.advice
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"headwater.cli.{COMMANDS[cmd_name]}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for name in COMMANDS)
        for title, (_, commands) in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in commands.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="headwater")
def group() -> None:
    """Find every page of a website, and show where each one came from.

    `headwater URL` is short for `headwater discover URL`. `headwater COMMAND --help` explains a command.
    """


def main() -> None:
    """Run the command line and exit: 0 for success, 1 for failure, 2 for wrong usage, 130 after Ctrl-C."""
    sys.unraisablehook = _on_unraisable
    replace_standard_streams()
    try:
        code = group.main(prog_name="headwater", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt, ScanStoppedError) as error:
        click.echo(str(error) if isinstance(error, ScanStoppedError) else INTERRUPTED, err=True)
        with suppress(OutputError):
            sys.stdout.flush()
        # Stack frames still hold objects whose libraries would print warnings at a normal exit.
        os._exit(130)
    except OutputError as error:
        _exit_on_output_error(error)
    except UnreachableError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    except HeadwaterError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1 if isinstance(error, StoreFailedError | LoginError) else 2)


def _exit_on_output_error(error: OutputError) -> NoReturn:
    """Print what could not be written; a closed pipe, for example to `head`, is not an error."""
    if error.place == STANDARD_OUTPUT:
        sys.stdout = None  # keeps Python from flushing the rest at exit
        if isinstance(error.__cause__, BrokenPipeError):
            sys.exit(0)
    click.echo(f"Error: {error} {error.advice}", err=True)
    sys.exit(1)


def _on_unraisable(problem: sys.UnraisableHookArgs) -> None:
    """Exit on a Ctrl-C that arrives in a callback of the interpreter, where Python would ignore it."""
    if problem.exc_type is KeyboardInterrupt:
        click.echo(INTERRUPTED, err=True)
        os._exit(130)
    sys.__unraisablehook__(problem)
