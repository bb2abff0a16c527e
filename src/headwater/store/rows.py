"""Conversions between records and rows of the tables, shared by both dialects."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args

from headwater.classify import decode_sources, encode_sources
from headwater.errors import UrlError
from headwater.model import NO_DEPTH, OVER_SOURCE_LIMIT, SOURCES, Candidate, PageFacts, UrlKind
from headwater.store.columns import DISCOVERED_FIELDS, METADATA_COLUMNS, VISIT_FIELDS
from headwater.store.links.link_blocks import pack_ascending
from headwater.store.page_lists import NOT_CRAWLED_REASONS, STATES
from headwater.store.records import Counts, VisitResult
from headwater.urls.parsing import get_authority, parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.model import DiscoveredUrl, Evidence

SCAN_NAME_EVENT = "scan-id"
"""Kind of the event that gives a scan a name."""

SITEMAP_SOURCES = ("sitemap", "sitemap-index")
REACHABLE_SOURCES = ("seed", "navigation", "footer", "content-link", "header", "redirect")
"""Sources of pages that links lead to; a page that only sitemaps list is an orphan."""

_STATE_NUMBERS = {name: number for number, name in enumerate(STATES)}
_WAITING, _DISCOVERED, _HELD = (_STATE_NUMBERS[name] for name in ("waiting", "discovered", "held"))
_SOURCE_MASKS = {name: encode_sources((name,)) for name in (*get_args(UrlKind), *SOURCES)}
"""Bits by source; links to anything but pages have their kind as source, and no bit."""

_get_discovered_fields = attrgetter(*DISCOVERED_FIELDS)
_get_visit_fields = attrgetter(*VISIT_FIELDS)
_NO_METADATA = (None,) * len(METADATA_COLUMNS)


def build_page_row(scan: int, found: DiscoveredUrl, now: str) -> tuple[object, ...]:
    """Return a discovered URL in the order of `DISCOVERED_COLUMNS`.

    Rows of discovered URLs and visits are tuples: a scan writes up to a hundred of them for each page, and binding by
    name takes 3 µs more for each.
    """
    fetch_url = None if found.fetch_url == found.url else found.fetch_url
    metadata = found.metadata
    return (
        scan, fetch_url, initial_state(found), now, _SOURCE_MASKS[found.source], *_get_discovered_fields(found),
        *(_NO_METADATA if metadata is None else (None if value == "" else value for value in metadata)),
    )  # fmt: skip


def initial_state(found: DiscoveredUrl) -> int:
    """Return the state of a new URL: pages without a reason wait, pages with one are skipped, the rest is listed."""
    if not found.reason:
        return _WAITING if found.is_visited and (found.kind == "page" or found.hops) else _DISCOVERED
    if found.depth >= NO_DEPTH and found.reason in NOT_CRAWLED_REASONS:
        return _DISCOVERED
    if found.reason == OVER_SOURCE_LIMIT:
        return _HELD
    if found.kind == "page":
        return _STATE_NUMBERS["deferred" if found.reason == "robots-unreachable" else "skipped"]
    return _DISCOVERED


def build_visit_rows(scan: int, batch: Sequence[VisitResult], now: str, first_list: int) -> list[tuple[object, ...]]:
    """Return visits in the order of `VISIT_COLUMNS`; pages whose links are stored get consecutive list numbers."""
    rows = []
    for visit in batch:
        link_list = first_list if visit.links is not None else None
        first_list += visit.links is not None
        url, fetch_url = _get_visit_urls(visit)
        rows.append((
            scan, visit.candidate.identity, _STATE_NUMBERS[visit.state], url, fetch_url, now, link_list,
            *_get_visit_fields(visit), *(None if value == "" else value for value in visit.facts),
        ))  # fmt: skip
    return rows


def read_visit(row: Sequence[Any]) -> VisitResult:
    """Return a stored visit from the values of `PREVIOUS_VISIT_COLUMNS`; its links are empty, or None if not stored."""
    identity, key, url, fetch_url, has_links, *values = row
    return VisitResult(
        Candidate(identity, key, url, fetch_url), "fetched", url=url, links=() if has_links else None,
        facts=PageFacts(*values[len(VISIT_FIELDS) :]), **dict(zip(VISIT_FIELDS, values, strict=False)),
    )  # fmt: skip


def _get_visit_urls(visit: VisitResult) -> tuple[str, str | None]:
    """Return the URL that lists the page, and the one to request it by if it is another."""
    if visit.url:
        return visit.url, None
    url, fetch_url = visit.candidate.url, visit.candidate.fetch_url
    return url, None if fetch_url == url else fetch_url


def build_link_data_rows(scan: int, summaries: Sequence[LinkSummary]) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield the queries that store what the links say about pages, with their rows."""
    counted: list[dict[str, object]] = [
        {
            "scan": scan, "identity": one.identity, "sources": one.sources, "inlinks": one.inlinks,
            "content_inlinks": one.content_inlinks,
        }
        for one in summaries
    ]  # fmt: skip
    placed: list[dict[str, object]] = [
        {
            **row, "depth": one.depth, "parent": one.parent, "text": one.text, "source": one.place.source,
            "region": one.place.region, "element": one.place.element, "attribute": one.place.attribute,
        }
        for row, one in zip(counted, summaries, strict=True)
        if one.place is not None
    ]  # fmt: skip
    yield "update_link_data", placed
    yield "set_sources", [row for row, one in zip(counted, summaries, strict=True) if one.place is None]
    yield (
        "set_inlinks",
        [
            {"scan": scan, "identity": one.identity, "lists": pack_ascending(one.lists)}
            for one in summaries
            if one.lists
        ],
    )


