"""The shapes of what the API answers, as JSON Schema; the OpenAPI document names them."""

from __future__ import annotations

from typing import Any

from headwater.export.records import FIELDS
from headwater.settings import PRESETS
from headwater.store.filters import KINDS
from headwater.web.offered import MAX_SEED, MAX_SEEDS, OFFERED, schema_of
from headwater.web.shapes import ANY as _ANY
from headwater.web.shapes import FLAG as _FLAG
from headwater.web.shapes import NUMBER as _NUMBER
from headwater.web.shapes import TEXT as _TEXT
from headwater.web.shapes import WHOLE as _WHOLE
from headwater.web.shapes import list_of as _list
from headwater.web.shapes import maybe as _maybe
from headwater.web.shapes import record as _object
from headwater.web.shapes import ref as _ref

_SCAN = {
    "number": _WHOLE,
    "seeds": _list(_TEXT),
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
    "is_live": _FLAG,
    "started": _TEXT,
    "finished": _maybe(_TEXT),
    "pages": _maybe(_WHOLE),
    "visited": _maybe(_WHOLE),
}
_STEP = _object(url=_TEXT, how=_TEXT)
_RULE = _object(rule=_TEXT, applies=_maybe(_FLAG), decides=_FLAG, detail=_TEXT)
_NEIGHBOUR = _object(page=_WHOLE, url=_TEXT, kind=_TEXT, state=_TEXT, title=_TEXT, element=_TEXT)
_MOMENT = _object(
    scan=_WHOLE,
    started=_TEXT,
    scan_state=_TEXT,
    page=_WHOLE,
    state=_TEXT,
    status=_maybe(_WHOLE),
    reason=_TEXT,
    title=_maybe(_TEXT),
    content_hash=_maybe(_WHOLE),
)
_FIELDS: dict[str, dict[str, Any]] = {
    "url": _TEXT,
    "kind": {"type": "string", "enum": [kind for kind in KINDS if kind != "all"]},
    "key": _TEXT,
    "fetch_url": _TEXT,
    "sources": _list(_TEXT),
    "found_on": _maybe(_TEXT),
    "region": _maybe(_TEXT),
    "title": _maybe(_TEXT),
    "depth": _maybe(_WHOLE),
    "hops": _WHOLE,
    "state": {"type": "string", "enum": ["discovered", "fetched", "failed", "deferred", "skipped"]},
    "status": _maybe(_WHOLE),
    "content_type": _maybe(_TEXT),
    "lastmod": _maybe(_TEXT),
    "language": _maybe(_TEXT),
    "clusters": {"type": ["array", "null"], "items": _TEXT},
    "priority": _maybe(_NUMBER),
    "importance": _maybe(_NUMBER),
    "verified": _FLAG,
    "first_seen": _maybe(_TEXT),
    "last_seen": _maybe(_TEXT),
    "reason": _maybe(_TEXT),
    "skip_scrape": _FLAG,
    "element": _maybe(_TEXT),
    "attribute": _maybe(_TEXT),
    "change": {"type": ["string", "null"], "enum": ["new", "changed", "gone", None]},
}
_PAGE = _object(number=_WHOLE, **{name: _FIELDS.get(name, {}) for name in FIELDS})
_COUNTED = _list(_object(value=_TEXT, count=_WHOLE))

