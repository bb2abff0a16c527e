"""A tab reads pages that change between visits or redefine what our script uses; with a real Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.fetch.browser.rendered_page import RenderedPage
from tests.fetch.browsing import open_all, open_page
from tests.sites.table_site import Answer, serve

if TYPE_CHECKING:
    from tests.sites.table_site import ReceivedRequest

# A click on the first button leaves the page, so it has to be opened again for the second.
LEAVING = """<title>First</title><p>Text</p><a href=/kept>Kept</a>
  <button onclick="history.replaceState(0, '', '/elsewhere'); document.body.innerHTML = 'Gone'">Show</button>
  <button onclick="document.body.insertAdjacentHTML('beforeend', '<a href=/second>Second</a>')">More</button>"""


def open_at(path: str, again: Answer | None) -> RenderedPage:
    """Open the page that leaves itself; later requests get another answer, or a closed connection."""

    def answer(request: ReceivedRequest) -> Answer:
        if request.path != path or sum(earlier.path == path for earlier in server.requests) == 1:
            return Answer(LEAVING)
        if again is None:
            raise ConnectionResetError
        return again

    with serve(answer) as server:
        opened = open_page(server.origin + path, server.origin)
    assert sum(one.path == path for one in server.requests) > 1
    return opened


def test_a_page_whose_url_sounds_harmful_is_opened_again() -> None:
    opened = open_at("/docs/delete/", Answer(LEAVING))
    assert not opened.problem
    assert any(url.endswith("/second") for url, _ in opened.routes)


@pytest.mark.parametrize(
    ("again", "problem"),
    [(None, "ERR_EMPTY_RESPONSE"), (Answer("<title>Busy</title>", 503), "status 503 when opened again")],
    ids=["no answer", "an error"],
)
def test_documents_are_kept_if_the_page_cannot_be_opened_again(again: Answer | None, problem: str) -> None:
    opened = open_at("/page", again)
    assert problem in opened.problem
    assert [document.title for document in opened.documents] == ["First"]
    assert any(url.endswith("/elsewhere") for url, _ in opened.routes)


PROTOTYPE = """<script>
  Array.prototype.toJSON = function () { return "[" + this.map(one => JSON.stringify(one)).join(", ") + "]"; };
  Object.prototype.toJSON = () => "an object";
</script><a href=/static>Static</a> <a href="#/route">Route</a>
<button onclick="history.pushState({}, '', '/pushed')">Show</button>"""
FORMS = "<form action=/search><input name=q></form><form action=/shelf><select name=s><option>a</select>"
INVALID_REPORT = """<script>Object.defineProperty(HTMLElement.prototype, "lang", { get: () => 5 });</script>
  <a href=/next>Next</a><iframe srcdoc="<p>Inside"></iframe>"""
NAMES = ("title", "baseURI", "body", "documentElement")
PAGES = {
    "/prototype": PROTOTYPE,
    "/forms": FORMS,
    "/invalid-report": INVALID_REPORT,
    **{f"/{name}": f"<title>Real</title><form name={name}></form><a href=/next>Next</a>" for name in NAMES},
}
Opened = dict[str, RenderedPage]


@pytest.fixture(scope="module")
def opened() -> tuple[Opened, str]:
    """Open all these pages in one browser; return them and their origin."""
    with serve(lambda request: Answer(PAGES[request.path]) if request.path in PAGES else None) as server:
        results = open_all([server.origin + path for path in PAGES], [server.origin])
    pages = {path: page for path, page in zip(PAGES, results, strict=True) if isinstance(page, RenderedPage)}
    return pages, server.origin


def test_pages_that_redefine_how_lists_become_json(opened: tuple[Opened, str]) -> None:
    """Old versions of Prototype.js, which are still in use, do so."""
    page = opened[0]["/prototype"]
    assert page.documents[0].fragments == [("#/route", False, "Route", "content")]
    assert (f"{opened[1]}/pushed", "pushState") in page.routes


def test_a_search_form_without_words_is_no_route(opened: tuple[Opened, str]) -> None:
    assert [route[:2] for route in opened[0]["/forms"].routes] == [(f"{opened[1]}/shelf?s=a", "form")]


@pytest.mark.parametrize("name", NAMES)
def test_elements_named_like_properties_of_the_document(opened: tuple[Opened, str], name: str) -> None:
    (document,) = opened[0][f"/{name}"].documents
    assert (document.base, document.title, document.text) == (f"{opened[1]}/{name}", "Real", "Next")
    assert '<a href="/next">' in document.html


def test_a_page_with_an_invalid_report_is_read_by_the_debugging_protocol(opened: tuple[Opened, str]) -> None:
    (document,) = opened[0]["/invalid-report"].documents
    assert (document.url, document.language) == (f"{opened[1]}/invalid-report", "")
    assert '<a href="/next">' in document.html


def test_urls_that_chromium_serializes_differently() -> None:
    paths = ["/a|b", "/a^b", "/a%7Cb%5E?c=|^", "/a|b#/route"]
    with serve(lambda _: Answer("<title>Here</title>")) as server:
        results = open_all([server.origin + path for path in paths], [server.origin])
    for opened in results:
        assert isinstance(opened, RenderedPage), opened
        assert (opened.moved_to, [document.title for document in opened.documents]) == ("", ["Here"])
