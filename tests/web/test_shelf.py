"""The files of a server's scans lie in a folder that is never too full and does not outlive the process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.web.serving.index_files import IndexFiles

if TYPE_CHECKING:
    from pathlib import Path


def test_beside_a_file_they_stay(tmp_path: Path) -> None:
    shelf = IndexFiles(str(tmp_path / "x.db"), room=0, in_use=0)
    shelf.path(7).write_bytes(b"x" * 100)
    shelf.make_room()
    shelf.close()
    assert [path.name.startswith("x.db-look") for path in tmp_path.iterdir()] == [True]


def test_of_a_server_the_least_used_go_first() -> None:
    shelf = IndexFiles("postgresql:///x", room=250, in_use=0)
    for scan in (1, 2, 3):
        shelf.path(scan).write_bytes(b"x" * 100)
    shelf.path(1)
    shelf.make_room()
    assert [shelf.path(scan).is_file() for scan in (1, 2, 3)] == [True, False, True]
    folder = shelf.path(1).parent
    assert folder.stat().st_mode & 0o077 == 0
    shelf.close()
    assert not folder.exists()


def test_what_is_looked_at_stays_however_full_it_is() -> None:
    shelf = IndexFiles("postgresql:///x", room=50)
    shelf.path(1).write_bytes(b"x" * 100)
    shelf.make_room()
    assert shelf.path(1).is_file()
    shelf.close()
