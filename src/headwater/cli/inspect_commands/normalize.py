"""`headwater normalize`: one URL a line in, its listed spelling out; what is no URL goes to stderr with the reason."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.display.text_streams import MAX_LINE_BYTES, get_stdin, printable, read_lines
from headwater.cli.options import load_settings, settings_options
from headwater.urls.normalization import Policy, normalize
from headwater.urls.parsing import explain_unusable_url

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("normalize")
@click.argument("urls", nargs=-1)
@settings_options("urls")
def command(urls: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Write URLS, or the lines of standard input, as Headwater lists them.

    Lines that are no http(s) URL are reported on stderr; the exit code is then 1.
    """
    policy = Policy.from_settings(load_settings(flags, "waterfall").settings)
    batches = iter([[url.encode("utf-8", "surrogateescape") for url in urls]]) if urls else read_lines(get_stdin())
    refused = _write_all(batches, policy, "argument" if urls else "line")
    if refused:
        click.echo(f"{refused:,} {'was' if refused == 1 else 'were'} no http(s) URL", err=True)
        sys.exit(1)


def _write_all(batches: Iterator[list[bytes | None]] | Iterator[list[bytes]], policy: Policy, unit: str) -> int:
    number = refused = 0
    for batch in batches:
        written: list[str] = []
        for line in batch:
            number += 1
            url, problem = _normalize_line(line, policy)
            if url is not None:
                written.append(url)
            elif problem:
                refused += 1
                click.echo(f"{unit} {number}: {problem}", err=True)
        if written:
            sys.stdout.write("\n".join(written) + "\n")
            sys.stdout.flush()
    return refused


def _normalize_line(line: bytes | None, policy: Policy) -> tuple[str | None, str]:
    """The URL, or a problem to report; neither for a blank line."""
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
