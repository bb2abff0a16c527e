"""Number and choice of elements that are clicked on a page, in real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

import headwater
from tests.commands import PATIENCE
from tests.sites.table_site import Answer, serve, table_site

AGAIN = 20
"""Clicks on an element that shows more with every click."""


def page_with(body: str, script: str) -> str:
    return f"<title>Home</title><div id=root></div><script>root.innerHTML = `{body}`;{script}</script>"


def run(home: str, paths: list[str], **settings: Any) -> tuple[set[str], int]:
    """Return the listed paths, and the number of clicked elements of the first page."""
    pages: dict[str, Answer | str] = {path: f"<title>{path}</title><p>The text of {path}.</p>" for path in paths}
    with table_site(lambda _: {"/": home, **pages}) as site:
        found = headwater.discover(f"{site.origin}/", **{"retries": 0, "render_timeout": PATIENCE, **settings})
        clicks = next(one for one in found.evidence if one.kind == "render").content["clicks"]
        return {url.removeprefix(site.origin) for url in found.urls} - {"/"}, int(str(clicks))


@pytest.mark.parametrize("text", ["Show more", "${count} shown"], ids=["the same text", "a text that changes"])
def test_an_element_that_is_clicked_again_counts_once(text: str) -> None:
    buttons = "<button id=more>0 shown</button><p id=list></p>" + "".join(
        f"<button>Go {n}</button>" for n in range(1, 9)
    )
    script = """
      let count = 0;
      more.onclick = () => {
        count++;
        list.innerHTML += "<a href=/more" + count + ">m</a>";
        more.textContent = `STRING`;
      };
      for (const button of document.querySelectorAll("button:not([id])"))
        button.onclick = () => history.pushState(0, "", "/go" + button.textContent.slice(3));
    """.replace("TEXT", text)
    more = [f"/more{n}" for n in range(1, AGAIN + 1)]
    listed, clicks = run(page_with(buttons, script), [*more, *(f"/go{n}" for n in range(1, 9))], max_clicks=5)
    assert listed == {*more, *(f"/go{n}" for n in range(1, 5))}
    assert clicks == 5


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, {"/button", "/role", "/pointer"}), ({"preset": "docs"}, {"/pointer"}), ({"max_clicks": 0}, set())],
    ids=["full", "docs", "no clicks"],
)
def test_which_elements_are_clicked(settings: dict[str, Any], expected: set[str]) -> None:
    body = "<button id=b>B</button><p id=r role=button tabindex=0>R</p><p id=p style='cursor:pointer'>P</p>"
    script = "".join(
        f"document.getElementById('{path[1]}').onclick = () => history.pushState(0, '', '{path}');"
        for path in ("/button", "/role", "/pointer")
    )
    listed, clicks = run(page_with(body, script), ["/button", "/role", "/pointer"], sources="none", **settings)
    assert listed == expected
    assert clicks == len(expected)


SENDING = page_with(
    "<button id=draft>Open draft</button><button id=next>Next step</button><a href=/linked>Linked</a>",
    """
      const send = () => fetch("/api/steps", { method: "POST", headers: { "Content-Type": "application/json" } });
      draft.onclick = async () => history.pushState(0, "", "/draft/" + (await (await send()).json()).id);
      next.onclick = async () => { await send(); history.pushState(0, "", "/step"); };
    """,
)


def test_a_page_that_follows_a_request_that_was_not_sent_is_listed_if_it_opens_on_its_own() -> None:
    listed, clicks = run(SENDING, ["/linked", "/step"])
    assert listed == {"/linked", "/step"}
    assert clicks == 2


def test_a_host_that_answers_every_path_cannot_show_which_of_these_pages_exist() -> None:
    """Its application shows a page for every path, also for `/draft/undefined`; links show which ones are meant."""
    drawn = """
      if (location.pathname !== "/") root.innerHTML = `<h1>Page ${location.pathname}</h1><p>Its own text.</p>`;
      else {
    """
    application = SENDING.replace("const send", f"{drawn} const send").replace("</script>", "}</script>")
    with serve(lambda _: Answer(application)) as site:
        found = headwater.discover(f"{site.origin}/", retries=0, sources="none")
        assert all(one.method in {"GET", "HEAD"} for one in site.requests)
        assert {url.removeprefix(site.origin) for url in found.urls} == {"/", "/linked"}
