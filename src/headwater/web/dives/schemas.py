"""The shapes of what the API answers about dives."""

from __future__ import annotations

from typing import Any

from headwater.dive.progress import STAGES
from headwater.web.dives.actions import MAX_PART, MAX_PARTS, MAX_QUESTION
from headwater.web.serving.json_schema import FLAG, NUMBER, TEXT, WHOLE, list_of, maybe, record, ref

_DIVE = {
    "number": WHOLE,
    "scan": WHOLE,
    "name": TEXT,
    "seeds": list_of(TEXT),
    "clusters": list_of(TEXT),
    "match": list_of(TEXT),
    "all_languages": FLAG,
    "state": {"type": "string", "enum": ["queued", "running", "stalled", "done", "interrupted"]},
    "is_live": FLAG,
    "is_here": FLAG,
    "started": TEXT,
    "finished": maybe(TEXT),
    "pages": WHOLE,
    "read": WHOLE,
    "waiting": WHOLE,
    "passages": WHOLE,
    "vectors": WHOLE,
    "embedder": TEXT,
}
_STAGE = record(
    name={"type": "string", "enum": list(STAGES)},
    state={"type": "string", "enum": ["waiting", "running", "done", "interrupted", "skipped"]},
    done=WHOLE,
    total=WHOLE,
    count=WHOLE,
    note=TEXT,
    seconds=maybe(NUMBER),
)
_PAGE = {
    "number": WHOLE,
    "url": TEXT,
    "title": TEXT,
    "language": TEXT,
    "published": TEXT,
    "modified": TEXT,
    "read_at": maybe(TEXT),
}
_NAMES = {
    "type": "array",
    "maxItems": MAX_PARTS,
    "items": {"type": "string", "minLength": 1, "maxLength": MAX_PART},
}

DIVE_SCHEMAS: dict[str, Any] = {
    "NewDive": {
        "type": "object",
        "required": ["scan"],
        "anyOf": [{"required": [name], "properties": {name: {"minItems": 1}}} for name in ("clusters", "match")],
        "additionalProperties": False,
        "properties": {
            "scan": {"type": "integer", "minimum": 1, "maximum": (1 << 53) - 1},
            "clusters": {**_NAMES, "description": "Clusters by name or title; with match, pages must fit both"},
            "match": {**_NAMES, "description": "Patterns of URLs: /docs/*, or re: and an expression"},
            "all_languages": {**FLAG, "description": "Read pages in other languages too"},
            "settings": ref("Settings"),
        },
    },
    "Question": {
        "type": "object",
        "required": ["question"],
        "additionalProperties": False,
        "properties": {
            "question": {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION},
            "keep": {**FLAG, "description": "Whether it joins the dive's conversation; it does unless told otherwise"},
        },
    },
    "BegunDive": record(dive=WHOLE),
    "Dive": record(**_DIVE),
    "DiveList": record(dives=list_of(ref("Dive")), cursor=maybe(TEXT)),
    "DiveView": record(
        **_DIVE,
        stages=list_of(_STAGE),
        reasons=list_of(record(reason=TEXT, sentence=TEXT, count=WHOLE)),
        failure=TEXT,
    ),
    "DocumentList": record(
        documents=list_of(record(**_PAGE, state=TEXT, reason=TEXT, sentence=TEXT)), cursor=maybe(TEXT)
    ),
    "Document": record(
        **_PAGE, canonical=TEXT, headings=list_of(record(level=WHOLE, text=TEXT, anchor=TEXT)), markdown=TEXT
    ),
    "SearchResults": record(
        note=TEXT,
        hits=list_of(
            record(
                url=TEXT,
                page_url=TEXT,
                title=TEXT,
                heading=TEXT,
                language=TEXT,
                passage=TEXT,
                word_rank=maybe(WHOLE),
                meaning_rank=maybe(WHOLE),
                similarity=maybe(NUMBER),
            )
        ),
    ),
    "Conversation": record(
        messages=list_of(
            record(
                role={"type": "string", "enum": ["user", "assistant"]},
                text=TEXT,
                citations=list_of(record(number=WHOLE, url=TEXT, page_url=TEXT, heading=TEXT, passage=TEXT)),
                at=TEXT,
            )
        )
    ),
    "Forgotten": record(forgotten=WHOLE),
}
