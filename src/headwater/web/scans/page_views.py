"""URLs of a scan as the API and the screens show them: lists, facets, one page, explanations, skipped URLs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from headwater.classify import DEFAULT_CLUSTER_LIMIT
from headwater.store.history.scan_changes import read_page_history
from headwater.store.provenance import restore_scope, trace_url
from headwater.store.records.browse_records import LinkedPage
from headwater.store.scan_index.filters import Filter
from headwater.urls import explain, judge, resolve, shape, spell_url
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import parse_seed_url
from headwater.urls.skip_reasons import describe_reason
from headwater.web.scans.page_ranking import read_ranked
from headwater.web.scans.records import (
    ClusterRow,
    EvidenceRow,
    Explanation,
    FacetCount,
    Facets,
    LinkedPageRow,
    PageEventRow,
    PageList,
    PageRow,
    PageVersionRow,
    PageView,
    ProvenanceStepRow,
    RuleRow,
    SelectedPage,
    SelectedPages,
    Skipped,
    SkippedExample,
    SkippedReason,
)
from headwater.web.serving.cursors import decode_cursor, decode_offset, encode_cursor
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from headwater.model import Evidence, Page
    from headwater.store.browse_store import BrowseStore
    from headwater.store.provenance import Provenance
    from headwater.store.records import Scan
    from headwater.store.records.browse_records import PageDetails
    from headwater.store.scan_index.index import ClusterSummary, ScanIndex
    from headwater.urls import Scope
    from headwater.web.scans.inputs import PageListQuery, UrlsQuery
    from headwater.web.scans.page_ranking import RankingCache

MAX_NEIGHBOURS = 200
MAX_HISTORY = 50
MAX_EXAMPLES = 5
MAX_EVIDENCE = 20
_PLACED_FIELDS = frozenset({
    "number", "url", "kind", "key", "fetch_url", "sources", "found_on", "region", "title", "depth", "hops", "state",
    "status", "content_type", "lastmod", "language", "clusters", "priority", "importance", "verified", "first_seen",
    "last_seen", "reason", "skip_scrape", "element", "attribute", "text", "inlinks", "canonical",
})  # fmt: skip
"""Fields that the screen of a page shows in a place of their own, or not at all."""

_CURSOR_TYPES: Mapping[str, type | tuple[type, ...]] = {"lastmod": str, "priority": (int, float)}


def list_pages(store: BrowseStore, index: ScanIndex, scan: Scan, query: UrlsQuery, limit: int) -> PageList:
    """Return a part of the list of URLs."""
    after = decode_cursor(query.cursor, _CURSOR_TYPES.get(query.column, int), int)
    part = index.slice(query.filter, query.column, descending=query.is_descending, after=after, limit=limit)
    is_whole = part.cursor is None and after is None
    return PageList(
        pages=make_page_rows(store.pages_by_number(scan.number, [row.page for row in part.rows])),
        total=len(part.rows) if is_whole else index.count(query.filter),
        is_estimate=not is_whole and index.is_estimated(query.filter),
        cursor=encode_cursor(part.cursor),
        as_of=_format_time(index),
    )


def select_pages(
    store: BrowseStore, index: ScanIndex, scan: Scan, query: PageListQuery, cache: RankingCache
) -> SelectedPages:
    """Return a part of the list of URLs with the chosen fields, sorted or ranked for a question."""
    if query.search:
        return _select_ranked(store, index, scan, query, cache)
    after = decode_cursor(query.cursor, _CURSOR_TYPES.get(query.column, int), int)
    part = index.slice(query.filter, query.column, descending=query.is_descending, after=after, limit=query.limit)
    is_whole = part.cursor is None and after is None
    return SelectedPages(
        pages=_make_selected(store.pages_by_number(scan.number, [row.page for row in part.rows]), query),
        total=len(part.rows) if is_whole else index.count(query.filter),
        is_estimate=not is_whole and index.is_estimated(query.filter),
        cursor=encode_cursor(part.cursor),
        as_of=_format_time(index),
    )


def _select_ranked(
    store: BrowseStore, index: ScanIndex, scan: Scan, query: PageListQuery, cache: RankingCache
) -> SelectedPages:
    ranking = cache.get_ranking(store, index, scan, query.filter, query.search)
    start = max(0, decode_offset(query.cursor) or 0)
    end = start + query.limit
    return SelectedPages(
        pages=_make_selected(read_ranked(store, scan, ranking[start:end]), query),
        total=len(ranking),
        is_estimate=False,
        cursor=encode_cursor((end,)) if end < len(ranking) else None,
        as_of=_format_time(index),
    )


def _make_selected(pages: Iterable[tuple[int, Page]], query: PageListQuery) -> tuple[SelectedPage, ...]:
    return tuple([SelectedPage.make(number, page, query.returned_fields) for number, page in pages])


def _format_time(index: ScanIndex) -> str:
    return datetime.fromtimestamp(index.metadata["made"], UTC).isoformat(timespec="seconds")


def make_page_rows(pages: Iterable[tuple[int, Page]]) -> tuple[PageRow, ...]:
    """Return numbered pages as records."""
    return tuple([PageRow.make(number, page) for number, page in pages])


def count_facets(_: BrowseStore, index: ScanIndex, scan: Scan, wanted: Filter) -> Facets:
    """Return the counts of each facet under a filter, without the filter's own value of that facet."""
    return Facets(
        total=index.count(wanted),
        is_estimate=index.is_estimated(wanted),
        facets={
            name: tuple([FacetCount(str(value), count) for value, count in values])
            for name, values in index.facets(wanted).items()
        },
        clusters=select_clusters(index.clusters(), wanted.cluster),
    )


