"""The shapes of what the API answers, as JSON Schema; the OpenAPI document names them."""

from __future__ import annotations

from typing import Any

from headwater.export.records import FIELDS
from headwater.model import LISTS
from headwater.settings import PRESETS
from headwater.store.scan_index.filters import KINDS
from headwater.web.jobs.allowed_settings import MAX_SEED, MAX_SEEDS, OFFERED, schema_of
from headwater.web.serving.json_schema import ANY, FLAG, NUMBER, TEXT, WHOLE, list_of, maybe, record, ref, urls_of

_SCAN = {
    "number": WHOLE,
    "seeds": list_of(TEXT),
    "state": {
        "type": "string",
        "enum": [
            "queued",
            "running",
            "stalled",
            "paused",
            "done",
            "limited",
            "incomplete",
            "interrupted",
            "cancelled",
        ],
    },
    "is_live": FLAG,
    "started": TEXT,
    "finished": maybe(TEXT),
    "pages": maybe(WHOLE),
    "visited": maybe(WHOLE),
}
_STEP = record(url=TEXT, how=TEXT)
_RULE = record(rule=TEXT, applies=maybe(FLAG), decides=FLAG, detail=TEXT)
_NEIGHBOUR = record(page=WHOLE, url=TEXT, kind=TEXT, state=TEXT, title=TEXT, element=TEXT)
_MOMENT = record(
    scan=WHOLE,
    started=TEXT,
    scan_state=TEXT,
    page=WHOLE,
    state=TEXT,
    status=maybe(WHOLE),
    reason=TEXT,
    title=maybe(TEXT),
    content_hash=maybe(WHOLE),
)
_FIELDS: dict[str, dict[str, Any]] = {
    "url": TEXT,
    "kind": {"type": "string", "enum": [kind for kind in KINDS if kind != "all"]},
    "key": TEXT,
    "fetch_url": TEXT,
    "sources": list_of(TEXT),
    "found_on": maybe(TEXT),
    "region": maybe(TEXT),
    "title": maybe(TEXT),
    "depth": maybe(WHOLE),
    "hops": WHOLE,
    "state": {"type": "string", "enum": ["discovered", "fetched", "failed", "deferred", "skipped"]},
    "status": maybe(WHOLE),
    "content_type": maybe(TEXT),
    "lastmod": maybe(TEXT),
    "language": maybe(TEXT),
    "clusters": {"type": ["array", "null"], "items": TEXT},
    "priority": maybe(NUMBER),
    "importance": maybe(NUMBER),
    "verified": FLAG,
    "first_seen": maybe(TEXT),
    "last_seen": maybe(TEXT),
    "reason": maybe(TEXT),
    "skip_scrape": FLAG,
    "element": maybe(TEXT),
    "attribute": maybe(TEXT),
    "change": {"type": ["string", "null"], "enum": ["new", "changed", "gone", None]},
    "text": maybe(TEXT),
    "inlinks": WHOLE,
    "list": {"type": "string", "enum": list(LISTS)},
    "redirect_to": maybe(TEXT),
    "duplicate_of": maybe(TEXT),
    "canonical": maybe(TEXT),
    "noindex": FLAG,
    "unchanged": FLAG,
}
_PAGE = record(number=WHOLE, **{name: _FIELDS.get(name, {}) for name in FIELDS})
_COUNTED = list_of(record(value=TEXT, count=WHOLE))

