"""The shapes of what the API answers, as JSON Schema; the OpenAPI document names them."""

from __future__ import annotations

from typing import Any

from headwater.export.records import FIELDS
from headwater.model import LIST_NAMES
from headwater.settings import PRESETS
from headwater.store.scan_index.filters import KINDS
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS, MAX_SEED_LENGTH, MAX_SEEDS, make_setting_schema
from headwater.web.serving.json_schema import (
    ANY_OBJECT,
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    array_of,
    array_of_urls,
    nullable,
    ref,
    strict_object,
)

_SCAN = {
    "number": INTEGER,
    "seeds": array_of(STRING),
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
    "is_live": BOOLEAN,
    "started": STRING,
    "finished": nullable(STRING),
    "pages": nullable(INTEGER),
    "visited": nullable(INTEGER),
}
_STEP = strict_object(url=STRING, how=STRING)
_RULE = strict_object(rule=STRING, applies=nullable(BOOLEAN), decides=BOOLEAN, detail=STRING)
_NEIGHBOUR = strict_object(page=INTEGER, url=STRING, kind=STRING, state=STRING, title=STRING, element=STRING)
_MOMENT = strict_object(
    scan=INTEGER,
    started=STRING,
    scan_state=STRING,
    page=INTEGER,
    state=STRING,
    status=nullable(INTEGER),
    reason=STRING,
    title=nullable(STRING),
    content_hash=nullable(INTEGER),
)
_FIELDS: dict[str, dict[str, Any]] = {
    "url": STRING,
    "kind": {"type": "string", "enum": [kind for kind in KINDS if kind != "all"]},
    "key": STRING,
    "fetch_url": STRING,
    "sources": array_of(STRING),
    "found_on": nullable(STRING),
    "region": nullable(STRING),
    "title": nullable(STRING),
    "depth": nullable(INTEGER),
    "hops": INTEGER,
    "state": {"type": "string", "enum": ["discovered", "fetched", "failed", "deferred", "skipped"]},
    "status": nullable(INTEGER),
    "content_type": nullable(STRING),
    "lastmod": nullable(STRING),
    "language": nullable(STRING),
    "clusters": {"type": ["array", "null"], "items": STRING},
    "priority": nullable(NUMBER),
    "importance": nullable(NUMBER),
    "verified": BOOLEAN,
    "first_seen": nullable(STRING),
    "last_seen": nullable(STRING),
    "reason": nullable(STRING),
    "skip_scrape": BOOLEAN,
    "element": nullable(STRING),
    "attribute": nullable(STRING),
    "change": {"type": ["string", "null"], "enum": ["new", "changed", "gone", None]},
    "text": nullable(STRING),
    "inlinks": INTEGER,
    "list": {"type": "string", "enum": list(LIST_NAMES)},
    "redirect_to": nullable(STRING),
    "duplicate_of": nullable(STRING),
    "canonical": nullable(STRING),
    "noindex": BOOLEAN,
    "unchanged": BOOLEAN,
}
_PAGE = strict_object(number=INTEGER, **{name: _FIELDS.get(name, {}) for name in FIELDS})
_VALUE_COUNTS = array_of(strict_object(value=STRING, count=INTEGER))

