"""The file a scan is looked at through says what the store says: every filter, order, count and folder."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from headwater.model import LIST_NAMES, NO_DEPTH, Candidate, DiscoveredUrl, SourceMetadata
from headwater.store import Classification, VisitResult
from headwater.store.factory import open_browse_store
from headwater.store.scan_index.builder import BuildCancelled, build_scan_index
from headwater.store.scan_index.filters import FACETS, Filter
from headwater.store.scan_index.index import SORTS, ScanIndex
from headwater.store.sqlite.browse_store import SqliteBrowseStore
from headwater.urls.identity import compute_identity
from tests.store.test_postgres import execute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from headwater.model import Page
    from headwater.store.browse_store import BrowseStore

SITE = "https://e.com"
PATHS = ["/", "/docs", "/docs-old/a", "/docs/a", "/docs/a/b?x=/1/2", "/docs?all=1", "/ä/%20x", "/docs/deep/er/still"]

# What came of a page: state, status, reason, and the list that it then stands in.
OUTCOMES: list[tuple[str, int | None, str, str]] = [
    ("fetched", 200, "", "pages"),
    ("fetched", 200, "", "pages"),
    ("deferred", None, "robots-unreachable", "pages"),
    ("redirected", 301, "", "redirects"),
    ("redirected", 200, "", "redirects"),  # by a meta refresh
    ("duplicate", 200, "", "duplicates"),
    ("failed", 404, "http-404", "broken"),
    ("failed", None, "timeout", "broken"),
    ("skipped", 200, "not-html", "files"),
    ("skipped", None, "robots-disallowed", "skipped"),
]


def fill(store: BrowseStore, between: Callable[[], object] = lambda: None) -> tuple[int, dict[str, str]]:
    """Return a scan with a bit of everything and the list of each page; `get_diff` happens when half of it is kept."""
    chance = random.Random(7)
    scan = store.begin([f"{SITE}/"], {}).number
    paths = PATHS + [f"/{chance.choice('abc')}/{chance.choice('xyz')}/p{number}" for number in range(250)]
    found, settled, classified = [], [], []
    lists: dict[str, str] = {}
    for number, path in enumerate(paths):
        url = SITE + path
        source = chance.choice(["content-link", "sitemap", "navigation", "feed"])
        kind: Any = chance.choice(["page"] * 8 + ["external", "resource"])
        reason = "file-extension" if kind == "resource" else chance.choice(["", "", "", "trap-repetition"])
        depth = NO_DEPTH if source == "sitemap" else chance.randrange(4)
        extra = SourceMetadata(lastmod=f"2026-0{chance.randrange(1, 9)}-01") if source == "sitemap" else None
        one = DiscoveredUrl(
            compute_identity(url), url, url, url, kind, depth, compute_identity(f"{SITE}/"), f"{SITE}/", source,
            chance.choice(["main", "nav"]), element="" if source == "sitemap" else "a",
            text=chance.choice(["Über", "boat", ""]), reason=reason, is_visited=bool(number % 2), metadata=extra,
        )  # fmt: skip
        found.append(one)
        if kind == "page":
            lists[url] = "skipped" if reason else "pages"
        if kind == "page" and not reason and number % 5:
            state, status, why, lists[url] = chance.choice(OUTCOMES)
            candidate = Candidate(one.identity, url, url, url, depth)
            title = chance.choice(["", "River", "ÉTÉ", "zebra"])
            leads_to = compute_identity(f"{SITE}/docs") if state in {"redirected", "duplicate"} else None
            settled.append(VisitResult(candidate, state, status, why, title, leads_to=leads_to))
        clusters = [("section:/a", "section", "A")] if path.startswith("/a/") else [("rest", "rest", "Rest")]
        classified.append(
            Classification(one.identity, round(chance.random(), 2), chance.choice(["en", "de"]), False, clusters)
        )
    store.settle(scan, (), found[:130], {})
    between()
    store.settle(scan, settled, found[130:], {})
    store.classify(scan, classified)
    store.end(scan, "done")
    return scan, lists


class Shelf:
    """A store, a scan in it, and the file it is looked at through."""

    def __init__(self, folder: Path, db: str = "", between: Callable[[], object] = lambda: None) -> None:
        self.store = open_browse_store(db or str(folder / "x.db"))
        self.scan, self.lists = fill(self.store, between)
        self.path = folder / "look"
        build_scan_index(self.store, self.scan, self.path, "now")
        self.look = ScanIndex(str(self.path))
        self.pages = list(self.store.pages(self.scan))

    def urls(self, wanted: Filter, sort: str = "url", **more: Any) -> list[str]:
        numbers = [number for part in self.look.walk(wanted, sort, step=17, **more) for number in part]
        return [page.url for _, page in self.store.pages_by_number(self.scan, numbers)]


def spread(db: str) -> None:
    """Where many scans are written at once, the numbers of one scan's pages lie far apart."""
    if db:
        execute(db, "SELECT setval(pg_get_serial_sequence('page', 'id'), 90000000000)")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with ExitStack() as stack:
        db = ""
        if request.param == "postgres":
            db = stack.enter_context(request.getfixturevalue("postgres_server").prepared_database())
        shelf = Shelf(tmp_path_factory.mktemp("look"), db, lambda: spread(db))
        yield shelf
        shelf.look.close()
        shelf.store.close()


