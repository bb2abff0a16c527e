"""Script-built pages are read with a browser in a dive, and reported if there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.dive.content.page_renderer import find_rendered_urls
from headwater.model import Evidence
from tests.commands import headwater
from tests.sites.spa.next_like import VIEWS
from tests.sites.spa.site import serving

if TYPE_CHECKING:
    from pathlib import Path


def test_script_built_pages_are_read_with_a_browser(tmp_path: Path) -> None:
    db, folder = str(tmp_path / "d.db"), tmp_path / "out"
    common = ("--db", db, "--quiet", "--retries", "0", "--max-clicks", "0", "--max-pages", "3")
    with serving("next") as served:
        found = headwater("discover", served.origin, "-o", str(tmp_path / "x"), *common)
        assert found.code == 0, found.err
        dive = ("dive", "--match", "*", "--max-dive-pages", "3", "--db", db, "--embedder", "none", "--retries", "0")
        bare = headwater(*dive, "--browser", "/no/such/chromium")
        assert "0 of 3 pages" in bare.err
        wanting = "3 pages need a browser: /no/such/chromium was not found: apt install chromium"
        assert wanting in bare.err
        served.requests.clear()
        read = headwater(*dive, "--export", "md", "-o", str(folder))
        assert ("3 of 3 pages" in read.err, "browser" in read.err) == (True, False), read.err
        assert {request.method for request in served.requests} == {"GET"}
        never = headwater(*dive, "--render", "never")
        assert "no-content 3" in never.err
    full = (folder / "llms-full.txt").read_text()
    read_paths = re.findall(r"^Source: http://[^/]+(/.*)\n", full, re.MULTILINE)
    assert len(read_paths) == 3
    for path in read_paths:
        assert f"Source: {served.origin}{path}\n\n# {VIEWS[path].title}" in full


def test_pages_that_gained_nothing_from_the_browser_are_not_opened_again() -> None:
    probe, old_probe, gained, shell = (
        Evidence("render", url, content=content)
        for url, content in (
            ("https://e.com/probe", {"reason": "scripts may add to it", "added": 0}),
            ("https://e.com/old", {"why": "scripts may add to it", "added": 0}),
            ("https://e.com/gained", {"reason": "scripts may add to it", "added": 2}),
            ("https://e.com/shell", {"reason": "almost empty", "added": 0}),
        )
    )
    assert find_rendered_urls([probe, old_probe, gained, shell]) == {gained.url, shell.url}