SCHEMAS: dict[str, Any] = {
    "Problem": {
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {"type": _TEXT, "title": _TEXT, "status": _WHOLE, "detail": _TEXT, "name": _TEXT},
    },
    "Health": _object(state={"type": "string", "enum": ["alive"]}),
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
            "urls": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_SEEDS,
                "items": {"type": "string", "minLength": 1, "maxLength": MAX_SEED},
            },
            "preset": {"type": "string", "enum": list(PRESETS)},
            "settings": _ref("Settings"),
        },
    },
    "GoOn": {"type": "object", "additionalProperties": False, "properties": {"settings": _ref("Settings")}},
    "Scan": _object(**_SCAN),
    "ScanView": _object(
        **_SCAN,
        settings=_ANY,
        stages=_list(
            _object(
                name=_TEXT,
                state=_TEXT,
                urls=_WHOLE,
                seconds=_NUMBER,
                note=_TEXT,
                limit=_TEXT,
                at=_maybe(_TEXT),
            )
        ),
        progress=_maybe(_ANY),
        failure=_maybe(_TEXT),
        last_event=_WHOLE,
        skipped={"type": "object", "additionalProperties": _WHOLE},
        newest=_list(_TEXT),
    ),
    "ScanList": _object(scans=_list(_ref("Scan")), cursor=_maybe(_TEXT)),
    "Begun": _object(scan=_WHOLE),
    "Page": _PAGE,
    "PageList": _object(pages=_list(_ref("Page")), total=_WHOLE, is_estimate=_FLAG, cursor=_maybe(_TEXT), as_of=_TEXT),
    "PageView": _object(
        page=_ref("Page"),
        chain=_list(_STEP),
        outlinks=_list(_NEIGHBOUR),
        inlinks=_list(_NEIGHBOUR),
        headers={"type": "object", "additionalProperties": _TEXT},
        evidence=_list(_ref("Evidence")),
        history=_list(_MOMENT),
        reason=_TEXT,
        links_kept=_TEXT,
    ),
    "Facets": _object(
        total=_WHOLE,
        is_estimate=_FLAG,
        facets={"type": "object", "additionalProperties": _COUNTED},
        clusters=_list(_ref("Cluster")),
    ),
    "Cluster": _object(number=_WHOLE, name=_TEXT, kind=_TEXT, title=_TEXT, pages=_WHOLE),
    "Clusters": _object(clusters=_list(_ref("Cluster"))),
    "Explanation": _object(
        url=_TEXT,
        page={"anyOf": [_ref("Page"), {"type": "null"}]},
        chain=_list(_STEP),
        allowed=_FLAG,
        reason=_TEXT,
        sentence=_TEXT,
        shape=_maybe(_TEXT),
        rules=_list(_RULE),
    ),
    "Evidence": _object(
        kind=_TEXT,
        url=_TEXT,
        success=_FLAG,
        status=_maybe(_WHOLE),
        error=_TEXT,
        content=_ANY,
        started=_TEXT,
        finished=_TEXT,
        parent=_maybe(_WHOLE),
        number=_WHOLE,
    ),
    "EvidenceList": _object(evidence=_list(_ref("Evidence")), cursor=_maybe(_TEXT)),
    "Tree": _object(
        path=_TEXT,
        folders=_list(_object(name=_TEXT, path=_TEXT, pages=_WHOLE, own=_WHOLE)),
        pages=_list(_ref("Page")),
        more_folders=_maybe(_WHOLE),
        more_pages=_maybe(_WHOLE),
    ),
    "Sections": _object(
        sections=_list(_object(number=_WHOLE, parent=_maybe(_WHOLE), name=_TEXT, path=_TEXT, pages=_WHOLE, own=_WHOLE)),
        is_capped=_FLAG,
    ),
    "Graph": _object(
        pages=_list(
            _object(number=_WHOLE, url=_TEXT, title=_maybe(_TEXT), parent=_maybe(_WHOLE), depth=_maybe(_WHOLE))
        ),
        links=_list({"type": "array", "items": _WHOLE, "minItems": 2, "maxItems": 2}),
        is_capped=_FLAG,
        total=_WHOLE,
        links_kept=_TEXT,
    ),
    "Skipped": _object(
        reasons=_list(
            _object(
                reason=_TEXT,
                sentence=_TEXT,
                count=_WHOLE,
                kept=_WHOLE,
                examples=_list(_object(number=_WHOLE, url=_TEXT, found_on=_maybe(_TEXT), state=_TEXT, detail=_TEXT)),
            )
        )
    ),
    "Changes": _object(
        old=_WHOLE,
        new=_WHOLE,
        counts=_object(new=_WHOLE, changed=_WHOLE, gone=_WHOLE),
        is_capped=_FLAG,
        changes=_list(_object(change=_TEXT, url=_TEXT, title=_maybe(_TEXT), status=_maybe(_WHOLE), state=_TEXT)),
        cursor=_maybe(_TEXT),
    ),
    "SettingsTable": _object(
        presets={"type": "object", "additionalProperties": _ANY},
        settings=_list(_object(name=_TEXT, help=_TEXT, section=_TEXT, allowed=_TEXT, unit=_TEXT, default={})),
    ),
}
