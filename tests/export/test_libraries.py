"""Exports are read back by the libraries that people use for them, even with hostile text."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

import feedparser
import networkx as nx
import openpyxl
import pytest
from pyarrow import parquet

from headwater import SettingError
from headwater.export import EXPORTERS, Output, tables
from headwater.export.records import FIELDS
from headwater.export.text_values import NOT_XML
from headwater.model import LinkCounts, Page, StoredLink
from headwater.urls.identity import compute_identity
from tests.export.test_formats import HOSTILE, page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot.dot_parser")
ROW = page(
    1, title="Lakes", sources=("seed", "sitemap"), clusters=("Alpine lakes", "two\nlines"), status=200, priority=0.5,
    noindex=True, alternates={"de": "https://e.com/de"}, headers={"server": "a\nb"},
)  # fmt: skip


def written(style: str, pages: Iterable[Page], **options: Any) -> io.BytesIO:
    """Return an export as a file in memory."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "utf-8", newline="")
    EXPORTERS[style](pages, Output(stream, **options))
    stream.detach()
    raw.seek(0)
    return raw


def read_table(pages: Iterable[Page], **options: Any) -> pa.Table:
    return parquet.read_table(written("parquet", pages, **options))


def read_sheets(pages: Iterable[Page], **options: Any) -> list[list[tuple[Any, ...]]]:
    """Return the values of the rows of every sheet; formulas are read as formulas."""
    book = openpyxl.load_workbook(written("xlsx", pages, **options), read_only=True)
    rows = [list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets]
    book.close()
    return rows


def test_parquet_keeps_types() -> None:
    table = read_table([ROW, page(2)])
    assert table.column_names == list(FIELDS)
    first, second = table.to_pylist()
    assert (first["url"], first["status"], first["priority"], first["noindex"]) == ("https://e.com/1", 200, 0.5, True)
    assert (first["sources"], first["clusters"]) == (["seed", "sitemap"], ["Alpine lakes", "two\nlines"])
    assert (first["alternates"], first["headers"]) == ([("de", "https://e.com/de")], [("server", "a\nb")])
    assert (second["sources"], second["clusters"], second["status"]) == ([], None, None)
    kinds = {field.name: str(field.type) for field in table.schema}
    assert {kinds[name] for name in ("url", "list", "redirect_to", "kind")} == {"string"}
    assert (kinds["depth"], kinds["inlinks"], kinds["priority"]) == ("int64", "int64", "double")


def test_parquet_of_no_pages_has_the_columns() -> None:
    table = read_table([], fields=("url", "status"))
    assert (table.column_names, table.num_rows) == (["url", "status"], 0)


def test_parquet_is_written_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROW_GROUP", 10)
    file = parquet.ParquetFile(written("parquet", (page(number) for number in range(25))))
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [10, 10, 5]
    assert file.read().column("url").to_pylist() == [f"https://e.com/{number}" for number in range(25)]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_survives_parquet(text: str) -> None:
    (row,) = read_table([page(1, title=text, clusters=(text,), headers={text: text})]).to_pylist()
    expected = text.replace("\ud83d", "\ufffd")
    assert (row["title"], row["clusters"], row["headers"]) == (expected, [expected], [(expected, expected)])


def test_a_workbook_has_text_numbers_and_lines() -> None:
    ((header, row),) = read_sheets([ROW], fields=("url", "status", "priority", "noindex", "clusters", "headers", "key"))
    assert header == ("url", "status", "priority", "noindex", "clusters", "headers", "key")
    assert row[:4] == ("https://e.com/1", 200, 0.5, True)
    assert row[4:6] == ("Alpine lakes\ntwo lines", "server: a b")


@pytest.mark.parametrize("text", [*HOSTILE, "x" * 40_000, "http://e.com/", "1e5", "{=1}"])
def test_no_text_becomes_a_formula_or_a_link_in_a_workbook(text: str) -> None:
    book = openpyxl.load_workbook(written("xlsx", [page(1, title=text)], fields=("title",)))
    cell = book.active["A2"]
    expected = NOT_XML.sub("", text.replace("\ud83d", "\ufffd").replace("\r", "\n"))[: tables.MAX_CELL]
    assert (cell.data_type, cell.hyperlink, cell.value) == ("s", None, expected) or not expected