def is_listed(page: Page) -> bool:
    return page.kind == "page" and page.list_name == "pages"


def is_in(page: Page, list_name: str) -> bool:
    return page.kind == "page" and list_name in TRUTH["list"](page)


LISTING, LINKING = {"sitemap", "sitemap-index"}, {"seed", "navigation", "footer", "content-link", "header", "redirect"}
TRUTH: dict[str, Callable[[Page], list[str]]] = {
    "list": lambda page: [page.list_name, "all", *(["skipped"] if page.list_name == "files" else [])],
    "source": lambda page: list(page.sources),
    "state": lambda page: [page.state],
    "status": lambda page: [str(page.status or "none")],
    "depth": lambda page: ["none" if page.depth is None else str(page.depth)],
    "language": lambda page: [page.language or "none"],
    "region": lambda page: [(page.element and page.region) or "none"],
    "verified": lambda page: ["yes" if page.verified else "no"],
    "gap": lambda page: [
        name
        for name, holds in {
            "orphans": bool(LISTING & {*page.sources}) and not LINKING & {*page.sources},
            "gaps": not LISTING & {*page.sources} and bool(LINKING & {*page.sources}),
            "both": bool(LISTING & {*page.sources}) and bool(LINKING & {*page.sources}),
        }.items()
        if holds
    ],
    "reason": lambda page: [page.reason or "none"],
}


def chosen_by(name: str, value: str, **more: str) -> Filter:
    chosen: dict[str, Any] = {**more, name: value}
    return Filter(**chosen)


def test_every_page_stands_in_the_list_of_what_came_of_it(shelf: Shelf) -> None:
    pages = {page.url: page for page in shelf.pages if page.kind == "page"}
    assert {url: page.list_name for url, page in pages.items()} == shelf.lists
    assert set(shelf.lists.values()) == set(LIST_NAMES)
    target = f"{SITE}/docs"
    for page in pages.values():
        assert page.redirect_to == (target if page.list_name == "redirects" else None)
        assert page.duplicate_of == (target if page.list_name == "duplicates" else None)


def test_without_a_filter_every_listed_page_comes_once_by_key(shelf: Shelf) -> None:
    expected = [page.url for page in sorted(shelf.pages, key=lambda page: page.key) if is_listed(page)]
    for wanted in (Filter(), Filter(list="pages")):
        assert shelf.urls(wanted) == expected
        assert shelf.look.count(wanted) == len(expected)
        assert shelf.urls(wanted, descending=True) == expected[::-1]


# Whoever filters by one of these means every list.
MEANS_ALL = {"list", "state", "status", "reason"}


