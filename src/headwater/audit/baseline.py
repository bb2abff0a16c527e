"""Read the issues of an earlier report, so that only new ones are reported."""

from __future__ import annotations

import json


def parse_baseline(text: str) -> frozenset[tuple[str, str]]:
    """Return pairs of rule and URL from a report in JSON; raise ValueError if it is something else."""
    try:
        report = json.loads(text)
        return frozenset((rule["rule"], issue["url"]) for rule in report["rules"] for issue in rule["issues"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("not a report of `headwater audit --format json`") from error
