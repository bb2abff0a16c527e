"""A site almost without end on loopback: page N links to the next so many pages that nobody linked to before.

Pages are computed from their numbers, so the site costs neither disk nor memory. Children of page N stand in a
directory of its own, and all names are made of syllables, as words are: no page looks like a trap's.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.sites.nginx import free_port, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstvz" for vowel in "aeiou"]
NUMBERS = {syllable: number for number, syllable in enumerate(SYLLABLES)}
SHORTEST = 3
HEAD = "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"


def word_of(number: int) -> str:
    """A word for a number, of three syllables at least."""
    syllables: list[str] = []
    while number or len(syllables) < SHORTEST:
        number, rest = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[rest])
    return "".join(reversed(syllables))


def number_of(word: str) -> int:
    """The number a word stands for."""
    number = 0
    for place in range(0, len(word), 2):
        number = number * len(SYLLABLES) + NUMBERS[word[place : place + 2]]
    return number


class Site:
    """Pages by number: those that page N is the first to link to are N × links + 1 to N × links + links."""

    def __init__(self, links: int) -> None:
        self._links = links
        self._names = [word_of(place) for place in range(links)]

    def page(self, path: str) -> str:
        """The page at a path; KeyError where there is none."""
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
        """Return the whole answer for a path."""
        try:
            status, body = "200 OK", self.page(path).encode()
        except (KeyError, ValueError):
            status, body = "404 Not Found", b""
        return HEAD.format(status=status, length=len(body)).encode() + body


class Connection(asyncio.Protocol):
    """HTTP/1.1 as far as a crawler needs it: GET, kept alive, no body."""

    def __init__(self, answer: Callable[[str], bytes]) -> None:
        self._answer = answer
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what answers are written to."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every request that is complete."""
        *requests, self._received = (self._received + data).split(b"\r\n\r\n")
        for request in requests:
            self._transport.write(self._answer(request.split(b" ", 2)[1].decode()))


@contextmanager
def wide_site(links: int) -> Iterator[str]:
    """Serve the site in a process of its own; gives the origin."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.wide_site", str(port), str(links)])
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


async def serve(port: int, links: int) -> None:
    """Until terminated."""
    site = Site(links)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(site.answer), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
