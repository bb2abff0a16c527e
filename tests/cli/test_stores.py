"""Commands create no needless store, never overwrite one, and do not run the same scan twice at once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from headwater.store import SqliteStore
from tests.commands import headwater, running, until
from tests.sites.many_sites import many_sites
from tests.sites.table_site import table_site

if TYPE_CHECKING:
    from pathlib import Path

PAGES = {"/": '<a href="/a">a</a><a href="/b">b</a>', "/a": "a", "/b": "b"}
QUICK_FLAGS = ("--retries", "0", "--render", "never", "--quiet")


@pytest.mark.parametrize("command", [("resume",), ("export",), ("diff",), ("explain", "https://e.com/")])
def test_a_missing_store_is_not_created(command: tuple[str, ...], tmp_path: Path) -> None:
    result = headwater(*command, "--db", "missing.db", cwd=tmp_path)
    assert (result.code, "missing.db does not exist" in result.err) == (2, True), result.err
    assert list(tmp_path.iterdir()) == []


def test_the_store_is_never_overwritten_by_output(tmp_path: Path) -> None:
    with table_site(lambda _: PAGES) as site:
        headwater("discover", site.origin, "--db", "x.db", *QUICK_FLAGS, cwd=tmp_path)
        for command in (("discover", site.origin), ("crawl", site.origin), ("export",), ("resume",), ("diff",)):
            result = headwater(*command, "--db", "x.db", "-o", f"../{tmp_path.name}/x.db", cwd=tmp_path)
            assert (result.code, "is the store that --db names" in result.err) == (2, True), result.err
        assert site.hits["/"] == 1
    assert len(headwater("export", "--db", "x.db", cwd=tmp_path).out.splitlines()) == 3


def test_pages_that_an_unfinished_scan_has_not_visited_are_not_gone(tmp_path: Path) -> None:
    with table_site(lambda _: PAGES) as site:
        for _ in range(2):
            headwater("discover", site.origin, "--db", "x.db", *QUICK_FLAGS, cwd=tmp_path)
        store = SqliteStore(str(tmp_path / "x.db"))
        cut_off = store.create_scan([site.origin], {}).number
        store.finish_scan(cut_off, "interrupted")
        store.close()
    result = headwater("diff", "--db", "x.db", cwd=tmp_path)
    assert (result.code, result.out) == (0, ""), result.out
    named = headwater("diff", "1", str(cut_off), "--db", "x.db", cwd=tmp_path)
    assert "is interrupted: pages it has not visited do not count as gone" in named.err


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
@pytest.mark.parametrize("sites", [1, 2])
def test_a_running_scan_cannot_be_resumed_by_another_process(
    sites: int, backend: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The scan can be resumed as soon as the first process has ended, even if it was killed."""
    db = request.getfixturevalue("database") if backend == "postgres" else "x.db"
    with many_sites(2, 30, 0.0, tmp_path) as served:
        command = ("discover", *served.origins[:sites], "--db", db, "--max-parallel", "2", *QUICK_FLAGS)
        with served.held(after=12), running(tmp_path, *command, cwd=tmp_path) as first:
            until(lambda: len(served.hits()) > 6)
            second = headwater("resume", "--db", db, "--quiet", cwd=tmp_path)
            assert (second.code, "is running in another process" in second.err) == (2, True), second.err
            first.kill()
        until(lambda: headwater("resume", "--db", db, "--max-parallel", "20", "--quiet", cwd=tmp_path).code == 0)
        assert max(Counter((hit.port, hit.path) for hit in served.hits() if hit.path.startswith("/p")).values()) <= 2
    assert not list(tmp_path.glob("*.lock"))


def test_explain_uses_the_store_of_the_environment(tmp_path: Path) -> None:
    with table_site(lambda _: PAGES) as site:
        headwater("discover", site.origin, "--db", "x.db", *QUICK_FLAGS, cwd=tmp_path)
    result = headwater("explain", f"{site.origin}/a", environment={"HEADWATER_DB": "x.db"}, cwd=tmp_path)
    assert "fetched 200; sources: content-link" in result.out, result.err
