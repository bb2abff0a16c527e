"""Heartbeats: parsing does not delay them, and a worker that cannot send any stops its requests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from psycopg.conninfo import conninfo_to_dict

from tests.commands import headwater, until
from tests.sites.many_sites import many_sites
from tests.sites.table_site import table_site
from tests.worker.fleets import GENTLE, TestFleet, count_page_requests

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.postgres import Server

# Loaded by every Python process: one page is parsed until a file exists.
HEAVY = """
import os
import headwater.examination.examiner as examine
parse = examine.parse_html
def heavy(body, charset=""):
    if b"HEAVY" in body:
        open({folder!r} + "/parsing", "w").close()
        while not os.path.exists({folder!r} + "/parsed"):
            pass
    return parse(body, charset)
examine.parse_html = heavy
"""


def test_parsing_does_not_delay_heartbeats(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(HEAVY.format(folder=str(tmp_path)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    fleet = TestFleet(database, tmp_path)
    with table_site(
        lambda _: {"/": '<a href="/heavy">h</a>', "/heavy": 'HEAVY <a href="/last">l</a>', "/last": "."}
    ) as site:
        fleet.run("submit", site.origin, "--stages", "crawl")
        with fleet.running_worker("--stall-limit", "10") as worker:
            until((tmp_path / "parsing").exists)
            for _ in range(2):  # the first may have been sent before
                last = heartbeat(fleet)
                until(lambda: heartbeat(fleet) > last)  # noqa: B023  (called before it changes)
            (tmp_path / "parsed").touch()
            until(lambda: fleet.states() == {"done": 1})
        assert (site.hits["/heavy"], site.hits["/last"]) == (1, 1)
    assert fleet.query("SELECT epoch, slices, pages FROM site") == [(1, 1, 3)]
    assert "sites freed" not in worker.err


def heartbeat(fleet: TestFleet) -> float:
    """Return the time of the last heartbeat."""
    return float(fleet.query_value("SELECT extract(epoch FROM max(last_heartbeat)) FROM procrastinate_workers"))


def test_without_heartbeats_no_requests_are_sent(postgres_server: Server, tmp_path: Path) -> None:
    with postgres_server.database() as url, many_sites(2, 20, 0.0, tmp_path) as sites:
        fleet, name = TestFleet(url, tmp_path), conninfo_to_dict(url)["dbname"]
        fleet.run("submit", sites.origins[0], *GENTLE)
        with fleet.running_worker("--stall-limit", "3") as worker:
            with sites.held(after=10):
                until(lambda: fleet.query_value("SELECT pages FROM site") > 3)
                postgres_server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
                postgres_server.execute(
                    f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                )
                # Attempts follow each other after a fifth of the stall limit; the lease expires after two thirds.
                until(lambda: worker.err.count("database unavailable part=heartbeat") >= 5)
                requested = count_page_requests(sites)
            # While the other site is crawled, the worker could request all pages of its own.
            alone = ("--max-parallel", "1", "--quiet", "--db", str(tmp_path / "witness.db"))
            assert headwater("crawl", sites.origins[1], *alone).code == 0
            first = sites.origins[0].rstrip("/").rpartition(":")[2]
            assert {page for page in count_page_requests(sites) if page[0] == int(first)} == set(requested)
            assert 0 < len(requested) < 20
            postgres_server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
            until(lambda: fleet.states() == {"done": 1})
        assert fleet.query_value("SELECT pages FROM site") == 20
        assert fleet.query_value("SELECT count(*) FROM page WHERE state = 1") == 20
