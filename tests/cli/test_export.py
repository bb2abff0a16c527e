"""`headwater export` writes a stored scan for spreadsheets, data frames, graphs and feed readers."""

from __future__ import annotations

import csv
from contextlib import closing
from typing import TYPE_CHECKING

import feedparser
import networkx as nx
import openpyxl
import pytest
from pyarrow import parquet

from headwater.model import LinkCounts
from headwater.store import open_store
from headwater.urls.identity import compute_identity
from tests.commands import headwater, on_terminal
from tests.sites.table_site import TableSite, table_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = {
    "/": '<title>Home</title><a href="/a">A</a><a href="/a">again</a><a href="/">self</a><a href="/b">B</a>'
    '<a href="http://other.test/x">Other</a><img src="/image.png"><link rel="stylesheet" href="/style.css">',
    "/a": '<a href="/">Home</a><a href="http://other.test/x">1</a><a href="http://other.test/x">2</a>',
    "/b": "<title>=1+1</title><p>Nothing to see</p>",
}


class Scanned:
    """A folder with the store of a scan, and the site that was scanned."""

    def __init__(self, folder: Path, site: TableSite) -> None:
        self.folder, self.site, self.origin = folder, site, site.origin

    def export(self, name: str, *options: str) -> Path:
        """Export to a file with this name, and return its path."""
        result = headwater("export", "-o", name, *options, cwd=self.folder)
        assert (result.code, result.out) == (0, ""), result.err
        return self.folder / name


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scanned]:
    folder = tmp_path_factory.mktemp("export")
    with table_site(lambda _: PAGES) as site:
        for version in ("1", "2"):
            site.answers["/a"] = site.answers["/a"]._replace(body=f"{PAGES['/a']}<p>Version {version}</p>")
            assert headwater("discover", site.origin, "--render", "never", "--quiet", cwd=folder).code == 0
        yield Scanned(folder, site)


def test_the_file_name_chooses_the_format(scanned: Scanned) -> None:
    urls = [f"{scanned.origin}{path}" for path in PAGES]
    table = parquet.read_table(scanned.export("pages.parquet"))
    assert table.column("url").to_pylist() == urls
    with closing(openpyxl.load_workbook(scanned.export("pages.xlsx", "--fields", "url,title"), read_only=True)) as book:
        rows = list(book.active.iter_rows(values_only=True))
    assert rows == [("url", "title"), *zip(urls, ["Home", "A", "=1+1"], strict=True)]
    graph = nx.read_graphml(scanned.export("links.graphml"))
    assert sorted(nx.get_node_attributes(graph, "url").values()) == urls
    assert graph.number_of_edges() == 3
    assert "digraph" in scanned.export("links.dot").read_text()
    assert "digraph" in scanned.export("links.gv").read_text()


def test_graphs_of_all_lists_have_external_pages(scanned: Scanned) -> None:
    graph = nx.read_graphml(scanned.export("all.graphml", "--list", "all", "--kinds", "page,external"))
    assert "http://other.test/x" in nx.get_node_attributes(graph, "url").values()
    assert sum(weight for *_, weight in graph.edges(data="weight")) == 2 + 1 + 1 + 1 + 2


def test_a_feed_has_the_pages_that_are_new_or_changed(scanned: Scanned) -> None:
    changed = feedparser.parse(str(scanned.export("changes.atom")))
    assert [(entry.link, entry.tags[0].term) for entry in changed.entries] == [(f"{scanned.origin}/a", "changed")]
    first = feedparser.parse(str(scanned.export("first.atom", "--scan", "1")))
    assert {entry.tags[0].term for entry in first.entries} == {"new"}
    assert {entry.link for entry in first.entries} == {f"{scanned.origin}{path}" for path in PAGES}
    diff = headwater("diff", "1", "2", "--format", "atom", cwd=scanned.folder)
    assert [entry.link for entry in feedparser.parse(diff.out).entries] == [f"{scanned.origin}/a"]


@pytest.mark.parametrize("name", ["frog.csv", "frog.xlsx", "frog.parquet"])
def test_columns_of_screaming_frog(scanned: Scanned, name: str) -> None:
    path = scanned.export(name, "--columns", "screaming-frog")
    if name.endswith("csv"):
        with path.open(newline="") as stream:
            rows = [tuple(row) for row in csv.reader(stream)]
    elif name.endswith("xlsx"):
        with closing(openpyxl.load_workbook(path, read_only=True)) as book:
            rows = [tuple(map(str, row)) for row in book.active.iter_rows(values_only=True)]
    else:
        table = parquet.read_table(path)
        rows = [tuple(table.column_names), *(tuple(map(str, row.values())) for row in table.to_pylist())]
    by_address = {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    home = by_address[f"{scanned.origin}/"]
    assert (home["Status Code"], home["Title 1"], home["Indexability"]) == ("200", "Home", "Indexable")
    counts = [home[name] for name in ("Inlinks", "Outlinks", "Unique Outlinks", "External Outlinks")]
    assert counts == ["1", "3", "2", "1"]


def test_hyperlinks_are_counted_by_page(scanned: Scanned) -> None:
    with closing(open_store(str(scanned.folder / "headwater.db"))) as store:
        identities = {page.url.removeprefix(scanned.origin): compute_identity(page.key) for page in store.pages(2)}
        found = store.links.counts(2)
    assert found[identities["/"]] == LinkCounts(1, 1, 3, 2, 1, 1)
    assert found[identities["/a"]] == LinkCounts(2, 1, 1, 1, 2, 1)
    assert found[identities["/b"]] == LinkCounts(1, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--format md --columns screaming-frog", "md has no columns; use --format csv, xlsx, parquet"),
        ("--format csv --columns screaming-frog --fields url", "leave out --columns screaming-frog"),
        ("--format dot --fields url", "dot has no fields to choose"),
    ],
)
def test_options_that_a_format_does_not_have(scanned: Scanned, options: str, message: str) -> None:
    result = headwater("export", *options.split(), cwd=scanned.folder)
    assert (result.code, message in result.err) == (2, True), result.err


def test_workbooks_go_to_pipes_but_not_to_terminals(scanned: Scanned) -> None:
    assert "xlsx is not text; name a file with --output" in on_terminal(
        "export", "--format", "xlsx", cwd=scanned.folder
    )
    path = scanned.folder / "piped.parquet"
    assert headwater("export", "--format", "parquet", cwd=scanned.folder, stdout=path).code == 0
    assert parquet.read_table(path).num_rows == len(PAGES)