SCHEMAS: dict[str, Any] = {
    "Problem": {
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {"type": STRING, "title": STRING, "status": INTEGER, "detail": STRING, "name": STRING},
    },
    "Health": strict_object(state={"type": "string", "enum": ["alive"]}),
    "Settings": {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: make_setting_schema(setting) for name, setting in ALLOWED_SETTINGS.items()},
    },
    "NewScan": {
        "type": "object",
        "required": ["urls"],
        "additionalProperties": False,
        "properties": {
            "urls": array_of_urls(MAX_SEEDS, MAX_SEED_LENGTH),
            "preset": {"type": "string", "enum": list(PRESETS)},
            "settings": ref("Settings"),
        },
    },
    "GoOn": {"type": "object", "additionalProperties": False, "properties": {"settings": ref("Settings")}},
    "Scan": strict_object(**_SCAN),
    "ScanView": strict_object(
        **_SCAN,
        settings=ANY_OBJECT,
        stages=array_of(
            strict_object(
                name=STRING,
                state=STRING,
                urls=INTEGER,
                seconds=NUMBER,
                note=STRING,
                limit=STRING,
                at=nullable(STRING),
            )
        ),
        progress=nullable(ANY_OBJECT),
        failure=nullable(STRING),
        last_event=INTEGER,
        skipped={"type": "object", "additionalProperties": INTEGER},
        newest=array_of(STRING),
    ),
    "ScanList": strict_object(scans=array_of(ref("Scan")), cursor=nullable(STRING)),
    "Begun": strict_object(scan=INTEGER),
    "Page": _PAGE,
    "PageList": strict_object(
        pages=array_of(ref("Page")), total=INTEGER, is_estimate=BOOLEAN, cursor=nullable(STRING), as_of=STRING
    ),
    "PageView": strict_object(
        page=ref("Page"),
        chain=array_of(_STEP),
        outlinks=array_of(_NEIGHBOUR),
        inlinks=array_of(_NEIGHBOUR),
        headers={"type": "object", "additionalProperties": STRING},
        evidence=array_of(ref("Evidence")),
        history=array_of(_MOMENT),
        reason=STRING,
        links_kept=STRING,
    ),
    "Facets": strict_object(
        total=INTEGER,
        is_estimate=BOOLEAN,
        facets={"type": "object", "additionalProperties": _VALUE_COUNTS},
        clusters=array_of(ref("Cluster")),
    ),
    "Cluster": strict_object(number=INTEGER, name=STRING, kind=STRING, title=STRING, pages=INTEGER),
    "Clusters": strict_object(clusters=array_of(ref("Cluster")), total=INTEGER),
    "Explanation": strict_object(
        url=STRING,
        page={"anyOf": [ref("Page"), {"type": "null"}]},
        chain=array_of(_STEP),
        allowed=BOOLEAN,
        reason=STRING,
        sentence=STRING,
        shape=nullable(STRING),
        rules=array_of(_RULE),
    ),
    "Evidence": strict_object(
        kind=STRING,
        url=STRING,
        success=BOOLEAN,
        status=nullable(INTEGER),
        error=STRING,
        content=ANY_OBJECT,
        started=STRING,
        finished=STRING,
        parent=nullable(INTEGER),
        number=INTEGER,
    ),
    "EvidenceList": strict_object(evidence=array_of(ref("Evidence")), cursor=nullable(STRING)),
    "Tree": strict_object(
        path=STRING,
        folders=array_of(strict_object(name=STRING, path=STRING, pages=INTEGER, own=INTEGER)),
        pages=array_of(ref("Page")),
        more_folders=nullable(INTEGER),
        more_pages=nullable(INTEGER),
    ),
    "Sections": strict_object(
        sections=array_of(
            strict_object(
                number=INTEGER, parent=nullable(INTEGER), name=STRING, path=STRING, pages=INTEGER, own=INTEGER
            )
        ),
        is_capped=BOOLEAN,
    ),
    "Graph": strict_object(
        pages=array_of(
            strict_object(
                number=INTEGER, url=STRING, title=nullable(STRING), parent=nullable(INTEGER), depth=nullable(INTEGER)
            )
        ),
        links=array_of({"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}),
        is_capped=BOOLEAN,
        total=INTEGER,
        links_kept=STRING,
    ),
    "Skipped": strict_object(
        reasons=array_of(
            strict_object(
                reason=STRING,
                sentence=STRING,
                count=INTEGER,
                kept=INTEGER,
                examples=array_of(
                    strict_object(number=INTEGER, url=STRING, found_on=nullable(STRING), state=STRING, detail=STRING)
                ),
            )
        )
    ),
    "Changes": strict_object(
        old=INTEGER,
        new=INTEGER,
        counts=strict_object(new=INTEGER, changed=INTEGER, gone=INTEGER),
        is_capped=BOOLEAN,
        changes=array_of(
            strict_object(change=STRING, url=STRING, title=nullable(STRING), status=nullable(INTEGER), state=STRING)
        ),
        cursor=nullable(STRING),
    ),
    "SettingsTable": strict_object(
        presets={"type": "object", "additionalProperties": ANY_OBJECT},
        settings=array_of(
            strict_object(name=STRING, help=STRING, section=STRING, allowed=STRING, unit=STRING, default={})
        ),
    ),
}
