"""The sites for the browser do in real Chromium what their tables say."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from playwright.sync_api import Page as Tab

from tests.sites.spa.site import SITES, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.sites.spa.kinds import Means, Route, Served

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """An empty tab that fails the test when a script on its page does."""
    context = browser.new_context()
    context.set_default_timeout(5000)
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert errors == []


def has_link(tab: Tab, url: str) -> None:
    """A link of the page, wherever in it, leads there."""
    links = tab.locator("a[href], area[href]")
    expect(links.first).to_be_attached()
    tab.wait_for_function("url => [...document.links].some(link => link.href === url)", arg=url)


def by_link(tab: Tab, served: Served, route: Route) -> None:
    has_link(tab, served.origin + route.path)


def by_click(tab: Tab, served: Served, route: Route) -> None:
    for element in route.at:
        assert tab.locator(element).first.get_attribute("href") is None
        tab.locator(element).first.click()
    tab.wait_for_url(served.origin + route.path)
    expect(tab.locator("h1")).to_have_text(route.title)


def by_nothing(tab: Tab, served: Served, route: Route) -> None:
    """Nothing on the page speaks of it."""
    assert route.path not in tab.content()


CHECKS: dict[Means, Callable[[Tab, Served, Route], None]] = {
    "link": by_link,
    "hash": by_link,
    "click": by_click,
    "route-table": by_nothing,
    "nowhere": by_nothing,
}


MOVING: frozenset[Means] = frozenset({"click"})


@pytest.mark.parametrize("name", SITES)
def test_pages_exist_and_are_found_by_their_means(tab: Tab, name: str) -> None:
    with serving(name) as served:
        for page in served.site.routes:
            found_here = [route for route in served.site.routes if route.on == page.path and route.means in CHECKS]
            show(tab, served, page)
            for route in sorted(found_here, key=lambda route: route.means in MOVING):
                CHECKS[route.means](tab, served, route)
                if route.means in MOVING:
                    show(tab, served, page)


def show(tab: Tab, served: Served, page: Route) -> None:
    """Open a page and see its heading."""
    if "#" in page.path:
        tab.goto("about:blank")
    tab.goto(served.origin + page.path, wait_until="commit")
    expect(tab.locator("h1")).to_have_text(page.title)
