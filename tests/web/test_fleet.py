"""The fleet through the API and its screen, which do the same as the commands."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import expect
from schemathesis import GenerationMode

from tests.commands import until
from tests.sites.many_sites import ManySites, many_sites
from tests.sites.table_site import Answer, table_site
from tests.web.serving import Server, serving
from tests.web.test_openapi import FLEET_OPERATIONS, check_operation
from tests.web.test_scan_screens import (
    assert_fits_and_is_accessible,
    choose_list,
    open_page,
    wait_until_done,
    watched_tab,
)
from tests.worker.fleets import TestFleet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests import postgres

SITES = "/api/v1/fleet/sites"
SLOW_SETTINGS = {"stages": ["crawl"], "max_depth": None, "max_parallel": 1}
BARELY_VISIBLE = 0.001
"""Layout shift score: the share of the screen that moved, times the share of the screen that it moved by."""


class Fleet(NamedTuple):
    """A server over a database with a fleet, and sites to scan."""

    server: Server
    commands: TestFleet
    sites: ManySites

    def submit(self, *urls: str, **more: Any) -> Any:
        return self.server.request(SITES, {"urls": list(urls), "settings": SLOW_SETTINGS, **more})

    def site(self, url: str) -> dict[str, Any]:
        """Return a site by its address."""
        answer = self.server.request(f"{SITES}?text={urlsplit(url).netloc}").json
        found: dict[str, Any] = answer["sites"][0]
        return found


@pytest.fixture(scope="module")
def fleet(postgres_server: postgres.Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    folder = tmp_path_factory.mktemp("fleet")
    with (
        postgres_server.prepared_database() as url,
        many_sites(2, 40, 0.08, folder) as sites,
        serving(folder, db=url) as server,
    ):
        yield Fleet(server, TestFleet(url, folder), sites)


def test_sites_are_submitted_listed_and_changed(fleet: Fleet) -> None:
    server = fleet.server
    urls = [f"https://site{number}.example/" for number in range(5)]
    assert fleet.submit(*urls, priority=7, every=86_400).json == {"new": 5, "again": 0, "known": 0}
    assert fleet.submit(urls[0]).json == {"new": 0, "again": 0, "known": 1}
    first = server.request(f"{SITES}?limit=3&state=waiting").json
    rest = server.request(f"{SITES}?limit=3&state=waiting&cursor={first['cursor']}").json
    assert {site["seeds"][0] for site in first["sites"] + rest["sites"]} == set(urls)
    assert (len(rest["sites"]), rest["cursor"]) == (2, None)
    site = fleet.site(urls[3])
    one = f"{SITES}/{site['number']}"
    assert (site["state"], site["priority"], site["every"], site["recent"]) == ("waiting", 7, 86_400, [])
    assert server.request(f"{one}/pause", {}).json["state"] == "paused"
    assert server.request(f"{one}/pause", {}).status == 409
    assert server.request(f"{one}/resume", {}).json["state"] == "waiting"
    assert server.request(f"{one}/cancel", {}).json["state"] == "cancelled"
    assert server.request(f"{one}/resume", {}).status == 409
    changed = server.request(one, {"priority": -3, "every": None}, method="PATCH").json
    assert (changed["priority"], changed["every"]) == (-3, None)
    assert server.request(one).json == changed
    numbers = ",".join(str(fleet.site(url)["number"]) for url in urls[1:3])
    assert len(server.request(f"{SITES}?numbers={numbers}").json["sites"]) == 2
    assert server.request("/api/v1/fleet").json["queue"] == {"waiting": 0, "doing": 0, "failed": 0}
    for site in server.request(f"{SITES}?state=waiting").json["sites"]:  # the workers of later tests would scan them
        assert server.request(f"{SITES}/{site['number']}/cancel", {}).status == 200


def test_failing_sites_are_listed_with_their_error(fleet: Fleet) -> None:
    url = "https://failing.example/"
    fleet.submit(url)
    number = fleet.site(url)["number"]
    change = "UPDATE site SET state = '{}', failures = 99, error = 'no answer' WHERE number = {} RETURNING 1"
    fleet.commands.query(change.format("failed", number))

    def find_shown() -> list[tuple[str, str]]:
        sites = fleet.server.request("/api/v1/fleet").json["failing_sites"]
        return [(site["seed"], site["error"]) for site in sites if site["site"] == number]

    assert until(find_shown) == [(url, "no answer")]  # a summary serves all clients for a second
    printed = json.loads(fleet.commands.run("status", "--format", "json").out)["failing_sites"][0]
    fleet.commands.query(change.format("cancelled", number))
    assert printed.pop("idle") >= 0
    assert printed == {"site": url, "state": "failed", "failures": 99, "error": "no answer"}


def test_a_site_with_an_interval_waits_and_without_one_it_is_done(fleet: Fleet) -> None:
    fleet.submit("https://interval.example/", every=3600)
    number = fleet.site("https://interval.example/")["number"]
    scan = """INSERT INTO scan (number, seeds, settings, state, started)
              VALUES (900, '["https://interval.example/"]', '{}', 'done', '2026-01-01T00:00:00+00:00') RETURNING 1"""
    fleet.commands.query(scan)
    due = "UPDATE site SET scan = 900, due_at = now() + interval '1 hour' WHERE number = {} RETURNING 1"
    fleet.commands.query(due.format(number))
    for every, state in ((None, "done"), (7200, "waiting"), (None, "done")):
        changed = fleet.server.request(f"{SITES}/{number}", {"every": every}, method="PATCH").json
        assert (changed["state"], changed["every"]) == (state, every)


@pytest.mark.parametrize(
    ("every", "words"),
    [
        (None, "once"),
        (3600, "every hour"),
        (21_600, "every 6 hours"),
        (86_400.0, "every day"),
        (604_800, "every week"),
        (2_592_000, "every 30 days"),
        (172_800, "every 2 days"),
        (129_600, "every 1.5 days"),
        (82_800, "every 23 hours"),
        (5400, "every 1.5 hours"),
        (3540, "every 59 minutes"),
        (90, "every 1.5 minutes"),
        (59.5, "every 59.5 s"),
        (1, "every 1 s"),
    ],
)
def test_the_screen_says_how_often_a_site_is_scanned(fleet: Fleet, every: float | None, words: str) -> None:
    url = "https://how-often.example/"
    assert fleet.submit(url, every=every).status == 201
    assert (
        fleet.server.request(f"{SITES}/{fleet.site(url)['number']}/cancel", {}).status == 200
    )  # workers of later tests would scan it
    screen = fleet.server.request("/fleet?text=how-often.example").body.decode()
    assert re.findall(r'data-part="schedule">([^<]*)<', screen) == [words]
    assert re.findall(r"selected>([^<]*)</option>", screen) == ([words] if every else [])


@pytest.mark.parametrize(
    ("path", "body", "method", "status"),
    [
        (SITES, {"urls": []}, "POST", 422),
        (SITES, {"urls": ["ftp://e.com"]}, "POST", 422),
        (SITES, {"urls": ["https://me:secret@e.com/"]}, "POST", 422),
        (SITES, {"urls": ["http://10.0.0.1/"]}, "POST", 403),
        (SITES, {"urls": ["https://e.com"], "priority": 5000}, "POST", 422),
        (SITES, {"urls": ["https://e.com"], "every": 0}, "POST", 422),
        (SITES, {"urls": ["https://e.com"], "settings": {"proxy": "http://e.com"}}, "POST", 422),
        (f"{SITES}/999999", None, "GET", 404),
        (f"{SITES}/999999/pause", {}, "POST", 404),
        (f"{SITES}/999999", {"priority": 1}, "PATCH", 404),
        (f"{SITES}?state=nonsense", None, "GET", 400),
        (f"{SITES}?numbers=1,x", None, "GET", 400),
    ],
)
def test_invalid_requests_are_problems(fleet: Fleet, path: str, body: Any, method: str, status: int) -> None:
    answer = fleet.server.request(path, body, method=method)
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    assert "secret" not in answer.body.decode()


def test_a_scan_of_a_worker_is_stopped_and_resumed(fleet: Fleet) -> None:
    server, origin = fleet.server, fleet.sites.origins[0]
    assert fleet.submit(origin).status == 201
    with fleet.commands.running_worker("--stall-limit", "5", "--grace", "5"):
        with fleet.sites.held(after=15):
            scans = until(lambda: fleet.site(origin)["recent"])
            scan = f"/api/v1/scans/{scans[0]['number']}"
            until(lambda: server.request(scan).json["visited"])
            until(lambda: [one["working"] for one in server.request("/api/v1/fleet").json["workers"]] == [[origin]])
            until(lambda: server.request("/api/v1/fleet").json["queue"]["doing"] == 1)
            assert server.request(f"{scan}/resume", {}).status == 409
            assert server.request(f"{scan}/cancel", b"").status == 200
        until(lambda: server.request(scan).json["state"] == "paused")
        assert fleet.site(origin)["state"] == "paused"
        kept = server.request(f"{scan}/pages?verified=yes").json["total"]
        assert 1 <= kept < 40
        assert server.request(f"{scan}/resume", {}).status == 200
        assert until(lambda: server.request(scan).json["state"] in {"done", "queued", "running"})
        until(lambda: server.request(scan).json["state"] == "done")
    assert server.request(f"{scan}/pages?verified=yes").json["total"] == 40


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", FLEET_OPERATIONS, ids=lambda operation: operation.label)
def test_every_route_matches_the_openapi_document(fleet: Fleet, operation: Any, mode: GenerationMode) -> None:
    with requests.Session() as session:
        check_operation(fleet.server, session, operation, mode)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_screen_shows_and_changes_sites(fleet: Fleet, browser: Browser, width: int) -> None:
    url = f"https://shown{width}.example/"
    with watched_tab(browser, width) as tab:
        open_page(tab, fleet.server)
        tab.get_by_role("link", name="Fleet").click()
        tab.get_by_text("Submit sites").click()
        tab.get_by_label("Sites, one per line").fill(url)
        tab.get_by_label("Priority").first.fill("4")
        tab.get_by_role("button", name="Submit").click()
        row = tab.locator("tr[data-site]", has_text=f"shown{width}.example")
        expect(row).to_contain_text("waiting")
        row.get_by_text("Actions").click()
        row.get_by_role("button", name="Pause").click()
        expect(row.locator("[data-part=state]")).to_have_text("paused")
        row.get_by_text("Actions").click()
        row.get_by_label("Scan").select_option("every day")
        expect(row.locator("[data-part=schedule]")).to_have_text("every day")
        assert_fits_and_is_accessible(tab)
        tab.keyboard.press("Escape")
        # Changes by others appear without moving rows or columns; text within a cell may move.
        tab.evaluate(
            """() => {
                 window.shift = 0;
                 new PerformanceObserver(list => {
                   for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
                 }).observe({ type: "layout-shift" });
               }"""
        )
        # Chromium does not count what moves within half a second of a key press.
        tab.evaluate("new Promise(resolve => setTimeout(resolve, 600))")
        fleet.commands.run("cancel", url)
        expect(row.locator("[data-part=state]")).to_have_text("cancelled")
        assert tab.evaluate("window.shift") < BARELY_VISIBLE


def test_a_site_is_scanned_and_its_urls_browsed(fleet: Fleet, browser: Browser) -> None:
    """Run the main path of the scan screens over PostgreSQL; other tests run it over SQLite."""

    def make(origin: str) -> dict[str, Answer | str]:
        listed = f"<urlset><url><loc>{origin}/only-listed</loc></url></urlset>"
        return {
            "/": '<title>Home</title><a href="/b">Beta</a><a href="/gone">Gone</a>',
            "/b": "<title>Second page</title>",
            "/only-listed": "<title>Listed</title>",
            "/sitemap.xml": Answer(listed, type="application/xml"),
        }

    with watched_tab(browser, 1280) as tab, table_site(make) as site:
        open_page(tab, fleet.server)
        tab.get_by_label("Site, or several sites").fill(site.origin)
        tab.get_by_role("button", name="Start").click()
        wait_until_done(tab, fleet.server)
        tab.get_by_role("link", name="URLs", exact=True).click()
        expect(tab.locator(".total")).to_contain_text("3 URLs")
        choose_list(tab, "broken")
        expect(tab.locator(".total")).to_contain_text("1 URL")
        expect(tab).to_have_url(re.compile("list=broken"))
        tab.goto(tab.url.replace("list=broken", "source=sitemap"))
        tab.get_by_role("link", name="/only-listed").click()
        expect(tab.locator("#evidence")).to_contain_text("sitemap fetch")
        expect(tab.locator(".chain")).to_contain_text(f"{site.origin}/sitemap.xml")
