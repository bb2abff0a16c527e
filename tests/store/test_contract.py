"""What every store promises, run on each of them."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from headwater.errors import StoreError
from headwater.model import (
    NO_DEPTH,
    NOT_FOLLOWED,
    OVER_SOURCE_LIMIT,
    DiscoveredUrl,
    Evidence,
    LinkBlock,
    LinkPlacement,
    SourceMetadata,
)
from headwater.store import Classification, MemoryStore, SqliteStore, VisitResult, open_store
from headwater.store.queries import load_migrations
from headwater.store.sqlite.write_forwarding import ForwardingStore, WriterStore
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from headwater.model import UrlKind
    from headwater.store import Store


@pytest.fixture(params=["memory", "sqlite", "shared", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = _open(request, tmp_path)
    yield opened
    opened.close()


def _open(request: pytest.FixtureRequest, folder: Path) -> Store:
    if request.param == "postgres":
        return open_store(request.getfixturevalue("database"))
    if request.param == "shared":
        return ForwardingStore(str(folder / "x.db"), WriterStore(str(folder / "x.db")).handle_write_request)
    return MemoryStore() if request.param == "memory" else open_store(str(folder / "x.db"))


def found(
    path: str, depth: int = 1, parent: str = "", *, kind: UrlKind = "page", reason: str = "", text: str = ""
) -> DiscoveredUrl:
    url = f"https://e.com{path}"
    parent_url = f"https://e.com{parent}"
    return DiscoveredUrl(
        compute_identity(url),
        url,
        url,
        url,
        kind,
        depth,
        compute_identity(parent_url),
        parent_url,
        "content-link",
        text=text,
        reason=reason,
    )


def waiting(store: Store, scan: int, depth: int, after: int = 0) -> list[str]:
    return [candidate.url.removeprefix("https://e.com") for _, candidate in store.waiting(scan, 100, depth, after)]


def test_a_scan(store: Store) -> None:
    assert store.last() is None
    scan = store.begin(["https://e.com/"], {"max_pages": 3})
    assert (scan.seeds, scan.settings, scan.state) == (("https://e.com/",), {"max_pages": 3}, "running")
    assert store.last() == store.scan(scan.number) == store.last(unfinished=True) == scan
    store.end(scan.number, "done")
    ended = store.last()
    assert ended is not None
    assert (ended.state, bool(ended.finished), store.last(unfinished=True), store.scan(99)) == (
        "done",
        True,
        None,
        None,
    )


def test_what_is_found_waits_in_order(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/b"), found("/a"), found("/deep", 2)], {})
    assert store.next_depth(scan) == 1
    assert (waiting(store, scan, 1), waiting(store, scan, 2)) == (["/b", "/a"], ["/deep"])
    place = store.waiting(scan, 1, 1)[0][0]
    assert waiting(store, scan, 1, place) == ["/a"]


def test_a_url_is_kept_once_with_the_shortest_way(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/p1"), found("/p2"), found("/x", 3, "/p2", text="far")], {})
    store.settle(scan, (), [found("/x", 2, "/p2", text="near"), found("/x", 4, "/p1")], {})
    store.settle(scan, (), [found("/x", 2, "/p1", text="smaller parent")], {})
    store.settle(scan, (), [found("/x", 2, "/p2", text="greater parent")], {})
    page = next(page for page in store.pages(scan) if page.url.endswith("/x"))
    assert (page.depth, page.found_on, page.title) == (2, "https://e.com/p1", "smaller parent")
    assert store.counts(scan).known == 3


@pytest.mark.parametrize(
    ("recorded", "state"),
    [
        (found("/x", 1, "/p1", reason=NOT_FOLLOWED), "skipped"),
        (found("/x", 1, "/p1", kind="resource"), "discovered"),
        (found("/x", 1, "/p1", kind="external", reason="other-host"), "discovered"),
    ],
)
def test_a_link_that_is_followed_turns_a_recorded_url_into_a_candidate(
    store: Store, recorded: DiscoveredUrl, state: str
) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/p1"), found("/p2"), recorded], {})
    page = store.page(scan, recorded.identity)
    assert page is not None
    assert (page.kind, page.state, page.reason) == (recorded.kind, state, recorded.reason or None)
    followed = found("/x", 3, "/p2")._replace(hops=1)
    store.settle(scan, (), [followed], {})
    store.settle(scan, (), [found("/x", 1, "/p1", reason=NOT_FOLLOWED)], {})
    page = store.page(scan, recorded.identity)
    assert page is not None
    depth = 3 if recorded.reason == NOT_FOLLOWED else 1
    assert (page.kind, page.state, page.reason, page.hops) == ("page", "discovered", None, 1)
    assert (page.depth, page.found_on) == (depth, "https://e.com/p2")
    assert waiting(store, scan, depth)[-1:] == ["/x"]


def test_pages_that_a_limit_holds_back(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    held = [found(path, depth, reason=OVER_SOURCE_LIMIT) for path, depth in (("/deep", 2), ("/c", 1), ("/b", 1))]
    other = found("/other", reason=OVER_SOURCE_LIMIT)._replace(source="footer")
    store.settle(scan, (), [found("/a"), *held, other], {})
    assert (waiting(store, scan, 1), store.listed(scan), store.list_counts(scan)["skipped"]) == (["/a"], 1, 4)
    assert (store.counts(scan).held, store.counts(scan).skipped) == (4, {OVER_SOURCE_LIMIT: 4})
    assert store.source_usage(scan) == {"content-link": 1}
    store.release_held(scan, 1)
    assert (waiting(store, scan, 1), store.counts(scan).held) == (["/a", "/other"], 3)
    store.release_held(scan, 2)
    assert sorted(waiting(store, scan, 1)) == ["/a", "/b", "/other"]
    store.release_held(scan, None)
    assert (sorted(waiting(store, scan, 1)), waiting(store, scan, 2)) == (["/a", "/b", "/c", "/other"], ["/deep"])
    assert (store.counts(scan).held, store.counts(scan).skipped) == (0, {})


def test_suspects(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    some = [
        found(path, depth)._replace(is_suspect=True) for path, depth in (("/é", 1), ("/Z", 1), ("/a", 1), ("/d", 2))
    ]
    store.settle(scan, (), [found("/first"), *some, found("/last")], {})
    assert waiting(store, scan, 1) == ["/first", "/last"]
    identities = {depth: store.suspects(scan, depth) for depth in (0, 1, 2)}
    assert identities == {0: [], 1: [one.identity for one in (some[1], some[2], some[0])], 2: [some[3].identity]}
    candidates = store.candidates(scan, [some[3].identity, compute_identity("unknown"), some[0].identity])
    assert [(one.key, one.depth, one.is_suspect) for one in candidates] == [
        ("https://e.com/d", 2, True), ("https://e.com/é", 1, True),
    ]  # fmt: skip
    [(_, first), _] = store.waiting(scan, 10, 1)
    again = found("/a", 1, "/first")._replace(is_suspect=True)
    store.settle(scan, [VisitResult(first, "fetched", found=[again], cleared=[again.identity])], (), {})
    assert sorted(waiting(store, scan, 1)) == ["/a", "/last"]
    assert store.suspects(scan, 1) == [some[1].identity, some[0].identity]
    store.settle(scan, [VisitResult(one, "skipped", reason="trap-exhausted") for one in candidates], (), {})
    assert (store.suspects(scan, 1), store.suspects(scan, 2)) == ([some[1].identity], [])
    assert store.candidates(scan, [some[3].identity]) == []


def test_settling(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/a"), found("/b"), found("/c")], {})
    a, b, c = (candidate for _, candidate in store.waiting(scan, 10, 1))
    batch = [
        VisitResult(a, "fetched", 200, title="A", found=[found("/new", 2, "/a")], links=[1, 2]),
        VisitResult(b, "failed", 404, "http-404"),
        VisitResult(c, "deferred", None, "robots-unreachable"),
    ]
    places = [LinkPlacement("content-link"), LinkPlacement("navigation", "nav")]
    block = LinkBlock(1, [b.identity, compute_identity("https://e.com/new")], places, ["b", "New"])
    store.settle(scan, batch, (), {"not-http": 2}, links=block, first_list=1)
    store.settle(scan, (), (), {"not-http": 1, "empty": 4})
    counts = store.counts(scan)
    assert (counts.known, counts.waiting, counts.fetched, counts.failed, counts.deferred) == (4, 1, 1, 1, 1)
    assert counts.skipped == {"not-http": 3, "empty": 4}
    rows = {
        page.url.removeprefix("https://e.com"): (page.state, page.status, page.title, page.reason)
        for page in store.pages(scan)
    }
    assert rows == {
        "/a": ("fetched", 200, "A", None),
        "/b": ("failed", 404, None, "http-404"),
        "/c": ("deferred", None, None, "robots-unreachable"),
        "/new": ("discovered", None, None, None),
    }
    assert list(store.links.edges(scan)) == [
        ("https://e.com/a", "https://e.com/b", "a", "b", "content"),
        ("https://e.com/a", "https://e.com/new", "a", "New", "nav"),
    ]


def test_only_pages_wait(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    others = [
        found("/i.png", kind="resource"),
        found("/o", kind="external", reason="other-host"),
        found("/e", kind="endpoint"),
    ]
    store.settle(scan, (), [*others, found("/trap", reason="trap-exhausted"), found("/page")], {})
    assert waiting(store, scan, 1) == ["/page"]
    states = {page.url.removeprefix("https://e.com"): (page.kind, page.state) for page in store.pages(scan)}
    assert states["/trap"] == ("page", "skipped")
    assert states["/o"] == ("external", "discovered")


def test_unknown(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/a")], {})
    known, other = compute_identity("https://e.com/a"), compute_identity("https://e.com/z")
    assert store.filter_unknown(scan, [known, other]) == {other}


def test_known_urls(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/a")], {})
    before = store.last_url_number()
    other = found("/b", 2)._replace(fetch_url="https://e.com/b?", is_suspect=True)
    ((_, visited),) = store.waiting(scan, 10, 1)
    store.settle(scan, [VisitResult(visited, "fetched", 200)], [other, found("/c", reason="trap-repetition")], {})
    identities = [compute_identity(f"https://e.com{path}") for path in ("/a", "/b", "/c", "/z")]
    rows = {row.url[13:]: row for row in store.known_urls(scan, identities)}
    assert set(rows) == {"/a", "/b", "/c"}
    assert (rows["/a"].state, rows["/a"].is_visited, rows["/a"].is_suspect) == ("fetched", True, False)
    assert (rows["/b"].state, rows["/b"].is_visited, rows["/b"].is_suspect) == ("waiting", False, True)
    assert (rows["/b"].depth, rows["/b"].fetch_url) == (2, "https://e.com/b?")
    assert (rows["/c"].state, rows["/c"].reason) == ("skipped", "trap-repetition")
    assert rows["/a"].number <= before < min(rows["/b"].number, rows["/c"].number)
    assert store.last_url_number() >= max(row.number for row in rows.values())


def test_scans_do_not_see_each_other(store: Store) -> None:
    first, second = store.begin(["x"], {}).number, store.begin(["y"], {}).number
    store.settle(first, (), [found("/a")], {"empty": 1})
    assert (store.counts(second).known, store.next_depth(second), list(store.pages(second))) == (0, None, [])


def test_any_character_can_be_kept(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    odd = "NUL \x00, quote ' \", escape \x1b, emoji 😀, bidi \u202e"
    store.settle(scan, (), [found("/a", text=odd)], {})
    assert next(store.pages(scan)).title == odd


def test_a_batch_is_kept_whole_or_not_at_all(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    broken = found("/b")._replace(text=object())  # type: ignore[arg-type]
    with pytest.raises((StoreError, sqlite3.Error)):
        store.settle(scan, (), [found("/a"), broken], {"empty": 1})
    assert (store.counts(scan).known, store.counts(scan).skipped) == (0, {})


def test_a_page_has_all_its_sources(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    listed = found("/a", NO_DEPTH)._replace(
        source="sitemap", is_visited=False, metadata=SourceMetadata(lastmod="2026-01-01", priority=0.4)
    )
    store.settle(scan, (), [listed], {})
    assert store.next_depth(scan) is None
    store.settle(scan, (), [found("/a", 2, text="Link")], {})
    store.settle(scan, (), [listed._replace(source="navigation", depth=1, metadata=SourceMetadata(importance=1.0))], {})
    page = next(iter(store.pages(scan)))
    assert page.sources == ("navigation", "sitemap", "content-link")
    assert (page.depth, page.lastmod, page.sitemap_priority, page.importance) == (2, "2026-01-01", 0.4, 1.0)
    assert waiting(store, scan, 2) == ["/a"]
    assert store.sources(scan) == {"navigation": 1, "sitemap": 1, "content-link": 1}
    assert store.orphans_and_gaps(scan) == (0, 0)


def test_evidence_and_events(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    number = store.add_evidence(scan, Evidence("sitemap_fetch", "https://e.com/s.xml", False, 403, "no", {"a": [1]}))
    store.update_evidence(number, {"a": 2})
    store.add_evidence(scan, Evidence("robots_txt", parent=number))
    first, second = store.evidence(scan)
    assert (first.kind, first.success, first.status, first.error, first.content) == (
        "sitemap_fetch",
        False,
        403,
        "no",
        {"a": 2},
    )
    assert [one.kind for one in store.evidence(scan, "robots_txt")] == ["robots_txt"]
    assert second.parent == number
    store.add_event(scan, "stage", {"name": "nav"})
    store.add_event(scan, "stage", {"name": "crawl"})
    events = store.events(scan)
    assert [event.data["name"] for event in store.events(scan, after=events[0].number)] == ["crawl"]


@pytest.mark.parametrize(
    ("declared", "before", "classified", "after"),
    [
        ("fr-x-detected", "fr", "fr", "fr"),
        ("fr-x-detected", "fr", "en", "en"),
        ("cy-x-detected", "cy", "", None),
        ("klingon", "klingon", "", "klingon"),
        ("EN-us", "EN-us", "en-us", "en-us"),
    ],
)
def test_a_language_is_replaced_by_classification(
    store: Store, declared: str, before: str, classified: str, after: str | None
) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/a")], {})
    [(_, candidate)] = store.waiting(scan, 10, 1)
    store.settle(scan, [VisitResult(candidate, "fetched", 200, language=declared)], (), {})
    assert [told.language for told in store.told(scan)] == [declared]
    assert [page.language for page in store.pages(scan)] == [before]
    store.classify(scan, [Classification(candidate.identity, 0.5, classified, False)])
    assert [page.language for page in store.pages(scan)] == [after]


def test_clusters_overlap_and_are_replaced(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/a"), found("/b")], {})
    a, b = (told.identity for told in sorted(store.told(scan), key=lambda told: told.url))
    guides, all_ = ("section:/guides", "section", "Guides"), ("top", "section", "Top level")
    store.classify(
        scan, [Classification(a, 0.5, "en", False, [guides, all_]), Classification(b, 0.1, "de", True, [all_])]
    )
    assert [(cluster.title, cluster.pages) for cluster in store.clusters(scan)] == [("Top level", 2), ("Guides", 1)]
    first, second = store.pages(scan)
    assert (set(first.clusters or ()), first.priority, first.language) == ({"Guides", "Top level"}, 0.5, "en")
    assert (second.skip_scrape, second.clusters) == (True, ("Top level",))
    assert [page.url for page in store.pages(scan, limit=1)] == [first.url]
    store.clear_clusters(scan)
    store.classify(scan, [Classification(a, 0.5, "en", False, [guides])])
    assert [(cluster.title, cluster.pages) for cluster in store.clusters(scan)] == [("Guides", 1)]


class TestFiles:
    def test_a_file_is_read_again(self, tmp_path: Path) -> None:
        first = SqliteStore(str(tmp_path / "x.db"))
        scan = first.begin(["x"], {}).number
        first.settle(scan, (), [found("/a")], {})
        first.close()
        assert waiting(SqliteStore(str(tmp_path / "x.db")), scan, 1) == ["/a"]

    def test_a_file_of_the_first_version_is_brought_up_to_date(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.executescript(
                load_migrations("sqlite")[1] + "PRAGMA user_version = 1; PRAGMA application_id = 0x48445754;"
            )
            db.execute("INSERT INTO scan VALUES (1, '[\"https://e.com/\"]', '{}', 'interrupted', '2026', NULL)")
            db.execute(
                "INSERT INTO page (scan, identity, key, url, kind, depth, hops, redirects, is_suspect, parent, source,"
                " region, text, reason, state, first_seen) VALUES (1, 5, 'https://e.com/a', 'https://e.com/a', 'page',"
                " 1, 0, 0, 0, 0, 'navigation', 'nav', 'A', '', 0, '2026')"
            )
        db.close()
        store = SqliteStore(str(tmp_path / "x.db"))
        assert [(page.url, page.sources, page.title) for page in store.pages(1)] == [
            ("https://e.com/a", ("navigation",), "A")
        ]
        assert waiting(store, 1, 1) == ["/a"]
        assert store.evidence(1) == []

    def test_a_newer_file_is_refused(self, tmp_path: Path) -> None:
        SqliteStore(str(tmp_path / "x.db")).close()
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
        with pytest.raises(StoreError, match="newer Headwater"):
            SqliteStore(str(tmp_path / "x.db"))

    def test_a_strangers_file_is_refused(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.execute("CREATE TABLE t (x)")
        db.close()
        with pytest.raises(StoreError, match="another program"):
            SqliteStore(str(tmp_path / "x.db"))

    def test_what_is_no_database_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "x.db").write_text("hello " * 1000)
        with pytest.raises(StoreError, match="cannot be used"):
            SqliteStore(str(tmp_path / "x.db"))

    def test_a_missing_folder_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="cannot be used"):
            SqliteStore(str(tmp_path / "no" / "x.db"))


def test_a_transaction_that_takes_too_long_is_taken_back(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "x.db"), transaction_timeout=0.001)
    scan = store.begin(["x"], {}).number
    with pytest.raises(StoreError, match=r"longer than transaction_timeout, 0\.001 s"):
        store.settle(scan, (), [found(f"/{number}") for number in range(20_000)], {})
    assert store.counts(scan).known == 0
    store.close()


def test_how_many_pages_link_to_one(store: Store) -> None:
    scan = store.begin(["x"], {}).number
    store.settle(scan, (), [found("/a"), found("/b")], {})
    store.add_inlinks(scan, {compute_identity("https://e.com/a"): 2})
    store.add_inlinks(scan, {compute_identity("https://e.com/a"): 1, 77: 5})
    assert [page.inlinks for page in store.pages(scan)] == [3, 0]