def select_clusters(clusters: Sequence[ClusterSummary], chosen: int = 0) -> tuple[ClusterRow, ...]:
    """Return the most informative clusters, and the chosen one."""
    rest = clusters[DEFAULT_CLUSTER_LIMIT:]
    shown = (*clusters[:DEFAULT_CLUSTER_LIMIT], *(cluster for cluster in rest if cluster.number == chosen))
    return tuple([ClusterRow(*cluster) for cluster in shown])


def make_page_view(store: BrowseStore, index: ScanIndex, scan: Scan, number: int) -> PageView:
    """Return a page with everything the scan knows about it."""
    found = store.pages_by_number(scan.number, [number])
    details = store.page_details(scan.number, number)
    if not found or details is None:
        raise Problem(404, f"Scan {scan.number} has no page {number}")
    page, identity = found[0][1], compute_identity(found[0][1].key)
    listing = store.evidence_by_number(scan.number, details.evidence) if details.evidence else None
    outlinks = store.outlinks(scan.number, identity, MAX_NEIGHBOURS)
    return PageView(
        page=PageRow.make(number, page),
        chain=_make_chain(trace_url(store, scan, page.url)),
        outlinks=_make_linked_rows([*outlinks, *_find_children(store, index, scan, identity, outlinks)]),
        inlinks=_make_linked_rows(_find_inlinks(store, scan, page, identity)),
        headers=_make_headers(page, details),
        evidence=tuple(EvidenceRow(*step) for step in _find_evidence(store, scan, listing)),
        history=tuple(PageVersionRow(*one) for one in store.page_history(scan.number, identity, MAX_HISTORY)),
        events=tuple(PageEventRow(*one) for one in read_page_history(store, scan.number, page.key)),
        reason=describe_reason(page.reason) if page.reason else "",
        links_kept=str(scan.settings.get("links", "all")),
    )


def list_details(page: PageRow) -> list[tuple[str, object]]:
    """Return the fields of a page that its screen shows nowhere else, with their labels, if they hold a value."""
    return [
        (name.replace("_", " "), "yes" if value is True else value)
        for name, value in asdict(page).items()
        if name not in _PLACED_FIELDS and value is not None and value is not False
    ]


