"""One server and the sample site for all that only look; tests that need their own start their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from sample.serve import sample_site

from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator


class World(NamedTuple):
    """A server that has scanned the sample site twice."""

    server: Server
    origin: str
    first: int
    second: int


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with sample_site() as origin, serving(tmp_path_factory.mktemp("web")) as server:
        first = server.scan(origin, settings={"links": "all", "keep_skipped": True})
        second = server.scan(origin, settings={"max_depth": 1})
        yield World(server, origin, first, second)


@pytest.fixture
def server(world: World) -> Server:
    return world.server
