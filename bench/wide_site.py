"""Serve a nearly endless site on loopback: every page links to pages that no other page has linked to before.

Pages are computed from their numbers, so the site needs neither disk nor memory. The children of a page are in their
own folder, and names consist of syllables like real words, so that pages do not look like a crawler trap.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.child_server import child_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstvz" for vowel in "aeiou"]
NUMBERS = {syllable: number for number, syllable in enumerate(SYLLABLES)}
SHORTEST = 3
HEAD = "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"


def word_of(number: int) -> str:
    """Return a word for a number, with at least three syllables."""
    syllables: list[str] = []
    while number or len(syllables) < SHORTEST:
        number, rest = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[rest])
    return "".join(reversed(syllables))


def number_of(word: str) -> int:
    """Return the number of a word."""
    number = 0
    for place in range(0, len(word), 2):
        number = number * len(SYLLABLES) + NUMBERS[word[place : place + 2]]
    return number


class Site:
    """Pages by number: page N is the first to link to pages N × links + 1 to N × links + links."""

    def __init__(self, links: int) -> None:
        self._links = links
        self._names = [word_of(place) for place in range(links)]

    def page(self, path: str) -> str:
        """Return the page at a path; raise KeyError if there is none."""
        number = self._number(path)
        directory = f"/library/{word_of(number)}/"
        known = [0, (number - 1) // self._links, number // 2, number // 3] if number else []
        new = [f'<li><a href="{directory}{name}">The {name}</a></li>\n' for name in self._names]
        old = [f'<li><a href="{self._path(other)}">See {other}</a></li>\n' for other in known]
        return f"<!doctype html><title>Page {number}</title><h1>{number}</h1><ul>{''.join(old)}{''.join(new)}</ul>"

    def _number(self, path: str) -> int:
        if path == "/":
            return 0
        _, root, directory, name = path.split("/")
        if root != "library":
            raise KeyError(path)
        return number_of(directory) * self._links + number_of(name) + 1

    def _path(self, number: int) -> str:
        parent, place = divmod(number - 1, self._links)
        return f"/library/{word_of(parent)}/{self._names[place]}" if number else "/"

    def answer(self, path: str) -> bytes:
        """Return the HTTP response for a path."""
        try:
            status, body = "200 OK", self.page(path).encode()
        except (KeyError, ValueError):
            status, body = "404 Not Found", b""
        return HEAD.format(status=status, length=len(body)).encode() + body


class Connection(asyncio.Protocol):
    """HTTP/1.1 as far as a crawler needs it: GET requests on a persistent connection."""

    def __init__(self, answer: Callable[[str], bytes]) -> None:
        self._answer = answer
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport for responses."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every complete request."""
        *requests, self._received = (self._received + data).split(b"\r\n\r\n")
        for request in requests:
            self._transport.write(self._answer(request.split(b" ", 2)[1].decode()))


@contextmanager
def wide_site(links: int) -> Iterator[str]:
    """Serve the site in a child process and yield its origin."""
    with child_server("bench.wide_site", links) as port:
        yield f"http://127.0.0.1:{port}"


async def serve(port: int, links: int) -> None:
    """Serve until terminated."""
    site = Site(links)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(site.answer), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[2]), int(sys.argv[3])))
