"""How pages are written into a table and read from it; what every SQL store shares."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from headwater.classify import decode_sources, encode_sources
from headwater.errors import UrlError
from headwater.model import DETECTED_SUFFIX, NO_DEPTH, OVER_SOURCE_LIMIT, Candidate, Evidence, Page
from headwater.store.json_text import parse_json
from headwater.store.links.link_blocks import pack_ascending
from headwater.store.page_lists import NOT_CRAWLED_REASONS, STATES, get_list_name, get_public_state
from headwater.store.store import ClassifierInput, Counts, KnownUrl, Scan
from headwater.urls.parsing import get_authority, parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.model import DiscoveredUrl, SourceMetadata
    from headwater.store.store import VisitResult

PAGE_COLUMNS = ", ".join(
    f"page.{name}"
    for name in (
        "url kind key fetch_url sources source region title text depth hops state status content_type lastmod language"
        " hreflang priority importance first_seen last_seen reason changefreq skip_scrape element attribute change"
        " inlinks sitemap_priority canonical noindex unchanged content_inlinks"
    ).split()
)
PAGE_COLUMNS += ", (SELECT url FROM page AS other WHERE other.scan = page.scan AND other.identity = page.leads_to)"
"""What stands for `page.*` in the queries, as `parse_page_row` reads it; names looked up in every row cost 30 µs a page."""
SCAN_NAME_EVENT = "scan-id"
"""The kind of event that gives a scan a name."""

SITEMAP_SOURCES = ("sitemap", "sitemap-index")
LINK_SOURCES = ("seed", "navigation", "footer", "content-link", "header", "redirect")


def build_page_row(scan: int, one: DiscoveredUrl, now: str) -> tuple[object, ...]:
    """A URL that was found, in the order of the columns of `add_found`."""
    fetch_url = None if one.fetch_url == one.url else one.fetch_url
    return (
        scan, one.identity, one.key, one.url, fetch_url, one.kind, one.depth, one.hops, one.redirects, one.is_suspect,
        one.parent, one.source, one.region, one.text, one.reason, initial_state(one), now, one.element, one.attribute,
        encode_sources((one.source,)), *_extra(one.metadata),
    )  # fmt: skip


def _extra(extra: SourceMetadata | None) -> tuple[object, ...]:
    if extra is None:
        return (None,) * 6
    return (
        extra.evidence, extra.importance, extra.lastmod or None, extra.changefreq or None, extra.priority,
        extra.hreflang or None,
    )  # fmt: skip


def initial_state(one: DiscoveredUrl) -> int:
    """Pages that nothing refused wait; what is refused for a trap is skipped; the rest is listed only."""
    if one.depth >= NO_DEPTH and one.reason in NOT_CRAWLED_REASONS:
        return STATES.index("discovered")
    if one.reason == OVER_SOURCE_LIMIT:
        return STATES.index("held")
    if one.reason and one.kind == "page":
        return STATES.index("deferred" if one.reason == "robots-unreachable" else "skipped")
    waits = one.is_visited and not one.reason and (one.kind == "page" or one.hops)
    return 0 if waits else STATES.index("discovered")


def parse_known_url_row(row: tuple[Any, ...]) -> KnownUrl:
    """A row of `known_urls`."""
    identity, number, kind, depth, reason, is_suspect, state, fetch_url, url, is_visited = row
    return KnownUrl(
        identity, number, kind, depth, reason, bool(is_suspect), STATES[state], fetch_url or url, url, bool(is_visited)
    )


def build_result_rows(scan: int, batch: Sequence[VisitResult], now: str, first_list: int) -> list[tuple[object, ...]]:
    """What became of the candidates of a batch; those whose links are kept have lists with consecutive numbers."""
    results = []
    for settled in batch:
        results.append(_build_result_row(scan, settled, now, first_list if settled.links is not None else None))
        first_list += settled.links is not None
    return results


def _build_result_row(scan: int, settled: VisitResult, now: str, link_list: int | None) -> tuple[object, ...]:
    """What became of a candidate, in the order of `settle_page`."""
    return (
        STATES.index(settled.state), settled.status, settled.reason, settled.title, settled.language,
        settled.content_type, settled.canonical, settled.etag, settled.last_modified, now, settled.content_hash,
        *_settled_urls(settled), settled.leads_to, settled.noindex, settled.unchanged,
        settled.may_be_duplicate, settled.text_hash, link_list, scan, settled.candidate.identity,
    )  # fmt: skip


def _settled_urls(settled: VisitResult) -> tuple[str, str | None]:
    """How a page is listed, and how it is requested where that differs."""
    if settled.url:
        return settled.url, None
    url, fetch_url = settled.candidate.url, settled.candidate.fetch_url
    return url, None if fetch_url == url else fetch_url


def parse_page_row(row: tuple[Any, ...]) -> Page:
    """A row of `PAGE_COLUMNS`, and the page it was found on, the file that lists it, its clusters."""
    (
        url, kind, key, fetch_url, mask, source, region, title, text, depth, hops, state, status, content_type, lastmod,
        language, hreflang, rank, importance, first_seen, last_seen, reason, changefreq, skips, element, attribute,
        change, inlinks, sitemap_priority, canonical, noindex, unchanged, content_inlinks, leads_to, found_on,
        listed_in, clusters,
    ) = row  # fmt: skip
    name: Any = get_public_state(state)
    return Page(
        url,
        kind,
        key,
        fetch_url or url,
        decode_sources(mask) or ((source,) if source else ()),
        found_on or listed_in,
        region,
        title or text or None,
        depth if depth < NO_DEPTH else None,
        hops,
        name,
        status,
        content_type or None,
        lastmod,
        (language or hreflang or "").removesuffix(DETECTED_SUFFIX) or None,
        tuple(sorted(clusters.split("\x1f"))) if clusters else None,
        rank,
        importance,
        name == "fetched",
        first_seen,
        last_seen,
        reason or None,
        text or None,
        changefreq,
        bool(skips),
        element or None,
        attribute or None,
        change,
        inlinks,
        sitemap_priority,
        hreflang,
        canonical or None,
        get_list_name(state, reason),
        leads_to,
        bool(noindex),
        bool(unchanged),
        content_inlinks,
    )


def build_link_data_row(scan: int, way: LinkSummary) -> tuple[object, ...]:
    """What the links say of a page, in the order of `set_way`."""
    assert way.place is not None
    place = way.place
    return (
        way.depth, way.parent, place.source, place.region, place.element, place.attribute, way.text, way.sources,
        way.inlinks, way.content_inlinks, scan, way.identity,
    )  # fmt: skip


def build_sources_row(scan: int, way: LinkSummary) -> tuple[object, ...]:
    """What the links say of a page that none of them led to first, in the order of `set_sources`."""
    return way.sources, way.inlinks, way.content_inlinks, scan, way.identity


def build_inlinks_row(scan: int, way: LinkSummary) -> tuple[int, int, bytes]:
    """The pages that link to a page, in the order of `set_inlinks`."""
    return scan, way.identity, pack_ascending(way.lists)


def timestamp() -> str:
    """This moment as the tables hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def parse_scan_row(row: Sequence[Any]) -> Scan:
    """A row of `scan`."""
    number, seeds, settings, state, started, finished = row
    return Scan(number, tuple(parse_json(seeds)), parse_json(settings), state, started, finished)


