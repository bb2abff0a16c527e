"""Treemap and link graph in Chromium: boxes without holes, labels that do not overlap, ways in and out of folders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from bench.million import many_pages
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from headwater.model import Candidate, DiscoveredUrl
from headwater.store import SqliteStore, VisitResult
from headwater.urls.identity import compute_identity
from tests.sites.table_site import Answer, table_site
from tests.web.serving import Server, serving
from tests.web.test_scan_screens import assert_fits, open_page, watched_tab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WIDTHS = (390, 1280)
SECTIONS = ("guides", "reference", "blog")


def linked_sections(_: str) -> dict[str, Answer | str]:
    """Three sections of twelve pages; each page links to the sections and to the next page."""
    menu = "".join(f'<a href="/{name}/">{name}</a>' for name in SECTIONS)
    pages: dict[str, Answer | str] = {"/": f"<title>Home</title>{menu}"}
    for name in SECTIONS:
        pages[f"/{name}/"] = menu + "".join(f'<a href="{number}-of-{name}.html">x</a>' for number in range(11))
        for number in range(11):
            following = f'<a href="{(number + 1) % 11}-of-{name}.html">x</a>'
            pages[f"/{name}/{number}-of-{name}.html"] = f"<title>{name} {number}</title>{menu}{following}"
    return pages


REJECTED = "https://e.com:99999/page"
"""An address that the URL constructor of the browser rejects."""


def store_odd_pages(path: Path) -> int:
    """Store a scan of a page that failed with status 200 and of a page at an odd address, and return its number."""
    store = SqliteStore(str(path))
    scan = store.create_scan(["https://e.com/"], {}).number
    for url, state, reason in (("https://e.com/", "failed", "login-required"), (REJECTED, "fetched", "")):
        found = DiscoveredUrl(compute_identity(url), url, url, url, "page", 0, 0, "", "seed")
        candidate = Candidate(found.identity, url, url, url, 0)
        store.save_batch(scan, [VisitResult(candidate, state, 200, reason)], [found], {})
    stage = {"name": "nav", "state": "done", "urls": 1, "seconds": 1.0, "note": "", "limit": ""}
    store.add_event(scan, "stage", stage)
    store.finish_scan(scan, "done")
    store.close()
    return scan


class Maps(NamedTuple):
    """A server with a scan of many folders, one of odd pages, and one of a site without sitemaps."""

    server: Server
    large: int
    odd: int
    linked: int


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Maps]:
    folder = tmp_path_factory.mktemp("maps")
    large = many_pages(folder / "web.db", 6000)
    odd = store_odd_pages(folder / "web.db")
    with serving(folder) as server, table_site(linked_sections) as site:
        linked = server.scan(site.origin, settings={"render": "never"})
        server.wait_for_index(large)
        yield Maps(server, large, odd, linked)


@pytest.fixture(params=WIDTHS)
def tab(browser: Browser, request: pytest.FixtureRequest, maps: Maps) -> Iterator[Tab]:
    with watched_tab(browser, request.param) as tab:
        open_page(tab, maps.server)
        yield tab


class Box(NamedTuple):
    """A rectangle on the screen."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """The area in square pixels."""
        return (self.right - self.left) * (self.bottom - self.top)

    def is_inside(self, other: Box) -> bool:
        """Return True if no edge lies more than half a pixel outside the other box."""
        return (
            self.left >= other.left - 0.5
            and self.top >= other.top - 0.5
            and self.right <= other.right + 0.5
            and self.bottom <= other.bottom + 0.5
        )

    def overlaps(self, other: Box) -> bool:
        """Return True if the boxes share some area."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


READ_BOXES = """selector => [...document.querySelectorAll(selector)].map(one => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return { box: [left, top, right, bottom], id: one.dataset.id, above: one.dataset.above };
})"""


def read_boxes(tab: Tab, selector: str) -> list[dict[str, Any]]:
    return [{**one, "box": Box(*one["box"])} for one in tab.evaluate(READ_BOXES, selector)]


def assert_boxes_fill_the_treemap(tab: Tab) -> None:
    """Check that the boxes of each folder tile one rectangle, which lies in the box of the folder."""
    whole = {"0": read_boxes(tab, "#treemap")[0]["box"]}
    boxes = read_boxes(tab, "#treemap .cell")
    by_id = whole | {one["id"]: one["box"] for one in boxes}
    inside: dict[str, list[Box]] = {}
    for one in boxes:
        assert one["box"].is_inside(by_id[one["above"]])
        inside.setdefault(one["above"], []).append(one["box"])
    for above, parts in inside.items():
        lefts, tops, rights, bottoms = zip(*parts, strict=True)
        union = Box(min(lefts), min(tops), max(rights), max(bottoms))
        assert sum(part.area for part in parts) == pytest.approx(union.area, rel=0.02), above
    assert sum(part.area for part in inside["0"]) == pytest.approx(whole["0"].area, rel=0.02)


def assert_labels_are_apart(tab: Tab) -> None:
    picture = read_boxes(tab, "#graph")[0]["box"]
    labels = [one["box"] for one in read_boxes(tab, "#graph .label")]
    assert labels
    for place, label in enumerate(labels):
        assert label.is_inside(picture)
        assert not any(label.overlaps(other) for other in labels[place + 1 :])


def open_map(tab: Tab, maps: Maps, scan: int, view: str) -> None:
    tab.goto(f"{maps.server.origin}/scans/{scan}/map?view={view}")
    expect(tab.locator(f"#{view}[data-milliseconds]")).to_be_visible()