def explain_url(store: BrowseStore, scan: Scan, text: str) -> Explanation:
    """Return the provenance of a URL, or the rule that skips it."""
    url = resolve(text.strip(), parse_seed_url(scan.seeds[0])) or text.strip()
    scope = restore_scope(scan)
    origin, verdict, spelling = trace_url(store, scan, url), judge(url, scope), spell_url(url, scope.policy)
    number = store.find_page_number(scan.number, compute_identity(origin.page.key)) if origin.page else None
    return Explanation(
        url=url,
        page=PageRow.make(number, origin.page) if origin.page and number else None,
        chain=_make_chain(origin),
        allowed=verdict.allowed,
        reason=verdict.reason,
        sentence=describe_reason(verdict.reason) if verdict.reason else "",
        shape=shape(spelling.key) if spelling else None,
        rules=tuple(RuleRow(*result) for result in explain(url, scope)),
    )


def list_skipped(store: BrowseStore, index: ScanIndex, scan: Scan) -> Skipped:
    """Return the skipped URLs by reason, with examples and what the deciding rule matched."""
    scope = restore_scope(scan)
    kept = {str(reason): count for reason, count in index.facets(Filter(kind="all"))["reason"] if reason != "none"}
    counts = {**kept, **store.skipped_counts(scan.number)}
    return Skipped(
        reasons=tuple(
            SkippedReason(
                reason=reason,
                sentence=describe_reason(reason),
                count=counts[reason],
                kept=kept.get(reason, 0),
                examples=_find_examples(store, index, scan, scope, reason),
            )
            for reason in sorted(counts, key=lambda reason: -counts[reason])
        )
    )


def _find_examples(
    store: BrowseStore, index: ScanIndex, scan: Scan, scope: Scope, reason: str
) -> tuple[SkippedExample, ...]:
    rows = index.slice(Filter(kind="all", reason=reason), limit=MAX_EXAMPLES).rows
    return tuple(
        SkippedExample(
            number=number,
            url=page.url,
            found_on=page.found_on,
            state=page.state,
            detail=next((step.detail for step in explain(page.url, scope) if step.decides), ""),
        )
        for number, page in store.pages_by_number(scan.number, [row.page for row in rows])
    )


def _make_headers(page: Page, details: PageDetails) -> dict[str, str]:
    headers = {
        "content-type": page.content_type,
        "etag": details.etag,
        "last-modified": details.last_modified,
        "link rel=canonical": details.canonical,
    }
    return {name: value for name, value in headers.items() if value}


def _find_children(
    store: BrowseStore, index: ScanIndex, scan: Scan, identity: int, known: Sequence[LinkedPage]
) -> list[LinkedPage]:
    """Return the pages first found on this one, which are known even where links were not kept."""
    seen = {linked.page for linked in known}
    numbers = [number for number in index.children(identity, MAX_NEIGHBOURS) if number not in seen]
    pages = store.pages_by_number(scan.number, numbers)
    return [_make_linked_page(number, page, page.element) for number, page in pages]


def _find_inlinks(store: BrowseStore, scan: Scan, page: Page, identity: int) -> list[LinkedPage]:
    """Return the pages that link here; where links were not kept, the page it was found on."""
    inlinks = store.inlinks(scan.number, identity, MAX_NEIGHBOURS)
    parent = trace_url(store, scan, page.found_on).page if page.found_on and not inlinks else None
    number = store.find_page_number(scan.number, compute_identity(parent.key)) if parent else None
    return [_make_linked_page(number, parent, page.element)] if parent and number else inlinks


def _make_chain(origin: Provenance) -> tuple[ProvenanceStepRow, ...]:
    return tuple(ProvenanceStepRow(*step) for step in origin.chain)


def _make_linked_rows(linked: Iterable[LinkedPage]) -> tuple[LinkedPageRow, ...]:
    return tuple(LinkedPageRow(*one) for one in linked)


def _make_linked_page(number: int, page: Page, element: str | None) -> LinkedPage:
    return LinkedPage(number, page.url, page.kind, page.state, page.title or "", element or "")


def _find_evidence(store: BrowseStore, scan: Scan, listing: Evidence | None) -> list[Evidence]:
    """Return the file that lists the page and the files that list that file, or else the robots.txt of the scan."""
    found: list[Evidence] = []
    while listing is not None and len(found) < MAX_EVIDENCE:
        found.append(listing)
        listing = store.evidence_by_number(scan.number, listing.parent) if listing.parent else None
    return found or store.evidence(scan.number, "robots_txt")[:3]
