"""Keep an option whose value is missing from taking the next option as its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

END_OF_OPTIONS = "--"


def resolve_bare_options(arguments: Sequence[str], flags: frozenset[str], values: Mapping[str, str]) -> list[str]:
    """Return the arguments with the values of options that are given without one.

    `flags` are all options of the command. `values` has those that take a value, with the value to use if it is
    missing; if that is empty, a missing value is an error. A URL is a value only where one is needed.
    """
    resolved: list[str] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == END_OF_OPTIONS:
            return [*resolved, argument, *rest]
        if argument not in values:
            resolved.append(argument)
            continue
        default, following = values[argument], rest[0] if rest else ""
        is_other_option = following.partition("=")[0] in flags
        if default and (not rest or is_other_option or "://" in following):
            resolved.append(f"{argument}={default}")
        elif is_other_option:
            raise click.BadOptionUsage(argument, f"{argument} needs a value, but {following} follows")
        else:
            resolved += [argument, *rest[:1]]
            del rest[:1]
    return resolved
