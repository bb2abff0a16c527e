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
SLOW = (
    "discovery/test_render", "fetch/test_browser", "fetch/test_tab", "web/test_page_in_chromium",
    "export/test_html_in_chromium", "worker/", "cli/test_discover", "discovery/test_crawl", "dive/", "sites/spa",
    "web/", "cli/", "many/",
)  # fmt: skip
"""Files that take long, the longest first: begun late they would be waited for by the others."""

collect_ignore_glob = [] if DATA.is_dir() else ["suites/*"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the slow files begin."""
    here = Path(__file__).parent
    items.sort(key=lambda item: _turn(item.path.relative_to(here).as_posix()))


def _turn(path: str) -> int:
    return next((turn for turn, name in enumerate(SLOW) if path.startswith(name)), len(SLOW))


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
