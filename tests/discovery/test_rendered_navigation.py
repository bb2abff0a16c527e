"""Links added by scripts get the region and source of their element, like static links."""

from __future__ import annotations

import headwater
from tests.commands import PATIENCE
from tests.sites.table_site import Answer, table_site

REGIONS = ("header", "nav", "aside", "main", "footer")
ROOT = "<title>App</title><div id=root></div><script>{}</script>"
DRAWS = "root.innerHTML = `{}`;".format(
    "".join(f"<{tag}><a href=/{tag}>In the {tag}</a></{tag}>" for tag in REGIONS) + "<p><a href=/content>Text</a></p>"
)
SOURCES = {
    "/header": "navigation", "/nav": "navigation", "/aside": "navigation", "/main": "content-link",
    "/footer": "footer", "/content": "content-link",
}  # fmt: skip


def texts(*paths: str) -> dict[str, Answer | str]:
    return {path: f"<title>{path}</title><p>The page {path} has a text of its own.</p>" for path in paths}


def test_rendered_links_have_the_region_of_their_element() -> None:
    with table_site(lambda _: {"/": ROOT.format(DRAWS), **texts(*SOURCES)}) as site:
        found = headwater.discover(site.origin, retries=0, render_timeout=PATIENCE)
        pages = {page.url.removeprefix(site.origin): page for page in found.pages}
    assert {path: page.sources for path, page in pages.items() if path != "/"} == {
        path: (source,) for path, source in SOURCES.items()
    }
    assert {path: pages[path].region for path in SOURCES} == {path: path[1:] for path in SOURCES}
    assert {path: pages[path].importance for path in SOURCES} == {
        path: 1.0 if source == "navigation" else None for path, source in SOURCES.items()
    }
    assert (pages["/nav"].element, pages["/nav"].text, pages["/nav"].depth) == ("a", "In the nav", 1)


def test_a_route_without_an_element_has_the_source_render() -> None:
    script = "root.innerHTML = '<nav><button>Go</button></nav>';"
    script += "document.querySelector('button').onclick = () => history.pushState(0, '', '/pushed');"
    with table_site(lambda _: {"/": ROOT.format(script), **texts("/pushed")}) as site:
        found = headwater.discover(site.origin, retries=0, render_timeout=PATIENCE)
        page = next(page for page in found.pages if page.url.endswith("/pushed"))
    assert (page.sources, page.element) == (("render",), "script")


def test_a_link_in_a_temporary_menu_has_its_region() -> None:
    script = "root.innerHTML = '<nav><p aria-haspopup=true id=menu>Menu</p></nav><button id=next>Next</button>';"
    script += "menu.onmouseenter = () => { menu.innerHTML = '<a href=/hidden>Hidden</a>'; };"
    script += "next.onclick = () => { menu.onmouseenter = null; menu.innerHTML = 'Menu'; };"
    with table_site(lambda _: {"/": ROOT.format(script), **texts("/hidden")}) as site:
        found = headwater.discover(site.origin, retries=0, render_timeout=PATIENCE)
        page = next(page for page in found.pages if page.url.endswith("/hidden"))
    assert (page.sources, page.region) == (("navigation",), "nav")


def test_a_hash_route_has_the_region_of_its_link() -> None:
    script = (
        "const draw = () => { root.innerHTML = '<nav><a href=#/one>One</a></nav><p>At ' + location.hash + '</p>'; };"
    )
    script += "addEventListener('hashchange', draw); draw();"
    with table_site(lambda _: {"/": ROOT.format(script)}) as site:
        found = headwater.discover(site.origin, retries=0, render_timeout=PATIENCE)
        page = next(page for page in found.pages if page.url.endswith("/#/one"))
    assert (page.sources, page.region, page.text) == (("navigation",), "nav", "One")
