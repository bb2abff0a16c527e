"""Read the index files of site generators and the APIs of CMSs that the pages of a site name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.model import FetchFailure, Request, SourceMetadata
from headwater.pages.site_indexes import IndexFile, parse_index
from headwater.urls.parsing import get_authority, resolve

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext
    from headwater.discovery.visits.index_queue import IndexQueue, QueuedFile

MAX_CONCURRENT_FILES = 4
MAX_FAILURES = 3
"""Files of one kind that may fail, or feeds that may list nothing new, before the others are left unread."""

MAX_FILE_BYTES = 20_000_000
"""Parsed JSON takes up to 21 times the memory of its text."""

SOURCE = "index"


class IndexReader:
    """Reads queued files and the files they name, until none is left."""

    def __init__(self, context: ScanContext, queue: IndexQueue) -> None:
        self._context, self._queue = context, queue
        self._limits = SourceLimits(context.settings)
        self._failures: dict[str, int] = {}

    async def read_all(self) -> int:
        """Read every queued file; return the number of pages listed."""
        count = 0
        while (files := self._queue.take()) and not self._context.deadline.is_over:
            for start in range(0, len(files), MAX_CONCURRENT_FILES):
                batch = files[start : start + MAX_CONCURRENT_FILES]
                count += sum(await asyncio.gather(*map(self._read, batch)))
        return count

    async def _read(self, queued: QueuedFile) -> int:
        """Read one file; return the number of pages it lists."""
        file = queued.file
        if self._failures.get(file.kind, 0) >= MAX_FAILURES:
            self._queue.record_result(queued, "not read: too many files of this kind failed or listed nothing new")
            return 0
        if self._is_paused(file.url):
            return 0  # it stays unread, and a resumed scan reads it
        if await self._context.is_disallowed(file.url):
            self._queue.record_result(queued, "Disallowed by robots.txt")
            return 0
        timeout = self._context.settings.sitemap_timeout
        result = await self._context.stack.file_fetcher.fetch(Request(file.url, "sitemap", timeout=timeout))
        if isinstance(result, FetchFailure):
            self._failures[file.kind] = self._failures.get(file.kind, 0) + 1
            self._queue.record_result(queued, f"{result.reason} {result.detail}".strip())
            return 0
        if len(result.body) > MAX_FILE_BYTES:
            self._queue.record_result(queued, "too-large")
            return 0
        try:
            parsed = parse_index(IndexFile(file.kind, result.url), result.body)
        except Exception as error:  # noqa: BLE001  (one file that cannot be parsed must not end the crawl)
            self._queue.record_result(queued, f"{type(error).__name__}: {error}"[:300])
            return 0
        collector = UrlCollector(self._context, SOURCE, SourceMetadata(queued.number), self._limits)
        for page in parsed.pages:
            collector.add(page.url, text=page.title)
        known = self._context.store.count_listed(self._context.scan)
        collector.flush()
        has_news = self._context.store.count_listed(self._context.scan) > known
        if file.kind == "feed" and not has_news:
            self._failures[file.kind] = self._failures.get(file.kind, 0) + 1
        self._queue.add(parsed.files if has_news or file.kind != "feed" else ())
        self._queue.record_result(queued, "read", collector.count)
        return collector.count

    def _is_paused(self, url: str) -> bool:
        """Return True if the host asked for a pause that is longer than a request may take."""
        start = self._context.stack.polite.get_rate_limiter(get_authority(url)).get_next_start() or 0.0
        return start - asyncio.get_running_loop().time() > self._context.settings.sitemap_timeout


def list_usual_files(context: ScanContext) -> list[IndexFile]:
    """Return the files that any site may have: `llms.txt` of each host."""
    urls = (resolve("/llms.txt", url) for url in context.entry_urls)
    return [IndexFile("llms-txt", url) for url in dict.fromkeys(urls) if url]
