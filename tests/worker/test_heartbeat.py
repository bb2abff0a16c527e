"""Heartbeats: parsing does not delay them, and a worker that cannot send any stops its requests."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from psycopg.conninfo import conninfo_to_dict

from tests.commands import headwater, until
from tests.sites.many_sites import many_sites
from tests.sites.table_site import table_site
from tests.worker.fleets import TestFleet, count_page_requests

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.postgres import Server

# Loaded by every Python process: a page that takes twice the stall limit to parse.
HEAVY = """
import time
import headwater.examination.examiner as examine
parse = examine.parse_html
def heavy(body, charset=""):
    end = time.monotonic() + (6 if b"HEAVY" in body else 0)
    while time.monotonic() < end:
        pass
    return parse(body, charset)
examine.parse_html = heavy
"""


def test_parsing_does_not_delay_heartbeats(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(HEAVY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    fleet = TestFleet(database, tmp_path)
    with table_site(
        lambda _: {"/": '<a href="/heavy">h</a>', "/heavy": 'HEAVY <a href="/last">l</a>', "/last": "."}
    ) as site:
        fleet.run("submit", site.origin, "--stages", "crawl")
        with (
            fleet.running_worker("--stall-limit", "3") as first,
            fleet.running_worker("--stall-limit", "3", name="other") as second,
        ):
            until(lambda: fleet.states() == {"done": 1})
            log = first.err + second.err
        assert (site.hits["/heavy"], site.hits["/last"]) == (1, 1)
    assert fleet.query("SELECT epoch, slices, pages FROM site") == [(1, 1, 3)]
    assert "sites freed" not in log


def test_without_heartbeats_no_requests_are_sent(postgres_server: Server, tmp_path: Path) -> None:
    with postgres_server.database() as url, many_sites(2, 60, 0.1, tmp_path) as sites:
        fleet, name = TestFleet(url, tmp_path), conninfo_to_dict(url)["dbname"]
        fleet.run("submit", sites.origins[0], "--stages", "crawl", "--max-depth", "none", "--max-parallel", "1")
        with fleet.running_worker("--stall-limit", "3") as worker:
            until(lambda: fleet.query_value("SELECT pages FROM site") > 3)
            postgres_server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
            postgres_server.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
            # A crawl of the other site takes as long as the rest of this one would.
            alone = ("--max-parallel", "1", "--quiet", "--db", str(tmp_path / "witness.db"))
            assert headwater("crawl", sites.origins[1], *alone).code == 0
            requests = Counter(port for port, _ in count_page_requests(sites))
            first, second = (urlsplit(origin).port or 0 for origin in sites.origins)
            assert requests[first] < requests[second] == 60
            postgres_server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
            until(lambda: fleet.states() == {"done": 1})
            log = worker.err
        assert fleet.query_value("SELECT pages FROM site") == 60
        assert fleet.query_value("SELECT count(*) FROM page WHERE state = 1") == 60
    assert "database unavailable" in log
