"""Life of a fleet: repeated scans, shutdown, loss of the parent process, and metrics."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from typing import TYPE_CHECKING

from tests.commands import PATIENCE, is_alive, until
from tests.sites.many_sites import ManySites, many_sites
from tests.sites.nginx import free_port
from tests.worker.fleets import GENTLE, PAGES, PATIENT, TestFleet, count_page_requests

if TYPE_CHECKING:
    from pathlib import Path


def request(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_sites_are_scanned_again_at_intervals(fleet: TestFleet, tmp_path: Path) -> None:
    with many_sites(2, 3, 0.0, tmp_path) as sites:
        fleet.run("submit", sites.origins[0], *GENTLE, "--every", "1s", "--fixed")
        fleet.run("submit", sites.origins[1], *GENTLE, "--every", "1s", "--stages", "nav,crawl")
        with fleet.running_worker(*PATIENT):
            until(lambda: fleet.query_value("SELECT min(scans) FROM site") >= 3)
            until(lambda: fleet.query_value("SELECT count(*) FROM site WHERE is_fixed AND pace = 1") == 1)
            until(lambda: fleet.query_value("SELECT count(*) FROM site WHERE NOT is_fixed AND pace > 1") == 1)
    assert set(fleet.states()) <= {"waiting", "queued", "working"}


def test_sigterm_returns_sites_to_the_queue(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", *sites.origins, *GENTLE, "--delay", "0.2")  # no site is done when the signal is handled
    with fleet.running_worker("--processes", "2", *PATIENT, name="first") as first:
        with sites.held(after=30):
            until(lambda: fleet.query_value("SELECT max(pages) FROM site") > 3)
            first.process.terminate()
        assert first.wait() == 0
    assert set(fleet.states()) <= {"waiting", "queued"}
    assert fleet.query_value("SELECT count(*) FROM procrastinate_jobs WHERE status <> 'todo'") == 0
    assert fleet.query_value("SELECT count(*) FROM worker") == 0
    with fleet.running_worker(*PATIENT, name="second"):
        until(lambda: fleet.states() == {"done": 3})
    counts = count_page_requests(sites)
    assert (len(counts), set(counts.values())) == (3 * PAGES, {1})


def test_a_process_stops_when_its_parent_is_killed(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", sites.origins[0], *GENTLE)
    with fleet.running_worker("--stall-limit", "15", "--grace", "1") as worker, sites.held(after=15):
        until(lambda: fleet.query_value("SELECT max(pages) FROM site") > 3)
        (child,) = worker.children()
        os.kill(worker.process.pid, signal.SIGKILL)
        until(lambda: not is_alive(child))
    assert set(fleet.states()) <= {"waiting", "queued"}


def test_metrics_health_and_status(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", sites.origins[0], *GENTLE)
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        refused = fleet.run("worker", "--metrics", f"127.0.0.1:{port}")
        assert (refused.code, "cannot listen on" in refused.err) == (2, True)
    options = ("--metrics", f"127.0.0.1:{port}", "--log", "json", *PATIENT)
    with fleet.running_worker(*options) as worker, sites.held(after=15):  # until the status was read
        until(lambda: fleet.query_value("SELECT max(pages) FROM site") > 3)
        until(lambda: request(port, "/health") == (200, "ok\n"))
        status, text = request(port, "/metrics")
        assert (status, request(port, "/else")[0]) == (200, 404)
        until(lambda: fleet.query_value("SELECT max(sites) FROM worker") == 1)  # a heartbeat reports it
        status_json = json.loads(fleet.run("status", "--format", "json").out)
        lines = [json.loads(line) for line in worker.err.splitlines()]
    assert 'headwater_sites{state="working"} 1' in text
    assert re.search(r'^headwater_worker_pages_total\{worker="[^"]+"\} \d+$', text, re.MULTILINE)
    assert status_json["sites"] == {"working": 1}
    assert status_json["workers"][0]["sites"] == 1
    assert [list(site) for site in status_json["working"]] == [["site", "slices", "pages", "idle"]]
    assert {"timestamp", "severity_text", "body", "attributes"} <= set(lines[0])
    assert any(line["body"] == "slice started" for line in lines)


def test_a_process_without_a_database_logs_it_and_ends() -> None:
    """A process may be started while the database restarts."""
    code = (
        "from headwater.settings import build_settings\n"
        "from headwater.worker.process import WorkerConfig, run_process\n"
        "run_process(WorkerConfig(build_settings({'db': 'postgresql://127.0.0.1:1/none'}), {}))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 1
    assert "database failed, process ends" in ended.stderr
    assert "Traceback" not in ended.stderr
