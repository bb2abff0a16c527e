"""Control of a running fleet: slices, pause and resume, cancel, priority."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.commands import until
from tests.sites.table_site import Answer, table_site
from tests.worker.fleets import GENTLE, PAGES, PATIENT, TestFleet, count_page_requests

if TYPE_CHECKING:
    from tests.sites.many_sites import ManySites


def test_a_site_is_scanned_in_slices(fleet: TestFleet, sites: ManySites) -> None:
    assert fleet.run("submit", sites.origins[0], *GENTLE).code == 0
    with fleet.running_worker("--slice-time", "1", *PATIENT):
        until(lambda: fleet.states() == {"done": 1})
    assert fleet.query_value("SELECT slices FROM site") > 2
    assert fleet.query_value("SELECT count(*) FROM scan") == 1
    assert fleet.query_value("SELECT pages FROM site") == PAGES
    counts = count_page_requests(sites)
    assert (len(counts), set(counts.values())) == (PAGES, {1})


def test_stages_that_take_longer_than_a_slice_are_finished(fleet: TestFleet) -> None:
    def slow(origin: str) -> dict[str, Answer | str]:
        listed = f"<urlset><url><loc>{origin}/listed</loc></url></urlset>"
        pages = {f"/p{number}": Answer(f'<a href="/p{number + 1}">next</a>', delay=0.2) for number in range(9)}
        return {"/": '<a href="/p0">first</a>', "/sitemap.xml": Answer(listed, type="text/xml", delay=3.0), **pages}

    with table_site(slow) as site:
        fleet.run("submit", site.origin, "--always-crawl", "--max-depth", "none")
        with fleet.running_worker("--slice-time", "1", "--stall-limit", "15", "--grace", "1"):
            until(lambda: fleet.states() == {"done": 1})
        assert site.hits["/sitemap.xml"] == 1
        assert {site.hits[f"/p{number}"] for number in range(9)} == {1}
    assert fleet.query_value("SELECT slices FROM site") > 1
    assert fleet.query_value("SELECT count(*) FROM page WHERE sources & 4 > 0") == 1


def test_pause_and_resume(fleet: TestFleet, sites: ManySites) -> None:
    site, other, _ = sites.origins
    fleet.run("submit", site, *GENTLE)
    with fleet.running_worker(*PATIENT):
        with sites.held(after=15):
            until(lambda: fleet.query_value("SELECT pages FROM site") > 3)
            assert fleet.run("pause", site).out == "1 site paused\n"
        until(lambda: fleet.query_value("SELECT worker IS NULL FROM site"))
        requested = len(count_page_requests(sites))
        fleet.run("submit", other, *GENTLE)
        until(lambda: fleet.states() == {"paused": 1, "done": 1})
        assert len(count_page_requests(sites)) == requested + PAGES
        assert fleet.run("resume", site).out == "1 site resumed\n"
        until(lambda: fleet.states() == {"done": 2})
    assert set(count_page_requests(sites).values()) == {1}
    assert fleet.query("SELECT DISTINCT pages FROM site") == [(PAGES,)]


def test_cancel(fleet: TestFleet, sites: ManySites) -> None:
    fleet.run("submit", *sites.origins[:2], *GENTLE)
    with fleet.running_worker(*PATIENT):
        with sites.held(after=30):
            until(lambda: fleet.query_value("SELECT min(pages) FROM site") > 3)
            assert fleet.run("cancel", sites.origins[0]).out == "1 site cancelled\n"
        kept = fleet.query_value("SELECT pages FROM site WHERE state = 'cancelled'")
        until(lambda: fleet.states() == {"cancelled": 1, "done": 1})
        assert fleet.query_value("SELECT pages FROM site WHERE state = 'cancelled'") == kept < PAGES
        assert fleet.query_value("SELECT count(*) FROM scan WHERE state = 'cancelled'") == 1
        requested = Counter(hit.port for hit in sites.hits())
        assert min(requested.values()) < PAGES
        assert fleet.run("submit", sites.origins[0], *GENTLE).err.startswith("0 new, 1 submitted again")
        until(lambda: fleet.states() == {"done": 2})
    assert fleet.query_value("SELECT count(*) FROM scan") == 3


def test_urgent_sites_go_first(fleet: TestFleet, sites: ManySites) -> None:
    low, high, middle = sites.origins
    for site, priority in ((low, "-5"), (high, "9"), (middle, "0")):
        fleet.run("submit", site, *GENTLE, "--priority", priority, "--max-pages", "3")
    with fleet.running_worker("--concurrency", "1", *PATIENT):
        until(lambda: fleet.states() == {"done": 3})
    order = list(dict.fromkeys(f"http://127.0.0.1:{hit.port}/" for hit in sites.hits()))
    assert order == [high, middle, low]
