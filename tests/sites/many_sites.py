"""Serve many small sites from one child process, each on its own port, and log every request before answering it.

`python -m tests.sites.many_sites SITES PAGES SECONDS LOG` prints the ports and serves until it is killed. Pages form a
tree with three branches, so that a crawl needs several rounds; SECONDS is the delay of every page.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.commands import JOURNAL

if TYPE_CHECKING:
    from collections.abc import Iterator


class Hit(NamedTuple):
    """One request: time, port of the site, path and user agent."""

    at: float
    port: int
    path: str
    agent: str


@dataclass(frozen=True)
class ManySites:
    """The origins of the running sites, and their request log."""

    origins: list[str]
    pages: int
    log: Path

    @contextmanager
    def held(self, after: int = 0) -> Iterator[None]:
        """Hold back all pages while the block runs; with `after`, only those beyond this number of further requests."""
        gate = _gate(self.log)
        written = gate.with_suffix(".new")
        written.write_text(str(len(self.hits()) + after if after else 0))
        written.rename(gate)
        try:
            yield
        finally:
            gate.unlink()

    def hits(self) -> list[Hit]:
        """Return every request so far."""
        rows = (line.split(" ", 3) for line in self.log.read_text().splitlines())
        return [Hit(float(at), int(port), path, agent) for at, port, path, agent in rows]


@contextmanager
def many_sites(sites: int, pages: int, seconds: float, folder: Path) -> Iterator[ManySites]:
    """Start the child process and yield its sites."""
    log = folder / "requests.log"
    log.touch()
    command = [sys.executable, "-m", "tests.sites.many_sites", str(sites), str(pages), str(seconds), str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parent.parent.parent)
    try:
        assert process.stdout is not None
        ports = json.loads(process.stdout.readline())
        with JOURNAL.during(f"requests to {sites} sites", log.read_text):
            yield ManySites([f"http://127.0.0.1:{port}/" for port in ports], pages, log)
    finally:
        process.kill()
        process.communicate()


def _gate(log: Path) -> Path:
    """Return the file whose existence holds back pages: it holds the number of requests that are answered."""
    return log.with_name("held")


def _is_held(gate: Path, request: int) -> bool:
    """Return True while the answer to the request with this number is held back."""
    try:
        return request > int(gate.read_text())
    except FileNotFoundError:
        return False


def page(number: int, pages: int) -> str:
    """Return a page that links to its three children in the tree."""
    targets = [target for target in range(3 * number + 1, 3 * number + 4) if target < pages]
    links = "".join(f'<p><a href="/p{target}">Page {target}</a></p>' for target in targets)
    return f"<!doctype html><title>Page {number}</title>{links}<p>{number} of many</p>"


def build_body(path: str, pages: int) -> bytes | None:
    """Return the body for a path; None stands for a 404."""
    if path == "/":
        return page(0, pages).encode()
    number = int(path[2:]) if path.startswith("/p") and path[2:].isdecimal() else 0
    return page(number, pages).encode() if 0 < number < pages else None


async def main(sites: int, pages: int, seconds: float, log: Path) -> None:
    """Serve until killed."""
    gate, requests = _gate(log), count(1)
    with log.open("a", buffering=1) as out:

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            port = writer.get_extra_info("sockname")[1]
            try:
                while head := await reader.readuntil(b"\r\n\r\n"):
                    path = head.split(b" ", 2)[1].decode()
                    lines = head.decode("latin-1").split("\r\n")
                    agent = next((line[12:] for line in lines if line.lower().startswith("user-agent: ")), "")
                    request = next(requests)
                    out.write(f"{time.time()} {port} {path} {agent}\n")
                    body = build_body(path, pages)
                    if body is not None:
                        await asyncio.sleep(seconds)
                        while _is_held(gate, request):  # noqa: ASYNC110  (another process opens it)
                            await asyncio.sleep(0.02)
                    status = b"404 Not Found" if body is None else b"200 OK"
                    body = body or b"nothing here"
                    headers = b"Content-Type: text/html\r\nContent-Length: " + str(len(body)).encode()
                    writer.write(b"HTTP/1.1 " + status + b"\r\n" + headers + b"\r\n\r\n" + body)
                    await writer.drain()
            except (OSError, asyncio.IncompleteReadError):
                return  # the client was killed
            finally:
                writer.close()

        servers = [await asyncio.start_server(answer, "127.0.0.1", 0, backlog=256) for _ in range(sites)]
        print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])))
