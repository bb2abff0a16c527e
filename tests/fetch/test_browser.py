"""The browser opens hostile and slow pages, keeps secrets to their origin and recovers from crashes.

These tests use a real Chromium and loopback addresses only.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from headwater.fetch.browser.browser import Browser
from headwater.fetch.browser.chromium import find_chromium
from headwater.fetch.browser.rendered_page import RenderedPage
from headwater.fetch.browser.tab import Tab
from headwater.model import FetchFailure
from headwater.settings import build_settings
from headwater.version import USER_AGENT
from tests.commands import until, with_growing_limit
from tests.fetch.browsing import RENDER_TIMEOUT, open_all, open_html, open_page
from tests.sites.spa.site import serving
from tests.sites.table_site import Answer, serve, table_site

if TYPE_CHECKING:
    from tests.sites.spa.kinds import Served
    from tests.sites.table_site import ReceivedRequest

# The expected failure reason of each hostile page, or "" if the page is read nevertheless.
HOSTILE = {
    "/alerts": "render-failed",
    "/before-unload": "",
    "/crash": "render-failed",
    "/csp": "",
    "/csp-sandbox": "",
    "/download": "download",
    "/download-by-script": "",
    "/lies": "",
    "/loop": "render-failed",
    "/loop-in-microtasks": "render-failed",
    "/loop-later": "render-failed",
    "/loop-on-click": "",
    "/memory": "",
    "/never-quiet": "",
    "/polling": "",
    "/popups": "",
    "/push-storm": "",
    "/reload": None,  # read or failed, depending on timing
    "/service-worker": "",
    "/to-other-schemes": "",
    "/to-private": "private-address",
    "/to-private-by-request": "",
    "/to-private-by-script": "render-failed",
    "/fine/1": "",
}
LOOP_AFTER_READING = "/loop-on-click"
"""Read first, and then busy until its deadline."""

Results = dict[str, RenderedPage | FetchFailure]


def children() -> set[int]:
    """Return the ids of all descendants of this process."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(status.parent.name)] = int(fields[1])
    found, own = set(), {os.getpid()}
    while own:
        own = {process for process, parent in parents.items() if parent in own}
        found |= own
    return found


@pytest.fixture(scope="module")
def hostile() -> tuple[Served, Results, set[int]]:
    """Open every hostile page once; return the site, the results, and the processes that ran before."""
    before = children()
    with serving("hostile") as served:

        def open_paths(paths: list[str], deadline: float) -> Results:
            urls = [served.origin + path for path in paths]
            opened = open_all(urls, [served.start], render_parallel=3, render_timeout=deadline)
            return dict(zip(paths, opened, strict=True))

        def is_read(results: Results) -> bool:
            return isinstance(results[LOOP_AFTER_READING], RenderedPage)

        endless = [path for path, reason in HOSTILE.items() if reason == "render-failed"]
        others = [path for path, reason in HOSTILE.items() if reason != "render-failed" and path != LOOP_AFTER_READING]
        looping: Results = with_growing_limit(lambda limit: open_paths([LOOP_AFTER_READING], limit), is_read, 4.0)
        results = open_paths(others, RENDER_TIMEOUT) | open_paths(endless, 1.5) | looping
    return served, results, before


@pytest.mark.parametrize(("path", "reason"), HOSTILE.items())
def test_hostile_pages_end(hostile: tuple[Served, Results, set[int]], path: str, reason: str | None) -> None:
    result = hostile[1][path]
    actual = result.reason if isinstance(result, FetchFailure) else ""
    assert actual == reason if reason is not None else actual in {"", "render-failed"}


def test_links_of_hostile_pages_are_found(hostile: tuple[Served, Results, set[int]]) -> None:
    """A page that lies, forbids scripts or never settles is read nevertheless."""
    for path in (
        "/lies",
        "/csp",
        "/csp-sandbox",
        "/never-quiet",
        "/before-unload",
        "/loop-on-click",
        "/to-other-schemes",
    ):
        opened = hostile[1][path]
        assert isinstance(opened, RenderedPage)
        assert any(f"/beyond{path}" in document.html for document in opened.documents), path


def test_popups_are_recorded_and_closed(hostile: tuple[Served, Results, set[int]]) -> None:
    opened = hostile[1]["/popups"]
    assert isinstance(opened, RenderedPage)
    assert len({url for url, how in opened.routes if how == "window.open"}) == 10


def test_hostile_pages_reach_no_private_address(hostile: tuple[Served, Results, set[int]]) -> None:
    assert hostile[0].private_requests == []


