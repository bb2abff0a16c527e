"""Columns of the page table, derived from the records.

A new column needs a migration for each dialect and a field: of `Page` to be read and exported, of `VisitResult` to be
written by a visit, of `DiscoveredUrl` or `SourceMetadata` to be written when a URL is found. The SQL is built from
the fields.
"""

from __future__ import annotations

from headwater.classify import encode_sources
from headwater.model import NO_DEPTH, SOURCES, Candidate, DiscoveredUrl, Evidence, Page, PageFacts, SourceMetadata
from headwater.store.page_lists import FETCHED_STATES_SQL, LIST_NAME_SQL
from headwater.store.records import Scan, VisitResult
from headwater.store.records.dive_records import DivePage

DISCOVERED_FIELDS = tuple(
    name
    for name in DiscoveredUrl._fields
    if name not in {"fetch_url", "parent_url", "is_new", "is_visited", "metadata"}
)
"""Fields of a discovered URL that are stored as they are."""

METADATA_COLUMNS = tuple("sitemap_priority" if name == "priority" else name for name in SourceMetadata._fields)
DISCOVERED_COLUMNS = ("scan", "fetch_url", "state", "first_seen", "sources", *DISCOVERED_FIELDS, *METADATA_COLUMNS)
"""Columns that are written when a URL is found."""

VISIT_FIELDS = tuple(
    name
    for name in VisitResult._fields
    if name not in {"candidate", "state", "url", "discovered", "links", "spellings", "cleared_suspects", "facts"}
)
"""Fields of a visit result that are stored as they are."""

_VISIT_KEY = ("scan", "identity")
VISIT_COLUMNS = (*_VISIT_KEY, "state", "url", "fetch_url", "last_seen", "link_list", *VISIT_FIELDS, *PageFacts._fields)
"""Columns that are written by a visit."""

_STORED_VISIT = {
    name: f"coalesce({name}, {default!r})" if default in {"", 0} else name
    for name, default in (
        *((name, VisitResult._field_defaults.get(name)) for name in VISIT_FIELDS),
        *PageFacts._field_defaults.items(),
    )
} | {"language": "coalesce(stated_language, '')"}

_SOURCE_BITS = " ".join(f"WHEN page.source = '{name}' THEN {encode_sources((name,))}" for name in SOURCES)
_CLUSTERS = (
    "(SELECT $JOIN_TEXT(title, 31) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster"
    " WHERE page_cluster.page = page.id)"
)
_PAGE_EXPRESSIONS = {
    "fetch_url": "coalesce(page.fetch_url, page.url)",
    "found_on": "coalesce(parent.url, evidence.url)",
    "title": "coalesce(nullif(page.title, ''), nullif(page.text, ''))",
    "html_title": "nullif(page.title, '')",
    "depth": f"CASE WHEN page.depth < {NO_DEPTH} THEN page.depth END",
    # Pages of the first version of the schema have a source, but no mask.
    "sources": f"CASE WHEN page.sources <> 0 THEN page.sources {_SOURCE_BITS} ELSE 0 END",
    "language": "coalesce(nullif(page.language, ''), page.hreflang)",
    "clusters": _CLUSTERS,
    "verified": f"page.state IN {FETCHED_STATES_SQL}",
    "score": "NULL",
    "list_name": LIST_NAME_SQL,
    "near_duplicate_of": (
        "(SELECT url FROM page AS other WHERE other.scan = page.scan AND other.identity = page.near_duplicate_of)"
    ),
    "leads_to": "(SELECT url FROM page AS other WHERE other.scan = page.scan AND other.identity = page.leads_to)",
    **{
        name: f"nullif(page.{name}, '')"
        for name in ("content_type", "reason", "text", "element", "attribute", "canonical", "last_modified")
    },
}
"""Fields of a page that are not the column of the same name."""


def _select_page(**replaced: str) -> str:
    expressions = {name: f"page.{name}" for name in Page._fields} | _PAGE_EXPRESSIONS | replaced
    return ", ".join(f"{expression} AS {name}" for name, expression in expressions.items())


COLUMN_MACROS = {
    "PAGE_COLUMNS": _select_page(),
    "PAGE_COLUMNS_WITHOUT_CLUSTERS": _select_page(clusters="NULL"),
    "DISCOVERED_COLUMNS": ", ".join(DISCOVERED_COLUMNS),
    "DISCOVERED_VALUES": ", ".join(f":{name}" for name in DISCOVERED_COLUMNS),
    "VISIT_COLUMNS": ", ".join(VISIT_COLUMNS),
    "VISIT_ASSIGNMENTS_BY_VALUE": ", ".join(f"{name} = :{name}" for name in VISIT_COLUMNS if name not in _VISIT_KEY),
    "VISIT_ASSIGNMENTS_BY_OUTCOME": ", ".join(
        f"{name} = outcome.{name}" for name in VISIT_COLUMNS if name not in _VISIT_KEY
    ),
    "PREVIOUS_VISIT_COLUMNS": ", ".join(
        ("identity, key, url, coalesce(fetch_url, url), link_list IS NOT NULL", *_STORED_VISIT.values())
    ),
    "CANDIDATE_COLUMNS": ", ".join(
        f"{'coalesce(fetch_url, url) AS ' if name == 'fetch_url' else ''}{name}" for name in Candidate._fields
    ),
    "SCAN_COLUMNS": ", ".join(Scan._fields),
    "EVIDENCE_COLUMNS": ", ".join(Evidence._fields),
    "DIVE_PAGE_COLUMNS": ", ".join(DivePage._fields),
}
