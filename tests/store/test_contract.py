"""Contract of a store of scans, checked on every implementation."""

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
    PageFacts,
    SourceMetadata,
)
from headwater.store import Classification, MemoryStore, VisitResult, open_store
from headwater.store.records import ExternalCheck
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
        identity=compute_identity(url), key=url, url=url, fetch_url=url, kind=kind, depth=depth,
        parent=compute_identity(parent_url), parent_url=parent_url, source="content-link", text=text, reason=reason,
    )  # fmt: skip


def waiting(store: Store, scan: int, depth: int, after: int = 0) -> list[str]:
    return [
        candidate.url.removeprefix("https://e.com") for _, candidate in store.next_candidates(scan, 100, depth, after)
    ]


def test_a_scan_is_found_until_and_after_it_is_finished(store: Store) -> None:
    assert store.last_scan() is None
    scan = store.create_scan(["https://e.com/"], {"max_pages": 3})
    assert (scan.seeds, scan.settings, scan.state) == (("https://e.com/",), {"max_pages": 3}, "running")
    assert store.last_scan() == store.scan(scan.number) == store.last_scan(unfinished=True) == scan
    store.finish_scan(scan.number, "done")
    ended = store.last_scan()
    assert ended is not None
    assert (ended.state, bool(ended.finished), store.last_scan(unfinished=True), store.scan(99)) == (
        "done",
        True,
        None,
        None,
    )