SCHEMAS: dict[str, Any] = {
    "Problem": {
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {"type": TEXT, "title": TEXT, "status": WHOLE, "detail": TEXT, "name": TEXT},
    },
    "Health": record(state={"type": "string", "enum": ["alive"]}),
    "Settings": {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: schema_of(setting) for name, setting in OFFERED.items()},
    },
    "NewScan": {
        "type": "object",
        "required": ["urls"],
        "additionalProperties": False,
        "properties": {
            "urls": urls_of(MAX_SEEDS, MAX_SEED),
            "preset": {"type": "string", "enum": list(PRESETS)},
            "settings": ref("Settings"),
        },
    },
    "GoOn": {"type": "object", "additionalProperties": False, "properties": {"settings": ref("Settings")}},
    "Scan": record(**_SCAN),
    "ScanView": record(
        **_SCAN,
        settings=ANY,
        stages=list_of(
            record(
                name=TEXT,
                state=TEXT,
                urls=WHOLE,
                seconds=NUMBER,
                note=TEXT,
                limit=TEXT,
                at=maybe(TEXT),
            )
        ),
        progress=maybe(ANY),
        failure=maybe(TEXT),
        last_event=WHOLE,
        skipped={"type": "object", "additionalProperties": WHOLE},
        newest=list_of(TEXT),
    ),
    "ScanList": record(scans=list_of(ref("Scan")), cursor=maybe(TEXT)),
    "Begun": record(scan=WHOLE),
    "Page": _PAGE,
    "PageList": record(pages=list_of(ref("Page")), total=WHOLE, is_estimate=FLAG, cursor=maybe(TEXT), as_of=TEXT),
    "PageView": record(
        page=ref("Page"),
        chain=list_of(_STEP),
        outlinks=list_of(_NEIGHBOUR),
        inlinks=list_of(_NEIGHBOUR),
        headers={"type": "object", "additionalProperties": TEXT},
        evidence=list_of(ref("Evidence")),
        history=list_of(_MOMENT),
        reason=TEXT,
        links_kept=TEXT,
    ),
    "Facets": record(
        total=WHOLE,
        is_estimate=FLAG,
        facets={"type": "object", "additionalProperties": _COUNTED},
        clusters=list_of(ref("Cluster")),
    ),
    "Cluster": record(number=WHOLE, name=TEXT, kind=TEXT, title=TEXT, pages=WHOLE),
    "Clusters": record(clusters=list_of(ref("Cluster")), total=WHOLE),
    "Explanation": record(
        url=TEXT,
        page={"anyOf": [ref("Page"), {"type": "null"}]},
        chain=list_of(_STEP),
        allowed=FLAG,
        reason=TEXT,
        sentence=TEXT,
        shape=maybe(TEXT),
        rules=list_of(_RULE),
    ),
    "Evidence": record(
        kind=TEXT,
        url=TEXT,
        success=FLAG,
        status=maybe(WHOLE),
        error=TEXT,
        content=ANY,
        started=TEXT,
        finished=TEXT,
        parent=maybe(WHOLE),
        number=WHOLE,
    ),
    "EvidenceList": record(evidence=list_of(ref("Evidence")), cursor=maybe(TEXT)),
    "Tree": record(
        path=TEXT,
        folders=list_of(record(name=TEXT, path=TEXT, pages=WHOLE, own=WHOLE)),
        pages=list_of(ref("Page")),
        more_folders=maybe(WHOLE),
        more_pages=maybe(WHOLE),
    ),
    "Sections": record(
        sections=list_of(record(number=WHOLE, parent=maybe(WHOLE), name=TEXT, path=TEXT, pages=WHOLE, own=WHOLE)),
        is_capped=FLAG,
    ),
    "Graph": record(
        pages=list_of(record(number=WHOLE, url=TEXT, title=maybe(TEXT), parent=maybe(WHOLE), depth=maybe(WHOLE))),
        links=list_of({"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}),
        is_capped=FLAG,
        total=WHOLE,
        links_kept=TEXT,
    ),
    "Skipped": record(
        reasons=list_of(
            record(
                reason=TEXT,
                sentence=TEXT,
                count=WHOLE,
                kept=WHOLE,
                examples=list_of(record(number=WHOLE, url=TEXT, found_on=maybe(TEXT), state=TEXT, detail=TEXT)),
            )
        )
    ),
    "Changes": record(
        old=WHOLE,
        new=WHOLE,
        counts=record(new=WHOLE, changed=WHOLE, gone=WHOLE),
        is_capped=FLAG,
        changes=list_of(record(change=TEXT, url=TEXT, title=maybe(TEXT), status=maybe(WHOLE), state=TEXT)),
        cursor=maybe(TEXT),
    ),
    "SettingsTable": record(
        presets={"type": "object", "additionalProperties": ANY},
        settings=list_of(record(name=TEXT, help=TEXT, section=TEXT, allowed=TEXT, unit=TEXT, default={})),
    ),
}