def timestamp() -> str:
    """Return the current time as the tables store it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def build_site_key(seeds: Sequence[str]) -> tuple[str, str]:
    """Return the normalized seeds, which identify a site, and the host that its rate limit belongs to."""
    hrefs = [_parse_seed(seed) for seed in seeds]
    return json.dumps(hrefs), get_authority(hrefs[0]) if "://" in hrefs[0] else hrefs[0]


def _parse_seed(seed: str) -> str:
    try:
        return parse_seed_url(seed)
    except UrlError:
        return seed


def build_scan_values(seeds: Sequence[str], settings: Mapping[str, object], site: str) -> dict[str, object]:
    """Return the values of `add_scan`."""
    return {"seeds": json.dumps(list(seeds)), "settings": json.dumps(settings), "now": timestamp(), "site": site}


def build_evidence_values(evidence: Evidence) -> dict[str, object]:
    """Return the values of `add_evidence`."""
    now = timestamp()
    return {
        **evidence._asdict(), "content": json.dumps(evidence.content, default=list), "started": evidence.started or now,
        "finished": evidence.finished or now,
    }  # fmt: skip


def build_counts(states: Iterable[tuple[int, int]], skipped: Mapping[str, int]) -> Counts:
    """Return the progress of a scan from the number of URLs in each state."""
    by_state = dict.fromkeys(STATES, 0) | {STATES[state]: count for state, count in states}
    held = by_state["held"]
    return Counts(
        known=sum(by_state.values()),
        candidates=by_state["waiting"],
        fetched=by_state["fetched"] + by_state["redirected"] + by_state["duplicate"],
        failed=by_state["failed"],
        deferred=by_state["deferred"],
        skipped={**skipped, OVER_SOURCE_LIMIT: held} if held else skipped,
        held=held,
    )


def count_by_source(masks: Iterable[tuple[int, int]]) -> dict[str, int]:
    """Return the number of pages that each source names, from the number of pages with each set of sources."""
    counts: dict[str, int] = {}
    for mask, count in masks:
        for name in decode_sources(mask):
            counts[name] = counts.get(name, 0) + count
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def dump_json(value: Any) -> str:  # noqa: ANN401  (anything JSON can hold)
    """Return a value as JSON; sequences of any type become arrays."""
    return json.dumps(value, default=list)
