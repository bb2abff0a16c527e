"""The sites for browser tests behave in a real Chromium as their tables say."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.sites.spa.dangerous import DANGEROUS, SILENT, request_of
from tests.sites.spa.site import SITES, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext
    from playwright.sync_api import Page as Tab

    from tests.sites.spa.kinds import Means, Route, Served

# Links of the page, of its open shadow roots and of the frames that may be read.
LINKS = """() => {
  const links = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.hasAttribute("href") ? [new URL(element.getAttribute("href"), document.baseURI).href] : []),
    ...(element.shadowRoot ? links(element.shadowRoot) : []),
    ...(element.contentDocument ? [element.contentWindow.location.href, ...links(element.contentDocument)] : []),
    ...(element.localName === "template" ? links(element.content) : []),
  ]);
  return links(document);
}"""
SEES_LINK = f"url => ({LINKS})().includes(url)"
# A page that is still being drawn has no heading yet, so this is evaluated again at every frame.
SEES_TITLE = "title => document.querySelector('h1')?.textContent === title"


# `test_hostile_pages.py` tests the hostile site.
FRIENDLY = [name for name in SITES if name != "hostile"]
# `make sites` includes those that take long.
LONG = {"angular", "reveal", "vue", "ways"} if os.environ.get("HEADWATER_TEST_SITES") != "all" else set()


@pytest.fixture
def tab(context: BrowserContext) -> Iterator[Tab]:
    """Yield a tab that fails the test if a script of its page fails."""
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    assert errors == []


def show(tab: Tab, served: Served, page: Route) -> None:
    """Open a page and wait for its heading."""
    if "#" in page.path:
        tab.goto("about:blank")
    tab.goto(served.origin + page.path, wait_until="commit")
    tab.wait_for_function(SEES_TITLE, arg=page.title)


def by_link(tab: Tab, served: Served, route: Route) -> None:
    tab.wait_for_function(SEES_LINK, arg=served.origin + route.path)


def arrive(tab: Tab, served: Served, route: Route) -> None:
    """Wait until the tab shows the page."""
    tab.wait_for_url(served.origin + route.path, wait_until="commit")
    tab.wait_for_function(SEES_TITLE, arg=route.title)


def by_click(tab: Tab, served: Served, route: Route) -> None:
    for element in route.at:
        assert tab.locator(element).first.get_attribute("href") is None
        tab.locator(element).first.click(no_wait_after=True)
    arrive(tab, served, route)


def by_popup(tab: Tab, served: Served, route: Route) -> None:
    with tab.expect_popup() as popup:
        tab.locator(route.at[0]).click()
    arrive(popup.value, served, route)
    popup.value.close()


def by_scrolling(tab: Tab, served: Served, route: Route) -> None:
    """Scroll the window and the scrollable box until the link appears."""
    url = served.origin + route.path
    tab.wait_for_function(
        f"""url => {{
          document.querySelectorAll("html, #box").forEach((box) => box.scrollTo(0, box.scrollHeight));
          return ({LINKS})().includes(url);
        }}""",
        arg=url,
    )


def after(action: Callable[[Tab, Route], None]) -> Callable[[Tab, Served, Route], None]:
    """Return a check that the link appears only after an action."""

    def check(tab: Tab, served: Served, route: Route) -> None:
        assert served.origin + route.path not in tab.evaluate(LINKS)
        action(tab, route)
        by_link(tab, served, route)

    return check


def click_through(tab: Tab, route: Route) -> None:
    for element in route.at:
        tab.locator(element).click()


def hover(tab: Tab, route: Route) -> None:
    tab.locator(route.at[0]).hover()


def focus(tab: Tab, route: Route) -> None:
    tab.locator(route.at[0]).focus()


def press(tab: Tab, route: Route) -> None:
    tab.locator(route.at[0]).press(route.at[1])


def by_nothing(tab: Tab, served: Served, route: Route) -> None:
    """Check that the page exists although no link leads there."""
    assert served.origin + route.path not in tab.evaluate(LINKS)
    show(tab, served, route)


def by_piercing(tab: Tab, served: Served, route: Route) -> None:
    """Check that the link exists although scripts cannot see it."""
    assert served.origin + route.path not in tab.evaluate(LINKS)
    document = tab.context.new_cdp_session(tab).send("DOM.getDocument", {"depth": -1, "pierce": True})
    assert f'"{route.path}"' in json.dumps(document)


def by_itself(tab: Tab, served: Served, route: Route) -> None:
    """Wait until the tab has visited the page; it may have moved on since."""
    tab.wait_for_function(
        "url => navigation.entries().some(entry => entry.url === url)", arg=served.origin + route.path
    )


CHECKS: dict[Means, Callable[[Tab, Served, Route], None]] = {
    "link": by_link,
    "hash": by_link,
    "shadow": by_link,
    "frame": by_link,
    "template": by_link,
    "prefetch": by_link,
    "closed-shadow": by_piercing,
    "route-table": by_nothing,
    "nowhere": by_nothing,
    "manifest": by_nothing,
    "scroll": by_scrolling,
    "click": by_click,
    "assign": by_click,
    "navigation": by_click,
    "form": by_click,
    "open": by_popup,
    "push": by_itself,
    "details": after(click_through),
    "reveal": after(click_through),
    "hover": after(hover),
    "focus": after(focus),
    "key": after(press),
}
HIDDEN: tuple[Means, ...] = ("route-table", "nowhere", "manifest")
MOVING: frozenset[Means] = frozenset({"click", "assign", "navigation", "form", "push", "reveal", *HIDDEN})


@pytest.mark.parametrize("name", [name for name in FRIENDLY if name not in LONG])
def test_pages_are_found_by_their_means(tab: Tab, name: str) -> None:
    with serving(name) as served:
        routes = served.site.routes
        for page in routes:
            here = [route for route in routes if route.on == page.path and route.means in CHECKS]
            if here:
                show(tab, served, page)
            for route in sorted(one_of_each(here), key=lambda route: route.means in MOVING):
                CHECKS[route.means](tab, served, route)
                if route.means in MOVING:
                    show(tab, served, page)


def one_of_each(routes: list[Route]) -> list[Route]:
    """Return the last of several pages that the same actions reveal."""
    return [*{(route.means, route.at or route.path): route for route in routes}.values()]


@pytest.mark.parametrize("name", SITES)
def test_every_page_exists_and_other_paths_do_not(name: str) -> None:
    with serving(name) as served:
        texts = {route.path: text_at(served.origin + route.path.partition("#")[0]) for route in served.site.routes}
        for route in served.site.routes:
            is_written = re.search(f"href=[\"']{re.escape(route.path)}[\"']", texts[route.on]) is not None
            assert is_written or route.means != "static"
            assert not is_written or route.means != "link"
        with pytest.raises(HTTPError, match="404") as refused:
            urlopen(served.origin + "/no-such-file.txt")
        refused.value.close()


def text_at(url: str) -> str:
    """Return a page as served."""
    with urlopen(url) as answer:
        text: str = answer.read().decode()
    return text


def test_dangerous_buttons_send_their_requests(tab: Tab) -> None:
    with serving("careful") as served:
        tab.goto(served.start)
        for button in (*SILENT, *DANGEROUS):
            if button.method != "FORM":
                attribute = f'[{button.place}="{button.label}"]'
                tab.locator(f'text="{button.label}"' if button.place == "text" else attribute).first.dispatch_event(
                    "click"
                )
        tab.locator('text="Choose blue"').click()
        tab.wait_for_url("**/api/colour")
        assert {request_of(one) for one in (*SILENT, *DANGEROUS)} <= set(served.harm)
        assert len(served.logouts) > 5


def test_the_first_pages_of_large_sites(tab: Tab) -> None:
    with serving("many-links") as served:
        tab.goto(served.start)
        assert tab.evaluate("document.links.length") == 100_000
        assert text_at(f"{served.origin}/many/100000")
    with serving("endless-scroll") as served:
        tab.goto(served.start)
        tab.wait_for_function("scrollTo(0, document.body.scrollHeight) || document.links.length > 50")
