"""What the page and its API tell of scans and pages, as plain values; both ask here, so that they agree."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from headwater.export.records import make_record
from headwater.store.provenance import restore_scope, trace_url
from headwater.store.scan_index.filters import Filter
from headwater.urls import explain, judge, resolve, shape, spell_url
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import parse_seed_url
from headwater.urls.skip_reasons import describe_reason
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.model import Evidence, Page
    from headwater.store.browse_store import BrowseStore, LinkedPage
    from headwater.store.scan_index.index import Folder, ScanIndex
    from headwater.store.store import Event, Scan

STALLED_AFTER = 20.0
"""Seconds without a sign of life after which a scan that should run counts as stalled."""

STAGES = ("nav", "sitemaps", "crawl", "render", "merge")
MAX_NEIGHBOURS = 200
MAX_HISTORY = 50
MAX_EXAMPLES = 5


def live_state(store: BrowseStore, number: int) -> dict[str, Any]:
    """How a scan stands: `is_live` while more may come."""
    scan = store.scan(number)
    assert scan is not None
    state = scan.state
    if state == "running":
        state = _running_state(store, scan)
    return {"scan": number, "state": state, "is_live": state in {"running", "queued"}, "finished": scan.finished}


def scan_row(store: BrowseStore, scan: Scan) -> dict[str, Any]:
    """A scan as lists show it."""
    progress = store.last_event(scan.number, "progress")
    summary = store.evidence(scan.number, "discovery_summary")
    state = live_state(store, scan.number)
    return {
        "number": scan.number,
        "seeds": list(scan.seeds),
        "state": state["state"],
        "is_live": state["is_live"],
        "started": scan.started,
        "finished": scan.finished,
        "pages": summary[-1].content.get("total") if summary else None,
        "visited": progress.data.get("visited") if progress else None,
    }


def scan_view(store: BrowseStore, scan: Scan) -> dict[str, Any]:
    """A scan with its stages and its numbers, none of which has to be counted."""
    row = scan_row(store, scan)
    progress = store.last_event(scan.number, "progress")
    last = store.last_event(scan.number)
    return {
        **row,
        "settings": dict(scan.settings),
        "stages": stage_rows(store, scan.number),
        "progress": dict(progress.data) if progress else None,
        "failure": _find_failure(store, scan.number, last) if not row["is_live"] else None,
        "last_event": last.number if last else 0,
        "skipped": store.skipped(scan.number),
        "newest": store.newest(scan.number, 8) if row["is_live"] else [],
    }


def _find_failure(store: BrowseStore, scan: int, last: Event | None) -> str | None:
    """Return why the last run failed; once the scan went on, an earlier failure is over."""
    failure = store.last_event(scan, "failure")
    return str(failure.data.get("message")) if failure and last and failure.number == last.number else None


def stage_rows(store: BrowseStore, scan: int) -> list[dict[str, Any]]:
    """The stages in their order, each as it was last told of."""
    told: dict[str, dict[str, Any]] = {}
    for event in store.events_of_kind(scan, "stage"):
        told[str(event.data["name"])] = {**event.data, "at": event.at}
    blank = {"state": "waiting", "urls": 0, "seconds": 0.0, "note": "", "limit": "", "at": None}
    return [{"name": name, **blank, **told.get(name, {})} for name in STAGES]


def page_row(number: int, page: Page) -> dict[str, Any]:
    """A page as lists show it."""
    return {"number": number, **make_record(page)}


def page_view(store: BrowseStore, look: ScanIndex, scan: Scan, number: int) -> dict[str, Any]:
    """Everything that is known of a page: the way to it, its neighbours, headers, evidence, history."""
    found = store.pages_by_number(scan.number, [number])
    details = store.page_details(scan.number, number)
    if not found or details is None:
        raise Problem(404, f"scan {scan.number} has no page {number}")
    page, identity = found[0][1], compute_identity(found[0][1].key)
    listing = store.evidence_by_number(scan.number, details.evidence) if details.evidence else None
    origin = trace_url(store, scan, page.url)
    outlinks = store.outlinks(scan.number, identity, MAX_NEIGHBOURS)
    children = _children(store, look, scan, identity, outlinks)
    return {
        "page": page_row(number, page),
        "chain": [step._asdict() for step in origin.chain],
        "outlinks": [one._asdict() for one in outlinks] + children,
        "inlinks": _inlinks(store, scan, page, identity),
        "headers": {
            name: value
            for name, value in {
                "content-type": page.content_type,
                "etag": details.etag,
                "last-modified": details.last_modified,
                "link rel=canonical": details.canonical,
            }.items()
            if value
        },
        "evidence": [evidence_row(one) for one in _find_evidence(store, scan, listing)],
        "history": [moment._asdict() for moment in store.page_history(scan.number, identity, MAX_HISTORY)],
        "reason": describe_reason(page.reason) if page.reason else "",
        "links_kept": str(scan.settings.get("links", "all")),
    }


def explain_url(store: BrowseStore, scan: Scan, text: str) -> dict[str, Any]:
    """How a URL came into a scan, or which rule keeps it out."""
    url = resolve(text.strip(), parse_seed_url(scan.seeds[0])) or text.strip()
    scope = restore_scope(scan)
    origin, verdict, spelling = trace_url(store, scan, url), judge(url, scope), spell_url(url, scope.policy)
    number = store.number_of(scan.number, compute_identity(origin.page.key)) if origin.page else None
    return {
        "url": url,
        "page": page_row(number, origin.page) if origin.page and number else None,
        "chain": [step._asdict() for step in origin.chain],
        "allowed": verdict.allowed,
        "reason": verdict.reason,
        "sentence": describe_reason(verdict.reason) if verdict.reason else "",
        "shape": shape(spelling.key) if spelling else None,
        "rules": [step._asdict() for step in explain(url, scope)],
    }


def skipped_view(store: BrowseStore, look: ScanIndex, scan: Scan) -> list[dict[str, Any]]:
    """Why URLs were refused: how many for which reason, with examples and the rule that decided."""
    scope = restore_scope(scan)
    counts = store.skipped(scan.number)
    kept = {str(reason): count for reason, count in look.facets(Filter(kind="all"))["reason"] if reason != "none"}
    reasons = sorted({**kept, **counts}, key=lambda reason: -counts.get(reason, kept.get(reason, 0)))
    rows = []
    for reason in reasons:
        places = look.slice(Filter(kind="all", reason=reason), limit=MAX_EXAMPLES).rows
        pages = store.pages_by_number(scan.number, [row.page for row in places])
        examples = [
            {
                "number": number,
                "url": page.url,
                "found_on": page.found_on,
                "state": page.state,
                "detail": next((step.detail for step in explain(page.url, scope) if step.decides), ""),
            }
            for number, page in pages
        ]
        rows.append(
            {
                "reason": reason,
                "sentence": describe_reason(reason),
                "count": counts.get(reason, kept.get(reason, 0)),
                "kept": kept.get(reason, 0),
                "examples": examples,
            }
        )
    return rows


def tree_view(
    store: BrowseStore, look: ScanIndex, scan: Scan, path: str, *, after_folder: int = 0, after_page: int = 0
) -> dict[str, Any]:
    """What lies in a folder: folders first, then pages; some of each. A page that has a folder is its first page."""
    limit = 200
    folder = look.folder(path) if path else None
    if path and folder is None:
        raise Problem(404, f"nothing lies under {path[:200]}")
    folders = look.folders(folder.number if folder else None, after_folder, limit + 1)
    pages = look.pages_in(folder, after_page, limit + 1) if folder else []
    shown = pages[:limit]
    own = look.find_page(path[:-1]) if folder and folder.parent is not None else None
    numbers = [page for _, page, key in shown if look.folder(f"{key}/") is None]
    if own and not after_page and not after_folder:
        numbers.insert(0, own)
    rows = store.pages_by_number(scan.number, numbers)
    return {
        "path": path,
        "folders": [_folder_row(one) for one in folders[:limit]],
        "pages": [page_row(number, page) for number, page in rows],
        "more_folders": folders[limit - 1].number if len(folders) > limit else None,
        "more_pages": pages[limit - 1][0] if len(pages) > limit else None,
    }


def sections_view(look: ScanIndex, limit: int) -> dict[str, Any]:
    """The largest folders, for a picture of the site."""
    folders = look.sections(limit + 1)
    return {
        "sections": [
            {
                "number": one.number,
                "parent": one.parent,
                "name": one.name,
                "path": one.path,
                "pages": one.pages,
                "own": one.own,
            }
            for one in folders[:limit]
        ],
        "is_capped": len(folders) > limit,
    }


def graph_view(store: BrowseStore, look: ScanIndex, scan: Scan, limit: int) -> dict[str, Any]:
    """The pages that matter most, and what is known of the links between them."""
    numbers = look.top_pages(limit)
    pages = store.pages_by_number(scan.number, numbers)
    parents = store.find_parents(scan.number, numbers)
    return {
        "pages": [
            {"number": number, "url": page.url, "title": page.title, "parent": parents.get(number), "depth": page.depth}
            for number, page in pages
        ],
        "links": [list(pair) for pair in store.links_between(scan.number, numbers, 20 * limit)],
        "is_capped": int(look.metadata["listed"]) > limit,
        "total": int(look.metadata["listed"]),
        "links_kept": str(scan.settings.get("links", "all")),
    }


def evidence_row(one: Evidence) -> dict[str, Any]:
    """A piece of evidence by name."""
    return {**one._asdict(), "content": dict(one.content)}


def _folder_row(folder: Folder) -> dict[str, Any]:
    return {"name": folder.name, "path": folder.path, "pages": folder.pages, "own": folder.own}


def _children(
    store: BrowseStore, look: ScanIndex, scan: Scan, identity: int, known: Sequence[LinkedPage]
) -> list[dict[str, Any]]:
    """Pages that were first found here, which are known even where links were not kept."""
    seen = {one.page for one in known}
    numbers = [number for number in look.children(identity, MAX_NEIGHBOURS) if number not in seen]
    return [
        {"page": number, "url": page.url, "kind": page.kind, "state": page.state, "title": page.title or "",
         "element": page.element or ""}
        for number, page in store.pages_by_number(scan.number, numbers)
    ]  # fmt: skip


def _inlinks(store: BrowseStore, scan: Scan, page: Page, identity: int) -> list[dict[str, Any]]:
    """Where links were not kept, the page it was found on is still known."""
    inlinks = [one._asdict() for one in store.inlinks(scan.number, identity, MAX_NEIGHBOURS)]
    parent = trace_url(store, scan, page.found_on).page if page.found_on and not inlinks else None
    number = store.number_of(scan.number, compute_identity(parent.key)) if parent else None
    if parent is None or number is None:
        return inlinks
    row = {"page": number, "url": parent.url, "kind": parent.kind, "state": parent.state, "title": parent.title or ""}
    return [{**row, "element": page.element or ""}]


def _find_evidence(store: BrowseStore, scan: Scan, listing: Evidence | None) -> list[Evidence]:
    """The file that lists the page and those that name the file; else what the whole scan left."""
    found: list[Evidence] = []
    while listing is not None and len(found) < 20:
        found.append(listing)
        listing = store.evidence_by_number(scan.number, listing.parent) if listing.parent else None
    return found or store.evidence(scan.number, "robots_txt")[:3]


def _running_state(store: BrowseStore, scan: Scan) -> str:
    """A scan of a fleet rests between two slices, and may be paused; any other that says nothing has died."""
    site = store.fleet_site(scan.number)
    if site is None:
        return "stalled" if _seconds_since_last_event(store, scan) > STALLED_AFTER else "running"
    if site.is_held:
        return "running"
    return "paused" if site.state == "paused" else "queued"


def _seconds_since_last_event(store: BrowseStore, scan: Scan) -> float:
    event = store.last_event(scan.number)
    moment = datetime.fromisoformat(event.at if event else scan.started)
    return (datetime.now(UTC) - moment).total_seconds()
