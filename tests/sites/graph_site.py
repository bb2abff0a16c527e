"""A generated site with a known graph, and sites that are traps; every request is counted."""

from __future__ import annotations

import random
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class GraphSite:
    """Where it is, what was asked of it."""

    origin: str = ""
    hits: Counter[str] = field(default_factory=Counter)

    @property
    def page_hits(self) -> int:
        return sum(count for path, count in self.hits.items() if path != "/robots.txt")


@contextmanager
def serving(answer: Callable[[str], str | None]) -> Iterator[GraphSite]:
    """A site whose pages a function makes from their path and query; None is a 404."""
    site = GraphSite()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            with lock:
                site.hits[self.path] += 1
            text = answer(self.path)
            body = (text or "").encode()
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Hits are counted instead."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 256

        def handle_error(self, *_: object) -> None:
            """Clients that are killed hang up; that is no error here."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    site.origin = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def random_graph(count: int, links: int = 5, seed: int = 1) -> dict[str, list[str]]:
    """Pages `/p/0` to `/p/count-1`, all reachable from the first; each links to a few others, one to nothing."""
    chance = random.Random(seed)
    graph: dict[str, list[str]] = {f"/p/{number}": [] for number in range(count)}
    for number in range(1, count):
        graph[f"/p/{chance.randrange(number)}"].append(f"/p/{number}")
    for page in graph:
        graph[page] += [f"/p/{chance.randrange(count)}" for _ in range(links)]
    graph["/p/0"].append("/missing")
    return graph


def graph_page(graph: dict[str, list[str]], path: str) -> str | None:
    """The page of a graph at this path."""
    if path not in graph:
        return None
    links = "".join(f'<p><a href="{target}">{target}</a></p>' for target in graph[path])
    return f"<!doctype html><title>{path}</title>{links}"
