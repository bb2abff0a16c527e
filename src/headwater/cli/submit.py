"""`headwater submit`: sites for the fleet, from the command line, a file or standard input, in any number."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwater.api import public_settings
from headwater.cli.fleet import open_fleet
from headwater.cli.options import blaming, effective_settings, settings_options
from headwater.cli.streams import printable, read_lines, standard_input
from headwater.errors import SettingError, StoreError, UrlError
from headwater.settings.values import seconds
from headwater.store.fleet import seed_of_site
from headwater.store.opening import server_module
from headwater.urls import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.cli.streams import Readable
    from headwater.settings import Effective

_SHOWN = 20
_EVERY = seconds(1.0, 10 * 365 * 86_400.0)


@click.command("submit")
@click.argument("urls", nargs=-1)
@click.option("--file", "files", multiple=True, metavar="FILE", help="Sites, one a line; - is standard input")
@click.option("--priority", type=click.IntRange(-1000, 1000), default=0, metavar="N", help="Higher ones go first")
@click.option("--every", metavar="TIME", help="Scan again about this often (6h, 1d): sooner if a site changes a lot")
@click.option("--fixed", is_flag=True, help="With --every: always after exactly this time")
@settings_options("scope", "urls", "stages", "sitemaps", "limits", "fetch", "store", "output")
def command(
    urls: tuple[str, ...],
    files: tuple[str, ...],
    priority: int,
    every: str | None,
    fixed: bool,
    **flags: Any,  # noqa: ANN401
) -> None:
    """Give sites to the fleet of --db: URLS, the lines of --file, or of standard input.

    Blank lines and those that begin with # are skipped; lines that are no URL are named and left out, with --strict
    nothing at all is submitted then. Sites that wait or are worked on already stay as they are.
    """
    chosen = effective_settings(flags)
    _check(chosen)
    lines = _Lines(urls, files)
    wish = {
        "settings": public_settings(chosen.settings),
        "priority": priority,
        "every": _every(every),
        "is_fixed": fixed,
    }
    fleet = open_fleet(chosen.settings.db)
    try:
        done = fleet.submit(lines.seeds(strict=chosen.settings.strict), server_module("store.fleet").Wish(**wish))
    except UrlError:
        click.echo("nothing was submitted, for --strict was given", err=True)
        sys.exit(2)
    fleet.server.close()
    refused = f"; {lines.refused:,} lines refused" if lines.refused else ""
    click.echo(
        f"{done.new:,} new, {done.again:,} again, {done.known:,} waiting or under way already{refused}", err=True
    )
    sys.exit(0 if sum(done) else 1)


def _check(chosen: Effective) -> None:
    """Mistakes that would otherwise show themselves on a worker."""
    with blaming(chosen):
        Scope.from_settings(["https://example.com/"], chosen.settings)
    for name in ("header", "credentials"):
        if getattr(chosen.settings, name) and chosen.origins[name].startswith("-"):
            raise SettingError(
                name, "it is secret and never stored; give it to `headwater worker`", chosen.origins[name]
            )


def _every(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return _EVERY.read(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not allowed; expected {_EVERY.allowed}", param_hint="--every") from None


class _Lines:
    """What was named, one seed after another; what is no URL is told."""

    def __init__(self, urls: tuple[str, ...], files: tuple[str, ...]) -> None:
        self._urls, self._files = urls, files
        self.refused = 0

    def seeds(self, *, strict: bool) -> Iterator[str]:
        """The seeds as they are requested."""
        for place, text in self._texts():
            seed = text.strip()
            if not seed or seed.startswith("#"):
                continue
            try:
                href = seed_of_site(seed)
            except UrlError as error:
                self._refuse(place, error)
                if strict:
                    raise
                continue
            yield href

    def _refuse(self, place: str, error: UrlError) -> None:
        self.refused += 1
        if self.refused <= _SHOWN:
            click.echo(f"{place}: {printable(error.url, 200)} cannot be used: {error.why}", err=True)
        if self.refused == _SHOWN + 1:
            click.echo("… and more", err=True)

    def _texts(self) -> Iterator[tuple[str, str]]:
        for number, url in enumerate(self._urls, 1):
            yield f"argument {number}", url
        for name in self._files or (() if self._urls else ("-",)):
            yield from _file(name)


def _file(name: str) -> Iterator[tuple[str, str]]:
    if name == "-":
        yield from _numbered(standard_input(), "line ")
        return
    try:
        with Path(name).open("rb") as stream:
            yield from _numbered(stream, f"{name}:")
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror}; nothing was submitted") from None


def _numbered(stream: Readable, place: str) -> Iterator[tuple[str, str]]:
    number = 0
    for lines in read_lines(stream):
        for line in lines:
            number += 1
            text = "\0 a line that is too long" if line is None else line.decode("utf-8", "replace")
            yield f"{place}{number}", text.lstrip("\ufeff")
