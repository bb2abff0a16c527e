"""Contract of dives, checked on every store, and searches by pgvector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.dive.retrieval.vector_index import VectorIndex, pack_vectors
from headwater.errors import StoreError
from headwater.store import ChunkRow, Classification, Message, PageContent, ScanPage, SqliteStore, open_store
from headwater.store.postgres.dive_store import PostgresDiveStore
from headwater.store.postgres.text_search import extract_words, get_text_search_config
from headwater.urls.identity import compute_identity
from tests.store.test_contract import found

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from headwater.store import DiveStore, Store
    from tests.postgres import Server

SELECTION = {"clusters": ["guides"], "include": [], "all_languages": False}
SEEDS = ["https://e.com/"]


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    name = request.getfixturevalue("database") if request.param == "postgres" else str(tmp_path / "x.db")
    opened = open_store(name)
    yield opened
    opened.close()


@pytest.fixture
def dives(store: Store) -> DiveStore:
    return store.dives


def scan_pages(*paths: str, language: str = "en") -> list[ScanPage]:
    urls = [f"https://e.com{path}" for path in paths]
    return [
        ScanPage(
            identity=compute_identity(url), url=url, fetch_url=url, title=f"Title of {url}", language=language,
            is_skipped=False, clusters=(),
        )
        for url in urls
    ]  # fmt: skip


def content(markdown: str, **more: Any) -> PageContent:
    given: dict[str, Any] = {
        "title": "T", "language": "en", "canonical": "", "published": "", "modified": "2026-01-01", "etag": '"a"',
        "last_modified": "", "content_hash": hash(markdown), "headings": [(1, "T", "top")], "markdown": markdown,
    }  # fmt: skip
    return PageContent(**{**given, **more})


def start_dive(dives: DiveStore, *paths: str, language: str = "en") -> tuple[int, list[int]]:
    """Start a dive into these pages, and return it and their numbers."""
    number, _ = dives.start_dive(1, SEEDS, SELECTION, scan_pages(*paths, language=language))
    return number, [page.number for page in dives.pending_pages(number, 0, 100)]


def set_passages(dives: DiveStore, dive: int, page: int, *texts: tuple[str, str]) -> None:
    rows = [
        ChunkRow(heading=heading, anchor="a", text=text, tokens=len(text), hash=hash((heading, text)))
        for heading, text in texts
    ]
    dives.set_chunks(dive, page, 7, rows)


def test_scan_pages_are_listed_pages_with_their_clusters(store: Store) -> None:
    scan = store.create_scan(SEEDS, {}).number
    skipped = found("/r", reason="excluded")
    store.save_batch(scan, (), [found("/b", text="Bee"), found("/a"), skipped, found("/f", kind="resource")], {})
    cluster = ("section:/guides", "section", "Guides")
    store.save_classifications(scan, [Classification(compute_identity("https://e.com/b"), 0.5, "de", True, [cluster])])
    pages = list(store.dives.scan_pages(scan))
    assert [(page.url, page.title, page.language, page.is_skipped, page.clusters) for page in pages] == [
        ("https://e.com/a", "", "", False, ()),
        ("https://e.com/b", "Bee", "de", True, (("section:/guides", "Guides"),)),
    ]


def test_an_unfinished_dive_is_continued_and_a_finished_one_repeated(dives: DiveStore) -> None:
    number, (a, b) = start_dive(dives, "/a", "/b")
    dives.save_content(a, content("# A"))
    assert dives.start_dive(2, SEEDS, SELECTION, scan_pages("/a", "/b")) == (number, True)
    assert [page.number for page in dives.pending_pages(number, 0, 9)] == [b]
    set_passages(dives, number, a, ("", "old words"))
    set_passages(dives, number, b, ("", "others"))
    dives.finish_dive(number, "done")
    assert dives.start_dive(3, SEEDS, SELECTION, scan_pages("/b", "/c")) == (number, False)
    waiting = dives.pending_pages(number, 0, 9)
    assert [page.url for page in waiting] == ["https://e.com/b", "https://e.com/c"]
    assert dives.match_words(number, ["words"], 9, 1.0) == []  # of a page that is no longer part of the dive
    assert len(dives.match_words(number, ["others"], 9, 1.0)) == 1
    other, goes_on = dives.start_dive(3, SEEDS, {**SELECTION, "include": ["/x"]}, [])
    assert (other != number, goes_on, [dive.number for dive in dives.dives()]) == (True, False, [number, other])
    dive = dives.dive(number)
    assert dive is not None
    assert (dive.scan, dive.seeds, dive.selection, dive.state) == (3, ("https://e.com/",), SELECTION, "running")
    assert (dive.pages, dive.done, dive.pending, dive.chunks, dive.vectors) == (2, 0, 2, 1, 0)
    assert dives.resolve_dive(None) == (other, 3, "")
    assert (dives.resolve_dive(number), dives.resolve_dive(99), dives.dive(99), dives.dive(0)) == (
        (number, 3, ""),
        None,
        None,
        None,
    )


def test_the_content_of_pages_is_stored_by_result(dives: DiveStore) -> None:
    number, (a, b, c, d) = start_dive(dives, "/a", "/b", "/c", "/d")
    odd = "null \0, a private \U0010fffe, e\u0301"
    dives.save_content(a, content("# A", title=odd, language="de"))
    dives.save_content(b, content("# B", content_hash=5), "no-browser")
    dives.set_page_state(c, "skipped", "no-content")
    dives.keep_previous_content(d, "http-500")
    assert dives.reason_counts(number) == {"done": 1, "no-browser": 1, "no-content": 1, "http-500": 1}
    first, second = dives.pages(number)
    assert (first.url, first.title, first.language) == ("https://e.com/a", odd, "de")
    assert (first.headings, first.markdown, bool(first.read_at)) == (((1, "T", "top"),), "# A", True)
    assert (second.reason, second.content_hash, dives.page(second.url)) == ("no-browser", 5, second)
    assert (dives.page("https://e.com/c"), dives.page(second.url, 99)) == (None, None)
    assert (dives.find_duplicate(number, 5, a), dives.find_duplicate(number, 5, b), dives.find_duplicate(99, 5, a)) == (
        second.url,
        "",
        "",
    )
    dives.mark_unchanged(b, last_modified="today")
    assert dives.page(second.url) == second._replace(reason="", read_at=dives.page(second.url).read_at)  # type: ignore[union-attr]
    dives.finish_dive(number, "done")
    dives.start_dive(1, SEEDS, SELECTION, scan_pages("/a", "/b", "/c", "/d"))
    assert [(page.etag, page.last_modified) for page in dives.pending_pages(number, a, 2)] == [
        ('"a"', "today"),
        ("", ""),
    ]
    assert dives.repeated_blocks(number) == dives.repeated_blocks(99) == frozenset()
    dives.set_repeated_blocks(number, {3, -(2**63)})
    assert dives.repeated_blocks(number) == {3, -(2**63)}


def test_passages_are_found_by_their_words(dives: DiveStore) -> None:
    number, (a, b) = start_dive(dives, "/a", "/b")
    set_passages(dives, number, a, ("Tying knots", "a rope"), ("", "Running to the rapids with sys.argv, a/b and Café"))
    set_passages(dives, number, b, ("", "a knot"), ("", "many words " * 40 + "knot"), ("", 'it\'s "quoted" (oddly):*'))
    knots = dives.match_words(number, ["knot", "nothing"], 9, 2.0)
    assert [one.text[:6] for one in dives.passages(knots)] == ["a rope", "a knot", "many w"]
    assert dives.match_words(number, ["knots"], 1, 2.0) == knots[:1]
    for word in ("run", "argv", "sys", "cafe", "café", "rapid", "QUOTED", "oddly", "b"):
        assert len(dives.match_words(number, [word], 9, 1.0)) == 1, word
    assert dives.match_words(number, [], 9, 1.0) == dives.match_words(99, ["knot"], 9, 1.0) == []
    (passage,) = dives.passages([knots[0], 10**9][:1])
    assert passage == (
        knots[0],
        number,
        "https://e.com/a",
        "Title of https://e.com/a",
        "en",
        "Tying knots",
        "a",
        "a rope",
    )
    assert [one.number for one in dives.passages([knots[1], 10**9, knots[0]])] == [knots[1], knots[0]]
    assert sorted(dives.chunk_locations(number))[0][1:] == ("https://e.com/a", "en")
    dives.set_page_state(a, "failed", "http-404")
    assert dives.pages_with_stale_chunks(number) == [a, b]
    dives.set_chunks(number, a, None, ())
    assert dives.pages_with_stale_chunks(number) == [b]
    assert dives.match_words(number, ["rope"], 9, 1.0) == []


def test_a_frequent_word_does_not_hide_passages(dives: DiveStore) -> None:
    number, (page,) = start_dive(dives, "/a")
    texts = [f"river {'fish ' * (place % 2)}{'bend ' * (place % 20 == 3)}{place}" for place in range(60)]
    set_passages(dives, number, page, *(("", text) for text in texts))
    words = ["river", "bend", "fish", "nowhere"]
    everything = dives.match_words(number, words, 60, 1.0)
    assert len(everything) == 60
    for limit in (1, 2, 3, 30):
        assert dives.match_words(number, words, limit, 1.0) == everything[:limit]
    assert len(dives.match_words(number, ["river"], 2, 1.0)) == 2
    second, _ = dives.start_dive(1, SEEDS, {**SELECTION, "include": ["/x"]}, scan_pages("/b"))
    assert dives.match_words(number, words, 3, 1.0) == everything[:3]
    assert dives.match_words(second, words, 3, 1.0) == []


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text() | st.sampled_from(['"', "NEAR(", "a AND", "* OR *", "-x", "''; DROP", ":*", "&", "\0", "\\"]))
)
def test_no_word_is_parsed_as_syntax(dives: DiveStore, words: list[str]) -> None:
    if not dives.dives():
        number, (page,) = start_dive(dives, "/a")
        set_passages(dives, number, page, ("", "words"))
    assert dives.match_words(1, [*words, "word"], 5, 2.0) == dives.match_words(1, ["word"], 5, 2.0)


def test_passages_are_replaced_completely_or_not_at_all(dives: DiveStore) -> None:
    dive, (page,) = start_dive(dives, "/a")
    set_passages(dives, dive, page, ("Knots", "A bowline"))
    version = dives.version(dive)
    too_large = ChunkRow("Knots", "a", "A reef knot", 2**70, 1)
    with pytest.raises((StoreError, OverflowError)):
        dives.set_chunks(dive, page, 7, [ChunkRow("Knots", "a", "A clove hitch", 3, 1), too_large])
    assert [one.text for one in dives.passages(dives.match_words(dive, ["bowline", "clove"], 9, 1.0))] == ["A bowline"]
    assert dives.version(dive) == version
    set_passages(dives, dive, page, ("Knots", "A clove hitch"))
    assert [one.text for one in dives.passages(dives.match_words(dive, ["bowline", "clove"], 9, 1.0))] == [
        "A clove hitch"
    ]


def test_vectors_are_stored_by_the_hash_of_their_text(dives: DiveStore) -> None:
    number, (a, b) = start_dive(dives, "/a", "/b")
    set_passages(dives, number, a, ("", "long text"), ("H", "short"))
    set_passages(dives, number, b, ("H", "short"))
    assert dives.count_unembedded(number, "m") == 2
    (short, text), (long, _) = dives.unembedded_texts(number, "m", 9)
    assert (text, len(dives.unembedded_texts(number, "m", 1))) == ("H\nshort", 1)
    before, _ = dives.version(number)
    dives.set_embedder(number, "m")
    dives.add_vectors(number, "m", [(short, b"\0\xff1"), (short, b"\0\xff2")])
    assert (dives.version(number)[0] > before, dives.version(number)[1], dives.version(99)) == (True, "m", (0, ""))
    assert [content for _, content in dives.vectors(number, "m")] == [b"\0\xff2"] * 2
    assert list(dives.vectors(number, "other")) == []
    assert [one for one, _ in dives.unembedded_texts(number, "m", 9)] == [long]
    dive = dives.dive(number)
    assert dive is not None
    assert (dive.vectors, dive.embedder) == (2, "m")


def test_messages_are_returned_in_order(dives: DiveStore) -> None:
    for turn in range(3):
        dives.add_message(1, Message("user", f"why? {turn} \0", [{"number": 1, "url": "ü"}], ""))
        dives.add_message(1, Message("user", f"why? {turn} \0", [{"number": 1, "url": "ü"}], ""))
    assert [message.text for message in dives.messages(1, 3)] == ["why? 1 \0", "why? 2 \0", "why? 2 \0"]
    assert dives.messages(1, 1)[0].citations == [{"number": 1, "url": "ü"}]
    assert dives.messages(2, 5) == []


def test_words_are_stemmed_by_the_rules_of_their_language(database: str) -> None:
    store = open_store(database)
    german, (page,) = start_dive(store.dives, "/de", language="de-AT")
    set_passages(store.dives, german, page, ("", "Die Boote lagen am Ufer, die Häuser auch"))
    assert len(store.dives.match_words(german, ["Boot"], 5, 1.0)) == 1
    assert len(store.dives.match_words(german, ["haus"], 5, 1.0)) == 1
    assert [get_text_search_config(code) for code in ("de_CH", "EN-us", "", "ja")] == [
        "german",
        "english",
        "english",
        "simple",
    ]
    assert extract_words("os.path — Ünïcode_名前 x" + "y" * 500) == "os path Unicode 名前 x" + "y" * 199
    store.close()


def test_pgvector_finds_what_numpy_finds(postgres_server: Server, database: str) -> None:
    store = open_store(database)
    dives, chance = store.dives, np.random.default_rng(3)
    assert isinstance(dives, PostgresDiveStore)
    number, (page,) = start_dive(dives, "/a")
    set_passages(dives, number, page, *(("", f"text {place}") for place in range(300)))
    hashes = [one for one, _ in dives.unembedded_texts(number, "m", 999)]
    dives.add_vectors(number, "m", zip(hashes[:200], pack_vectors(chance.standard_normal((200, 384))), strict=True))
    query = chance.standard_normal(384).astype(np.float32)
    assert (
        dives.nearest(number, "m", query.tolist(), 9) is None
    )  # the extension is available, but not installed in the database
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    for more in (hashes[200:250], hashes[250:]):  # vectors stored before and after the extension was installed
        dives.add_vectors(number, "m", zip(more, pack_vectors(chance.standard_normal((50, 384))), strict=True))
        exact = VectorIndex(dives.vectors(number, "m"))
        for among in (None, set(exact.numbers[:20].tolist())):
            near, expected = dives.nearest(number, "m", query.tolist(), 9, among), exact.nearest(query, 9, among)
            assert near is not None
            assert [one for one, _ in near] == [one for one, _ in expected]
            assert np.allclose([score for _, score in near], [score for _, score in expected], atol=0.005)
    assert dives.nearest(number, "m", [1.0, 0.0], 9) == dives.nearest(99, "m", query.tolist(), 9) == []
    store.close()


def test_a_new_file_has_no_dives(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "x.db"))
    assert (store.dives.dives(), store.dives.path) == ([], str(tmp_path / "x.db"))
    store.close()
