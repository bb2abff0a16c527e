"""Advice for output that could not be written: each command says where its results are stored."""

from __future__ import annotations

import click

_KEY = "headwater.advice"


def set_hint(text: str) -> None:
    """Set what to do when the output of the current command cannot be written."""
    click.get_current_context().meta[_KEY] = text


def set_export_hint(db: str, *, all_sites: bool = False, resumes: bool = False) -> None:
    """Set the advice of commands whose pages are stored; with `resumes` the scan may not be finished."""
    command = f"headwater export --db {db}{' --all-sites' if all_sites else ''} -o FILE"
    continuing = f" `headwater resume --db {db}` continues the scan if it was cut short." if resumes else ""
    set_hint(f"The results are stored in {db}: `{command}` writes them.{continuing}")


def get_hint(ctx: click.Context) -> str:
    """Return the advice of the command in this context; empty if it set none."""
    return str(ctx.meta.get(_KEY, ""))
