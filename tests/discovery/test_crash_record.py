"""A page that crashes the process is skipped after three crashes; the rest of the site is found."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from headwater.discovery.visits.crash_record import CrashRecord
from headwater.store import SqliteStore
from tests.commands import headwater
from tests.sites.table_site import table_site

if TYPE_CHECKING:
    from pathlib import Path

# A parser that crashes on one page without an error message, as a faulty library would.
DEADLY_PARSER = """
import os
import headwater.examination.examiner as examine
parse = examine.parse_html
def deadly(body, charset=""):
    if b"DEADLY" in body:
        os.kill(os.getpid(), 9)
    return parse(body, charset)
examine.parse_html = deadly
"""
DEADLY_COMMAND = f"""{DEADLY_PARSER}
import sys
from headwater.cli import main
sys.argv = ["headwater", *sys.argv[1:]]
main()
"""


def test_a_page_is_skipped_after_three_crashes(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    links = '<a href="/deadly">d</a>' + "".join(f'<a href="/p{number}">p</a>' for number in range(20))
    pages = {f"/p{number}": "fine" for number in range(20)}
    with table_site(lambda _: {"/": links, "/deadly": "DEADLY", **pages}) as site:
        run = [sys.executable, "-c", DEADLY_COMMAND]
        assert subprocess.run([*run, "crawl", site.origin, "--db", db, "--quiet"], check=False).returncode == -9
        codes = [subprocess.run([*run, "resume", "--db", db, "--quiet"], check=False).returncode for _ in range(3)]
        assert codes == [-9, -9, 0]
        assert site.hits["/deadly"] == 3
    rows = headwater("export", "--db", db, "--list", "broken", "--format", "csv").out
    assert "quarantined" in rows
    store = SqliteStore(db)
    counts = store.counts(1)
    assert (counts.fetched, counts.failed, counts.candidates) == (21, 1, 0)
    assert not list(tmp_path.glob("x.db-examining*"))


def test_a_record_of_another_scan_is_ignored(tmp_path: Path) -> None:
    path = str(tmp_path / "note")
    CrashRecord(path).note(7, 42)
    assert CrashRecord(path).take_crashed_page(8) is None
    CrashRecord(path).note(7, 42)
    assert CrashRecord(path).take_crashed_page(7) == 42
    assert CrashRecord(path).take_crashed_page(7) is None
    assert CrashRecord().take_crashed_page(7) is None


def test_the_file_is_filled_before_it_is_mapped(tmp_path: Path) -> None:
    """Writing to a hole in a mapped file kills the process if the disk is full."""
    path = tmp_path / "note"
    with CrashRecord(str(path)), path.open("rb") as file:
        assert os.lseek(file.fileno(), 0, os.SEEK_DATA) == 0
    assert not path.exists()


def test_a_scan_runs_without_a_crash_record(tmp_path: Path) -> None:
    with CrashRecord(str(tmp_path / "missing" / "note")) as note:
        note.note(1, 7)
        assert note.take_crashed_page(1) is None