def test_no_process_is_left_behind(hostile: tuple[Served, Results, set[int]]) -> None:
    until(lambda: not children() - hostile[2])  # a process that was told to end may take a moment


def test_applications_that_start_in_a_task_of_the_console_are_read() -> None:
    start = "console.createTask('start').run(() => { document.body.innerHTML = '<a href=/late>x</a>' })"
    page, _ = open_html(f"<body><script>{start}</script></body>")
    assert "/late" in page.documents[0].html


def test_scrolling_loads_the_whole_list() -> None:
    with serving("scroll") as served:
        starts = sorted({route.on for route in served.site.routes if route.means == "scroll"})
        results = open_all([served.origin + path for path in starts], [served.start])
        text = ""
        for opened in results:
            assert isinstance(opened, RenderedPage)
            text += "".join(document.html for document in opened.documents) + " ".join(url for url, _ in opened.routes)
        assert all(f'{path}"' in text or path in text for path in served.site.found_by("scroll"))


def test_scrolling_an_endless_list_stops() -> None:
    with serving("endless-scroll") as served:
        opened = with_growing_limit(
            lambda limit: open_all([served.start], [served.start], render_timeout=limit)[0],
            lambda opened: isinstance(opened, RenderedPage),
            5.0,
        )
    assert isinstance(opened, RenderedPage)
    assert opened.documents


def test_a_page_with_a_hundred_thousand_links_is_read() -> None:
    with serving("many-links") as served:
        opened = open_page(served.start, served.start)
    assert opened.documents[0].html.count("<a ") >= 100_000


def test_secret_headers_are_sent_to_their_origin_only() -> None:
    with (
        table_site(lambda _: {"/": "elsewhere", "/script.js": Answer("", type="text/javascript")}) as other,
        table_site(lambda _: {"/": Answer("", 302, headers={"Location": f"{other.origin}/"})}) as leading,
        table_site(lambda _: {"/": f"<script src={other.origin}/script.js></script>"}) as including,
    ):
        for site in (leading, including):
            open_all(
                [f"{site.origin}/"],
                [site.origin],
                header=("Authorization: Bearer secret", "X-Team: blue"),
                allow_private=("127.0.0.1",),
            )
            sent = site.requests[0][1]
            assert (sent["authorization"], sent["x-team"], sent["user-agent"]) == ("Bearer secret", "blue", USER_AGENT)
        assert other.requests
        assert all("authorization" not in headers for _, headers, _ in other.requests)


def test_opening_menus_sends_no_post_request() -> None:
    """Hovering, focusing and pressing keys send only safe requests, like clicking."""
    page = """<div id=menu tabindex=0 aria-haspopup=true>More</div><script>
      const send = how => fetch("/api/seen?by=" + how, { method: "POST" });
      for (const how of ["mouseenter", "focusin", "keydown"]) menu.addEventListener(how, () => send(how));
      menu.addEventListener("mouseenter", () => menu.insertAdjacentHTML("beforeend", "<a href=/shown>Shown</a>"));
    </script>"""
    with serve(lambda _: Answer(page)) as server:
        opened = open_page(f"{server.origin}/", server.origin)
    assert {method for _, method in opened.endpoints} == {"POST"}
    assert {one.method for one in server.requests} == {"GET"}
    assert any(url.endswith("/shown") for url, _ in opened.routes)


LATE_VIEWS = """<main id=view></main><script>
  const home = () => {
    view.innerHTML = "<div class=item>One</div><div class=item>Two</div><div class=item>Three</div>";
    for (const item of document.querySelectorAll(".item")) item.addEventListener("click", () => go(item.textContent));
  };
  const go = name => { history.pushState({}, "", "/" + name.toLowerCase()); view.innerHTML = "<h1>Leaf</h1>"; };
  addEventListener("popstate", () => import("/home.js?" + performance.now()).then(home));
  home();
</script>"""
LATE_ROUTES = """<button id=first>First</button><button id=second>Second</button><script type=module>
  for (const button of document.querySelectorAll("button")) button.addEventListener("click", async () => {
    await import("/" + button.id + ".js");
    history.pushState({}, "", "/" + button.id);
    document.body.innerHTML = "<h1>Shown</h1>";
  });
</script>"""

LATE_MENU = """<div id=menu aria-haspopup=true>More</div><script>
  menu.addEventListener("mouseenter", async () => {
    await import("/menu.js");
    history.pushState({}, "", "/menu");
    document.body.innerHTML = "<h1>Shown</h1>";
  });
</script>"""


