"""A page that crashes the workers is quarantined; the rest of the site is found."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.commands import PATIENCE, until
from tests.discovery.test_crash_record import DEADLY_PARSER
from tests.sites.table_site import table_site
from tests.worker.fleets import TestFleet

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_page_is_quarantined_after_three_crashes(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(DEADLY_PARSER)  # every Python process loads it
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    fleet = TestFleet(database, tmp_path)
    links = '<a href="/deadly">d</a>' + "".join(f'<a href="/p{number}">p</a>' for number in range(20))
    pages = {f"/p{number}": "fine" for number in range(20)}
    with table_site(lambda _: {"/": links, "/deadly": "DEADLY", **pages}) as site:
        fleet.run("submit", site.origin, "--stages", "crawl")
        with fleet.running_worker("--stall-limit", "5"):
            until(lambda: fleet.states() == {"done": 1}, 4 * PATIENCE)  # four processes start one after the other
    # A fourth visit would be a fourth crash.
    assert fleet.query("SELECT url, deaths FROM page WHERE reason = 'quarantined'") == [(f"{site.origin}/deadly", 3)]
    assert fleet.query_value("SELECT count(*) FROM page WHERE state = 1") == 21
