"""Limits hold for pages in the browser: for reports, console output, windows, navigations and running time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from headwater.fetch.browser.browser import Browser
from headwater.fetch.browser.page_session import MAX_HTML
from headwater.fetch.browser.rendered_page import RenderedPage
from headwater.fetch.browser.tab import MAX_NAVIGATIONS, MAX_POPUPS, MAX_REPORT_CHARS
from headwater.model import FetchFailure
from headwater.settings import build_settings
from tests.commands import PATIENCE, with_growing_limit
from tests.fetch.browsing import open_all
from tests.sites.table_site import Answer, serve

if TYPE_CHECKING:
    from tests.sites.table_site import ReceivedRequest

PAGES = {
    "/addresses": """navigator.sendBeacon("/" + "y".repeat(100000)); navigator.sendBeacon("/short");
      for (let at = 0; at < 12; at++) fetch("/" + at + "y".repeat(1e6)).catch(() => {});""",
    "/title": "document.title = 't'.repeat(3e6); document.documentElement.lang = 'q'.repeat(3e6);",
    "/frames": """for (let at = 0; at < 3; at++) {
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.contentDocument.body.hidden = true;
        frame.contentDocument.body.append("z".repeat(9e6));
      }""",
    "/console": """const text = "y".repeat(1e6);
      setInterval(() => { for (let at = 0; at < 20; at++) console.log(text + at); }, 10);
      setInterval(() => { Promise.reject(text + 1); throw text; }, 10);""",
    "/away": "location = '/away?' + Math.random();",
    "/windows": """let at = 0;
      setInterval(() => { document.body.className = ++at; window.open("/window"); }, 2);""",
    "/named-windows": """let at = 0;
      setInterval(() => { document.body.className = ++at; window.open("/named-window", "name" + at); }, 2);""",
    "/same-window": "setTimeout(() => window.open('/title', '_self'), 10);",
}
Results = dict[str, RenderedPage | FetchFailure]


@pytest.fixture(scope="module")
def results() -> tuple[Results, list[str]]:
    """Open every page once; return the results and the requested paths."""

    def answer(request: ReceivedRequest) -> Answer | None:
        script = PAGES.get(request.path.partition("?")[0])
        return Answer(f"<title>Here</title><body><a href=/next>Next</a><script>{script}</script>") if script else None

    with serve(answer) as server:
        opened = open_all([server.origin + path for path in PAGES], [server.origin])
    return dict(zip(PAGES, opened, strict=True)), [one.path for one in server.requests]


def read(results: tuple[Results, list[str]], path: str) -> RenderedPage:
    opened = results[0][path]
    assert isinstance(opened, RenderedPage), opened
    assert (opened.problem, bool(opened.documents)) == ("", True)
    return opened


def test_long_urls_are_not_kept(results: tuple[Results, list[str]]) -> None:
    opened = read(results, "/addresses")
    assert [url.rpartition("/")[2] for url, how in opened.routes if how == "sendBeacon"] == ["short"]
    assert 0 < sum(len(url) for url, _ in opened.endpoints) <= MAX_REPORT_CHARS


def test_long_titles_are_cut(results: tuple[Results, list[str]]) -> None:
    document = read(results, "/title").documents[0]
    assert (document.title, document.language) == ("t" * 1000, "q" * 100)


def test_a_page_and_its_frames_share_a_limit(results: tuple[Results, list[str]]) -> None:
    document = read(results, "/frames").documents[0]
    sizes = [len(frame.html) for frame in document.frames]
    assert sizes[0] > 9_000_000
    assert sum(sizes) + len(document.html) <= MAX_HTML


def test_console_output_is_not_transferred(results: tuple[Results, list[str]]) -> None:
    assert "/next" in read(results, "/console").documents[0].html


def get_problem(results: tuple[Results, list[str]], path: str) -> str:
    outcome = results[0][path]
    return outcome.detail if isinstance(outcome, FetchFailure) else outcome.problem


def test_a_page_that_navigates_without_end_is_stopped(results: tuple[Results, list[str]]) -> None:
    """It is given up, unless it was read before it navigated often."""
    few = sum(path.startswith("/away") for path in results[1]) < 10 * MAX_NAVIGATIONS
    assert few or get_problem(results, "/away") == "the page navigates without end"


def test_new_windows_are_recorded_and_not_opened(results: tuple[Results, list[str]]) -> None:
    assert [how for url, how in read(results, "/windows").routes if url.endswith("/window")] == ["window.open"]
    assert "/window" not in results[1]


def test_a_page_that_opens_named_windows_without_end_is_stopped(results: tuple[Results, list[str]]) -> None:
    """It is given up, unless it was read before it opened many."""
    few = results[1].count("/named-window") < 10 * MAX_POPUPS
    assert few or get_problem(results, "/named-windows") == "the page opens windows without end"


def test_a_script_can_open_a_page_in_its_own_window(results: tuple[Results, list[str]]) -> None:
    outcome = results[0]["/same-window"]
    assert isinstance(outcome, RenderedPage)
    assert outcome.moved_to.endswith("/title")


def test_an_idle_tab_is_closed() -> None:
    """Requests of a page end soon after the page was read."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        page = b"<a href=/next>Next</a><script>fetch('/endless')</script>"
        if b"/endless" in await reader.readuntil(b"\r\n\r\n"):
            await reader.read()
            is_over.set()
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + page)
        writer.close()

    async def work(limit: float) -> RenderedPage | FetchFailure:
        is_over.clear()
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        browser = Browser(build_settings({"render_timeout": limit}), [url])
        try:
            opened = await browser.open(url)
            if isinstance(opened, RenderedPage):
                assert not is_over.is_set()
                await asyncio.wait_for(is_over.wait(), PATIENCE)
            return opened
        finally:
            await browser.aclose()
            server.close()

    is_over = asyncio.Event()
    opened = with_growing_limit(
        lambda limit: asyncio.run(work(limit)), lambda opened: isinstance(opened, RenderedPage), 3.0
    )
    assert isinstance(opened, RenderedPage)
