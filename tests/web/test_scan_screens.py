"""Scan screens in Chromium: a scan from start to end, on a phone and on a desktop, and with hostile text."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from bench.million import many_pages
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from headwater.model import Candidate, DiscoveredUrl
from headwater.settings import PRESETS
from headwater.store import Classification, SqliteStore, VisitResult
from headwater.urls.identity import compute_identity
from tests.browser import PATIENCE
from tests.export.test_html_in_chromium import HOSTILE
from tests.sites.table_site import Answer, table_site
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.conftest import World

WIDTHS = (360, 1280)


@contextmanager
def watched_tab(browser: Browser, width: int) -> Iterator[Tab]:
    """Open a tab that fails the test if a script fails, or if a page sends a request to another origin."""
    context = browser.new_context(viewport={"width": width, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    errors: list[str] = []
    origins: set[str] = set()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda message: errors.append(message.text))
    tab.on("request", lambda one: origins.add("/".join(one.url.split("/", 3)[:3])))
    yield tab
    context.close()
    assert errors == []
    assert len(origins) == 1


@pytest.fixture(params=WIDTHS)
def tab(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Tab]:
    with watched_tab(browser, request.param) as tab:
        yield tab


@pytest.fixture
def wide_tab(browser: Browser) -> Iterator[Tab]:
    with watched_tab(browser, WIDTHS[-1]) as tab:
        yield tab


def open_page(tab: Tab, server: Server, path: str = "/") -> None:
    tab.goto(server.link)
    expect(tab).to_have_url(f"{server.origin}/")
    if path != "/":
        tab.goto(server.origin + path)


def assert_fits(tab: Tab) -> None:
    tab.wait_for_load_state()  # a click returns before the next page has loaded
    assert tab.evaluate("document.documentElement.scrollWidth") <= tab.evaluate("innerWidth")


def assert_fits_and_is_accessible(tab: Tab) -> None:
    assert_fits(tab)
    found = Axe().run(tab)
    assert found.violations_count == 0, found.generate_report()


def check_layout(tab: Tab) -> None:
    """Check layout and accessibility at phone width, and only the layout on a desktop, to save time."""
    if tab.viewport_size == {"width": WIDTHS[0], "height": 900}:
        assert_fits_and_is_accessible(tab)
    else:
        assert_fits(tab)


def unfold_filters(tab: Tab) -> None:
    folding = tab.locator(".folding")
    if folding.get_attribute("open") is None:
        tab.get_by_text("Filters", exact=True).click()


def choose_list(tab: Tab, name: str) -> None:
    """Choose a list in the facets, which are then reloaded."""
    unfold_filters(tab)
    facet = tab.locator(".facet", has=tab.get_by_text("List", exact=True))
    if facet.get_attribute("open") is None:
        facet.locator("summary").click()
    facet.get_by_role("link", name=name, exact=True).click()


def check_lists(tab: Tab, lists: dict[str, str]) -> None:
    """Choose each list, which has one URL."""
    for name, path in lists.items():
        choose_list(tab, name)
        expect(tab).to_have_url(re.compile(f"list={name}"))
        expect(tab.locator(".total")).to_contain_text("1 URL")
        expect(tab.locator("tbody tr")).to_contain_text(path)
        check_layout(tab)


def wait_until_done(tab: Tab, server: Server) -> None:
    """Wait until the scan has ended, its page has reloaded, and its URLs can be browsed."""
    expect(tab.locator("#state")).to_have_text("Done")
    expect(tab.get_by_role("heading", name="Next steps")).to_be_visible()
    server.wait_for_index(int(tab.url.rpartition("/")[2]))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_site_is_scanned_browsed_exported_and_compared(browser: Browser, width: int, tmp_path: Path) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        listed = f"<urlset><url><loc>{origin}/only-listed</loc></url><url><loc>{origin}/a</loc></url></urlset>"
        links = '<nav><a href="/a">Alpha</a></nav><a href="/b">Beta</a><a href="/gone">Gone</a><a href="/x.pdf">x</a>'
        return {
            "/": f'<title>Home</title>{links}<a href="/old">Old</a><a href="/copy">Copy</a>',
            "/a": "<title>First page</title>",
            "/b": "<title>Second page</title>",
            "/old": Answer(status=301, headers={"Location": "/a"}),
            "/copy": "<title>Second page</title>",
            "/only-listed": "<title>Listed</title>",
            "/sitemap.xml": Answer(listed, type="application/xml"),
        }

    with serving(tmp_path) as server, table_site(make) as site, watched_tab(browser, width) as tab:
        open_page(tab, server)
        check_layout(tab)
        tab.get_by_label("Site, or several sites").fill(site.origin)
        tab.get_by_text("Options", exact=True).click()
        tab.get_by_label("max depth").fill("2")
        tab.get_by_role("button", name="Start").click()
        # The scan is watched until it ends.
        wait_until_done(tab, server)
        expect(tab.locator("[data-number=visited]")).to_have_text("7")
        expect(tab.locator("#errors")).to_contain_text("http-404")
        check_layout(tab)
        # Its URLs are browsed: first errors, which are not in the list of pages.
        tab.locator("#errors").get_by_role("link", name="http-404").click()
        expect(tab.locator("tbody tr")).to_contain_text("/gone")
        tab.get_by_role("link", name="URLs", exact=True).click()
        expect(tab.get_by_role("status").filter(has_text="URLs")).to_contain_text("4 URLs")
        check_lists(tab, {"broken": "/gone", "redirects": "/old", "duplicates": "/copy"})
        tab.locator(".chip").click()
        expect(tab.locator(".total")).to_contain_text("4 URLs")
        expect(tab.locator(".htmx-added")).to_have_count(0)  # until then htmx does not react to typing
        tab.get_by_label("Words in URL or title").press_sequentially("SECOND")
        expect(tab.locator(".total")).to_contain_text("1 URL")
        expect(tab).to_have_url(re.compile("text=SECOND"))
        check_layout(tab)
        # The list on the screen is exported.
        tab.get_by_text("Export this list").click()
        with tab.expect_download() as download:
            tab.get_by_role("link", name="JSON lines").click()
        lines = download.value.path().read_text().splitlines()
        assert [json.loads(line)["title"] for line in lines] == ["Second page"]
        tab.keyboard.press("Escape")
        # A page shows its provenance and evidence.
        tab.goto(f"{server.origin}/scans/1/urls?source=sitemap")
        tab.get_by_role("link", name="/only-listed").click()
        expect(tab.locator("#evidence")).to_contain_text("sitemap fetch")
        expect(tab.locator("#evidence")).to_contain_text("urls found")
        expect(tab.locator(".chain")).to_contain_text(f"{site.origin}/sitemap.xml")
        check_layout(tab)
        # The site changes, is scanned again, and the two scans are compared.
        site.answers["/a"] = Answer("<title>First page, new</title>")
        site.answers["/"] = Answer('<title>Home</title><a href="/a">a</a><a href="/new">New</a>')
        site.answers["/new"] = Answer("<title>New</title>")
        tab.get_by_role("link", name="Scan", exact=True).click()
        tab.get_by_role("button", name="Run again").click()
        expect(tab).to_have_url(f"{server.origin}/scans/2")
        wait_until_done(tab, server)
        tab.get_by_role("link", name="Changes", exact=True).click()
        expect(tab.locator("tr", has_text="/new")).to_contain_text("new")
        expect(tab.locator("tr", has_text="First page, new")).to_contain_text("changed")
        check_layout(tab)


SCREENS = ("", "/urls", "/urls?sort=-priority&verified=yes", "/urls?text=nothing+like+this", "/map",
           "/map?view=treemap", "/map?view=graph", "/clusters", "/skipped", "/changes")  # fmt: skip


def test_every_screen_fits_and_is_accessible(world: World, tab: Tab) -> None:
    open_page(tab, world.server)
    tab.emulate_media(color_scheme="dark" if tab.viewport_size == {"width": 360, "height": 900} else "light")
    for screen in SCREENS:
        tab.goto(f"{world.server.origin}/scans/{world.second}{screen}", wait_until="networkidle")
        assert_fits_and_is_accessible(tab)
    # A SQLite store has no fleet; the screen says how to set one up.
    tab.goto(f"{world.server.origin}/fleet")
    expect(tab.locator("main")).to_contain_text("headwater worker")
    assert_fits_and_is_accessible(tab)
    for path in ("/api/v1/fleet", "/api/v1/fleet/sites", "/api/v1/fleet/sites/1"):
        answer = world.server.request(path)
        assert (answer.status, "postgresql://" in answer.json["detail"]) == (404, True)


def test_folders_of_the_tree_open_by_keyboard(world: World, tab: Tab) -> None:
    open_page(tab, world.server, f"/scans/{world.first}/map")
    folder = tab.locator("summary", has_text="guides/")
    folder.focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("link", name="/guides/first-trip.html")).to_be_visible()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "/guides/"


def test_a_missing_url_is_explained(world: World, tab: Tab) -> None:
    open_page(tab, world.server, f"/scans/{world.first}/skipped")
    for url, explanation in (
        ("/files/map.pdf", "It was found"),
        ("https://other.example/", "other-host"),
        ("/nope", "no sitemap lists it"),
    ):
        tab.get_by_placeholder("/some/page").fill(url)
        tab.get_by_role("button", name="Explain").click()
        expect(tab.locator("#explanation")).to_contain_text(explanation)


def test_a_running_scan_causes_no_layout_shift(browser: Browser, tmp_path: Path) -> None:
    def make(_: str) -> dict[str, Answer | str]:
        links = "".join(f'<a href="/{number}">x</a>' for number in range(2000))  # enough for two minutes
        return {"/": links, **{f"/{number}": "hi" for number in range(1990)}}

    with serving(tmp_path) as server, table_site(make) as site, watched_tab(browser, WIDTHS[-1]) as wide_tab:
        body = {
            "urls": [site.origin],
            "preset": "crawl",
            "settings": {"delay": "60ms", "max_parallel": 1, "retries": 0},
        }
        number = server.request("/api/v1/scans", body).json["scan"]
        open_page(wide_tab, server, f"/scans/{number}")
        expect(wide_tab.locator("#newest li").first).to_be_visible()
        wide_tab.evaluate(
            """() => {
                 window.shift = [];
                 const describe = ({ node }) => (node?.closest ? node : node?.parentElement)?.outerHTML ?? "gone";
                 new PerformanceObserver(list => {
                   for (const entry of list.getEntries())
                     if (!entry.hadRecentInput) window.shift.push(...entry.sources.map(describe));
                 }).observe({ type: "layout-shift" });
               }"""
        )
        visited = wide_tab.locator("[data-number=visited]")
        before = visited.inner_text()
        expect(visited).not_to_have_text(before)
        assert wide_tab.evaluate("window.shift") == []
        assert_fits_and_is_accessible(wide_tab)
        wide_tab.get_by_role("button", name="Stop").click()
        expect(wide_tab.locator("#state")).to_have_text("Stopped")
        wide_tab.get_by_role("button", name="Resume").click()
        expect(wide_tab.locator("#state")).to_have_text("Running")
        server.request(f"/api/v1/scans/{number}/cancel", b"")
        expect(wide_tab.locator("#state")).to_have_text("Stopped")


def hostile_store(path: Path) -> None:
    """Store a scan whose titles, texts, clusters and URLs are hostile."""
    store = SqliteStore(str(path))
    scan = store.create_scan(["https://e.com/"], {}).number
    texts = [text.replace("\ud800", "") for text in HOSTILE]
    found, settled, classified = [], [], []
    for number, text in enumerate(texts):
        url = f"https://e.com/{number}/{text}"
        one = DiscoveredUrl(
            compute_identity(url),
            url,
            url,
            url,
            "page",
            1,
            0,
            "",
            "content-link",
            text=text,
            element="a",
            attribute=text,
        )
        candidate = Candidate(one.identity, url, url, url, 1)
        found.append(one)
        settled.append(VisitResult(candidate, "fetched", 200, "", text, etag=text, content_type=text, canonical=text))
        classified.append(Classification(one.identity, 0.5, "en", False, [(f"topic:{text}", "topic", text)]))
    store.save_batch(scan, settled, found, {})
    store.save_classifications(scan, classified)
    store.add_event(scan, "progress", {"visited": 1, "errors": {texts[0]: 1}, "seconds": 1})
    store.add_event(
        scan, "stage", {"name": "nav", "state": "done", "urls": 1, "seconds": 1.0, "note": texts[0], "limit": ""}
    )
    store.finish_scan(scan, "done")
    store.close()


def test_hostile_text_is_shown_as_text_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    hostile_store(tmp_path / "web.db")
    dialogs: list[str] = []
    with serving(tmp_path) as server, watched_tab(browser, WIDTHS[-1]) as wide_tab:
        wide_tab.on("dialog", lambda dialog: dialogs.append(dialog.message))
        open_page(wide_tab, server)
        rows = server.request("/api/v1/scans/1/pages").json["pages"]
        assert {row["title"] for row in rows} == {text.replace("\ud800", "") for text in HOSTILE}
        pages = [f"/scans/1/pages/{row['number']}" for row in rows]
        for path in [
            "/scans/1",
            "/scans/1/urls",
            "/scans/1/clusters",
            "/scans/1/skipped",
            "/scans/1/map?view=graph",
            *pages,
        ]:
            wide_tab.goto(server.origin + path)
            assert wide_tab.locator("script:not([src])").count() == 0
            assert wide_tab.locator("main img, main iframe").count() == 0
            assert set(wide_tab.evaluate("[...document.links].map(link => link.protocol)")) <= {"https:", "http:"}
            assert wide_tab.evaluate("window.ran") is None
        wide_tab.goto(f"{server.origin}/scans/1/urls")
        shown = wide_tab.locator("td.c-title").all_text_contents()
        expected = wide_tab.evaluate("texts => texts", [row["title"] for row in rows])
        assert shown == [text.replace("\x00", "") for text in expected]
        wide_tab.goto(f"{server.origin}/scans/1/map")
        wide_tab.locator("#tree .leaf, #tree summary").nth(3).wait_for()
        assert wide_tab.evaluate("window.ran") is None
    assert dialogs == []


def test_a_long_list_of_urls_has_pages(browser: Browser, tmp_path: Path) -> None:
    many_pages(tmp_path / "web.db", 6000)
    with serving(tmp_path) as server, watched_tab(browser, WIDTHS[-1]) as wide_tab:
        server.wait_for_index(1)
        open_page(wide_tab, server, "/scans/1/urls")
        wide_tab.get_by_role("link", name="Next 100").click()
        expect(wide_tab.locator("tbody tr")).to_have_count(100)
        expect(wide_tab).to_have_url(re.compile("cursor="))
        wide_tab.go_back()
        expect(wide_tab).to_have_url(f"{server.origin}/scans/1/urls")


def test_every_preset_is_offered_and_the_default_is_selected(world: World, wide_tab: Tab) -> None:
    open_page(wide_tab, world.server)
    assert set(wide_tab.evaluate("[...document.querySelectorAll('[name=preset]')].map(one => one.value)")) == set(
        PRESETS
    )
    assert wide_tab.evaluate("document.querySelector('[name=preset]:checked').value") == "full"


def test_errors_are_shown_at_their_fields(world: World, browser: Browser) -> None:
    with browser.new_context() as context:
        tab = context.new_page()
        open_page(tab, world.server)
        tab.get_by_label("Site, or several sites").fill("http://10.0.0.1/")
        tab.get_by_role("button", name="Start").click()
        expect(tab.locator("#error")).to_contain_text("private address")
        tab.get_by_label("Site, or several sites").fill(world.origin)
        tab.get_by_text("Options", exact=True).click()
        assert tab.get_by_label("analyze").input_value() == "true"
        tab.get_by_text("Analysis of pages", exact=True).click()
        tab.get_by_label("extract").fill("title text=css:h1\nprice=css:.price span")
        tab.get_by_role("button", name="Start").click()
        expect(tab.locator("#error")).to_contain_text("the name 'title text'")
        tab.get_by_label("extract").fill("")
        tab.get_by_label("max depth").fill("banana")
        tab.get_by_role("button", name="Start").click()
        expect(tab.locator("#error")).to_contain_text("max depth")
        expect(tab.get_by_label("max depth")).to_be_focused()
        assert_fits_and_is_accessible(tab)


def test_without_the_token_the_login_form_is_shown(tmp_path: Path, browser: Browser) -> None:
    with serving(tmp_path) as server, browser.new_context() as context:
        tab = context.new_page()
        answer = tab.goto(server.origin)
        assert answer is not None
        assert answer.status == 401
        tab.set_viewport_size({"width": WIDTHS[0], "height": 900})
        assert_fits_and_is_accessible(tab)
        tab.get_by_label("Token").fill("nonsense")
        tab.get_by_role("button", name="Log in").click()
        expect(tab.get_by_role("alert")).to_have_text("This token is not valid.")
        tab.emulate_media(color_scheme="dark")
        assert_fits_and_is_accessible(tab)
        tab.get_by_label("Token").fill("a-token-for-the-tests")
        tab.get_by_role("button", name="Log in").click()
        expect(tab.get_by_text("No scans yet")).to_be_visible()
        tab.wait_for_load_state("networkidle")  # the style sheet is loaded too
        assert_fits_and_is_accessible(tab)
        assert tab.evaluate("document.cookie") == ""
