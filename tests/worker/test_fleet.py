"""A worker is killed, one is suspended past its lease, the database crashes: nothing is lost or stored twice.

HEADWATER_TEST_FLEET=200x30 (`make chaos`) makes the fleet large and uses the default stall limit.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.commands import Command, is_alive, until
from tests.sites.many_sites import ManySites, many_sites
from tests.worker.fleets import TestFleet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.postgres import Server

SIZE = os.environ.get("HEADWATER_TEST_FLEET", "")
SITES, PAGES = (int(part) for part in (SIZE or "20x10").split("x"))
STALL = 15.0 if SIZE else 3.0
NAMES = ("calm", "killed", "stopped", "other")


@pytest.fixture
def fleet(crashable_server: Server, tmp_path: Path) -> Iterator[TestFleet]:
    with crashable_server.database() as url:
        yield TestFleet(url, tmp_path)


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[ManySites]:
    with many_sites(SITES, PAGES, 0.3, tmp_path) as served:
        yield served


def test_nothing_is_lost_or_stored_twice(fleet: TestFleet, sites: ManySites, crashable_server: Server) -> None:
    listed = "\n".join(sites.origins).encode()
    options = ("--max-depth", "none", "--max-parallel", "2", "--retries", "0")
    patient = ("--timeout", "600", "--idle-timeout", "600")
    assert fleet.run("submit", *options, *patient, stdin=listed).code == 0
    with ExitStack() as stack:
        more = ("--concurrency", "3", "--stall-limit", str(STALL), "--grace", "5")
        workers = {name: stack.enter_context(fleet.running_worker(*more, name=name)) for name in NAMES}
        with sites.held():  # so that every worker gets a site, and keeps it until it is killed or suspended
            until(lambda: {hit.agent for hit in sites.hits()} == set(NAMES))
            killed = time.time()
            os.kill(workers["killed"].children()[0], signal.SIGKILL)
            resumed = stop_past_the_lease(fleet, workers["stopped"])
        crashable_server.crash_and_restart()
        until(lambda: fleet.states() == {"done": SITES}, 900.0)
    assert "Traceback" not in "".join(worker.err for worker in workers.values())
    assert_every_page_was_stored_once(fleet)
    assert_every_page_was_requested(sites)
    late = [hit for hit in sites.hits() if hit.agent == "stopped" and hit.at > resumed]
    assert late == [], "a worker that was suspended past its lease sends no more requests"
    print(
        f"\nall done {time.time() - killed:.0f} s after the kill, the stopped one resumed at {resumed - killed:.0f} s"
    )


def stop_past_the_lease(fleet: TestFleet, worker: Command) -> float:
    """Suspend a worker until others have claimed its sites, then resume it; its parent is killed first.

    Returns the moment at which it was resumed: later requests were sent after the takeover.
    """
    child = worker.children()[0]
    ((number,),) = until(lambda: fleet.query(f"SELECT number FROM worker WHERE name LIKE '%:{child}'"))
    until(lambda: fleet.query_value(f"SELECT count(*) FROM site WHERE state = 'working' AND worker = {number}") > 0)
    os.kill(child, signal.SIGSTOP)
    stopped = time.time()
    mine = f"SELECT count(*) FROM site WHERE state = 'working' AND worker = {number}"
    assert fleet.query_value(mine) > 0
    worker.process.kill()
    until(lambda: fleet.query_value(mine) == 0)
    print(f"\ntaken over after {time.time() - stopped:.1f} s (stall limit {STALL:g} s)")
    resumed = time.time()
    os.kill(child, signal.SIGCONT)
    until(lambda: not is_alive(child))
    return resumed


def assert_every_page_was_stored_once(fleet: TestFleet) -> None:
    """A visit is counted in the transaction that stores it: the sums agree only if none was stored twice."""
    rows = fleet.query(
        "SELECT site.number, site.pages, count(page.id) FILTER (WHERE page.state = 1), count(DISTINCT scan.number),"
        " count(page.id), min(scan.state) FROM site JOIN scan ON scan.site = site.number"
        " JOIN page ON page.scan = scan.number GROUP BY site.number"
    )
    assert len(rows) == SITES
    assert {row[1:] for row in rows} == {(PAGES, PAGES, 1, PAGES, "done")}


def assert_every_page_was_requested(sites: ManySites) -> None:
    """Only the few pages that were active when a process died are requested twice."""
    counts = Counter((hit.port, hit.path) for hit in sites.hits() if hit.path == "/" or hit.path.startswith("/p"))
    assert len(counts) == SITES * PAGES
    assert max(counts.values()) <= 4, counts.most_common(5)
