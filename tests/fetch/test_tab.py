"""What a tab makes of pages that change from one time to the next, or bend what is asked of them; real Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.fetch.browser.tab import RenderedPage
from tests.fetch.test_browser import open_all
from tests.sites.paper_site import Answer
from tests.sites.spa.site import Server, running

if TYPE_CHECKING:
    from tests.sites.spa.kinds import Asked

# The first button leaves the page for good, so that it is opened again for the second.
LEAVING = """<title>First</title><p>Text</p><a href=/kept>Kept</a>
  <button onclick="history.replaceState(0, '', '/elsewhere'); document.body.innerHTML = 'Gone'">Show</button>
  <button onclick="document.body.insertAdjacentHTML('beforeend', '<a href=/second>Second</a>')">More</button>"""


def open_at(path: str, again: Answer | None) -> RenderedPage:
    """The page that leaves itself; later requests get another answer, or none before the connection ends."""
    asked: list[Asked] = []

    def answer(one: Asked) -> Answer:
        if one.path != path or sum(earlier.path == path for earlier in asked) == 1:
            return Answer(LEAVING)
        if again is None:
            raise ConnectionResetError
        return again

    with running(Server("127.0.0.1", asked, answer)) as origin:
        (opened,) = open_all([origin + path], [origin])
    assert isinstance(opened, RenderedPage), opened
    assert sum(one.path == path for one in asked) > 1
    return opened


def test_a_page_whose_address_sounds_harmful_is_opened_again() -> None:
    opened = open_at("/docs/delete/", Answer(LEAVING))
    assert not opened.problem
    assert any(url.endswith("/second") for url, _ in opened.routes)


@pytest.mark.parametrize(
    ("again", "problem"),
    [(None, "ERR_EMPTY_RESPONSE"), (Answer("<title>Busy</title>", 503), "opened again, it answered 503")],
    ids=["no answer", "an error"],
)
def test_what_was_read_is_kept_when_the_page_cannot_be_opened_again(again: Answer | None, problem: str) -> None:
    opened = open_at("/page", again)
    assert problem in opened.problem
    assert [document["title"] for document in opened.documents] == ["First"]
    assert any(url.endswith("/elsewhere") for url, _ in opened.routes)


def test_pages_that_change_how_lists_are_written() -> None:
    """Prototype.js did so before JSON was part of the language, and is still about."""
    page = """<script>
      Array.prototype.toJSON = function () { return "[" + this.map(one => JSON.stringify(one)).join(", ") + "]"; };
      Object.prototype.toJSON = () => "an object";
    </script><a href=/static>Static</a> <a href="#/route">Route</a>
    <button onclick="history.pushState({}, '', '/pushed')">Show</button>"""
    with running(Server("127.0.0.1", [], lambda _: Answer(page))) as origin:
        (opened,) = open_all([f"{origin}/"], [origin])
    assert isinstance(opened, RenderedPage), opened
    assert opened.documents[0]["fragments"] == [["#/route", False, "Route", "content"]]
    assert (f"{origin}/pushed", "pushState") in opened.routes


@pytest.mark.parametrize("name", ["title", "baseURI", "body", "documentElement"])
def test_elements_that_take_the_place_of_what_the_page_says_of_itself(name: str) -> None:
    page = f"<title>Real</title><form name={name}></form><a href=/next>Next</a>"
    with running(Server("127.0.0.1", [], lambda _: Answer(page))) as origin:
        (opened,) = open_all([f"{origin}/"], [origin])
    assert isinstance(opened, RenderedPage), opened
    (document,) = opened.documents
    assert (document["base"], document["title"], document["text"]) == (f"{origin}/", "Real", "Next")
    assert '<a href="/next">' in document["html"]


def test_a_page_that_says_something_else_than_text_is_read_by_the_browser_itself() -> None:
    page = """<script>Object.defineProperty(HTMLElement.prototype, "lang", { get: () => 5 });</script>
      <a href=/next>Next</a><iframe srcdoc="<p>Inside"></iframe>"""
    with running(Server("127.0.0.1", [], lambda _: Answer(page))) as origin:
        (opened,) = open_all([f"{origin}/"], [origin])
    assert isinstance(opened, RenderedPage), opened
    (document,) = opened.documents
    assert (document["url"], document["language"]) == (f"{origin}/", "")
    assert '<a href="/next">' in document["html"]


def test_addresses_that_chromium_writes_otherwise() -> None:
    paths = ["/a|b", "/a^b", "/a%7Cb%5E?c=|^", "/a|b#/route"]
    with running(Server("127.0.0.1", [], lambda _: Answer("<title>Here</title>"))) as origin:
        results = open_all([origin + path for path in paths], [origin])
    for opened in results:
        assert isinstance(opened, RenderedPage), opened
        assert (opened.moved_to, [document["title"] for document in opened.documents]) == ("", ["Here"])