def build_site_key(seeds: Sequence[str]) -> tuple[str, str]:
    """What tells a site from others, its seeds however they were typed, and the host that politeness binds it to."""
    hrefs = [_absolute(seed) for seed in seeds]
    return json.dumps(hrefs), get_authority(hrefs[0]) if "://" in hrefs[0] else hrefs[0]


def _absolute(seed: str) -> str:
    try:
        return parse_seed_url(seed)
    except UrlError:
        return seed


def build_counts(states: Iterable[tuple[int, int]], skipped: Mapping[str, int]) -> Counts:
    """Counts from how many pages are in which state."""
    by_state = {STATES[state]: count for state, count in states}
    waiting, fetched, failed, deferred = (by_state.get(name, 0) for name in STATES[:4])
    fetched += by_state.get("redirected", 0) + by_state.get("duplicate", 0)
    held = by_state.get("held", 0)
    skipped = {**skipped, OVER_SOURCE_LIMIT: held} if held else skipped
    return Counts(sum(by_state.values()), waiting, fetched, failed, deferred, skipped, held)


def get_remaining_quota(limit: int | None, taken: int) -> int | None:
    """Return how many more pages a source may name; None if there is no limit."""
    return None if limit is None else max(0, limit - taken)


def count_by_source(masks: Iterable[tuple[int, int]]) -> dict[str, int]:
    """How many pages each source names, from how many have which set of sources."""
    counts: dict[str, int] = {}
    for mask, count in masks:
        for name in decode_sources(mask):
            counts[name] = counts.get(name, 0) + count
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def parse_candidate_row(row: Sequence[Any]) -> tuple[int, Candidate]:
    """A row of `waiting`: its place in the order, and the candidate."""
    place, identity, key, url, fetch_url, depth, hops, suspect, redirects = row
    return place, Candidate(identity, key, url, fetch_url or url, depth, hops, bool(suspect), redirects)


def build_evidence_row(scan: int, evidence: Evidence) -> tuple[object, ...]:
    """A piece of evidence as it is written."""
    moment = timestamp()
    return (
        scan, evidence.kind, evidence.url, evidence.parent, evidence.success, evidence.status, evidence.error,
        json.dumps(evidence.content, default=list), evidence.started or moment, evidence.finished or moment,
    )  # fmt: skip


def order_candidates(identities: Sequence[int], rows: Iterable[Sequence[Any]]) -> list[Candidate]:
    """Return the candidates of rows like those of `waiting` in the order of `identities`."""
    candidates = {candidate.identity: candidate for _, candidate in map(parse_candidate_row, rows)}
    return [candidates[identity] for identity in identities if identity in candidates]


def parse_evidence_row(row: Sequence[Any]) -> Evidence:
    """A row of `evidence`."""
    name, url, success, status, error, content, started, finished, parent, number = row
    return Evidence(name, url, bool(success), status, error, json.loads(content), started, finished, parent, number)


def parse_classifier_input_row(row: Sequence[Any]) -> ClassifierInput:
    """A row of `told`."""
    identity, url, title, language, hreflang, mask, importance, depth, *rest = row
    clicks = depth if depth < NO_DEPTH else None
    return ClassifierInput(identity, url, title, language, hreflang, decode_sources(mask), importance, clicks, *rest)