@pytest.mark.parametrize(
    ("page", "slow", "delay", "wanted"),
    [
        (LATE_VIEWS, ("/home.js",), 0.7, {"/one", "/two", "/three"}),
        (LATE_ROUTES, ("/first.js", "/second.js"), 0.4, {"/first", "/second"}),
        (LATE_MENU, ("/menu.js",), 0.4, {"/menu"}),
    ],
    ids=["home view", "routes", "hover menu"],
)
def test_clicks_wait_for_views_that_are_loaded_late(
    page: str, slow: tuple[str, ...], delay: float, wanted: set[str]
) -> None:
    """Applications often load the script of a view on demand, which no hook in the page can observe."""

    def answer(request: ReceivedRequest) -> Answer:
        path = request.path.partition("?")[0]
        if path not in slow:
            return Answer(page)
        time.sleep(delay)
        return Answer("export {}", type="text/javascript")

    with serve(answer) as server:
        opened = open_page(f"{server.origin}/", server.origin)
    assert wanted <= {url.removeprefix(server.origin) for url, _ in opened.routes}
    assert all(document.url == f"{server.origin}/" for document in opened.documents)


def test_a_response_whose_body_arrives_late_is_waited_for() -> None:
    """The page builds its links from the body, which arrives long after the headers."""
    page = """<main id=view></main><script>
      const slow = new ReadableStream({ start(stream) { setTimeout(() => {
        stream.enqueue(new TextEncoder().encode("<a href=/late>Late</a>"));
        stream.close();
      }, 800) } });
      new Response(slow).text().then(text => { view.innerHTML = text; });
    </script>"""
    opened, _ = open_html(page)
    assert '<a href="/late">' in opened.documents[-1].html


def test_private_address_is_reported_for_the_blocked_host_only() -> None:
    """A host that does not answer is not called private because an earlier page requested a private address."""

    def site(_: str) -> dict[str, Answer | str]:
        return {
            "/": "<script src=http://10.1.2.3/></script>",
            "/there": Answer("", 302, headers={"Location": "http://10.1.2.3/"}),
        }

    with table_site(site) as served, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and does not listen
        silent = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        urls = [f"{served.origin}/", silent, f"{served.origin}/there"]
        results = open_all(urls, [served.origin], render_parallel=1)
    assert [one.reason if isinstance(one, FetchFailure) else "" for one in results] == [
        "", "render-failed", "private-address",
    ]  # fmt: skip
    assert isinstance(results[2], FetchFailure)
    assert "10.1.2.3" in results[2].detail


def test_a_browser_that_does_not_start(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    program.chmod(0o755)
    (result,) = open_all(["http://127.0.0.1:1/"], ["http://127.0.0.1:1/"], browser=str(program))
    assert isinstance(result, FetchFailure)
    assert result.reason == "browser-failed"


def test_a_browser_that_starts_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that has to be opened again fails if the browser does not start a second time."""
    program = tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\nexec {find_chromium()} "$@"\n')
    program.chmod(0o755)

    async def interrupted(tab: Tab, *_: object, **__: object) -> RenderedPage:
        program.write_text("#!/bin/sh\nexit 1\n")
        assert tab.context.browser is not None
        await tab.context.browser.close()
        raise RuntimeError("Navigation is interrupted by another navigation")

    monkeypatch.setattr(Tab, "open", interrupted)
    with serve(lambda _: Answer("Here")) as server:
        (result,) = open_all([f"{server.origin}/"], [server.origin], browser=str(program))
    assert isinstance(result, FetchFailure)
    assert result.reason == "browser-failed"


def test_a_tab_that_crashed_while_idle_is_not_used_again() -> None:
    async def work(origin: str) -> list[RenderedPage | FetchFailure]:
        browser = Browser(build_settings({"render_timeout": RENDER_TIMEOUT, "render_parallel": 1}), [origin])
        try:
            first = await browser.open(f"{origin}/first")
            (tab,) = browser._idle  # noqa: SLF001  (there is no public access to an idle tab)
            async with tab.page.expect_event("crash"):
                crashing = asyncio.ensure_future(tab.session.send("Page.crash"))  # a crashed page never answers it
            second = await browser.open(f"{origin}/second")
            crashing.cancel()
            return [first, second]
        finally:
            await browser.aclose()

    with serve(lambda _: Answer("Here")) as server:
        results = asyncio.run(work(server.origin))
    for opened in results:
        assert isinstance(opened, RenderedPage), opened
        assert (len(opened.documents), opened.problem) == (1, "")
