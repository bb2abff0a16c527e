"""Limits on what a page in the browser costs: on what it tells, writes, opens and goes to, and after it was read."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from headwater.fetch.browser.browser import Browser
from headwater.fetch.browser.tab import MAX_HTML, MAX_NAVIGATIONS, MAX_POPUPS, MAX_REPORT_CHARS, RenderedPage
from headwater.model import FetchFailure
from headwater.settings import build_settings
from tests.fetch.test_browser import open_all
from tests.sites.paper_site import Answer
from tests.sites.spa.site import Server, running

if TYPE_CHECKING:
    from tests.sites.spa.kinds import Asked

PAGES = {
    "/addresses": """navigator.sendBeacon("/" + "y".repeat(100000)); navigator.sendBeacon("/short");
      for (let at = 0; at < 12; at++) fetch("/" + at + "y".repeat(1e6)).catch(() => {});""",
    "/title": "document.title = 't'.repeat(3e6); document.documentElement.lang = 'q'.repeat(3e6);",
    "/frames": """for (let at = 0; at < 3; at++) {
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.contentDocument.body.hidden = true;
        frame.contentDocument.body.append("z".repeat(9e6));
      }""",
    "/console": """const text = "y".repeat(5e6);
      setInterval(() => { for (let at = 0; at < 20; at++) console.log(text + at); }, 10);
      setInterval(() => { Promise.reject(text + 1); throw text; }, 10);""",
    "/away": "location = '/away?' + Math.random();",
    "/windows": """let at = 0;
      setInterval(() => { document.body.className = ++at; window.open("/window"); }, 2);""",
}
Results = dict[str, RenderedPage | FetchFailure]


@pytest.fixture(scope="module")
def results() -> tuple[Results, list[str]]:
    """Every page opened once, and the paths that were requested."""
    asked: list[Asked] = []

    def answer(one: Asked) -> Answer | None:
        script = PAGES.get(one.path.partition("?")[0])
        return Answer(f"<title>Here</title><body><a href=/next>Next</a><script>{script}</script>") if script else None

    with running(Server("127.0.0.1", asked, answer)) as origin:
        opened = open_all([origin + path for path in PAGES], [origin])
    return dict(zip(PAGES, opened, strict=True)), [one.path for one in asked]


def read(results: tuple[Results, list[str]], path: str) -> RenderedPage:
    opened = results[0][path]
    assert isinstance(opened, RenderedPage), opened
    assert (opened.problem, bool(opened.documents)) == ("", True)
    return opened


def test_long_addresses_are_not_kept(results: tuple[Results, list[str]]) -> None:
    opened = read(results, "/addresses")
    assert [url.rpartition("/")[2] for url, how in opened.routes if how == "sendBeacon"] == ["short"]
    assert 0 < sum(len(url) for url, _ in opened.endpoints) <= MAX_REPORT_CHARS


def test_long_titles_are_cut(results: tuple[Results, list[str]]) -> None:
    document = read(results, "/title").documents[0]
    assert (document["title"], document["language"]) == ("t" * 1000, "q" * 100)


def test_a_page_and_its_frames_share_a_limit(results: tuple[Results, list[str]]) -> None:
    document = read(results, "/frames").documents[0]
    sizes = [len(frame["html"]) for frame in document["frames"]]
    assert sizes[0] > 9_000_000
    assert sum(sizes) + len(document["html"]) <= MAX_HTML


def test_what_a_page_writes_to_the_console_is_not_sent(results: tuple[Results, list[str]]) -> None:
    assert "/next" in read(results, "/console").documents[0]["html"]


def test_a_page_that_goes_elsewhere_without_end_is_left(results: tuple[Results, list[str]]) -> None:
    assert sum(path.startswith("/away") for path in results[1]) < 4 * MAX_NAVIGATIONS


def test_a_page_that_opens_windows_without_end_is_left(results: tuple[Results, list[str]]) -> None:
    outcome = results[0]["/windows"]
    problem = outcome.detail if isinstance(outcome, FetchFailure) else outcome.problem
    assert problem == "windows without end" or results[1].count("/window") <= MAX_POPUPS


def test_a_page_that_was_read_does_not_go_on_for_long() -> None:
    """Its tab is closed once no other page needs it, and what it was loading ends."""
    is_over = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        page = b"<a href=/next>Next</a><script>fetch('/endless')</script>"
        if b"/endless" in await reader.readuntil(b"\r\n\r\n"):
            await reader.read()
            is_over.set()
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + page)
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        browser = Browser(build_settings({"render_timeout": 3.0}), [url])
        try:
            assert isinstance(await browser.open(url), RenderedPage)
            assert not is_over.is_set()
            async with asyncio.timeout(30):
                await is_over.wait()
        finally:
            await browser.aclose()
            server.close()

    asyncio.run(work())
