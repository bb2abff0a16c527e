"""Read any number of sites from arguments, files and standard input; lines that are not URLs are reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import get_stdin, printable, read_lines
from headwater.errors import HeadwaterError, StoreError, UrlError
from headwater.urls.parsing import parse_seed_without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.cli.display.text_streams import Readable

STANDARD_INPUT = "-"
_MAX_REPORTED = 20


class SeedReader:
    """Reads seeds from arguments and files, in the given order."""

    def __init__(self, urls: Sequence[str], files: Sequence[str], credentials_hint: str) -> None:
        """`credentials_hint` says what to do with credentials, which are not accepted in lists."""
        self._urls, self._files, self._credentials_hint = urls, files, credentials_hint
        self.invalid = 0

    def seeds(self, *, strict: bool) -> Iterator[str]:
        """Yield the seeds as they are requested; with `strict`, raise an error at the end if lines are not URLs."""
        for place, text in self._iterate_texts():
            seed = text.strip()
            if not seed or seed.startswith("#"):
                continue
            try:
                href = parse_seed_without_credentials(seed, self._credentials_hint)
            except UrlError as error:
                self._report(place, error)
                continue
            yield href
        if strict and self.invalid:
            lines = "1 line is not a URL" if self.invalid == 1 else f"{self.invalid:,} lines are not URLs"
            raise HeadwaterError(f"--strict: nothing was started because {lines}")

    def _report(self, place: str, error: UrlError) -> None:
        self.invalid += 1
        if self.invalid <= _MAX_REPORTED:
            click.echo(f"{place}: {printable(error.url, 200)} cannot be used: {error.why}", err=True)
        if self.invalid == _MAX_REPORTED + 1:
            click.echo("… and more", err=True)

    def _iterate_texts(self) -> Iterator[tuple[str, str]]:
        for number, url in enumerate(self._urls, 1):
            yield f"argument {number}", url
        for name in self._files:
            yield from _read_file(name)


def check_readable(files: Sequence[str]) -> None:
    """Raise an error for files that cannot be read."""
    for name in files:
        if name != STANDARD_INPUT:
            try:
                Path(name).open("rb").close()
            except OSError as error:
                raise _create_read_error(name, error) from None


def _read_file(name: str) -> Iterator[tuple[str, str]]:
    if name == STANDARD_INPUT:
        yield from _number_lines(get_stdin(), "line ")
        return
    try:
        with Path(name).open("rb") as stream:
            yield from _number_lines(stream, f"{name}:")
    except OSError as error:
        raise _create_read_error(name, error) from None


def _create_read_error(name: str, error: OSError) -> StoreError:
    return StoreError(f"{name} cannot be read: {error.strerror}; nothing was started")


def _number_lines(stream: Readable, place: str) -> Iterator[tuple[str, str]]:
    number = 0
    for lines in read_lines(stream):
        for line in lines:
            number += 1
            text = "\0 a line that is too long" if line is None else line.decode("utf-8", "replace")
            yield f"{place}{number}", text.lstrip("\ufeff")
