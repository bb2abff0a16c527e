"""Read the index files of site generators and the APIs of CMSs that the pages of a site name."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from headwater.discovery.stages.archive_cache import find_stored_list
from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.discovery.visits.index_queue import get_source
from headwater.model import FetchFailure, Hint, Request, Response, SourceMetadata
from headwater.pages.site_indexes import ARCHIVE_KINDS, COUNTED_KINDS, IndexFile, list_possible_pages, parse_index
from headwater.pages.site_indexes.archives import build_common_crawl_file, build_wayback_file
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_url
from headwater.urls.parsing import get_authority, resolve

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext
    from headwater.discovery.visits.hint_queue import HintQueue
    from headwater.discovery.visits.index_queue import IndexQueue, QueuedFile
    from headwater.pages.site_indexes import ParsedIndex

MAX_CONCURRENT_FILES = 4
MAX_FAILURES = 3
"""Files of one kind that may fail, or feeds in a row that list nothing new, before the others are left unread."""

MAX_BARREN_FILES = 40
"""The same for files of which there is one for each page."""

TOLERANCE = 50
"""One of this many pages of an index may be missing: it may be gone, or excluded from the list."""

MAX_FILE_BYTES = 20_000_000
"""Parsed JSON takes up to 21 times the memory of its text."""

ARCHIVE_TIMEOUT = 60.0
"""Seconds for one answer of a web archive, which are slow."""

SOURCE = "index"


class IndexReader:
    """Reads queued files and the files they name, until none is left."""

    def __init__(self, context: ScanContext, queue: IndexQueue, hints: HintQueue | None = None) -> None:
        self._context, self._queue, self._hints = context, queue, hints
        self._limits = SourceLimits(context.settings)
        self._failures: dict[str, int] = {}
        self._page_files: Counter[str] = Counter()

    async def read_all(self) -> int:
        """Read every queued file; return the number of pages listed."""
        count = 0
        while (files := self._queue.take()) and not self._context.deadline.is_over:
            self._page_files.update(one.file.kind for one in files if one.file.kind in COUNTED_KINDS)
            for start in range(0, len(files), MAX_CONCURRENT_FILES):
                batch = files[start : start + MAX_CONCURRENT_FILES]
                results = await asyncio.gather(*map(self._fetch, batch))
                # in the order of the queue: the first of two files that list the same pages is the one that gains
                count += sum(map(self._read, batch, results))
        return count

    async def _fetch(self, queued: QueuedFile) -> Response | ParsedIndex | FetchFailure | str | None:
        """Return the response, or the reason why the file is not requested; None if a resumed scan should read it.

        The list of an archive is not requested again soon after another scan has read it.
        """
        file = queued.file
        is_archive = file.kind in ARCHIVE_KINDS
        if is_archive and (stored := find_stored_list(self._context, file)):
            return stored
        limit = MAX_BARREN_FILES if file.kind in COUNTED_KINDS else MAX_FAILURES
        if self._failures.get(file.kind, 0) >= limit:
            return "not read: too many files of this kind failed or listed nothing new"
        if self._is_paused(file.url):
            return None
        if self._has_page_of(file) or self._has_as_many_pages(file):
            return "not read: its page is known"
        # The user has asked for the API of an archive, whose robots.txt is about crawling it.
        if not is_archive and await self._context.is_disallowed(file.url):
            return "Disallowed by robots.txt"
        timeout = ARCHIVE_TIMEOUT if is_archive else self._context.settings.sitemap_timeout
        return await self._context.stack.file_fetcher.fetch(Request(file.url, "sitemap", timeout=timeout))

    def _read(self, queued: QueuedFile, result: Response | ParsedIndex | FetchFailure | str | None) -> int:
        """Store what a file says; return the number of pages it lists."""
        kind = queued.file.kind
        if result is None:
            return 0
        if isinstance(result, FetchFailure):
            self._failures[kind] = self._failures.get(kind, 0) + 1
            result = f"{result.reason} {result.detail}".strip()
        elif isinstance(result, Response) and len(result.body) > MAX_FILE_BYTES:
            result = "too-large"
        if isinstance(result, str):
            self._queue.record_result(queued, result)
            return 0
        try:
            parsed = _parse(queued.file, result) if isinstance(result, Response) else result
        except Exception as error:  # noqa: BLE001  (one file that cannot be parsed must not end the crawl)
            self._queue.record_result(queued, f"{type(error).__name__}: {error}"[:300])
            return 0
        if kind in ARCHIVE_KINDS:
            return self._suggest_pages(queued, parsed)
        count, has_news = self._list_pages(queued, parsed)
        if kind == "feed" or kind in COUNTED_KINDS:
            self._failures[kind] = 0 if has_news else self._failures.get(kind, 0) + 1
        self._queue.add(parsed.files if has_news or kind != "feed" else ())
        self._queue.record_result(queued, "read", count)
        return count

    def _suggest_pages(self, queued: QueuedFile, parsed: ParsedIndex) -> int:
        """Queue the pages that an archive has: they are listed once a request has shown that they still exist."""
        source = get_source(queued.file.kind)
        if self._hints is not None:
            self._hints.add(queued.file.url, (Hint(source, page.url) for page in parsed.pages))
        self._queue.add(parsed.files)
        self._queue.record_result(queued, "read", len(parsed.pages), parsed.files)
        return 0

    def _list_pages(self, queued: QueuedFile, parsed: ParsedIndex) -> tuple[int, bool]:
        """Store the pages that a file lists; return their number, and True if any of them is new."""
        collector = UrlCollector(self._context, SOURCE, SourceMetadata(queued.number), self._limits)
        for page in parsed.pages:
            collector.add(page.url, text=page.title)
        known = self._context.store.count_listed(self._context.scan)
        collector.flush()
        return collector.count, self._context.store.count_listed(self._context.scan) > known

    def _has_page_of(self, file: IndexFile) -> bool:
        """Return True if the page that a page's script belongs to is known, and did not fail to load."""
        policy = self._context.site.scope.policy
        keys = [spelling.key for url in list_possible_pages(file) if (spelling := spell_url(url, policy))]
        rows = self._context.store.known_urls(self._context.scan, list(map(compute_identity, keys))) if keys else ()
        return any(row.state not in {"failed", "skipped"} for row in rows)

    def _has_as_many_pages(self, file: IndexFile) -> bool:
        """Return True if hardly more files of a kind with one file for each page exist than pages are listed."""
        count = self._page_files[file.kind]
        return bool(count) and self._context.store.count_listed(self._context.scan) >= count - count // TOLERANCE

    def _is_paused(self, url: str) -> bool:
        """Return True if the host asked for a pause that is longer than a request may take."""
        start = self._context.stack.polite.get_rate_limiter(get_authority(url)).get_next_start() or 0.0
        return start - asyncio.get_running_loop().time() > self._context.settings.sitemap_timeout


def list_usual_files(context: ScanContext) -> list[IndexFile]:
    """Return the files that any site may have: `llms.txt` of each host, and the lists of web archives."""
    urls = (resolve("/llms.txt", url) for url in context.entry_urls)
    hosts = dict.fromkeys(map(get_authority, context.entry_urls))
    return [
        *(IndexFile("llms-txt", url) for url in dict.fromkeys(urls) if url),
        *(build_wayback_file(context.settings.wayback_url, host) for host in hosts),
        *(build_common_crawl_file(context.settings.commoncrawl_url, host) for host in hosts),
    ]


def _parse(file: IndexFile, response: Response) -> ParsedIndex:
    """Parse a response; the fragment of its URL is not part of the request, but says which host is meant."""
    _, mark, fragment = file.url.partition("#")
    answered = response.url.partition("#")[0]
    return parse_index(IndexFile(file.kind, answered + mark + fragment), response.body)
