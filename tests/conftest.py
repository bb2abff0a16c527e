"""Collects the suites over public data only where that data is; starts PostgreSQL for whoever needs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
settings.register_profile("untimed", deadline=None)  # how long an example takes is the machine's affair
settings.load_profile("untimed")
collect_ignore_glob = [] if DATA.is_dir() else ["suites/*"]


@pytest.fixture(scope="session")
def own_server() -> Iterator[postgres.Server]:
    """A PostgreSQL that tests may stop and configure."""
    server = postgres.start()
    yield server
    postgres.stop(server)


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> postgres.Server:
    """The PostgreSQL that HEADWATER_TEST_POSTGRES names, or else our own."""
    named = postgres.given()
    own: postgres.Server = named or request.getfixturevalue("own_server")
    return own


@pytest.fixture
def database(server: postgres.Server) -> Iterator[str]:
    """The URL of an empty database."""
    with server.database() as url:
        yield url