@pytest.mark.parametrize("name", FACETS)
def test_a_facet_narrows(shelf: Shelf, name: str) -> None:
    meant = [page for page in shelf.pages if is_in(page, "all" if name in MEANS_ALL else "pages")]
    for value in {value for page in meant for value in TRUTH[name](page)}:
        wanted = chosen_by(name, value)
        expected = {page.url for page in meant if value in TRUTH[name](page)}
        assert set(shelf.urls(wanted)) == expected
        assert shelf.look.count(wanted) == len(expected)


@pytest.mark.parametrize("name", FACETS)
def test_a_facet_counts_what_choosing_a_value_shows(shelf: Shelf, name: str) -> None:
    meant = [page for page in shelf.pages if is_in(page, "all" if name in MEANS_ALL else "pages")]
    assert dict(shelf.look.facets(Filter())[name]) == Counter(value for page in meant for value in TRUTH[name](page))


@pytest.mark.parametrize("list_name", [*LIST_NAMES, "all"])
@pytest.mark.parametrize("name", [name for name in FACETS if name != "list"])
def test_every_list_is_narrowed_and_counted(shelf: Shelf, list_name: str, name: str) -> None:
    meant = [page for page in shelf.pages if is_in(page, list_name)]
    truth = Counter(value for page in meant for value in TRUTH[name](page))
    assert dict(shelf.look.facets(Filter(list=list_name))[name]) == truth
    for value, count in truth.items():
        wanted = chosen_by(name, value, list=list_name)
        assert set(shelf.urls(wanted)) == {page.url for page in meant if value in TRUTH[name](page)}
        assert shelf.look.count(wanted) == count


# A filter, and the list it means.
CHOSEN: list[tuple[Filter, str]] = [
    (Filter(), "pages"),
    (Filter(source="sitemap", text="x"), "pages"),
    (Filter(state="fetched"), "all"),
    (Filter(status="200"), "all"),
    (Filter(reason="none"), "all"),
    (Filter(state="fetched", list="pages"), "pages"),
    (Filter(status="200", list="duplicates"), "duplicates"),
    (Filter(kind="external"), "all"),
    (Filter(kind="all"), "all"),
    (Filter(kind="all", list="files"), "files"),
]


@pytest.mark.parametrize(("wanted", "list_name"), CHOSEN)
def test_which_list_a_filter_means(wanted: Filter, list_name: str) -> None:
    assert wanted.effective_list == list_name


def test_facets_count_what_the_others_leave(shelf: Shelf) -> None:
    wanted = Filter(language="de", verified="yes")
    counted = shelf.look.facets(wanted)
    pages = [page for page in shelf.pages if is_listed(page) and page.verified]
    assert dict(counted["language"]) == Counter(page.language for page in pages)
    assert dict(counted["depth"]) == Counter(TRUTH["depth"](page)[0] for page in pages if page.language == "de")
    counted = shelf.look.facets(wanted._replace(list="pages"))
    assert dict(counted["status"]) == Counter(str(page.status) for page in pages if page.language == "de")
    skipped = [page for page in shelf.pages if is_in(page, "all") and page.state == "skipped"]
    counted = shelf.look.facets(Filter(state="skipped"))
    assert dict(counted["list"]) == Counter(value for page in skipped for value in TRUTH["list"](page))
    assert dict(counted["reason"]) == Counter(page.reason for page in skipped)


def test_kinds_and_what_was_refused(shelf: Shelf) -> None:
    for kind in ("external", "resource"):
        assert set(shelf.urls(Filter(kind=kind))) == {page.url for page in shelf.pages if page.kind == kind}
    everything = Filter(kind="all")
    assert len(shelf.urls(everything)) == shelf.look.count(everything) == len(shelf.pages)
    for refused in (Filter(state="skipped"), Filter(list="skipped")):
        expected = {page.url for page in shelf.pages if page.kind == "page" and page.state == "skipped"}
        assert set(shelf.urls(refused)) == expected
        assert shelf.look.count(refused) == len(expected)


