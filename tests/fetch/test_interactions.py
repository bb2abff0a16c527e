"""Every way in which a page shows links after it has loaded; all pages are opened in one Chromium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from headwater.fetch.browser.page_report import iter_reports
from headwater.fetch.browser.rendered_page import RenderedPage
from tests.fetch.browsing import open_all
from tests.sites.socket_server import socket_server
from tests.sites.table_site import Answer, ReceivedRequest, serve

if TYPE_CHECKING:
    from collections.abc import Mapping

ADD = "function add(path) { document.body.insertAdjacentHTML('beforeend', `<a href='${path}'>x</a>`); }"
TAGS = ("button", "div", "span", "p", "li")
FIFTY = "".join(
    f"<{TAGS[number % 5]} style='cursor:pointer' onclick=\"history.pushState(0, '', '/fifty-{number}')\">"
    f"Show {number}</{TAGS[number % 5]}>"
    for number in range(50)
)
VIRTUAL = """<div id=box style="height:300px; overflow-y:scroll"><div id=inner style="height:6000px"></div>
</div><script>
  const draw = () => {
    const first = Math.floor(box.scrollTop / 50);
    inner.innerHTML = "";
    for (let n = first; n < Math.min(first + 6, 120); n++)
      inner.innerHTML += `<a style="position:absolute" href="/virtual-${n}">x</a>`;
  };
  box.addEventListener("scroll", draw);
  draw();
</script>"""

PAGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "fifty": (FIFTY, tuple(f"/fifty-{number}" for number in range(50))),
    "select": (
        """<select onchange='location.href = this.value'><option>Choose
          <option value=/select-1>1<option value=/select-2>2</select>""",
        ("/select-1", "/select-2"),
    ),
    "select-push": (
        """<select id=s><option>Choose<option value=/push-1>1<option value=/push-2>2</select>
          <script>s.addEventListener("change", () => history.pushState(0, "", s.value))</script>""",
        ("/push-1", "/push-2"),
    ),
    "double-click": ("<p ondblclick=\"add('/double')\">x</p>", ("/double",)),
    "context-menu": (
        "<p id=c>x</p><script>c.addEventListener('contextmenu', () => add('/context'))</script>",
        ("/context",),
    ),
    "long-press": (
        """<p id=l>x</p><script>let timer;
          l.addEventListener("pointerdown", () => { timer = setTimeout(() => add("/long"), 700); });
          l.addEventListener("pointerup", () => clearTimeout(timer));</script>""",
        ("/long",),
    ),
    "touch": (
        """<p id=t>x</p><script>let timer;
          t.addEventListener("touchstart", () => { timer = setTimeout(() => add("/touch"), 900); });
          t.addEventListener("touchend", () => clearTimeout(timer));</script>""",
        ("/touch",),
    ),
    "hover": ("<p onmouseenter=\"add('/hover')\">x</p>", ("/hover",)),
    "javascript-link": ("<a href=\"javascript:add('/javascript')\">x</a>", ("/javascript",)),
    "number-sign": ("<a href='#' onclick=\"add('/sign'); return false\">x</a>", ("/sign",)),
    "timer": ("<script>setTimeout(() => add('/timer'), 3000)</script>", ("/timer",)),
    "replace": ("<script>setTimeout(() => location.replace('/replaced'), 2000)</script>", ("/replaced",)),
    "events": ("<script>new EventSource('/stream').onmessage = event => add(event.data)</script>", ("/event",)),
    "socket": ("<script>new WebSocket('SOCKET').onmessage = event => add(event.data)</script>", ("/socket",)),
    "virtual": (VIRTUAL, tuple(f"/virtual-{number}" for number in range(120))),
    "load-more": (
        """<button id=m>Load more</button><script>let n = 0;
          m.onclick = () => { add("/more-" + n++); m.hidden = n === 40; }</script>""",
        tuple(f"/more-{number}" for number in range(40)),
    ),
    "object": ("<object data=/inner width=100 height=100 type=text/html></object>", ("/inside",)),
    "frame": ("<iframe src=/inner></iframe>", ("/inside",)),
    "written": ("<script>document.write('<a href=/written>x</a>')</script>", ("/written",)),
    "import-map": (
        """<script type=importmap>{"imports": {"menu": "/menu.js"}}</script>
        <script type=module>import { path } from "menu"; add(path)</script>""",
        ("/imported",),
    ),
    "submit": ("<button onclick=\"add('/submitted')\">Submit</button>", ("/submitted",)),
}
OTHERS = {
    "/inner": Answer("<a href=/inside>x</a>"),
    "/stream": Answer("data: /event\n\n", type="text/event-stream"),
    "/menu.js": Answer("export const path = '/imported'", type="text/javascript"),
}


@pytest.fixture(scope="module")
def found() -> dict[str, set[str]]:
    """Open all pages, and return the paths of the routes and links of each."""

    def answer(request: ReceivedRequest) -> Answer | None:
        name = request.path.removeprefix("/page/")
        if name not in PAGES:
            return OTHERS.get(request.path)
        return Answer(f"<title>x</title><body><script>{ADD}</script>{PAGES[name][0].replace('SOCKET', socket.origin)}")

    with socket_server("/socket") as socket, serve(answer) as server:
        urls = [f"{server.origin}/page/{name}" for name in PAGES]
        results = open_all(urls, [server.origin, socket.origin.replace("ws", "http")])
    return {name: _read_paths(result, server.origin) for name, result in zip(PAGES, results, strict=True)}


def _read_paths(result: object, origin: str) -> set[str]:
    assert isinstance(result, RenderedPage), result
    routes = {url.removeprefix(origin) for url, _ in result.routes}
    return routes.union(*(re.findall(r'<a [^>]*href="([^"]*)"', one.html) for one in iter_reports(result.documents)))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_its_links(found: dict[str, set[str]], name: str) -> None:
    assert set(PAGES[name][1]) - found[name] == set()
