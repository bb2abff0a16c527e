"""The crawl of files on disk that gives the true pages of documentation packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.recall.disk_crawl import Folder, crawl

if TYPE_CHECKING:
    from pathlib import Path


DISK = {
    "index.html": '<a href="a/">a</a><frameset><frame src="menu.html"></frameset><a href="http://other.example/x.html">',
    "menu.html": '<map><area href="a/leaf.html#part"></map><a href="http://["><a href="50%.html"><a href="moved.html">',
    "moved.html": '<meta http-equiv="refresh" content="0; url=target.html">',
    "target.html": "target",
    "a/index.html": '<base href="/b/"><a href="c.html">c</a>',
    "a/leaf.html": "leaf",
    "b/c.html": '<meta name="robots" content="noindex">',
    "searchindex.js": 'Search.setIndex({docnames:["notes/hidden","nothing"]})',
    "notes/hidden.html": "hidden",
    "old/searchindex.json": '{"doc_urls":["page.html"]}',
    "old/page.html": "in an index that no page uses",
    "50%.html": "the link to it is broken",
    "unlinked.html": "nothing links here",
}


def test_files_are_crawled_by_links_frames_refreshes_and_search_indexes(tmp_path: Path) -> None:
    for name, text in DISK.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    folder = Folder(tmp_path)
    reached = crawl(folder, "/")
    assert folder.html - reached.keys() == {"unlinked.html", "old/page.html", "50%.html"}
    assert {name for name, file in reached.items() if not file.is_page} == {"moved.html", "b/c.html"}