@pytest.mark.parametrize("kind", ["external", "resource", "all"])
@pytest.mark.parametrize("list_name", [*LIST_NAMES, "all"])
def test_a_list_can_be_had_of_every_kind(shelf: Shelf, kind: str, list_name: str) -> None:
    wanted = Filter(kind=kind, list=list_name)
    expected = {page.url for page in shelf.pages if kind in {page.kind, "all"} and list_name in TRUTH["list"](page)}
    assert set(shelf.urls(wanted)) == expected
    assert shelf.look.count(wanted) == len(expected)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("list_name", ["pages", "broken", "all"])
def test_every_order_goes_both_ways_and_loses_nothing(shelf: Shelf, sort: str, list_name: str) -> None:
    wanted = Filter(list=list_name)
    up, down = shelf.urls(wanted, sort), shelf.urls(wanted, sort, descending=True)
    assert up == down[::-1]
    assert sorted(up) == sorted(page.url for page in shelf.pages if is_in(page, list_name))
    by_url = {page.url: page for page in shelf.pages}
    if sort == "url":  # the pages come first, then the other lists
        assert up == sorted(up, key=lambda url: (not is_listed(by_url[url]), by_url[url].key))
        return
    values = [getattr(by_url[url], sort) for url in up]
    filled = [value.casefold() if isinstance(value, str) else value for value in values if value not in (None, "")]
    assert filled == sorted(filled)


@pytest.mark.parametrize("list_name", ["", *LIST_NAMES, "all"])
def test_text_is_found_in_url_and_title_whatever_its_case(shelf: Shelf, list_name: str) -> None:
    for text in ("RIVER", "été", "/docs", "p1 zebra", "nowhere"):
        expected = {
            page.url
            for page in shelf.pages
            if is_in(page, list_name or "pages")
            and all(word in f"{page.url} {page.title}".casefold() for word in text.casefold().split())
        }
        assert set(shelf.urls(Filter(text=text, list=list_name))) == expected
        assert shelf.look.count(Filter(text=text, list=list_name)) == len(expected)


@pytest.mark.parametrize("sort", ["url", "title", "depth"])
def test_text_that_stands_in_many_rows_is_met_on_the_way_and_counted_in_a_sample(shelf: Shelf, sort: str) -> None:
    hasty = ScanIndex(str(shelf.path), few=20, sure=50)
    for text, is_estimate in (("e.com", True), ("river", True), ("er/still", False), ("p1 deep", False)):
        wanted = Filter(text=text)
        numbers = [number for part in hasty.walk(wanted, sort, step=7) for number in part]
        assert numbers == [number for part in shelf.look.walk(wanted, sort) for number in part]
        assert hasty.is_estimated(wanted) == is_estimate
        assert is_estimate or hasty.count(wanted) == len(numbers)
        assert not is_estimate or len(numbers) / 3 < hasty.count(wanted) < 3 * len(numbers)
    hasty.close()


def test_text_that_nobody_would_write_is_looked_for_as_it_is(shelf: Shelf) -> None:
    for text in ('"', 'a"b c', "x\0y", "AND", "*", "NEAR(", "é", "e.c", "%20x"):
        expected = {page.url for page in shelf.pages if is_listed(page)}
        for word in text.casefold().split():
            expected &= {page.url for page in shelf.pages if word in f"{page.url} {page.title}".casefold()}
        assert set(shelf.urls(Filter(text=text))) == expected


def test_clusters_hold_their_pages(shelf: Shelf) -> None:
    for cluster in shelf.look.clusters():
        wanted = Filter(cluster=cluster["number"])
        expected = {page.url for page in shelf.pages if is_listed(page) and cluster["title"] in (page.clusters or ())}
        assert set(shelf.urls(wanted)) == expected
        assert shelf.look.count(wanted) == len(expected)
        assert sum(count for _, count in shelf.look.facets(wanted)["verified"]) == len(expected)
        assert set(shelf.urls(wanted, "title")) == expected
        for list_name in (*LIST_NAMES, "all"):
            expected = {
                page.url for page in shelf.pages if is_in(page, list_name) and cluster["title"] in (page.clusters or ())
            }
            assert set(shelf.urls(wanted._replace(list=list_name))) == expected
            assert shelf.look.count(wanted._replace(list=list_name)) == len(expected)


