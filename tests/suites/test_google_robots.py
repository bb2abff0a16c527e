"""Google's public test cases for robots.txt: all standard ones, and its own extensions that are useful elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headwater import parse_robots

FILE = Path(__file__).parents[3] / "shared" / "data" / "google-robots-spec.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())
STANDARD = [case for case in CASES if case["kind"] == "STANDARD"]

# Google applies a rule for /x/index.html to /x/ as well; RFC 9309 does not.
GOOGLE_ONLY = {("index-page.textproto", "http://foo.com/allowed-slash/")}
OTHERS = [case for case in CASES if case["kind"] != "STANDARD" and (case["file"], case["url"]) not in GOOGLE_ONLY]


def test_all_cases_are_present() -> None:
    assert (len(STANDARD), len(OTHERS)) == (378, 21)


@pytest.mark.parametrize(
    "case", STANDARD + OTHERS, ids=lambda case: ascii(f"{case['file']} {case['agent']} {case['url']}")
)
def test_allowed_as_google_expects(case: dict[str, Any]) -> None:
    robots = parse_robots(case["robots_latin1"].encode("latin-1"))
    assert robots.allows(case["agent"], case["url"]) is case["allowed"]
