"""List the URLs of sitemaps and feeds; a file that cannot be read does not affect the others."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

from headwater.discovery.stage import Stage, StageReport
from headwater.discovery.stages.sitemap_evidence import ABSENT_STATUSES, SitemapEvidence, SitemapFile, format_now
from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.errors import HeadwaterError
from headwater.event_loop import cancel_tasks
from headwater.fetch.failure_reasons import HOST_UNRESPONSIVE
from headwater.frontier.sitemap_budget import SitemapBudget
from headwater.model import FetchFailure, Request, Response, SourceMetadata
from headwater.pages.files.feeds import FEED_KINDS
from headwater.pages.files.sitemap_parser import parse_sitemap_body
from headwater.plurals import format_count
from headwater.urls.parsing import get_authority, get_origin, resolve, serialize_url

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext
    from headwater.fetch.policies.robots_gate import RobotsEntry
    from headwater.pages.files.sitemap_parser import Entry, Sitemap

MAX_CONCURRENT_FILES = 4
"""Files read at once; each may take 52,428,800 bytes of memory."""

MAX_QUEUED_FILES = 50_000
"""Files that may be queued, plus one for every URL found: an index alone cannot exhaust the memory."""

MIN_URLS_PER_SECOND = 1.0
"""New URLs a second below which the sitemaps count as idle."""

MAX_DELAYED_REQUESTS = 32
"""Requests whose crawl delay is added to the idle timeout."""

NOT_REQUESTED_REASONS = frozenset({HOST_UNRESPONSIVE, "robots-unreachable"})
_NESTED_SUFFIXES = (".xml", ".xml.gz")


class SitemapStage(Stage):
    """Reads robots.txt, the sitemaps it names, and sitemaps at the usual paths."""

    name = "sitemaps"
    ends_at_deadline = True

    async def run(self, context: ScanContext) -> StageReport:
        """Read all files until the deadline; URLs read by then are kept."""
        reader = _SitemapReader(context)
        try:
            async with asyncio.timeout(context.settings.sitemaps_deadline):
                await reader.read_site()
        except TimeoutError:
            reader.limit = "sitemaps_deadline"
        finally:
            unread = reader.record_unread()
        progress = context.state.progress
        context.state.progress = progress._replace(sitemap_urls=progress.sitemap_urls + reader.urls)
        note = format_count(reader.files, "file") if reader.files else _explain_none_found(reader)
        state = "timed-out" if reader.limit in {"sitemaps_deadline", "sitemaps_idle_timeout"} else "done"
        note += f", {unread:,} not read" if unread else ""
        limit = reader.limit or reader.file_limit
        # A robots.txt that could not be loaded may name sitemaps.
        is_complete = not limit and not context.state.robots_unreachable
        return StageReport(self.name, state, reader.urls, note=note, limit=limit, is_complete=is_complete)


def _explain_none_found(reader: _SitemapReader) -> str:
    blocked = reader.evidence.blocked
    return f"blocked, not absent: {blocked[0]}" if blocked else "none found"


class _SitemapReader:
    """Reads the files of one site, a few at a time, indexes before the files they list.

    `limit` is the setting that ended the stage, `file_limit` the one that skipped single files. The time without
    progress is limited rather than the total time: sitemaps with millions of URLs take long, while an endless chain of
    nearly empty files, each within its own timeout, would take days.
    """

    def __init__(self, context: ScanContext) -> None:
        self.urls = self.files = 0
        self.limit = self.file_limit = ""
        self.evidence = SitemapEvidence(context)
        self._context = context
        self._limits = SourceLimits(context.settings)
        self._queue: asyncio.Queue[SitemapFile] = asyncio.Queue()
        self._known: set[str] = set()
        self._unread: dict[str, None] = {}
        self._dropped = 0
        self._budget = SitemapBudget(context.settings.max_sitemap_files, context.settings.max_sitemap_failures)

    async def read_site(self) -> None:
        """Read robots.txt and every file that follows from it."""
        # A file that waits for a request slot would be requested even if its host failed too often in the meantime.
        workers = min(MAX_CONCURRENT_FILES, self._context.stack.polite.max_in_flight)
        work = (self._read_all(), self._watch(), *(self._work() for _ in range(workers)))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()  # a worker ends only with an error: the store failed, or the lease was lost
        finally:
            await cancel_tasks(tasks)
            self.evidence.add_absent()

    def record_unread(self) -> int:
        """Store as evidence which files were not read; return their number."""
        count = len(self._unread) + self._dropped
        limit = self.limit or self.file_limit or self._context.deadline.stop_reason
        self.evidence.add_unread(self._unread, count, limit)
        return count

    async def _read_all(self) -> None:
        started = format_now()
        origins = list(dict.fromkeys(get_origin(url) for url in self._context.entry_urls))
        answers = await asyncio.gather(*(self._context.stack.get_robots(f"{origin}/") for origin in origins))
        for origin, answer in zip(origins, answers, strict=True):
            self._read_robots(origin, answer, started)
        self._put([SitemapFile(url) for url in self._context.state.sitemap_hints])
        self._put([SitemapFile(url, is_named=False) for url in self._list_default_urls()])
        await self._queue.join()

    async def _watch(self) -> None:
        """Return when too few new URLs were found for too long; a crawl delay of the site extends the time."""
        idle = self._context.settings.sitemaps_idle_timeout
        hosts = [get_authority(url) for url in self._context.entry_urls]
        before = -math.inf
        while self.urls - before >= (idle or 0.0) * MIN_URLS_PER_SECOND:
            before = self.urls
            await asyncio.sleep(math.inf if idle is None else idle)
            delays = [self._context.stack.polite.get_rate_limiter(host).delay for host in hosts]
            await asyncio.sleep(MAX_DELAYED_REQUESTS * max(delays, default=0.0))
        self.limit = "sitemaps_idle_timeout"

    def _read_robots(self, origin: str, answer: RobotsEntry, started: str) -> None:
        if answer.robots is None and self._context.settings.robots == "obey":
            self._context.state.robots_unreachable.add(origin)
        if answer.robots is not None and self._context.settings.robots == "obey":
            self._context.state.robots[origin] = answer.robots
        named = answer.robots.sitemaps if answer.robots and self._context.settings.robots_sitemaps else ()
        number = self.evidence.add_robots(origin, answer, named, started)
        self._put([SitemapFile(url, 0, number) for text in named if (url := resolve(text, f"{origin}/"))])

    def _list_default_urls(self) -> list[str]:
        """Return the usual sitemap paths, below the root of each host and below the path of each seed."""
        found = []
        for seed in self._context.entry_urls:
            folder = seed[: seed.rindex("/", 8) + 1]
            for place in self._context.settings.sitemap_places:
                found += [resolve(place, seed), resolve(place.lstrip("/"), folder)]
        return [url for url in dict.fromkeys(found) if url]

    def _put(self, files: list[SitemapFile]) -> None:
        for file in files:
            url = serialize_url(file.url)
            if url is None or url in self._known:
                continue
            if len(self._known) >= MAX_QUEUED_FILES + self.urls:
                self._dropped += 1
                self.file_limit = self.file_limit or "max_sitemap_files"
                continue
            self._known.add(url)
            self._unread[url] = None
            self._queue.put_nowait(file._replace(url=url))

    async def _work(self) -> None:
        """Read queued files; a file that cannot be read is stored as evidence."""
        while True:
            file = await self._queue.get()
            try:
                if self._should_read(file) and await self._read(file):
                    del self._unread[file.url]
            except HeadwaterError:
                raise
            except Exception as error:  # noqa: BLE001
                self.evidence.add_error(file, error)
                del self._unread[file.url]
            finally:
                self._queue.task_done()

    def _should_read(self, file: SitemapFile) -> bool:
        if not self.limit and not self._budget.has_room(self.urls):
            self.limit = "max_sitemap_files"
        if not self.limit and self._budget.is_failing(get_authority(file.url)):
            self.file_limit = self.file_limit or "max_sitemap_failures"
            return False
        return not self.limit

    async def _read(self, file: SitemapFile) -> bool:
        """Read a file; return False if it was not requested because its host does not respond."""
        # A file that something names is always read.
        if not file.is_named and await self._context.is_disallowed(file.url):
            return True
        settings = self._context.settings
        started = format_now()
        timeout = settings.nested_sitemap_timeout if file.depth else settings.sitemap_timeout
        self._budget.record_request()
        result = await self._context.stack.file_fetcher.fetch(Request(file.url, "sitemap", timeout=timeout))
        if isinstance(result, FetchFailure) and result.reason in NOT_REQUESTED_REASONS:
            self.file_limit = self.file_limit or result.reason
            return False
        self._count_response(get_authority(file.url), result)
        if isinstance(result, FetchFailure):
            self.evidence.add_failure(file, result, started)
            return True
        limit, is_cut = settings.max_sitemap_bytes, not result.is_complete
        sitemap = parse_sitemap_body(result.body, result.charset, limit, result.url, is_cut=is_cut)
        if sitemap.kind in {"html", "empty", "unknown"}:
            self.evidence.add_other_content(file, result, sitemap, started)
            return True
        self._add_sitemap(file, result, sitemap, started)
        await asyncio.sleep(0)  # parsing a large file has blocked the other tasks
        return True

    def _count_response(self, host: str, result: Response | FetchFailure) -> None:
        if isinstance(result, Response) or result.status in ABSENT_STATUSES:
            self._budget.record_response(host)
        else:
            self._budget.record_failure(host, is_timeout=result.reason.startswith("timeout"))

    def _add_sitemap(self, file: SitemapFile, result: Response, sitemap: Sitemap, started: str) -> None:
        """List the URLs of a file, and queue the files it names."""
        self.files += 1
        number = self.evidence.add_read(file, result, sitemap, started)
        source = "feed" if sitemap.kind in FEED_KINDS else "sitemap-index" if file.depth else "sitemap"
        listing = UrlCollector(self._context, source, SourceMetadata(number), self._limits)
        depth = file.depth if sitemap.kind in FEED_KINDS else file.depth + 1  # the next page of a feed is no deeper
        nested = [SitemapFile(url, depth, number) for url in sitemap.children]
        for entry in sitemap.page_entries():
            if _lowercase_path(entry.url).endswith(_NESTED_SUFFIXES):
                nested.append(SitemapFile(entry.url, file.depth + 1, number))
            elif self._list(entry, listing, number):
                break
        listing.flush()
        is_followed = file.depth < self._context.settings.max_sitemap_depth
        self._put(nested if is_followed else [])
        self.urls += listing.count
        self.limit = self.limit or listing.limit
        content = {
            "kind": sitemap.kind, "urls_found": listing.count, "sitemaps_named": len(nested),
            "skipped": dict(listing.skipped), "limit": listing.limit, "too_deep": 0 if is_followed else len(nested),
        }  # fmt: skip
        self._context.store.update_evidence(number, content)

    def _list(self, entry: Entry, listing: UrlCollector, number: int) -> bool:
        """List an entry and its alternates; return True once a limit is reached."""
        languages = {url: language for language, url in entry.alternates}
        extra = SourceMetadata(
            number, None, entry.lastmod, entry.changefreq, entry.priority, languages.get(entry.url, "")
        )
        listing.add(entry.url, text=entry.title, extra=extra)
        for url, language in languages.items():
            if url != entry.url and not listing.limit:
                listing.add(url, extra=SourceMetadata(number, hreflang=language))
        return bool(listing.limit)


def _lowercase_path(url: str) -> str:
    return url.partition("?")[0].lower()
