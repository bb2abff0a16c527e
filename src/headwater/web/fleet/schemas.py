"""The shapes of what the API says of a fleet."""

from __future__ import annotations

from typing import Any

from headwater.settings import PRESETS
from headwater.web.fleet.handlers import LONGEST, MAX_PRIORITY, MAX_SITES, SHORTEST
from headwater.web.jobs.allowed_settings import MAX_SEED_LENGTH
from headwater.web.serving.json_schema import (
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

_PRIORITY = {"type": "integer", "minimum": -MAX_PRIORITY, "maximum": MAX_PRIORITY}
_INTERVAL = {"type": ["number", "null"], "minimum": SHORTEST, "maximum": LONGEST}

FLEET_SCHEMAS: dict[str, Any] = {
    "Fleet": strict_object(
        sites={"type": "object", "additionalProperties": INTEGER},
        due=INTEGER,
        queue=strict_object(waiting=INTEGER, doing=INTEGER, failed=INTEGER),
        pages_per_second=NUMBER,
        workers=array_of(
            strict_object(
                name=STRING, age=NUMBER, silent=NUMBER, pages=INTEGER, slices=INTEGER, sites=INTEGER, rate=NUMBER,
                working=array_of(STRING),
            )
        ),
        trouble=array_of(strict_object(site=INTEGER, seed=STRING, state=STRING, failures=INTEGER, error=STRING, idle=NUMBER)),
    ),
    "Site": strict_object(
        number=INTEGER, seeds=array_of(STRING), state=STRING, priority=INTEGER, due=nullable(STRING), every=nullable(NUMBER),
        is_fixed=BOOLEAN, pace=nullable(NUMBER), pages=INTEGER, scans=INTEGER, slices=INTEGER, failures=INTEGER, error=STRING,
        touched=STRING, worker=nullable(STRING), recent=array_of(strict_object(number=INTEGER, state=STRING, started=STRING)),
    ),
    "SiteList": strict_object(sites=array_of(ref("Site")), cursor=nullable(STRING)),
    "Submitted": strict_object(new=INTEGER, again=INTEGER, known=INTEGER),
    "NewSites": {
        "type": "object",
        "required": ["urls"],
        "additionalProperties": False,
        "properties": {
            "urls": array_of_urls(MAX_SITES, MAX_SEED_LENGTH),
            "preset": {"type": "string", "enum": list(PRESETS)},
            "settings": ref("Settings"),
            "priority": _PRIORITY,
            "every": _INTERVAL,
            "fixed": BOOLEAN,
        },
    },
    "SiteWish": {
        "type": "object",
        "additionalProperties": False,
        "properties": {"priority": _PRIORITY, "every": _INTERVAL, "fixed": BOOLEAN},
        "anyOf": [{"required": ["priority"]}, {"required": ["every"]}],
    },
}  # fmt: skip
