"""Serve generated sites with a known link graph, and count the requests."""

from __future__ import annotations

import random
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.sites.table_site import Answer, Hits, ReceivedRequest, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class GraphSite:
    """A running site and the number of requests for each path."""

    origin: str = ""
    hits: Hits = field(default_factory=Hits)

    @property
    def page_hits(self) -> int:
        return sum(count for path, count in self.hits.items() if path != "/robots.txt")


@contextmanager
def serving(make_page: Callable[[str], str | None]) -> Iterator[GraphSite]:
    """Serve the pages that a function makes from path and query; None stands for a 404."""
    site = GraphSite()

    def answer(request: ReceivedRequest) -> Answer:
        site.hits.count(request.path)
        page = make_page(request.path)
        return Answer("", 404, "text/html") if page is None else Answer(page, type="text/html")

    with serve(answer) as server:
        site.origin = server.origin
        yield site


def random_graph(count: int, links: int = 5, seed: int = 1) -> dict[str, list[str]]:
    """Return the links of pages `/p/0` to `/p/count-1`, all reachable from the first, which also has a broken link."""
    chance = random.Random(seed)
    graph: dict[str, list[str]] = {f"/p/{number}": [] for number in range(count)}
    for number in range(1, count):
        graph[f"/p/{chance.randrange(number)}"].append(f"/p/{number}")
    for page in graph:
        graph[page] += [f"/p/{chance.randrange(count)}" for _ in range(links)]
    graph["/p/0"].append("/missing")
    return graph


def graph_page(graph: dict[str, list[str]], path: str) -> str | None:
    """Return the HTML of the page at a path; None if the graph has no such page."""
    if path not in graph:
        return None
    links = "".join(f'<p><a href="{target}">{target}</a></p>' for target in graph[path])
    return f"<!doctype html><title>{path}</title>{links}"
