"""`headwater completion`: the script that makes a shell complete our commands and flags."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL, for example: eval "$(headwater completion bash)"."""
    completion = get_completion_class(shell)
    if completion is None:
        raise click.ClickException(f"no completion for {shell}")
    root = ctx.find_root().command
    click.echo(completion(root, {}, "headwater", "_HEADWATER_COMPLETE").source())