def test_a_full_sheet_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_SHEET_ROWS", 11)
    sheets = read_sheets((page(number) for number in range(25)), fields=("url",))
    assert [sheet[0] for sheet in sheets] == [("url",)] * 3
    assert [url for sheet in sheets for (url,) in sheet[1:]] == [f"https://e.com/{number}" for number in range(25)]
    assert read_sheets([], fields=("url",)) == [[("url",)]]


@pytest.mark.parametrize("style", ["xlsx", "parquet"])
def test_two_exports_of_the_same_pages_have_the_same_bytes(style: str) -> None:
    assert written(style, [ROW]).read() == written(style, [ROW]).read()


@pytest.mark.parametrize("style", ["xlsx", "parquet"])
def test_a_missing_extra_is_named(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tables.MODULES, style, "no_such_module")
    with pytest.raises(SettingError, match=rf"{style} needs an extra; .* 'headwater\[{style}\]'"):
        written(style, [])


FROG = Page(
    "https://e.com/a/b/", status=200, content_type="text/html", html_title="Lakes", title="Lakes", description="Deep.",
    heading="All lakes", canonical="https://e.com/a/b/", size=1234, depth=2, response_ms=125, key="https://e.com/a/b",
    last_modified="Mon, 02 Jan 2006 15:04:05 GMT", language="en", last_seen="2026-01-02T03:04:05+00:00",
    word_count=90,
)  # fmt: skip


def test_columns_of_screaming_frog() -> None:
    counts = {compute_identity("https://e.com/a/b"): LinkCounts(5, 3, 7, 6, 2, 1)}
    (row,) = read_table([FROG], columns="screaming-frog", count_links=lambda: counts).to_pylist()
    assert row == {
        "Address": "https://e.com/a/b/", "Content Type": "text/html", "Status Code": 200, "Status": "OK",
        "Indexability": "Indexable", "Indexability Status": "", "Title 1": "Lakes", "Title 1 Length": 5,
        "Meta Description 1": "Deep.", "Meta Description 1 Length": 5, "H1-1": "All lakes", "H1-1 Length": 9,
        "Canonical Link Element 1": "https://e.com/a/b/", "Size (bytes)": 1234, "Word Count": 90, "Crawl Depth": 2,
        "Folder Depth": 2,
        "Inlinks": 5, "Unique Inlinks": 3, "Outlinks": 7, "Unique Outlinks": 6, "External Outlinks": 2,
        "Unique External Outlinks": 1, "Response Time": 0.125, "Last Modified": "Mon, 02 Jan 2006 15:04:05 GMT",
        "Redirect URL": None, "Redirect Type": None, "Language": "en", "Crawl Timestamp": "2026-01-02T03:04:05+00:00",
    }  # fmt: skip
    assert "Inlinks" not in read_table([FROG], columns="screaming-frog").column_names


# The fields of a page, and its status and indexability in the words of Screaming Frog.
INDEXABILITY: list[tuple[dict[str, object], str, str]] = [
    ({"status": 200}, "OK", ""),
    ({"status": 404, "state": "failed"}, "Not Found", "Client Error"),
    ({"status": 503, "state": "failed"}, "Service Unavailable", "Server Error"),
    ({"status": 301, "list_name": "redirects", "leads_to": "/b"}, "Moved Permanently", "Redirected"),
    ({"status": 200, "noindex": True}, "OK", "Noindex"),
    ({"status": 200, "canonical": "https://e.com/2"}, "OK", "Canonicalised"),
    ({"state": "failed", "reason": "timeout"}, "timeout", "No Response"),
    ({"state": "skipped", "reason": "robots-disallowed"}, "Blocked by robots.txt", "Blocked by robots.txt"),
    ({"status": 599, "state": "failed"}, "", "Server Error"),
]


@pytest.mark.parametrize(("fields", "status", "why"), INDEXABILITY)
def test_indexability(fields: dict[str, object], status: str, why: str) -> None:
    (row,) = read_table([page(1, **fields)], columns="screaming-frog").to_pylist()
    assert (row["Status"], row["Indexability Status"]) == (status, why)
    assert row["Indexability"] == ("Non-Indexable" if why else "Indexable")


def links() -> Iterator[StoredLink]:
    """Yield links between three pages, two of them between the same pages, and one to a page that is not written."""
    for source, target, text in [(1, 2, ""), (1, 2, "two\nlines"), (1, 3, "three"), (2, 1, "<&"), (2, 9, "other")]:
        yield StoredLink(f"https://e.com/{source}", f"https://e.com/{target}", "a", text)


