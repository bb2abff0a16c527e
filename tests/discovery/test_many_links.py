"""Pages with very many links: their number is limited, and other tasks are not blocked."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.settings import build_settings
from headwater.store import MemoryStore
from tests.commands import running, until
from tests.sites.graph_site import serving
from tests.watchdog import watchdog

if TYPE_CHECKING:
    from pathlib import Path

LINKS = 200_000
PROMISED_BLOCK = 1.0


def huge_page(path: str) -> str | None:
    return "".join(f'<a href="/p/{number}.html">{number}</a>' for number in range(LINKS)) if path == "/" else None


def test_a_page_with_200000_links_does_not_block_the_event_loop() -> None:
    async def work(origin: str) -> dict[str, int]:
        settings = build_settings({"preset": "crawl", "max_pages": 1})
        store = MemoryStore()
        task = ScanTask(store, store.create_scan([origin], {}), settings)
        async with watchdog(10 * PROMISED_BLOCK):
            result = await ScanRunner(task).crawl(analyzes_links=False)
        return dict(result.counts.skipped)

    with serving(huge_page) as site:
        skipped = asyncio.run(work(f"{site.origin}/"))
    assert skipped["too-many-links"] == LINKS - 50_000


def test_ctrl_c_works_while_such_a_page_is_examined(tmp_path: Path) -> None:
    with serving(huge_page) as site, running(tmp_path, "crawl", f"{site.origin}/", "--quiet") as command:
        until(lambda: site.hits["/"])
        assert command.interrupt() == 130


def test_the_watchdog_detects_blocking_code() -> None:
    async def work() -> None:
        async with watchdog(0.1):
            end = time.process_time() + 0.5
            while time.process_time() < end:
                pass

    with pytest.raises(AssertionError, match=r"time\.process_time\(\) < end"):
        asyncio.run(work())
