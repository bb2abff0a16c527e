"""Reads the pages of a dive, politely; each is kept the moment it is read, so that nothing is done twice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.classify.language import is_other_language
from headwater.dive.content.markdown import Reading, read_page
from headwater.dive.content.rendering import NO_BROWSER
from headwater.model import FetchFailure, Request
from headwater.store import PageContent
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from headwater.dive.content.rendering import Rendering
    from headwater.fetch import Fetcher
    from headwater.model import Response
    from headwater.store import DiveStore, PendingPage

GONE = frozenset({"http-404", "http-410", "robots-disallowed", "not-html"})
"""After these a page that was read before is forgotten; after any other failure its old content stays."""

BATCH = 200


class Scrape:
    """One pass over the pages that wait; `rendering` opens those whose text only scripts write."""

    def __init__(
        self,
        dives: DiveStore,
        dive: int,
        fetcher: Fetcher,
        *,
        language: str | None = None,
        on_page: Callable[[PendingPage, str], None] | None = None,
        rendering: Rendering | None = None,
    ) -> None:
        self._dives, self._dive, self._fetcher, self._rendering = dives, dive, fetcher, rendering
        self._language = language
        self._on_page = on_page

    async def run(self, parallel: int) -> None:
        """Read everything that waits, this many pages at once."""
        pages = self._waiting()
        lock = asyncio.Lock()

        async def work() -> None:
            while True:
                async with lock:
                    page = await anext(pages, None)
                if page is None:
                    return
                await self._read(page)

        async with asyncio.TaskGroup() as workers:
            for _ in range(parallel):
                workers.create_task(work())

    async def _waiting(self) -> AsyncIterator[PendingPage]:
        after = 0
        while batch := self._dives.pending_pages(self._dive, after, BATCH):
            after = batch[-1].number
            for page in batch:
                yield page

    async def _read(self, page: PendingPage) -> None:
        is_marked = self._rendering is not None and self._rendering.is_marked(page.url)
        is_known = page.content_hash is not None and not is_marked
        request = Request(
            page.fetch_url,
            etag=page.etag if is_known else "",
            last_modified=page.last_modified if is_known else "",
        )
        result = await self._fetcher.fetch(request)
        state = self._failed(page, result) if isinstance(result, FetchFailure) else await self._settle(page, result)
        if self._on_page:
            self._on_page(page, state)

    def _failed(self, page: PendingPage, outcome: FetchFailure) -> str:
        if page.content_hash is not None and outcome.reason not in GONE:
            self._dives.keep_previous_content(page.number, outcome.reason)
        else:
            self._dives.set_page_state(page.number, "failed", outcome.reason)
        return outcome.reason

    async def _settle(self, page: PendingPage, response: Response) -> str:
        validators = response.headers.get("etag", ""), response.headers.get("last-modified", "")
        if response.status == 304:
            self._dives.mark_unchanged(page.number, *validators)
            return "unchanged"
        if get_authority(response.url) != get_authority(page.fetch_url):
            return self._skip(page, "other-host")
        static = read_page(response.body, response.url, response.charset)
        if self._rendering is None or not self._rendering.is_wanted(page.url, response, static.markdown):
            return self._keep(page, static, validators)
        return await self._render(self._rendering, page, static)

    async def _render(self, rendering: Rendering, page: PendingPage, static: Reading) -> str:
        """By its scripts; without, if that cannot be. Either way its validators say nothing of what it says."""
        shown = await rendering.open(page.fetch_url)
        if not isinstance(shown, FetchFailure):
            return self._keep(page, read_page(shown.body, shown.url, shown.charset))
        if shown.reason != NO_BROWSER and page.content_hash is not None:
            return self._failed(page, shown)
        return self._keep(page, static, lack=shown.reason)

    def _keep(self, page: PendingPage, reading: Reading, validators: tuple[str, str] = ("", ""), lack: str = "") -> str:
        if self._language and reading.language and is_other_language(reading.language, self._language):
            return self._skip(page, "other-language")
        if not reading.markdown:
            return self._skip(page, lack or "no-content")
        if reading.content_hash == page.content_hash:
            self._dives.mark_unchanged(page.number, *validators, lack)
            return "unchanged"
        if self._dives.find_duplicate(self._dive, reading.content_hash, page.number):
            return self._skip(page, lack or "same-as-another")
        self._dives.save_content(page.number, _content(reading, *validators), lack)
        return "read"

    def _skip(self, page: PendingPage, reason: str) -> str:
        self._dives.set_page_state(page.number, "skipped", reason)
        return reason


def _content(reading: Reading, etag: str, last_modified: str) -> PageContent:
    return PageContent(
        reading.title,
        reading.language,
        reading.canonical,
        reading.published,
        reading.modified or reading.published,
        etag,
        last_modified,
        reading.content_hash,
        [(one.level, one.text, one.anchor) for one in reading.headings],
        reading.markdown,
    )
