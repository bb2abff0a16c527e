"""Progress lines on a terminal."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.commands import PATIENCE, running, until
from tests.sites.graph_site import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def slow_site() -> Iterator[tuple[str, threading.Event]]:
    """Serve three pages; all but the first load only after the event is set."""
    may_answer = threading.Event()

    def page(path: str) -> str | None:
        if path in {"/second", "/third"}:
            may_answer.wait(PATIENCE)
        links = '<a href="/second">Second</a><a href="/third">Third</a>'
        return {"/": links, "/second": "Two", "/third": "Three"}.get(path)

    with serving(page) as site:
        try:
            yield site.origin, may_answer
        finally:
            may_answer.set()


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("crawl",), "2 pages  "),
        (("discover", "--render", "never"), "▸ crawl      2 pages  "),
    ],
)
def test_a_line_shows_the_progress_of_a_scan(command: tuple[str, ...], line: str, tmp_path: Path) -> None:
    with slow_site() as (origin, may_answer):
        with running(tmp_path, *command, origin, "--max-parallel", "1", cwd=tmp_path, has_terminal=True) as scan:
            until(lambda: line in scan.err)
            may_answer.set()
            assert scan.wait() == 0
        until(lambda: "3 pages" in scan.err)


def test_a_line_shows_the_progress_of_a_list_of_sites(tmp_path: Path) -> None:
    with (
        slow_site() as (first, first_may),
        slow_site() as (second, second_may),
        running(tmp_path, "discover", first, second, cwd=tmp_path, has_terminal=True) as scan,
    ):
        until(lambda: "0 of 2 sites done  2 running  0 failed" in scan.err)
        first_may.set()
        until(lambda: "1 of 2 sites done  1 running  0 failed" in scan.err)
        second_may.set()
        assert scan.wait() == 0


def test_quiet_shows_no_progress(tmp_path: Path) -> None:
    with slow_site() as (origin, may_answer):
        may_answer.set()
        with running(tmp_path, "crawl", origin, "--quiet", cwd=tmp_path, has_terminal=True) as scan:
            assert scan.wait() == 0
        assert scan.err == ""
