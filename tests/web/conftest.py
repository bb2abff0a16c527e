"""One server over the sample site for tests that only read; other tests start their own.

Tests of the API run over SQLite and PostgreSQL, the others over SQLite.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest
from sample.serve import sample_site

from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests import postgres

BOTH_STORES = ("test_api",)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize tests that need a store."""
    if "backend" in metafunc.fixturenames:
        is_both = metafunc.module.__name__.rpartition(".")[2] in BOTH_STORES
        metafunc.parametrize("backend", ["sqlite", "postgres"] if is_both else ["sqlite"], scope="module")


class World(NamedTuple):
    """A server that has scanned the sample site twice."""

    server: Server
    origin: str
    first: int
    second: int


@contextmanager
def store_of(backend: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Create an empty store and yield its `--db` value."""
    if backend == "sqlite":
        yield str(folder / "web.db")
        return
    server: postgres.Server = request.getfixturevalue("postgres_server")
    with server.prepared_database() as url:
        yield url


@pytest.fixture
def db(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    with store_of(backend, tmp_path, request) as name:
        yield name


@pytest.fixture(scope="module")
def world(backend: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("web")
    with (
        sample_site() as origin,
        store_of(backend, folder, request) as db,
        serving(folder, db=db) as server,
    ):
        first = server.scan(origin, settings={"links": "all", "keep_skipped": True})
        second = server.scan(origin, settings={"max_depth": 1})
        yield World(server, origin, first, second)


@pytest.fixture
def server(world: World) -> Server:
    return world.server
