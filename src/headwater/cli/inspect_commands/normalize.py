"""`headwater normalize`: print URLs in the form Headwater lists them; lines that are not URLs go to stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import MAX_LINE_BYTES, get_stdin, printable, read_lines
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.plurals import format_count
from headwater.urls.normalization import Policy, normalize
from headwater.urls.parsing import explain_unusable_url

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("normalize", cls=SettingsCommand)
@click.argument("urls", nargs=-1)
@settings_options("urls", preset="waterfall")
def command(urls: tuple[str, ...], chosen: EffectiveSettings) -> None:
    """Print URLS, or the lines of stdin, as Headwater lists them.

    Lines that are not http or https URLs are reported on stderr, and the exit code is 1.
    """
    policy = Policy.from_settings(chosen.settings)
    batches = iter([[url.encode("utf-8", "surrogateescape") for url in urls]]) if urls else read_lines(get_stdin())
    unit = "argument" if urls else "line"
    invalid = _write_all(batches, policy, unit)
    if invalid:
        verb = "is not an http or https URL" if invalid == 1 else "are not http or https URLs"
        click.echo(f"{format_count(invalid, unit)} {verb}", err=True)
        sys.exit(1)


def _write_all(batches: Iterator[list[bytes | None]] | Iterator[list[bytes]], policy: Policy, unit: str) -> int:
    number = invalid = 0
    for batch in batches:
        written: list[str] = []
        for line in batch:
            number += 1
            url, problem = _normalize_line(line, policy)
            if url is not None:
                written.append(url)
            elif problem:
                invalid += 1
                click.echo(f"{unit} {number}: {problem}", err=True)
        if written:
            sys.stdout.write("\n".join(written) + "\n")
            sys.stdout.flush()
    return invalid


def _normalize_line(line: bytes | None, policy: Policy) -> tuple[str | None, str]:
    """Return the normalized URL and a problem to report; neither for a blank line."""
    if line is None:
        return None, f"longer than {MAX_LINE_BYTES:,} bytes"
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None, f"not UTF-8 text: {printable(line.decode('latin-1'))}"
    url = normalize(text, policy)
    if url is not None or not text.strip():
        return url, ""
    return None, f"{explain_unusable_url(text)}: {printable(text)}"
