"""The shapes of what the API answers about dives."""

from __future__ import annotations

from typing import Any

from headwater.dive.progress_events import STAGES
from headwater.web.dives.actions import MAX_QUESTION_LENGTH, MAX_SELECTOR_LENGTH, MAX_SELECTORS
from headwater.web.serving.json_schema import BOOLEAN, INTEGER, NUMBER, STRING, array_of, nullable, ref, strict_object

_DIVE = {
    "number": INTEGER,
    "scan": INTEGER,
    "name": STRING,
    "seeds": array_of(STRING),
    "clusters": array_of(STRING),
    "match": array_of(STRING),
    "all_languages": BOOLEAN,
    "state": {"type": "string", "enum": ["queued", "running", "stalled", "done", "interrupted"]},
    "is_live": BOOLEAN,
    "is_here": BOOLEAN,
    "started": STRING,
    "finished": nullable(STRING),
    "pages": INTEGER,
    "read": INTEGER,
    "waiting": INTEGER,
    "passages": INTEGER,
    "vectors": INTEGER,
    "embedder": STRING,
}
_STAGE = strict_object(
    name={"type": "string", "enum": list(STAGES)},
    state={"type": "string", "enum": ["waiting", "running", "done", "interrupted", "skipped"]},
    done=INTEGER,
    total=INTEGER,
    count=INTEGER,
    note=STRING,
    seconds=nullable(NUMBER),
)
_PAGE = {
    "number": INTEGER,
    "url": STRING,
    "title": STRING,
    "language": STRING,
    "published": STRING,
    "modified": STRING,
    "read_at": nullable(STRING),
}
_SELECTORS = {
    "type": "array",
    "maxItems": MAX_SELECTORS,
    "items": {"type": "string", "minLength": 1, "maxLength": MAX_SELECTOR_LENGTH},
}

DIVE_SCHEMAS: dict[str, Any] = {
    "NewDive": {
        "type": "object",
        "required": ["scan"],
        "anyOf": [{"required": [name], "properties": {name: {"minItems": 1}}} for name in ("clusters", "match")],
        "additionalProperties": False,
        "properties": {
            "scan": {"type": "integer", "minimum": 1, "maximum": (1 << 53) - 1},
            "clusters": {**_SELECTORS, "description": "Clusters by name or title; with match, pages must fit both"},
            "match": {**_SELECTORS, "description": "Patterns of URLs: /docs/*, or re: and an expression"},
            "all_languages": {**BOOLEAN, "description": "Read pages in other languages too"},
            "settings": ref("Settings"),
        },
    },
    "Question": {
        "type": "object",
        "required": ["question"],
        "additionalProperties": False,
        "properties": {
            "question": {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION_LENGTH},
            "keep": {
                **BOOLEAN,
                "description": "Whether it joins the dive's conversation; it does unless told otherwise",
            },
        },
    },
    "BegunDive": strict_object(dive=INTEGER),
    "Dive": strict_object(**_DIVE),
    "DiveList": strict_object(dives=array_of(ref("Dive")), cursor=nullable(STRING)),
    "DiveView": strict_object(
        **_DIVE,
        stages=array_of(_STAGE),
        reasons=array_of(strict_object(reason=STRING, sentence=STRING, count=INTEGER)),
        failure=STRING,
    ),
    "DocumentList": strict_object(
        documents=array_of(strict_object(**_PAGE, state=STRING, reason=STRING, sentence=STRING)),
        cursor=nullable(STRING),
    ),
    "Document": strict_object(
        **_PAGE,
        canonical=STRING,
        headings=array_of(strict_object(level=INTEGER, text=STRING, anchor=STRING)),
        markdown=STRING,
    ),
    "SearchResults": strict_object(
        note=STRING,
        hits=array_of(
            strict_object(
                url=STRING,
                page_url=STRING,
                title=STRING,
                heading=STRING,
                language=STRING,
                passage=STRING,
                word_rank=nullable(INTEGER),
                meaning_rank=nullable(INTEGER),
                similarity=nullable(NUMBER),
            )
        ),
    ),
    "Conversation": strict_object(
        messages=array_of(
            strict_object(
                role={"type": "string", "enum": ["user", "assistant"]},
                text=STRING,
                citations=array_of(
                    strict_object(number=INTEGER, url=STRING, page_url=STRING, heading=STRING, passage=STRING)
                ),
                at=STRING,
            )
        )
    ),
    "Forgotten": strict_object(forgotten=INTEGER),
}
