"""Sites named on the command line, in files or on standard input, in any number; what is no URL is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import get_stdin, printable, read_lines
from headwater.errors import StoreError, UrlError
from headwater.urls.parsing import parse_seed_without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.cli.display.text_streams import Readable

_MAX_REPORTED = 20


class SeedReader:
    """What was named, one seed after another; what is no URL is told."""

    def __init__(self, urls: Sequence[str], files: Sequence[str], instead: str) -> None:
        """`instead` says what to do with credentials, which are not taken from lists."""
        self._urls, self._files, self._credentials_hint = urls, files, instead
        self.refused = 0

    def seeds(self, *, strict: bool) -> Iterator[str]:
        """The seeds as they are requested."""
        for place, text in self._texts():
            seed = text.strip()
            if not seed or seed.startswith("#"):
                continue
            try:
                href = parse_seed_without_credentials(seed, self._credentials_hint)
            except UrlError as error:
                self._refuse(place, error)
                if strict:
                    raise
                continue
            yield href

    def _refuse(self, place: str, error: UrlError) -> None:
        self.refused += 1
        if self.refused <= _MAX_REPORTED:
            click.echo(f"{place}: {printable(error.url, 200)} cannot be used: {error.why}", err=True)
        if self.refused == _MAX_REPORTED + 1:
            click.echo("… and more", err=True)

    def _texts(self) -> Iterator[tuple[str, str]]:
        for number, url in enumerate(self._urls, 1):
            yield f"argument {number}", url
        for name in self._files:
            yield from _read_file(name)


def _read_file(name: str) -> Iterator[tuple[str, str]]:
    if name == "-":
        yield from _number_lines(get_stdin(), "line ")
        return
    try:
        with Path(name).open("rb") as stream:
            yield from _number_lines(stream, f"{name}:")
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror}; nothing was begun") from None


def _number_lines(stream: Readable, place: str) -> Iterator[tuple[str, str]]:
    number = 0
    for lines in read_lines(stream):
        for line in lines:
            number += 1
            text = "\0 a line that is too long" if line is None else line.decode("utf-8", "replace")
            yield f"{place}{number}", text.lstrip("\ufeff")
