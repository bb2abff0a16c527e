"""The public web-platform-tests for URLs: `resolve` agrees with browsers on every http(s) case."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from headwater import resolve

FILE = Path(__file__).parents[3] / "shared" / "data" / "wpt-urltestdata.json"
_HTTP = re.compile(r"\s*https?:", re.IGNORECASE)


def _applies(case: object) -> bool:
    return isinstance(case, dict) and any(_HTTP.match(case[name] or "") for name in ("input", "base"))


CASES = [case for case in json.loads(FILE.read_text("utf-8", "surrogatepass")) if _applies(case)]


def test_all_cases_are_present() -> None:
    assert len(CASES) >= 435


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(f"{case['input']} on {case['base']}"))
def test_resolves_as_a_browser_does(case: dict[str, str | None]) -> None:
    expected = case.get("href")
    if expected is not None and not expected.startswith(("http:", "https:")):
        expected = None
    assert resolve(str(case["input"]), case["base"]) == expected
