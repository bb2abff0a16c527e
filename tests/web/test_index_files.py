"""Index files of a PostgreSQL store: a temporary folder with a size limit, deleted at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.web.serving.index_files import IndexFiles

if TYPE_CHECKING:
    from pathlib import Path


def test_files_beside_a_sqlite_store_are_kept(tmp_path: Path) -> None:
    files = IndexFiles(str(tmp_path / "x.db"), max_bytes=0, in_use_seconds=0)
    files.path(7).write_bytes(b"x" * 100)
    files.evict_unused()
    files.close()
    assert [path.name.startswith("x.db-index") for path in tmp_path.iterdir()] == [True]


def test_the_least_recently_used_files_are_deleted_first() -> None:
    files = IndexFiles("postgresql:///x", max_bytes=250, in_use_seconds=0)
    for scan in (1, 2, 3):
        files.path(scan).write_bytes(b"x" * 100)
    files.path(1)
    files.evict_unused()
    assert [files.path(scan).is_file() for scan in (1, 2, 3)] == [True, False, True]
    folder = files.path(1).parent
    assert folder.stat().st_mode & 0o077 == 0
    files.close()
    assert not folder.exists()


def test_a_file_in_use_is_kept_above_the_size_limit() -> None:
    files = IndexFiles("postgresql:///x", max_bytes=50)
    files.path(1).write_bytes(b"x" * 100)
    files.evict_unused()
    assert files.path(1).is_file()
    files.close()
