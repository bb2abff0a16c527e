"""The SQL of pages is derived from the records, so a new column needs only a migration and a field."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest

from headwater.export.records import FIELDS
from headwater.model import DiscoveredUrl, Page, PageFacts
from headwater.store import MemoryStore, VisitResult, open_store
from headwater.store.columns import COLUMN_MACROS, DISCOVERED_COLUMNS, VISIT_COLUMNS
from headwater.store.common.readers import build_reader
from headwater.store.queries import load_queries
from headwater.store.rows import build_page_row
from tests.store.test_contract import found

if TYPE_CHECKING:
    from headwater.store import Store

# Fields of a page that are computed from other columns and tables.
COMPUTED = {"html_title", "found_on", "clusters", "verified", "list_name", "score"}
# Fields of records that are stored in other tables, or not at all.
NOT_STORED = {"candidate", "discovered", "links", "spellings", "cleared_suspects", "facts"}
NOT_STORED |= {"parent_url", "is_new", "is_visited", "metadata"}


def columns_of_sqlite() -> set[str]:
    """Return the columns of the page table in a new file."""
    store = MemoryStore()
    rows = store._db.connection.execute("PRAGMA table_info(page)").fetchall()  # noqa: SLF001
    store.close()
    return {row[1] for row in rows}


def columns_of_postgres(database: str) -> set[str]:
    """Return the columns of the page table in a new database."""
    open_store(database).close()
    with psycopg.connect(database) as connection:
        query = "SELECT column_name FROM information_schema.columns WHERE table_name = 'page'"
        return {name for (name,) in connection.execute(query)}


def test_every_field_of_a_record_is_a_column_in_both_dialects(database: str) -> None:
    fields = {*Page._fields, *VisitResult._fields, *DiscoveredUrl._fields} - COMPUTED - NOT_STORED
    for columns in (columns_of_sqlite(), columns_of_postgres(database)):
        assert fields <= columns
        assert {*DISCOVERED_COLUMNS, *VISIT_COLUMNS} <= columns


def test_every_field_of_a_page_is_selected_under_its_name() -> None:
    for macro in ("PAGE_COLUMNS", "PAGE_COLUMNS_WITHOUT_CLUSTERS"):
        assert [part.rpartition(" AS ")[2] for part in COLUMN_MACROS[macro].split(", ")][-1] == Page._fields[-1]
        assert all(f" AS {name}" in COLUMN_MACROS[macro] for name in Page._fields)


def test_every_fact_about_a_page_is_read_with_the_page() -> None:
    hashes = {"simhash", "minhash"}  # compared once at the end of a scan
    assert set(PageFacts._fields) - hashes <= set(Page._fields)


@pytest.mark.parametrize(
    "name", [name for name in (*VisitResult._fields, *PageFacts._fields) if name not in NOT_STORED]
)
def test_every_field_of_a_visit_is_written_in_both_dialects(name: str) -> None:
    assert name in VISIT_COLUMNS
    assert f"{name} = :{name}" in load_queries("sqlite")["update_visited_page"]
    assert f"{name} = outcome.{name}" in load_queries("postgres")["update_visited_pages"]


def test_every_field_of_a_page_is_exported() -> None:
    renamed = {"list_name": "list", "leads_to": "redirect_to"}
    not_exported = {"changefreq", "sitemap_priority", "hreflang", "content_inlinks", "html_title", "score"}
    assert {renamed.get(name, name) for name in Page._fields} - not_exported <= set(FIELDS)


def test_a_url_of_an_unknown_source_is_an_error() -> None:
    with pytest.raises(KeyError, match="newspaper"):
        build_page_row(1, found("/a")._replace(source="newspaper"), "now")


def test_links_to_other_kinds_have_their_kind_as_source() -> None:
    for kind in ("external", "resource", "endpoint"):
        row = build_page_row(1, found("/a")._replace(kind=kind, source=kind), "now")
        assert row[DISCOVERED_COLUMNS.index("sources")] == 0


class Extended(NamedTuple):
    """A record with a column of type `bool`."""

    name: str
    is_new: bool
    size: int = 0


def test_records_are_read_by_the_names_of_their_columns() -> None:
    read = build_reader(Extended, ("size", "other", "is_new", "name"))
    assert read((3, "ignored", 1, "x")) == Extended(name="x", is_new=True, size=3)
    assert type(read((3, "ignored", 1, "x")).is_new) is bool


@pytest.mark.parametrize("field", ["title", "canonical", "content_type", "noindex", "unchanged"])
def test_a_field_of_a_visit_is_read_back_with_the_page(field: str) -> None:
    value: Any = True if field in {"noindex", "unchanged"} else "text/plain"
    with closing(MemoryStore()) as store:
        scan, _ = save_visit(store, **{field: value})
        assert [getattr(page, field) for page in store.pages(scan)] == [value]


FACTS = PageFacts(description="About", alternates='{"fr": "https://e.com/fr"}', insecure_resources=2, size=0)


def test_facts_are_read_back_with_the_page() -> None:
    with closing(MemoryStore()) as store:
        scan, _ = save_visit(store, facts=FACTS)
        (page,) = store.pages(scan)
        assert (page.description, page.alternates, page.insecure_resources) == ("About", {"fr": "https://e.com/fr"}, 2)
        assert (page.heading, page.headers, page.size, page.response_ms) == (None, None, 0, None)


@pytest.mark.parametrize("links", [None, ()])
@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_a_visit_is_read_back_for_the_next_scan(dialect: str, links: Any, request: pytest.FixtureRequest) -> None:
    stored = VisitResult._fields[VisitResult._fields.index("status") :]
    samples = {
        "status": 203,
        "content_hash": 7,
        "text_hash": 8,
        "noindex": True,
        "may_be_duplicate": True,
        "sketch": b"x",
    }
    values: dict[str, Any] = {
        name: samples.get(name, name) for name in stored if name not in NOT_STORED | {"leads_to", "unchanged"}
    }
    store = open_store(request.getfixturevalue("database")) if dialect == "postgres" else MemoryStore()
    with closing(store):
        scan, visit = save_visit(store, **values, links=links, facts=FACTS)
        read = store.previous_visit(scan, visit.candidate.identity)
        assert read is not None
        assert read == visit._replace(candidate=read.candidate)
        assert read.candidate[:4] == (visit.candidate.identity, visit.candidate.key, "url", "url")
        assert store.previous_visit(scan, 1) is None


def save_visit(store: Store, **values: Any) -> tuple[int, VisitResult]:
    """Store one page and its visit; return the scan and the visit."""
    scan = store.create_scan(["x"], {}).number
    store.save_batch(scan, (), [found("/a")], {})
    [(_, candidate)] = store.next_candidates(scan, 1, 1)
    visit = VisitResult(candidate=candidate, state="fetched", **values)
    store.save_batch(scan, [visit], (), {})
    return scan, visit