def read_graph(style: str, pages: list[Page]) -> nx.DiGraph:
    """Return a graph whose nodes are URLs."""
    stream = written(style, pages, read_links=links, title='a "title"\\')
    if style == "graphml":
        graph = nx.read_graphml(stream)
        return nx.relabel_nodes(graph, nx.get_node_attributes(graph, "url"))
    import pydot

    parsed = pydot.graph_from_dot_data(stream.read().decode())
    assert parsed
    graph = nx.DiGraph(nx.nx_pydot.from_pydot(parsed[0]))
    labels = {node: data["label"][1:-1] for node, data in graph.nodes(data=True)}
    return nx.relabel_nodes(graph, labels)


@pytest.mark.parametrize("style", ["graphml", "dot"])
def test_a_graph_has_pages_and_links(style: str) -> None:
    graph = read_graph(style, [page(number, title=f"Page {number}") for number in (1, 2, 3)])
    weights = {(source[-1], target[-1]): int(data["weight"]) for source, target, data in graph.edges(data=True)}
    assert weights == {("1", "2"): 2, ("1", "3"): 1, ("2", "1"): 1}
    assert set(graph) == {f"https://e.com/{number}" for number in (1, 2, 3)}


def test_graphml_has_facts_and_texts() -> None:
    graph = read_graph("graphml", [page(1, title="One", status=200, depth=0), page(2), page(3)])
    node = graph.nodes["https://e.com/1"]
    assert node == {"url": "https://e.com/1", "title": "One", "list": "pages", "status": 200, "depth": 0}
    texts = {(source[-1], target[-1]): data.get("text") for source, target, data in graph.edges(data=True)}
    assert texts == {("1", "2"): "two lines", ("1", "3"): "three", ("2", "1"): "<&"}


@pytest.mark.parametrize("style", ["graphml", "dot"])
@pytest.mark.parametrize("text", HOSTILE)
def test_a_graph_with_hostile_text_can_be_read(style: str, text: str) -> None:
    graph = read_graph(style, [page(1, title=text), Page(f"https://e.com/{text}", title=text), page(3)])
    assert len(graph) == 3


def test_a_graph_needs_links() -> None:
    with pytest.raises(SettingError, match="needs the stored links of one scan"):
        written("dot", [page(1)])


CHANGES = [
    page(1, change="new", title="One", last_seen="2026-01-02T03:04:05+00:00"),
    page(2, change="gone", last_seen="2026-01-03T00:00:00+00:00"),
    page(3, change="moved", leads_to="https://e.com/4", last_seen="2026-01-01T00:00:00+00:00"),
]


def test_a_feed_of_changes() -> None:
    feed = feedparser.parse(written("atom", CHANGES, title="https://e.com/"))
    assert not feed.bozo
    assert feed.feed.updated == "2026-01-03T00:00:00+00:00"
    assert [(entry.title, entry.link, entry.tags[0].term) for entry in feed.entries] == [
        ("Gone: https://e.com/2", "https://e.com/2", "gone"),
        ("New: One", "https://e.com/1", "new"),
        ("Moved: https://e.com/3", "https://e.com/4", "moved"),
    ]
    assert feed.entries[2].summary == "https://e.com/3 has moved to https://e.com/4"
    assert len({entry.id for entry in feed.entries}) == 3
    assert all(math.isfinite(sum(entry.updated_parsed)) for entry in feed.entries)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_feed_with_hostile_text_can_be_read(text: str) -> None:
    hostile = Page(f"https://e.com/{text}", title=text, change="new", last_seen="2026-01-02T03:04:05+00:00")
    feed = feedparser.parse(written("atom", [hostile], title=text))
    assert (feed.bozo, len(feed.entries)) == (False, 1)


def test_a_feed_has_the_newest_changes() -> None:
    pages = [page(number, last_seen=f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z") for number in range(1200)]
    feed = feedparser.parse(written("atom", pages))
    assert (len(feed.entries), feed.entries[0].link) == (1000, "https://e.com/1199")
    assert feed.feed.subtitle == "The newest 1,000 of 1,200 changes"
    assert not feedparser.parse(written("atom", [])).bozo
