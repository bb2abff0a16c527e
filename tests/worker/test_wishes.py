"""What people want of a running fleet: slices, pause and resume, cancel, rhythm, order, an end with grace."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from collections import Counter
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from tests.sites.many_sites import ManySites, many_sites
from tests.sites.paper_site import Answer, paper_site
from tests.worker.fleets import TestFleet, kill, until
from tests.worker.test_fleet import is_alive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


PAGES = 40
GENTLE = ("--max-depth", "none", "--max-parallel", "1", "--stages", "crawl")
QUICK = ("--stall-limit", "3", "--grace", "5")


@pytest.fixture
def fleet(database: str, tmp_path: Path) -> TestFleet:
    return TestFleet(database, tmp_path)


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[ManySites]:
    with many_sites(3, PAGES, 0.08, tmp_path) as served:
        yield served


def pages_asked_for(sites: ManySites) -> Counter[tuple[int, str]]:
    return Counter((hit.port, hit.path) for hit in sites.hits() if re.fullmatch(r"/(p\d+)?", hit.path))


def ask(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_a_site_is_worked_in_slices(fleet: TestFleet, sites: ManySites) -> None:
    assert fleet.run("submit", sites.origins[0], *GENTLE).code == 0
    with fleet.working("--slice-time", "1", *QUICK):
        until(lambda: fleet.states() == {"done": 1})
    assert fleet.one("SELECT slices FROM site") > 2
    assert fleet.one("SELECT count(*) FROM scan") == 1
    assert fleet.one("SELECT pages FROM site") == PAGES
    counts = pages_asked_for(sites)
    assert (len(counts), set(counts.values())) == (PAGES, {1})


def test_stages_that_take_longer_than_a_slice_are_finished(fleet: TestFleet) -> None:
    def slow(origin: str) -> dict[str, Answer | str]:
        listed = f"<urlset><url><loc>{origin}/listed</loc></url></urlset>"
        pages = {f"/p{number}": Answer(f'<a href="/p{number + 1}">next</a>', delay=0.2) for number in range(9)}
        return {"/": '<a href="/p0">first</a>', "/sitemap.xml": Answer(listed, type="text/xml", delay=3.0), **pages}

    with paper_site(slow) as site:
        fleet.run("submit", site.origin, "--always-crawl", "--max-depth", "none")
        with fleet.working("--slice-time", "1", "--stall-limit", "3", "--grace", "1"):
            until(lambda: fleet.states() == {"done": 1})
        assert site.hits["/sitemap.xml"] == 1
        assert {site.hits[f"/p{number}"] for number in range(9)} == {1}
    assert fleet.one("SELECT slices FROM site") > 1
    assert fleet.one("SELECT count(*) FROM page WHERE sources & 4 > 0") == 1


def test_pause_and_resume(fleet: TestFleet, sites: ManySites) -> None:
    site = sites.origins[0]
    fleet.run("submit", site, *GENTLE)
    with fleet.working(*QUICK):
        until(lambda: fleet.one("SELECT pages FROM site") > 3)
        assert fleet.run("pause", site).out == "1 site paused\n"
        until(lambda: fleet.one("SELECT worker IS NULL FROM site"))
        asked = len(sites.hits())
        time.sleep(1.5)
        assert (len(sites.hits()), fleet.states()) == (asked, {"paused": 1})
        assert fleet.run("resume", site).out == "1 site resumed\n"
        until(lambda: fleet.states() == {"done": 1})
    assert set(pages_asked_for(sites).values()) == {1}
    assert fleet.one("SELECT pages FROM site") == PAGES


def test_cancel(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", *sites.origins[:2], *GENTLE)
    with fleet.working(*QUICK):
        until(lambda: fleet.one("SELECT min(pages) FROM site") > 3)
        assert fleet.run("cancel", sites.origins[0]).out == "1 site cancelled\n"
        kept = fleet.one("SELECT pages FROM site WHERE state = 'cancelled'")
        until(lambda: fleet.states() == {"cancelled": 1, "done": 1})
        assert fleet.one("SELECT pages FROM site WHERE state = 'cancelled'") == kept < PAGES
        assert fleet.one("SELECT count(*) FROM scan WHERE state = 'cancelled'") == 1
        asked = Counter(hit.port for hit in sites.hits())
        assert min(asked.values()) < PAGES
        assert fleet.run("submit", sites.origins[0], *GENTLE).err.startswith("0 new, 1 again")
        until(lambda: fleet.states() == {"done": 2})
    assert fleet.one("SELECT count(*) FROM scan") == 3


def test_a_rhythm(fleet: TestFleet, tmp_path: Path) -> None:
    with many_sites(2, 3, 0.0, tmp_path) as sites:
        fleet.run("submit", sites.origins[0], *GENTLE, "--every", "1s", "--fixed")
        fleet.run("submit", sites.origins[1], *GENTLE, "--every", "1s", "--stages", "nav,crawl")
        with fleet.working(*QUICK):
            until(lambda: fleet.one("SELECT min(scans) FROM site") >= 3)
            until(lambda: fleet.one("SELECT count(*) FROM site WHERE is_fixed AND pace = 1") == 1)
            until(lambda: fleet.one("SELECT count(*) FROM site WHERE NOT is_fixed AND pace > 1") == 1)
    assert fleet.states() in ({"waiting": 2}, {"waiting": 1, "working": 1}, {"waiting": 1, "queued": 1}, {"working": 2})


def test_the_urgent_go_first(fleet: TestFleet, sites: ManySites) -> None:
    low, high, middle = sites.origins
    for site, priority in ((low, "-5"), (high, "9"), (middle, "0")):
        fleet.run("submit", site, *GENTLE, "--priority", priority, "--max-pages", "3")
    with fleet.working("--concurrency", "1", *QUICK):
        until(lambda: fleet.states() == {"done": 3})
    order = list(dict.fromkeys(f"http://127.0.0.1:{hit.port}/" for hit in sites.hits()))
    assert order == [high, middle, low]


def test_sigterm_hands_back(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", *sites.origins, *GENTLE)
    first = fleet.start("first", "--processes", "2", *QUICK)
    try:
        until(lambda: fleet.one("SELECT min(pages) FROM site") > 3)
        assert first.stop() == 0
    finally:
        kill(first)
    assert set(fleet.states()) <= {"waiting", "queued"}
    assert fleet.one("SELECT count(*) FROM procrastinate_jobs WHERE status <> 'todo'") == 0
    assert fleet.one("SELECT count(*) FROM worker") == 0
    with fleet.working(*QUICK, name="second"):
        until(lambda: fleet.states() == {"done": 3})
    counts = pages_asked_for(sites)
    assert (len(counts), set(counts.values())) == (3 * PAGES, {1})


def test_a_process_without_its_parent_stops(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", sites.origins[0], *GENTLE)
    with fleet.working(*QUICK) as worker:
        until(lambda: fleet.one("SELECT max(pages) FROM site") > 3)
        (child,) = worker.children()
        os.kill(worker.process.pid, signal.SIGKILL)
        until(lambda: not is_alive(child))
    assert set(fleet.states()) <= {"waiting", "queued"}


def test_numbers_for_those_who_watch(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", sites.origins[0], *GENTLE, "--delay", "0.5")  # so that it is still worked when we look
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]
        refused = fleet.run("worker", "--metrics", f"127.0.0.1:{port}")
        assert (refused.code, "cannot be listened on" in refused.err) == (2, True)
    with fleet.working("--metrics", f"127.0.0.1:{port}", "--log", "json", *QUICK) as worker:
        until(lambda: fleet.one("SELECT max(pages) FROM site") > 3)
        until(lambda: ask(port, "/health") == (200, "ok\n"))
        status, text = ask(port, "/metrics")
        assert (status, ask(port, "/else")[0]) == (200, 404)
        told = json.loads(fleet.run("status", "--format", "json").out)
        lines = [json.loads(line) for line in worker.log.read_text().splitlines()]
    assert 'headwater_sites{state="working"} 1' in text
    assert re.search(r'^headwater_worker_pages_total\{worker="[^"]+"\} \d+$', text, re.MULTILINE)
    assert told["sites"] == {"working": 1}
    assert told["workers"][0]["sites"] == 1
    assert {"timestamp", "severity_text", "body", "attributes"} <= set(lines[0])
    assert any(line["body"] == "slice begins" for line in lines)
