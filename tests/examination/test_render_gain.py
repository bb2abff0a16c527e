"""Opening a page adds nothing if the page would be stored alike without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.examination.render_gain import adds_nothing
from headwater.model import DiscoveredUrl, Findings, PageFacts

STATIC = Findings([], links=(3, 5), title="T", language="en", new_pages=frozenset({7}), facts=PageFacts(heading="H"))
FOUND = DiscoveredUrl(1, "k", "u", "u", "page", 1, 0, "p", "content", "content", "a", "href", "")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"links": (5, 3, 3)}, True),
        ({"links": (5,), "new_pages": frozenset()}, True),
        ({"skipped": {"other-host": 2}, "content_hash": 9}, True),
        ({"title": "", "language": "", "facts": PageFacts()}, True),
        ({"found": [FOUND]}, False),
        ({"links": (3, 5, 8)}, False),
        ({"new_pages": frozenset({7, 8})}, False),
        ({"title": "Other"}, False),
        ({"canonical": "https://e.com/"}, False),
        ({"facts": PageFacts(heading="H2")}, False),
        ({"wall": "login-required"}, False),
        ({"cleared": (1,)}, False),
    ],
)
def test_additions(changes: dict[str, Any], expected: bool) -> None:
    assert adds_nothing(STATIC, STATIC._replace(**changes)) is expected