def test_the_treemap_has_no_holes_and_opens_folders(maps: Maps, tab: Tab) -> None:
    open_map(tab, maps, maps.large, "treemap")
    assert_boxes_fill_the_treemap(tab)
    assert_fits(tab)
    # Each box names its folder and pages, also where no label fits.
    titles = tab.locator("#treemap .cell title").all_text_contents()
    assert len(titles) == tab.locator("#treemap .cell").count()
    assert all(re.search(r"https://example\.com/.* (1 page|[\d,]+ pages)$", title) for title in titles)
    first = tab.locator("#treemap .cell").first
    first.hover(position={"x": 8, "y": 8})
    expect(tab.locator("#hovered")).to_have_text(titles[0])
    # A click opens the folder, and the breadcrumb leads back.
    before = tab.locator("#treemap").get_attribute("data-boxes")
    first.click(position={"x": 8, "y": 8})
    expect(tab.locator("#crumbs li")).to_have_count(2)
    assert_boxes_fill_the_treemap(tab)
    assert before != tab.locator("#treemap").get_attribute("data-boxes")
    tab.locator("#crumbs a").first.click()
    expect(tab.locator("#crumbs li")).to_have_count(1)
    expect(tab.locator("#treemap")).to_have_attribute("data-boxes", str(before))
    tab.go_back()
    expect(tab.locator("#crumbs li")).to_have_count(2)
    # It is drawn again for another width.
    tab.set_viewport_size({"width": 700, "height": 500})
    expect(tab.locator("#treemap")).to_have_attribute("viewBox", re.compile(r"^0 0 6\d\d "))
    assert_boxes_fill_the_treemap(tab)


def test_labels_of_the_treemap_fit_their_boxes(maps: Maps, tab: Tab) -> None:
    open_map(tab, maps, maps.large, "treemap")
    boxes = [one["box"] for one in read_boxes(tab, "#treemap .cell")]
    labels = [one["box"] for one in read_boxes(tab, "#treemap text")]
    assert labels
    assert all(any(label.is_inside(box) for box in boxes) for label in labels)
    assert not any(label.overlaps(other) for place, label in enumerate(labels) for other in labels[place + 1 :])


def test_the_graph_shows_sections_first_and_opens_them(maps: Maps, tab: Tab) -> None:
    open_map(tab, maps, maps.linked, "graph")
    sections = tab.locator("#graph .dot:not(.page)")
    expect(sections).to_have_count(3)
    expect(tab.locator("#graph .dot.page")).to_have_count(1)
    assert set(tab.locator("#graph .label").all_text_contents()) == {"/", "guides/", "reference/", "blog/"}
    assert_labels_are_apart(tab)
    tab.get_by_role("link", name="guides/", exact=True).click()
    expect(tab.locator("#graph .dot.page")).to_have_count(13)
    expect(sections).to_have_count(2)
    assert_labels_are_apart(tab)
    assert_fits(tab)
    # The neighbors of the node under the pointer are marked and labeled.
    page = tab.locator("#graph .dot", has_text="/guides/3-of-guides.html")
    page.hover()
    expect(tab.locator("#hovered")).to_contain_text("guides 3")
    labels = tab.locator("#graph .label").all_text_contents()
    assert {"3-of-guides.html"} <= set(labels) <= {
        "2-of-guides.html", "3-of-guides.html", "4-of-guides.html", "guides/", "reference/", "blog/",
    }  # fmt: skip
    assert tab.locator("#graph .dot.near").count() == 6
    assert_labels_are_apart(tab)
    page.click()
    expect(tab.get_by_role("heading", name="guides 3")).to_be_visible()
    tab.go_back()
    tab.locator("#crumbs a").first.click()
    expect(sections).to_have_count(3)


def test_labels_of_a_large_graph_do_not_overlap(maps: Maps, tab: Tab) -> None:
    open_map(tab, maps, maps.large, "graph")
    assert tab.locator("#graph .dot").count() == 40
    assert_labels_are_apart(tab)
    tab.locator("#graph .dot:not(.rest)").first.click()
    expect(tab.locator("#crumbs li")).to_have_count(2)
    assert_labels_are_apart(tab)


def test_sitemaps_are_compared_only_where_there_are_any(maps: Maps, tab: Tab) -> None:
    tab.goto(f"{maps.server.origin}/scans/{maps.large}/map")
    assert tab.locator(".numbers dt").all_text_contents() == [
        "Pages", "In sitemaps and linked", "Orphans: only in sitemaps", "Gaps: linked, in no sitemap",
    ]  # fmt: skip
    tab.goto(f"{maps.server.origin}/scans/{maps.linked}/map")
    assert tab.locator(".numbers dt").all_text_contents() == ["Pages"]


def test_a_status_of_200_is_never_shown_as_an_error(maps: Maps, tab: Tab) -> None:
    tab.goto(f"{maps.server.origin}/scans/{maps.odd}/urls?list=broken")
    expect(tab.locator("td.bad")).to_have_text("login-required")
    tab.locator("td.c-url a").first.click()
    expect(tab.locator(".badge.interrupted")).to_have_text("failed")
    expect(tab.locator(".badge", has_text="200")).to_be_visible()
    expect(tab.locator("p.bad")).to_contain_text("login-required")


def test_a_stage_that_found_one_url_says_so(maps: Maps, tab: Tab) -> None:
    tab.goto(f"{maps.server.origin}/scans/{maps.odd}")
    expect(tab.locator("[data-stage=nav] [data-part=noun]")).to_have_text("URL")
    tab.goto(f"{maps.server.origin}/scans/{maps.linked}")
    expect(tab.locator("[data-stage=crawl] [data-part=noun]")).to_have_text("URLs")


def test_an_address_that_the_browser_rejects_is_in_the_graph(maps: Maps, tab: Tab) -> None:
    open_map(tab, maps, maps.odd, "graph")
    expect(tab.locator("#graph .dot title")).to_contain_text("/page")
