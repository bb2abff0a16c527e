"""The screen of a scan and the API explain why it found few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater import discover
from headwater.store.factory import open_browse_store
from headwater.web.scans.screens import render_scan_screen
from headwater.web.scans.views import make_scan_view
from tests.sites.table_site import table_site

if TYPE_CHECKING:
    from pathlib import Path


def test_the_screen_of_a_scan_shows_the_causes(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with table_site(lambda _: {"/": "<title>Empty</title>&lt;"}) as site:
        discover(site.origin, db=db, render="never").store.close()
    store = open_browse_store(db)
    try:
        scan = store.last_scan()
        assert scan is not None
        view = make_scan_view(store, scan)
    finally:
        store.close()
    assert view.diagnosis[0].startswith("The pages that loaded link to no further pages.")
    screen = bytes(render_scan_screen("scans/scan.html", scan, "scan", view=view, can_resume=False).body).decode()
    assert "Why so few pages?" in screen
    assert view.diagnosis[1] in screen
