"""`headwater completion`: print the script that completes commands and flags in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL. Load it with, for example: eval "$(headwater completion bash)"."""
    completion = get_completion_class(shell)
    if completion is None:
        raise click.ClickException(f"Completion is not available for {shell}")
    root = ctx.find_root().command
    click.echo(completion(root, {}, "headwater", "_HEADWATER_COMPLETE").source())
