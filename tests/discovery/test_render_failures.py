"""Errors that only the browser meets, in real Chromium."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import headwater
from tests.commands import PATIENCE
from tests.sites.table_site import Answer, serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from headwater import Discovery
    from headwater.model import Evidence
    from tests.sites.table_site import ReceivedRequest

BUSY = Answer("<title>Busy</title><h1>Busy</h1>", 503)
ITEMS = 5


def is_browser(request: ReceivedRequest) -> bool:
    return "sec-fetch-mode" in request.headers


def discover(answer: Callable[[ReceivedRequest], Answer | None], **settings: Any) -> Discovery:
    with serve(answer) as server:
        return headwater.discover(
            server.origin, **{"retries": 0, "max_parallel": 1, "render_timeout": PATIENCE, **settings}
        )


def rendered(found: Discovery) -> list[Evidence]:
    return [one for one in found.evidence if one.kind == "render"]


def shells(request: ReceivedRequest) -> Answer | None:
    """Pages that look built by scripts."""
    if request.path == "/":
        return Answer("<title>List</title>" + "".join(f"<a href=/item/{n}>x</a>" for n in range(ITEMS)))
    if request.path.startswith("/item/"):
        return Answer(f"<title>Item {request.path[6:]}</title><div id=root></div><script></script>")
    return None


def test_an_error_of_the_browser_leaves_the_static_findings() -> None:
    """The error does not count against other pages of the same shape: all are opened."""
    found = discover(lambda request: BUSY if is_browser(request) else shells(request))
    items = [page for page in found.pages if "/item/" in page.url]
    assert {(page.title, page.state, page.status) for page in items} == {
        (f"Item {n}", "fetched", 200) for n in range(ITEMS)
    }
    evidence = rendered(found)
    assert len(evidence) == ITEMS
    assert {(one.success, one.status, one.error) for one in evidence} == {(False, 503, "http-503 in the browser")}


def test_a_retry_after_sent_to_the_browser_applies_to_all_requests() -> None:
    refused: list[float] = []
    later: list[float] = []

    def answer(request: ReceivedRequest) -> Answer | None:
        if refused and request.path.startswith("/item/"):  # the browser also requests the icon
            later.append(time.monotonic())
        if not is_browser(request) or refused:
            return shells(request)
        refused.append(time.monotonic())
        return BUSY._replace(status=429, headers={"Retry-After": "2"})

    discover(answer, render_parallel=1)
    assert min(later) - refused[0] > 1.9


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    """Scripts count in UTF-16 and may cut a character in half; the half can be neither stored nor requested."""
    page = """<div id=root></div><script>
      const half = "Hello \\u{1F600}".slice(0, 7);
      document.title = half;
      root.innerHTML = `<a href=/next>${half}</a> <a href="#/route">${half}</a> <button>${half}</button>`;
      root.append(location.hash);
      addEventListener("hashchange", () => location.reload());
    </script>"""
    found = discover(
        lambda request: Answer(page) if request.path == "/" else Answer("<title>Next</title>"),
        db=str(tmp_path / "x.db"),
    )
    pages = {page.url.rpartition("/")[2]: page for page in found.store.pages(found.scan)}
    assert {"", "next", "route"} <= set(pages)
    assert pages[""].title == "Hello \ufffd"


APPLICATION = """<div id=root></div><script>
  root.innerHTML = `<p>Welcome</p><ul id=list><li>One</ul><button>Show next</button> <a href="#other">Other</a>`;
  document.querySelector("button").onclick = () => list.insertAdjacentHTML("beforeend", "<li>Next");
  addEventListener("hashchange", () => {});
</script>"""


def test_a_fragment_is_compared_with_a_fresh_page() -> None:
    """A tab that shows the page already would have been changed by clicks."""
    found = discover(lambda request: Answer(APPLICATION) if request.path == "/" else None, render_parallel=1)
    assert [page.url.rpartition("/")[2] for page in found.pages] == [""]
    assert found.skipped["same-page"] == 1


def test_a_hash_route_that_fails_is_not_a_page() -> None:
    opened_paths: list[str] = []

    def answer(request: ReceivedRequest) -> Answer | None:
        if request.path != "/":
            return None
        opened_paths.extend([request.path] * is_browser(request))
        return BUSY if len(opened_paths) > 1 else Answer(APPLICATION.replace("#other", "#/other"))

    found = discover(answer)
    pages = {page.url.rpartition("/")[2]: page for page in found.store.pages(found.scan)}
    assert (pages["other"].state, pages["other"].status, pages["other"].reason) == ("failed", 503, "http-503")