def test_candidates_come_in_the_order_they_were_found(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/b"), found("/a"), found("/deep", 2)], {})
    assert store.next_depth(scan) == 1
    assert (waiting(store, scan, 1), waiting(store, scan, 2)) == (["/b", "/a"], ["/deep"])
    place = store.next_candidates(scan, 1, 1)[0][0]
    assert waiting(store, scan, 1, place) == ["/a"]


def test_a_url_is_stored_once_with_its_shortest_path(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/p1"), found("/p2"), found("/x", 3, "/p2", text="far")], {})
    store.save_batch(scan, (), [found("/x", 2, "/p2", text="near"), found("/x", 4, "/p1")], {})
    store.save_batch(scan, (), [found("/x", 2, "/p1", text="smaller parent")], {})
    store.save_batch(scan, (), [found("/x", 2, "/p2", text="greater parent")], {})
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
def test_a_followed_link_makes_a_recorded_url_a_candidate(store: Store, recorded: DiscoveredUrl, state: str) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/p1"), found("/p2"), recorded], {})
    page = store.page(scan, recorded.identity)
    assert page is not None
    assert (page.kind, page.state, page.reason) == (recorded.kind, state, recorded.reason or None)
    followed = found("/x", 3, "/p2")._replace(hops=1)
    store.save_batch(scan, (), [followed], {})
    store.save_batch(scan, (), [found("/x", 1, "/p1", reason=NOT_FOLLOWED)], {})
    page = store.page(scan, recorded.identity)
    assert page is not None
    depth = 3 if recorded.reason == NOT_FOLLOWED else 1
    assert (page.kind, page.state, page.reason, page.hops) == ("page", "discovered", None, 1)
    assert (page.depth, page.found_on) == (depth, "https://e.com/p2")
    assert waiting(store, scan, depth)[-1:] == ["/x"]


def test_held_pages_are_released_as_the_limit_rises(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    held = [found(path, depth, reason=OVER_SOURCE_LIMIT) for path, depth in (("/deep", 2), ("/c", 1), ("/b", 1))]
    other = found("/other", reason=OVER_SOURCE_LIMIT)._replace(source="footer")
    store.save_batch(scan, (), [found("/a"), *held, other], {})
    assert (waiting(store, scan, 1), store.count_listed(scan), store.list_counts(scan)["skipped"]) == (["/a"], 1, 4)
    assert (store.counts(scan).held, store.counts(scan).skipped) == (4, {OVER_SOURCE_LIMIT: 4})
    assert store.source_usage(scan) == {"content-link": 1}
    store.release_held(scan, 1)
    assert (waiting(store, scan, 1), store.counts(scan).held) == (["/a", "/other"], 3)
    store.release_held(scan, 2)
    assert sorted(waiting(store, scan, 1)) == ["/a", "/b", "/other"]
    store.release_held(scan, None)
    assert (sorted(waiting(store, scan, 1)), waiting(store, scan, 2)) == (["/a", "/b", "/c", "/other"], ["/deep"])
    assert (store.counts(scan).held, store.counts(scan).skipped) == (0, {})


def test_suspects_are_listed_by_key_until_cleared_or_skipped(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    some = [
        found(path, depth)._replace(is_suspect=True) for path, depth in (("/é", 1), ("/Z", 1), ("/a", 1), ("/d", 2))
    ]
    store.save_batch(scan, (), [found("/first"), *some, found("/last")], {})
    assert waiting(store, scan, 1) == ["/first", "/last"]
    identities = {depth: store.suspects(scan, depth) for depth in (0, 1, 2)}
    assert identities == {0: [], 1: [one.identity for one in (some[1], some[2], some[0])], 2: [some[3].identity]}
    candidates = store.candidates(scan, [some[3].identity, compute_identity("unknown"), some[0].identity])
    assert [(one.key, one.depth, one.is_suspect) for one in candidates] == [
        ("https://e.com/d", 2, True), ("https://e.com/é", 1, True),
    ]  # fmt: skip
    [(_, first), _] = store.next_candidates(scan, 10, 1)
    again = found("/a", 1, "/first")._replace(is_suspect=True)
    store.save_batch(
        scan, [VisitResult(first, "fetched", discovered=[again], cleared_suspects=[again.identity])], (), {}
    )
    assert sorted(waiting(store, scan, 1)) == ["/a", "/last"]
    assert store.suspects(scan, 1) == [some[1].identity, some[0].identity]
    store.save_batch(scan, [VisitResult(one, "skipped", reason="trap-exhausted") for one in candidates], (), {})
    assert (store.suspects(scan, 1), store.suspects(scan, 2)) == ([some[1].identity], [])
    assert store.candidates(scan, [some[3].identity]) == []


def test_a_batch_stores_visits_discovered_urls_links_and_skip_counts(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a"), found("/b"), found("/c")], {})
    a, b, c = (candidate for _, candidate in store.next_candidates(scan, 10, 1))
    batch = [
        VisitResult(a, "fetched", 200, title="A", discovered=[found("/new", 2, "/a")], links=[1, 2]),
        VisitResult(b, "failed", 404, "http-404"),
        VisitResult(c, "deferred", None, "robots-unreachable"),
    ]
    places = [LinkPlacement("content-link"), LinkPlacement("navigation", "nav")]
    block = LinkBlock(1, [b.identity, compute_identity("https://e.com/new")], places, ["b", "New"])
    store.save_batch(scan, batch, (), {"not-http": 2}, links=block, first_list=1)
    store.save_batch(scan, (), (), {"not-http": 1, "empty": 4})
    counts = store.counts(scan)
    assert (counts.known, counts.candidates, counts.fetched, counts.failed, counts.deferred) == (4, 1, 1, 1, 1)
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


def test_only_pages_without_a_reason_are_candidates(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    others = [
        found("/i.png", kind="resource"),
        found("/o", kind="external", reason="other-host"),
        found("/e", kind="endpoint"),
    ]
    store.save_batch(scan, (), [*others, found("/trap", reason="trap-exhausted"), found("/page")], {})
    assert waiting(store, scan, 1) == ["/page"]
    states = {page.url.removeprefix("https://e.com"): (page.kind, page.state) for page in store.pages(scan)}
    assert states["/trap"] == ("page", "skipped")
    assert states["/o"] == ("external", "discovered")


def test_filter_unknown_returns_identities_that_are_not_stored(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a")], {})
    known, other = compute_identity("https://e.com/a"), compute_identity("https://e.com/z")
    assert store.filter_unknown(scan, [known, other]) == {other}


def test_known_urls_have_state_depth_and_number(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a")], {})
    before = store.last_url_number()
    other = found("/b", 2)._replace(fetch_url="https://e.com/b?", is_suspect=True)
    ((_, visited),) = store.next_candidates(scan, 10, 1)
    store.save_batch(scan, [VisitResult(visited, "fetched", 200)], [other, found("/c", reason="trap-repetition")], {})
    identities = [compute_identity(f"https://e.com{path}") for path in ("/a", "/b", "/c", "/z")]
    rows = {row.url[13:]: row for row in store.known_urls(scan, identities)}
    assert set(rows) == {"/a", "/b", "/c"}
    assert (rows["/a"].state, rows["/a"].is_visited, rows["/a"].is_suspect) == ("fetched", True, False)
    assert (rows["/b"].state, rows["/b"].is_visited, rows["/b"].is_suspect) == ("waiting", False, True)
    assert (rows["/b"].depth, rows["/b"].fetch_url) == (2, "https://e.com/b?")
    assert (rows["/c"].state, rows["/c"].reason) == ("skipped", "trap-repetition")
    assert rows["/a"].number <= before < min(rows["/b"].number, rows["/c"].number)
    assert store.last_url_number() >= max(row.number for row in rows.values())


def test_scans_are_separate(store: Store) -> None:
    first, second = store.create_scan(["x"], {}).number, store.create_scan(["y"], {}).number
    store.save_batch(first, (), [found("/a")], {"empty": 1})
    assert (store.counts(second).known, store.next_depth(second), list(store.pages(second))) == (0, None, [])


def test_any_character_can_be_stored(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    odd = "NUL \x00, quote ' \", escape \x1b, emoji 😀, bidi \u202e"
    store.save_batch(scan, (), [found("/a", text=odd)], {})
    assert next(store.pages(scan)).title == odd


def test_a_batch_is_stored_completely_or_not_at_all(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    broken = found("/b")._replace(text=object())  # type: ignore[arg-type]
    with pytest.raises((StoreError, sqlite3.Error)):
        store.save_batch(scan, (), [found("/a"), broken], {"empty": 1})
    assert (store.counts(scan).known, store.counts(scan).skipped) == (0, {})


def test_a_page_has_all_its_sources(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    listed = found("/a", NO_DEPTH)._replace(
        source="sitemap", is_visited=False, metadata=SourceMetadata(lastmod="2026-01-01", priority=0.4)
    )
    store.save_batch(scan, (), [listed], {})
    assert store.next_depth(scan) is None
    store.save_batch(scan, (), [found("/a", 2, text="Link")], {})
    store.save_batch(
        scan, (), [listed._replace(source="navigation", depth=1, metadata=SourceMetadata(importance=1.0))], {}
    )
    page = next(iter(store.pages(scan)))
    assert page.sources == ("navigation", "sitemap", "content-link")
    assert (page.depth, page.lastmod, page.sitemap_priority, page.importance) == (2, "2026-01-01", 0.4, 1.0)
    assert waiting(store, scan, 2) == ["/a"]
    assert store.source_counts(scan) == {"navigation": 1, "sitemap": 1, "content-link": 1}
    assert store.orphans_and_gaps(scan) == (0, 0)


def test_evidence_and_events_are_read_in_order(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
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
def test_classification_replaces_a_detected_language(
    store: Store, declared: str, before: str, classified: str, after: str | None
) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a")], {})
    [(_, candidate)] = store.next_candidates(scan, 10, 1)
    store.save_batch(scan, [VisitResult(candidate, "fetched", 200, language=declared)], (), {})
    assert [page.language for page in store.classifier_inputs(scan)] == [declared]
    assert [page.language for page in store.pages(scan)] == [before]
    store.save_classifications(scan, [Classification(candidate.identity, 0.5, classified, False)])
    assert [page.language for page in store.pages(scan)] == [after]


def test_clusters_overlap_and_are_replaced(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a"), found("/b")], {})
    a, b = (page.identity for page in sorted(store.classifier_inputs(scan), key=lambda page: page.url))
    guides, top = ("section:/guides", "section", "Guides"), ("top", "section", "Top level")
    store.save_classifications(
        scan, [Classification(a, 0.5, "en", False, [guides, top]), Classification(b, 0.1, "de", True, [top])]
    )
    assert [(cluster.title, cluster.pages) for cluster in store.clusters(scan)] == [("Top level", 2), ("Guides", 1)]
    first, second = store.pages(scan)
    assert (set(first.clusters or ()), first.priority, first.language) == ({"Guides", "Top level"}, 0.5, "en")
    assert (second.skip_scrape, second.clusters) == (True, ("Top level",))
    assert [page.url for page in store.pages(scan, limit=1)] == [first.url]
    store.clear_clusters(scan)
    store.save_classifications(scan, [Classification(a, 0.5, "en", False, [guides])])
    assert [(cluster.title, cluster.pages) for cluster in store.clusters(scan)] == [("Guides", 1)]


def test_inlinks_add_up(store: Store) -> None:
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a"), found("/b")], {})
    store.add_inlinks(scan, {compute_identity("https://e.com/a"): 2})
    store.add_inlinks(scan, {compute_identity("https://e.com/a"): 1, 77: 5})
    assert [page.inlinks for page in store.pages(scan)] == [3, 0]


def test_checks_of_other_sites_are_replaced_and_shared_by_scans(store: Store) -> None:
    url = found("/a", kind="external", reason="other-host")
    first, second = (store.create_scan(["https://e.com/"], {}).number for _ in range(2))
    for scan in (first, second):
        store.save_batch(scan, (), [url, found("/b", kind="external", reason="other-host"), found("/c")], {})
    assert [one.url for one in store.unchecked_external_urls(first, "2000-01-01")] == [url.url, "https://e.com/b"]
    store.save_external_checks(first, [ExternalCheck(url.identity, None, "dns")])
    assert [one.url for one in store.unchecked_external_urls(second, "2000-01-01")] == ["https://e.com/b"]
    assert url.url in [one.url for one in store.unchecked_external_urls(second, "9999-01-01")]
    store.save_external_checks(second, [ExternalCheck(url.identity, 404, "http-404")])
    assert list(store.external_checks(first)) == [ExternalCheck(url.identity, 404, "http-404")]
    store.copy_external_statuses(second)
    assert [page.status for page in store.pages(second)] == [404, None, None]


def test_facts_about_texts_are_kept_and_near_duplicates_marked(store: Store) -> None:
    scan = store.create_scan(["https://e.com/"], {}).number
    store.save_batch(scan, (), [found(path) for path in ("/a", "/b", "/c")], {})
    visits = [
        VisitResult(
            candidate, "fetched", 200,
            facts=PageFacts(word_count=9, text_language="en", simhash=-number // 2, minhash=bytes(128), extracted="{}"),
        )
        for number, candidate in store.next_candidates(scan, 3, 1)
    ]  # fmt: skip
    visits[2] = visits[2]._replace(facts=PageFacts(simhash=0x123456789ABCDEF, minhash=bytes(range(128))))
    store.save_batch(scan, visits, (), {})
    assert store.previous_visit(scan, visits[0].candidate.identity) == visits[0]._replace(
        url="https://e.com/a", links=None, candidate=visits[0].candidate._replace(depth=0)
    )
    assert store.mark_near_duplicates(scan) == store.mark_near_duplicates(scan) == 1
    assert [(page.near_duplicate_of, page.similarity is not None) for page in store.pages(scan)] == [
        (None, False), ("https://e.com/a", True), (None, False),
    ]  # fmt: skip