def test_folders_hold_what_lies_under_them(shelf: Shelf) -> None:
    listed = [page for page in shelf.pages if is_listed(page)]
    for folder in shelf.look.sections(1000):
        below = {page.url for page in listed if page.key.partition("?")[0].startswith(folder.path)}
        assert folder.pages == len(below)
        assert set(shelf.urls(Filter(under=folder.path))) == {
            page.url for page in listed if page.key.startswith(folder.path)
        }
        inner = shelf.look.folders(folder.number)
        assert folder.pages == folder.own + sum(one.pages for one in inner)
        assert len(shelf.look.pages_in(folder, limit=1000)) == folder.own
    assert [folder.name for folder in shelf.look.folders(None)] == [SITE]


@pytest.mark.parametrize("list_name", [*LIST_NAMES, "all"])
def test_every_list_has_what_lies_under_a_folder(shelf: Shelf, list_name: str) -> None:
    for path in (f"{SITE}/docs/", f"{SITE}/a/", f"{SITE}/"):
        wanted = Filter(under=path, list=list_name)
        expected = {page.url for page in shelf.pages if is_in(page, list_name) and page.key.startswith(path)}
        assert set(shelf.urls(wanted)) == expected
        assert shelf.look.count(wanted) == len(expected)


def test_a_page_is_found_by_its_key(shelf: Shelf) -> None:
    for page in shelf.pages:
        number = shelf.look.find_page(page.key)
        assert (number is not None) == is_listed(page)
        if number is not None:
            assert shelf.store.pages_by_number(shelf.scan, [number])[0][1].url == page.url


def test_a_file_nobody_wants_is_not_left_behind(shelf: Shelf, tmp_path: Path) -> None:
    with pytest.raises(BuildCancelled):
        build_scan_index(shelf.store, shelf.scan, tmp_path / "look", "now", lambda: False)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_scan_can_be_looked_at(tmp_path: Path) -> None:
    store = SqliteBrowseStore(str(tmp_path / "x.db"))
    scan = store.begin([f"{SITE}/"], {}).number
    build_scan_index(store, scan, tmp_path / "look", "now")
    look = ScanIndex(str(tmp_path / "look"))
    assert (look.count(Filter()), look.slice(Filter()).rows, look.sections(5)) == (0, [], [])
    assert look.find_page("https://e.com/") is None
    look.close()
    store.close()


def test_neighbours_history_and_events(shelf: Shelf) -> None:
    store, scan = shelf.store, shelf.scan
    first = shelf.pages[0]
    store.add_event(scan, "stage", {"name": "nav"})
    store.add_event(scan, "progress", {"visited": 3})
    assert [event.kind for event in (store.last_event(scan), store.last_event(scan, "stage")) if event] == [
        "progress",
        "stage",
    ]
    assert store.last_event(scan, "nothing") is None
    children = shelf.look.children(compute_identity(f"{SITE}/"), 1000)
    assert len(children) == len(shelf.pages)
    moments = store.page_history(scan, compute_identity(first.key), 10)
    assert [(moment.scan, moment.state) for moment in moments] == [(scan, first.state)]
    assert store.number_of(scan, 1) is None
    assert [one.number for one in store.scans(5)] == [scan]
    assert store.scans(5, before=scan) == []


def test_a_question_that_takes_too_long_is_given_up(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.store.scan_index.index._STEPS", 1)
    with pytest.raises(TimeoutError), shelf.look.limit(0.0):
        shelf.look.slice(Filter(kind="all"))
    assert shelf.look.slice(Filter(kind="all")).rows
