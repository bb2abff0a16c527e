"""Scans of sites that scripts build, in real Chromium: every page is found, and no harmful button is clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import headwater
from headwater.frontier.route_clicks import MAX_SAMPLES
from tests.commands import PATIENCE
from tests.commands import headwater as command
from tests.sites.spa.site import SITES, serving
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from pathlib import Path

    from headwater import Discovery
    from headwater.model import Evidence
    from tests.sites.spa.kinds import Served

APPLICATIONS = ("react", "react-data", "vue", "angular", "hash", "hash-plain", "next")
PATIENT: dict[str, Any] = {"retries": 0, "render_timeout": PATIENCE}
LAYOUTS = frozenset({"/team", "/staff", "/#/search"})
"""Routes that contain other routes, and are pages too."""


def run(served: Served, **settings: Any) -> Discovery:
    return headwater.discover(served.start, **{**PATIENT, "max_depth": 30, **settings})


def paths(found: Discovery, served: Served) -> set[str]:
    return {url.removeprefix(served.origin) for url in found.urls}


def rendered(found: Discovery) -> list[Evidence]:
    return [one for one in found.evidence if one.kind == "render"]


@pytest.mark.parametrize("name", APPLICATIONS)
def test_every_page_of_an_application(name: str) -> None:
    with serving(name) as served:
        found = run(served)
        seen = paths(found, served)
        seen |= {one.url.removeprefix(served.origin) for one in found.store.pages(found.scan) if one.duplicate_of}
    wanted = served.site.paths - served.site.found_by("nowhere")
    assert wanted <= seen <= wanted | LAYOUTS
    assert not seen & served.site.not_pages
    assert any(page.sources == ("render",) for page in found.pages)
    assert not served.writes
    if name == "angular":
        check_page_behind_a_click(found, f"{served.origin}/service-item/26754310")


def check_page_behind_a_click(found: Discovery, url: str) -> None:
    """Check a page that only a click leads to: the handler of a `div` calls the router, which calls pushState."""
    page = next(page for page in found.pages if page.url == url)
    assert (page.sources, page.element, page.state, page.verified) == (("render",), "script", "fetched", True)
    assert page.attribute in {"pushState", "navigate", "click"}


@pytest.mark.parametrize(
    "listening",
    ['addEventListener("hashchange", draw)', "window.onhashchange = draw", "draw()"],
    ids=["listener", "property", "when it is opened"],
)
def test_routes_rendered_on_load_or_on_hash_change(listening: str) -> None:
    """Applications render a hash route when the hash changes, when the page is opened with it, or both."""
    page = f"""<main id=root></main><script>
      const draw = () => {{
        root.innerHTML = location.hash ? "<h1>Route " + location.hash + "</h1>" : "";
        root.innerHTML += "<a href='#/one'>One</a> <a href='#/two'>Two</a> <a href='#part'>Part</a><p id=part>Part</p>";
      }};
      {"" if listening == "draw()" else 'root.innerHTML = "<a href=#/one>One</a> <a href=#/two>Two</a>";'}
      {listening};
    </script>"""
    with table_site(lambda _: {"/": page}) as site:
        found = headwater.discover(site.origin, **PATIENT)
    assert {url.removeprefix(site.origin) for url in found.urls} == {"/", "/#/one", "/#/two"}


@pytest.mark.parametrize("name", ["shadow", "menus", "reveal", "ways"])
def test_every_kind_of_navigation(name: str) -> None:
    with serving(name) as served:
        found = run(served, render="always")
        seen = paths(found, served)
    assert served.site.paths <= seen <= served.site.paths | {"/search", "/results"}  # the forms without their fields
    assert not served.writes


def test_harmful_buttons_are_not_clicked() -> None:
    with serving("careful") as served:
        found = run(served, render="always", kinds="all")
        endpoints = {
            (page.attribute, page.url.removeprefix(served.origin)) for page in found.pages if page.kind == "endpoint"
        }
        assert served.site.paths <= paths(found, served)
        assert (served.writes, served.logouts, served.harm) == ([], [], [])
    assert {
        ("POST", "/api/tips"),
        ("PUT", "/api/rating"),
        ("DELETE", "/api/hint"),
        ("POST", "/api/beacon"),
    } <= endpoints
    evidence = next(one for one in rendered(found) if one.url.endswith("/"))
    assert int(str(evidence.content["skipped_clicks"])) > 50


def test_only_pages_that_need_it_are_opened() -> None:
    with serving("mixed") as served:
        found = run(served)
        assert paths(found, served) == served.site.paths
        evidence = rendered(found)
    assert len(evidence) <= 15
    assert all(one.content["reason"] == "almost empty except for <div id=root>, which scripts fill" for one in evidence)
    assert sum(int(str(one.content["added"])) for one in evidence) > 10
    stage = next(stage for stage in found.stages if stage.name == "render")
    assert (stage.state, stage.note) == ("done", f"{len(evidence)} pages opened")


def test_one_page_of_each_template_is_opened_to_see_if_scripts_add_links() -> None:
    """All pages have text, links and scripts; only the script of the list adds links."""
    text = "<p>" + "Everything that visitors ask. " * 20
    scripts = "<script src=/_next/static/main.js></script><script src=/_next/static/{}.js></script>"
    names = [f"/orchard/{name}" for name in ("apple", "bean", "corn", "dill")]
    links = "".join(f"<a href={path}>{path}</a>" for path in ("/about", "/list", *names))
    fill = "document.querySelector('ul').innerHTML = '<li><a href=/hidden>Hidden</a>'"
    pages: dict[str, Answer | str] = {
        "/": links + text + scripts.format("home"),
        "/about": text + scripts.format("about"),
        "/list": f"<ul></ul>{text}{scripts.format('list')}",
        "/hidden": text,
        "/_next/static/list.js": Answer(fill, headers={"Content-Type": "text/javascript"}),
        **{name: text + scripts.format("orchard") for name in names},
    }
    with table_site(lambda _: pages) as served:
        found = headwater.discover(served.origin, **PATIENT)
        added = {one.url.removeprefix(served.origin): one.content["added"] for one in rendered(found)}
    assert added == {"/": 0, "/about": 0, "/orchard/apple": 0, "/list": 1}
    assert f"{served.origin}/hidden" in found.urls


def test_pages_with_text_of_their_own_are_compared_as_the_server_sent_them() -> None:
    """A style hides the text, so that the visible texts are equal; a switch changes only the query."""
    switch = "onclick=\"history.pushState(0, '', '?private=1'); document.body.className = 'on'\""
    frame = f"<style>main {{ visibility: hidden }}</style><button {switch}>Private</button><a href=/other>Other</a>"
    filler = "Words that a visitor would read. " * 20
    pages: dict[str, Answer | str] = {
        "/": f"{frame}<main>How boats are built. {filler}</main><script src=/app.js></script>",
        "/other": f"{frame}<main>How oars are made. {filler}</main><script src=/app.js></script>",
        "/app.js": Answer("", type="text/javascript"),
    }
    with table_site(lambda _: pages) as served:
        found = headwater.discover(served.origin, **PATIENT, render="always")
        added = {one.url.removeprefix(served.origin): one.content["added"] for one in rendered(found)}
    assert {url.removeprefix(served.origin) for url in found.urls} == {"/", "/other"}
    assert {added["/"], added["/other"]} == {0}


def test_opening_all_pages_finds_no_more() -> None:
    with serving("mixed") as served:
        assert paths(run(served, render="always"), served) == served.site.paths


def test_without_chromium_the_scan_works_and_says_so() -> None:
    with serving("mixed") as served:
        found = run(served, browser="/no/such/chromium")
        seen = paths(found, served)
    stage = next(stage for stage in found.stages if stage.name == "render")
    assert stage.state == "skipped"
    assert stage.note.startswith("2 pages need JavaScript; /no/such/chromium was not found: apt install chromium")
    assert len(seen) > 50
    assert not rendered(found)


PLAIN = "<title>{0}</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a> <a href=/d>d</a><p>" + "Some text. " * 40
BUILT = "<title>{0}</title><div id=root></div><script src=/app.js></script>"
PARTLY = PLAIN + "<ul></ul><button>More</button><script src=/more.js></script>"
SCRIPTED = PLAIN + "<script src=/fade.js></script>"


@pytest.mark.parametrize(
    ("pages", "sentence"),
    [
        ({"/d": BUILT}, "A browser would add links and text of 1 page that is built by scripts; /no/chromium was not"),
        ({"/d": PARTLY}, "A browser may add links: 1 page had parts that scripts fill or that react to clicks; /no/"),
        ({"/d": SCRIPTED}, ""),
        ({}, ""),
    ],
)
def test_without_chromium_the_summary_says_what_it_would_add(
    pages: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    """It says so only if the site shows signs that a browser would find more."""
    site = {path: pages.get(path, PLAIN).format(path) for path in ("/", "/a", "/b", "/c", "/d")}
    with table_site(lambda _: site) as served:
        result = command(served.origin, "--browser", "/no/chromium", "--retries", "0", cwd=tmp_path)
    assert result.code == 0
    assert len(result.out.splitlines()) == len(site)
    lines = [line.strip() for line in result.err.splitlines() if line.strip().startswith("A browser ")]
    assert [line.startswith(sentence) for line in lines] == ([True] if sentence else [])


def test_render_never() -> None:
    with serving("react") as served:
        found = run(served, render="never")
    assert [(stage.state, stage.note) for stage in found.stages if stage.name == "render"] == [
        ("skipped", "--render never")
    ]
    assert len(found.urls) == 1


def test_failed_pages_do_not_count_as_scripted() -> None:
    """A page that fails is not opened in a browser, nor are other pages of its shape."""
    shell = "<div id=root></div><script></script>"

    def site(_: str) -> dict[str, Answer | str]:
        links = "".join(f"<a href=/item/{n}>x</a>" for n in range(20))
        pages: dict[str, Answer | str] = {"/": f"<title>List</title>{links}<p>{'words ' * 100}"}
        return pages | {f"/item/{n}": Answer(shell, 500) for n in range(20)}

    with table_site(site) as served:
        found = headwater.discover(served.origin, **PATIENT)
    assert not rendered(found)
    assert next(stage.note for stage in found.stages if stage.name == "render") == "no page needed it"


def test_every_site_is_tested() -> None:
    elsewhere = {"careful", "mixed", "hostile", "scroll", "many-links", "endless-scroll"}
    assert {*APPLICATIONS, "shadow", "menus", "reveal", "ways"} | elsewhere == set(SITES)


def test_a_scripted_page_is_opened_again_although_its_html_is_unchanged(tmp_path: Path) -> None:
    shell = "<div id=root></div><script>fetch('/data').then(r => r.text()).then(t => { root.innerHTML = t; })</script>"

    def site(_: str) -> dict[str, Answer | str]:
        return {"/": Answer(shell, headers={"ETag": '"1"'}), "/data": "<a href=/old>Old</a>", "/old": "o", "/new": "n"}

    db = str(tmp_path / "x.db")
    with table_site(site) as served:
        first = headwater.discover(served.origin, **PATIENT, db=db)
        again = headwater.discover(served.origin, **PATIENT, db=db)
        assert [page.url for page in again.store.changes(first.scan, again.scan)] == []
        served.answers["/data"] = Answer("<a href=/old>Old</a> <a href=/new>New</a>")
        third = headwater.discover(served.origin, **PATIENT, db=db)
        changes = {
            page.url.removeprefix(served.origin): page.change for page in third.store.changes(first.scan, third.scan)
        }
    assert changes == {"/": "changed", "/new": "new"}


def test_the_order_of_responses_does_not_change_which_pages_are_opened() -> None:
    """Scripts could add links to every page. The only page to which they do responds first and is visited last."""
    text, root, adds = "text " * 100, "<div id=root></div>", "document.body.innerHTML += '<a href=/hidden>more</a>'"
    pages = {"/": Answer("".join(f"<a href=/p/{number}>{number}</a>" for number in range(8)))}
    pages |= {f"/p/{number}": Answer(f"{text}{root}<script></script>", delay=0.1) for number in range(7)}
    pages["/p/7"] = Answer(f"{text}{root}<script>{adds}</script>")
    opened = []
    for parallel in (1, 16):
        with table_site(lambda _: pages) as site:
            found = headwater.discover(f"{site.origin}/", stages=("crawl", "render"), max_parallel=parallel)
            opened.append([one.url.removeprefix(site.origin) for one in rendered(found)])
    assert opened == [["/p/0"]] * 2


def test_routes_are_opened_once_and_their_headings_are_not_pages() -> None:
    """Each route has a button that does nothing, and links to its headings as further routes."""
    page = """<main id=root></main><script>
      const draw = () => {
        const route = location.hash.split("?")[0] || "#/";
        const routes = [...Array(12).keys()].map((number) => `<a href="#/topic${number}">Topic</a>`);
        const parts = ["a", "b"].map((part) => `<h2><a href="${route}?id=${part}">Part ${part}</a></h2>`);
        root.innerHTML = `<h1>Route ${route}</h1><button onclick="root.dataset.x = 1">More</button>${routes}${parts}`;
      };
      addEventListener("hashchange", draw);
      draw();
    </script>"""
    with table_site(lambda _: {"/": f"<title>Application</title>{page}"}) as site:
        found = headwater.discover(f"{site.origin}/", sources=(), stages=("crawl", "render"))
        assert {url.removeprefix(site.origin) for url in found.urls} == {"/", *(f"/#/topic{n}" for n in range(12))}
        assert "unvisited-view" in [page.reason for page in found.store.pages(found.scan)]
        assert sum(one.kind == "render" and one.content["clicks"] != 0 for one in found.evidence) <= 1 + MAX_SAMPLES
        assert site.hits["/"] < 36
