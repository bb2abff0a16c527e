"""The shapes of what the API says of a fleet."""

from __future__ import annotations

from typing import Any

from headwater.settings import PRESETS
from headwater.web.fleet.handlers import LONGEST, MAX_SITES, SHORTEST, URGENCY
from headwater.web.jobs.allowed_settings import MAX_SEED
from headwater.web.serving.json_schema import FLAG, NUMBER, TEXT, WHOLE, list_of, maybe, record, ref, urls_of

_URGENCY = {"type": "integer", "minimum": -URGENCY, "maximum": URGENCY}
_EVERY = {"type": ["number", "null"], "minimum": SHORTEST, "maximum": LONGEST}

FLEET_SCHEMAS: dict[str, Any] = {
    "Fleet": record(
        sites={"type": "object", "additionalProperties": WHOLE},
        due=WHOLE,
        queue=record(waiting=WHOLE, doing=WHOLE, failed=WHOLE),
        pages_per_second=NUMBER,
        workers=list_of(
            record(
                name=TEXT, age=NUMBER, silent=NUMBER, pages=WHOLE, slices=WHOLE, sites=WHOLE, rate=NUMBER,
                working=list_of(TEXT),
            )
        ),
        trouble=list_of(record(site=WHOLE, seed=TEXT, state=TEXT, failures=WHOLE, error=TEXT, idle=NUMBER)),
    ),
    "Site": record(
        number=WHOLE, seeds=list_of(TEXT), state=TEXT, priority=WHOLE, due=maybe(TEXT), every=maybe(NUMBER),
        is_fixed=FLAG, pace=maybe(NUMBER), pages=WHOLE, scans=WHOLE, slices=WHOLE, failures=WHOLE, error=TEXT,
        touched=TEXT, worker=maybe(TEXT), recent=list_of(record(number=WHOLE, state=TEXT, started=TEXT)),
    ),
    "SiteList": record(sites=list_of(ref("Site")), cursor=maybe(TEXT)),
    "Submitted": record(new=WHOLE, again=WHOLE, known=WHOLE),
    "NewSites": {
        "type": "object",
        "required": ["urls"],
        "additionalProperties": False,
        "properties": {
            "urls": urls_of(MAX_SITES, MAX_SEED),
            "preset": {"type": "string", "enum": list(PRESETS)},
            "settings": ref("Settings"),
            "priority": _URGENCY,
            "every": _EVERY,
            "fixed": FLAG,
        },
    },
    "SiteWish": {
        "type": "object",
        "additionalProperties": False,
        "properties": {"priority": _URGENCY, "every": _EVERY, "fixed": FLAG},
        "anyOf": [{"required": ["priority"]}, {"required": ["every"]}],
    },
}  # fmt: skip
