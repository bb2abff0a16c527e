"""Sites with known page sets, scanned by default: every page is listed, and nothing else.

`make recall` does the same on many more sites, most of them made by real generators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.recall.score import score
from bench.recall.server import serving
from bench.recall.sites import SITES

from tests.commands import headwater

if TYPE_CHECKING:
    from pathlib import Path

NAMES = (
    "linked-feeds", "paged-feed", "inline-data", "forms", "frames", "parents", "facets", "calendar", "tracking",
    "mediawiki", "wordpress", "sitemap-orphans",
)  # fmt: skip
SITES_BY_NAME = {site.name: site for site in SITES}


@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_listed_and_nothing_else(name: str, tmp_path: Path) -> None:
    site = SITES_BY_NAME[name].open()
    with serving(site.answer) as (origin, traffic):
        result = headwater(origin + site.start, "--quiet", cwd=tmp_path)
        found = score(site, origin, result.out.split())
    assert (result.code, found.missed, found.wrong, found.repeated) == (0, [], [], [])
    assert traffic.requests <= 3 * found.pages + 20
