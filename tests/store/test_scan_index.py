"""A scan index agrees with its store on every filter, sort order, count and folder."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from headwater.model import LIST_NAMES
from headwater.store.scan_index.builder import BuildCancelled, build_scan_index
from headwater.store.scan_index.filters import FACETS, Filter
from headwater.store.scan_index.index import SORTS, ScanIndex
from headwater.store.sqlite.browse_store import SqliteBrowseStore
from headwater.urls.identity import compute_identity
from tests.store.indexed_scan import SITE, IndexedScan, spread_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from headwater.model import Page


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def indexed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedScan]:
    with ExitStack() as stack:
        db = ""
        if request.param == "postgres":
            db = stack.enter_context(request.getfixturevalue("postgres_server").prepared_database())
        indexed = IndexedScan(tmp_path_factory.mktemp("index"), db, lambda: spread_numbers(db))
        yield indexed
        indexed.index.close()
        indexed.store.close()


def is_listed(page: Page) -> bool:
    return page.kind == "page" and page.list_name == "pages"


def is_in(page: Page, list_name: str) -> bool:
    return page.kind == "page" and list_name in TRUTH["list"](page)


SITEMAP, LINK = {"sitemap", "sitemap-index"}, {"seed", "navigation", "footer", "content-link", "header", "redirect"}
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
            "orphans": bool(SITEMAP & {*page.sources}) and not LINK & {*page.sources},
            "gaps": not SITEMAP & {*page.sources} and bool(LINK & {*page.sources}),
            "both": bool(SITEMAP & {*page.sources}) and bool(LINK & {*page.sources}),
        }.items()
        if holds
    ],
    "reason": lambda page: [page.reason or "none"],
    "words": lambda page: [
        "none" if page.word_count is None
        else next(name for end, name in ((100, "0-99"), (300, "100-299"), (1000, "300-999"), (1e9, "1000+"))
                  if page.word_count < end)
    ],
    "near_duplicate": lambda page: ["yes" if page.near_duplicate_of else "no"],
}  # fmt: skip


def chosen_by(name: str, value: str, **more: str) -> Filter:
    chosen: dict[str, Any] = {**more, name: value}
    return Filter(**chosen)


def test_every_page_is_in_the_list_of_its_result(indexed: IndexedScan) -> None:
    pages = {page.url: page for page in indexed.pages if page.kind == "page"}
    assert {url: page.list_name for url, page in pages.items()} == indexed.lists
    assert set(indexed.lists.values()) == set(LIST_NAMES)
    target = f"{SITE}/docs"
    for page in pages.values():
        assert page.redirect_to == (target if page.list_name == "redirects" else None)
        assert page.duplicate_of == (target if page.list_name == "duplicates" else None)


def test_without_a_filter_every_listed_page_is_returned_once_by_key(indexed: IndexedScan) -> None:
    expected = [page.url for page in sorted(indexed.pages, key=lambda page: page.key) if is_listed(page)]
    for wanted in (Filter(), Filter(list="pages")):
        assert indexed.urls(wanted) == expected
        assert indexed.index.count(wanted) == len(expected)
        assert indexed.urls(wanted, descending=True) == expected[::-1]


# Facets that search all lists.
SEARCHES_ALL = {"list", "state", "status", "reason"}


@pytest.mark.parametrize("name", FACETS)
def test_a_facet_selects_the_pages_with_its_value(indexed: IndexedScan, name: str) -> None:
    searched_pages = [page for page in indexed.pages if is_in(page, "all" if name in SEARCHES_ALL else "pages")]
    for value in {value for page in searched_pages for value in TRUTH[name](page)}:
        wanted = chosen_by(name, value)
        expected = {page.url for page in searched_pages if value in TRUTH[name](page)}
        assert set(indexed.urls(wanted)) == expected
        assert indexed.index.count(wanted) == len(expected)


@pytest.mark.parametrize("name", FACETS)
def test_a_facet_counts_the_pages_of_each_value(indexed: IndexedScan, name: str) -> None:
    searched_pages = [page for page in indexed.pages if is_in(page, "all" if name in SEARCHES_ALL else "pages")]
    assert dict(indexed.index.facets(Filter())[name]) == Counter(
        value for page in searched_pages for value in TRUTH[name](page)
    )


@pytest.mark.parametrize("list_name", [*LIST_NAMES, "all"])
@pytest.mark.parametrize("name", [name for name in FACETS if name != "list"])
def test_facets_select_and_count_in_every_list(indexed: IndexedScan, list_name: str, name: str) -> None:
    searched_pages = [page for page in indexed.pages if is_in(page, list_name)]
    truth = Counter(value for page in searched_pages for value in TRUTH[name](page))
    assert dict(indexed.index.facets(Filter(list=list_name))[name]) == truth
    for value, count in truth.items():
        wanted = chosen_by(name, value, list=list_name)
        assert set(indexed.urls(wanted)) == {page.url for page in searched_pages if value in TRUTH[name](page)}
        assert indexed.index.count(wanted) == count


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        ("color", lambda found: "color" in found),
        ("-color", lambda found: "color" not in found),
        ("color=blue", lambda found: "Blue" in found.get("color", "")),
        ("size=ü", lambda found: found.get("size") == "ÜX"),
        ("size=%", lambda found: False),
        ("shape", lambda found: False),
    ],
)
def test_extracted_values_select_pages(
    indexed: IndexedScan, wanted: str, holds: Callable[[dict[str, str | list[str]]], bool]
) -> None:
    expected = {page.url for page in indexed.pages if is_listed(page) and holds(page.extracted or {})}
    assert set(indexed.urls(Filter(extracted=wanted))) == expected
    assert indexed.index.count(Filter(extracted=wanted)) == len(expected)
    both = Filter(extracted=wanted, near_duplicate="yes", text="e.com")
    assert indexed.index.count(both) == len(indexed.urls(both))


def test_pages_with_the_same_text_name_the_first_of_them(indexed: IndexedScan) -> None:
    same = [page for page in indexed.pages if page.near_duplicate_of]
    assert len(same) > 1
    assert {(page.similarity, page.near_duplicate_of in {one.url for one in same}) for page in same} == {(1.0, False)}


# Filters, and the lists they search.
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
def test_a_filter_searches_its_effective_list(wanted: Filter, list_name: str) -> None:
    assert wanted.effective_list == list_name


def test_a_facet_counts_with_the_other_facets_applied(indexed: IndexedScan) -> None:
    wanted = Filter(language="de", verified="yes")
    counted = indexed.index.facets(wanted)
    pages = [page for page in indexed.pages if is_listed(page) and page.verified]
    assert dict(counted["language"]) == Counter(page.language for page in pages)
    assert dict(counted["depth"]) == Counter(TRUTH["depth"](page)[0] for page in pages if page.language == "de")
    counted = indexed.index.facets(wanted._replace(list="pages"))
    assert dict(counted["status"]) == Counter(str(page.status) for page in pages if page.language == "de")
    skipped = [page for page in indexed.pages if is_in(page, "all") and page.state == "skipped"]
    counted = indexed.index.facets(Filter(state="skipped"))
    assert dict(counted["list"]) == Counter(value for page in skipped for value in TRUTH["list"](page))
    assert dict(counted["reason"]) == Counter(page.reason for page in skipped)


def test_kinds_and_skipped_urls_can_be_selected(indexed: IndexedScan) -> None:
    for kind in ("external", "resource"):
        assert set(indexed.urls(Filter(kind=kind))) == {page.url for page in indexed.pages if page.kind == kind}
    everything = Filter(kind="all")
    assert len(indexed.urls(everything)) == indexed.index.count(everything) == len(indexed.pages)
    for skipped in (Filter(state="skipped"), Filter(list="skipped")):
        expected = {page.url for page in indexed.pages if page.kind == "page" and page.state == "skipped"}
        assert set(indexed.urls(skipped)) == expected
        assert indexed.index.count(skipped) == len(expected)


@pytest.mark.parametrize("kind", ["external", "resource", "all"])
@pytest.mark.parametrize("list_name", [*LIST_NAMES, "all"])
def test_a_list_can_be_combined_with_every_kind(indexed: IndexedScan, kind: str, list_name: str) -> None:
    wanted = Filter(kind=kind, list=list_name)
    expected = {page.url for page in indexed.pages if kind in {page.kind, "all"} and list_name in TRUTH["list"](page)}
    assert set(indexed.urls(wanted)) == expected
    assert indexed.index.count(wanted) == len(expected)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("list_name", ["pages", "broken", "all"])
def test_every_sort_order_works_in_both_directions_and_is_complete(
    indexed: IndexedScan, sort: str, list_name: str
) -> None:
    wanted = Filter(list=list_name)
    up, down = indexed.urls(wanted, sort), indexed.urls(wanted, sort, descending=True)
    assert up == down[::-1]
    assert sorted(up) == sorted(page.url for page in indexed.pages if is_in(page, list_name))
    by_url = {page.url: page for page in indexed.pages}
    if sort == "url":  # the pages come first, then the other lists
        assert up == sorted(up, key=lambda url: (not is_listed(by_url[url]), by_url[url].key))
        return
    values = [getattr(by_url[url], sort) for url in up]
    filled = [value.casefold() if isinstance(value, str) else value for value in values if value not in (None, "")]
    assert filled == sorted(filled)


@pytest.mark.parametrize("list_name", ["", *LIST_NAMES, "all"])
def test_text_is_found_in_url_and_title_regardless_of_case(indexed: IndexedScan, list_name: str) -> None:
    for text in ("RIVER", "été", "/docs", "p1 zebra", "nowhere"):
        expected = {
            page.url
            for page in indexed.pages
            if is_in(page, list_name or "pages")
            and all(word in f"{page.url} {page.title}".casefold() for word in text.casefold().split())
        }
        assert set(indexed.urls(Filter(text=text, list=list_name))) == expected
        assert indexed.index.count(Filter(text=text, list=list_name)) == len(expected)


@pytest.mark.parametrize("sort", ["url", "title", "depth"])
def test_frequent_text_is_found_by_reading_rows_and_counted_in_a_sample(indexed: IndexedScan, sort: str) -> None:
    sampling = ScanIndex(str(indexed.path), max_index_matches=20, max_exact_rows=50)
    for text, is_estimate in (("e.com", True), ("river", True), ("er/still", False), ("p1 deep", False)):
        wanted = Filter(text=text)
        numbers = [number for part in sampling.walk(wanted, sort, step=7) for number in part]
        assert numbers == [number for part in indexed.index.walk(wanted, sort) for number in part]
        assert sampling.is_estimated(wanted) == is_estimate
        assert is_estimate or sampling.count(wanted) == len(numbers)
        assert not is_estimate or len(numbers) / 3 < sampling.count(wanted) < 3 * len(numbers)
    sampling.close()


def test_special_characters_are_searched_literally(indexed: IndexedScan) -> None:
    for text in ('"', 'a"b c', "x\0y", "AND", "*", "NEAR(", "é", "e.c", "%20x"):
        expected = {page.url for page in indexed.pages if is_listed(page)}
        for word in text.casefold().split():
            expected &= {page.url for page in indexed.pages if word in f"{page.url} {page.title}".casefold()}
        assert set(indexed.urls(Filter(text=text))) == expected


def test_clusters_contain_their_pages(indexed: IndexedScan) -> None:
    for cluster in indexed.index.clusters():
        wanted = Filter(cluster=cluster.number)
        expected = {page.url for page in indexed.pages if is_listed(page) and cluster.title in (page.clusters or ())}
        assert set(indexed.urls(wanted)) == expected
        assert indexed.index.count(wanted) == len(expected)
        assert sum(count for _, count in indexed.index.facets(wanted)["verified"]) == len(expected)
        assert set(indexed.urls(wanted, "title")) == expected
        for list_name in (*LIST_NAMES, "all"):
            expected = {
                page.url for page in indexed.pages if is_in(page, list_name) and cluster.title in (page.clusters or ())
            }
            assert set(indexed.urls(wanted._replace(list=list_name))) == expected
            assert indexed.index.count(wanted._replace(list=list_name)) == len(expected)


def test_folders_contain_the_pages_under_their_paths(indexed: IndexedScan) -> None:
    listed = [page for page in indexed.pages if is_listed(page)]
    for folder in indexed.index.sections(1000):
        below = {page.url for page in listed if page.key.partition("?")[0].startswith(folder.path)}
        assert folder.pages == len(below)
        assert set(indexed.urls(Filter(under=folder.path))) == {
            page.url for page in listed if page.key.startswith(folder.path)
        }
        inner = indexed.index.folders(folder.number)
        assert folder.pages == folder.own + sum(one.pages for one in inner)
        assert len(indexed.index.pages_in(folder, limit=1000)) == folder.own
    assert [folder.name for folder in indexed.index.folders(None)] == [SITE]


@pytest.mark.parametrize("list_name", [*LIST_NAMES, "all"])
def test_a_folder_can_be_combined_with_every_list(indexed: IndexedScan, list_name: str) -> None:
    for path in (f"{SITE}/docs/", f"{SITE}/a/", f"{SITE}/"):
        wanted = Filter(under=path, list=list_name)
        expected = {page.url for page in indexed.pages if is_in(page, list_name) and page.key.startswith(path)}
        assert set(indexed.urls(wanted)) == expected
        assert indexed.index.count(wanted) == len(expected)


def test_a_page_is_found_by_its_key(indexed: IndexedScan) -> None:
    for page in indexed.pages:
        number = indexed.index.find_page(page.key)
        assert (number is not None) == is_listed(page)
        if number is not None:
            assert indexed.store.pages_by_number(indexed.scan, [number])[0][1].url == page.url


def test_a_cancelled_build_leaves_no_file(indexed: IndexedScan, tmp_path: Path) -> None:
    with pytest.raises(BuildCancelled):
        build_scan_index(indexed.store, indexed.scan, tmp_path / "index", "now", lambda: False)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_scan_can_be_indexed(tmp_path: Path) -> None:
    store = SqliteBrowseStore(str(tmp_path / "x.db"))
    scan = store.create_scan([f"{SITE}/"], {}).number
    build_scan_index(store, scan, tmp_path / "index", "now")
    index = ScanIndex(str(tmp_path / "index"))
    assert (index.count(Filter()), index.slice(Filter()).rows, index.sections(5)) == (0, [], [])
    assert index.find_page("https://e.com/") is None
    index.close()
    store.close()


def test_history_events_and_scans_can_be_browsed(indexed: IndexedScan) -> None:
    store, scan = indexed.store, indexed.scan
    first = indexed.pages[0]
    store.add_event(scan, "stage", {"name": "nav"})
    store.add_event(scan, "progress", {"visited": 3})
    assert [event.kind for event in (store.last_event(scan), store.last_event(scan, "stage")) if event] == [
        "progress",
        "stage",
    ]
    assert store.last_event(scan, "nothing") is None
    children = indexed.index.children(compute_identity(f"{SITE}/"), 1000)
    assert len(children) == len(indexed.pages)
    versions = store.page_history(scan, compute_identity(first.key), 10)
    assert [(version.scan, version.state) for version in versions] == [(scan, first.state)]
    assert store.find_page_number(scan, 1) is None
    assert [one.number for one in store.scans(5)] == [scan]
    assert store.scans(5, before=scan) == []


def test_a_query_that_takes_too_long_is_interrupted(indexed: IndexedScan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.store.scan_index.index._PROGRESS_STEPS", 1)
    with pytest.raises(TimeoutError), indexed.index.limit(0.0):
        indexed.index.slice(Filter(kind="all"))
    assert indexed.index.slice(Filter(kind="all")).rows
