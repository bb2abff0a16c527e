"""Read the pages of a dive, and store each one at once, so that an interrupted dive repeats no work."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.classify.languages.language import is_other_language
from headwater.dive.content.markdown import ExtractedPage, extract_page
from headwater.dive.content.page_renderer import NO_BROWSER
from headwater.model import FetchFailure, Request
from headwater.store import PageContent
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.dive.content.page_renderer import PageRenderer
    from headwater.fetch import Fetcher
    from headwater.model import Response
    from headwater.store import DiveStore, PendingPage

REMOVAL_REASONS = frozenset({"http-404", "http-410", "robots-disallowed", "not-html"})
"""After these failures the content of a page is removed; after any other one it is kept."""

BATCH = 200


class PageScraper:
    """Reads the pending pages of a dive once; pages in other languages than `language` are skipped."""

    def __init__(
        self, dives: DiveStore, dive: int, fetcher: Fetcher, renderer: PageRenderer, language: str | None
    ) -> None:
        self._dives, self._dive, self._fetcher, self._renderer = dives, dive, fetcher, renderer
        self._language = language

    async def run(self, parallel: int, on_page: Callable[[str, str], None]) -> None:
        """Read all pending pages, `parallel` at a time, and report URL and state of each."""
        pages = self._iter_pending_pages()

        async def work() -> None:
            for page in pages:
                on_page(page.url, await self._read(page))

        async with asyncio.TaskGroup() as workers:
            for _ in range(parallel):
                workers.create_task(work())

    def _iter_pending_pages(self) -> Iterator[PendingPage]:
        after = 0
        while batch := self._dives.pending_pages(self._dive, after, BATCH):
            after = batch[-1].number
            yield from batch

    async def _read(self, page: PendingPage) -> str:
        is_known = page.content_hash is not None and not self._renderer.must_render(page.url)
        request = Request(
            page.fetch_url,
            etag=page.etag if is_known else "",
            last_modified=page.last_modified if is_known else "",
        )
        result = await self._fetcher.fetch(request)
        return self._fail(page, result) if isinstance(result, FetchFailure) else await self._extract(page, result)

    def _fail(self, page: PendingPage, failure: FetchFailure) -> str:
        if page.content_hash is not None and failure.reason not in REMOVAL_REASONS:
            self._dives.keep_previous_content(page.number, failure.reason)
        else:
            self._dives.set_page_state(page.number, "failed", failure.reason)
        return failure.reason

    async def _extract(self, page: PendingPage, response: Response) -> str:
        validators = response.headers.get("etag", ""), response.headers.get("last-modified", "")
        if response.status == 304:
            self._dives.mark_unchanged(page.number, *validators)
            return "unchanged"
        if get_authority(response.url) != get_authority(page.fetch_url):
            return self._skip(page, "other-host")
        static = extract_page(response.body, response.url, response.charset)
        if not self._renderer.should_render(page.url, response, static.markdown):
            return self._store(page, static, validators)
        return await self._render(page, static)

    async def _render(self, page: PendingPage, static: ExtractedPage) -> str:
        """Store the rendered page, or the static one without a browser; its validators do not apply to either."""
        rendered = await self._renderer.open(page.fetch_url)
        if not isinstance(rendered, FetchFailure):
            return self._store(page, extract_page(rendered.body, rendered.url, rendered.charset))
        if rendered.reason != NO_BROWSER and page.content_hash is not None:
            return self._fail(page, rendered)
        return self._store(page, static, problem=rendered.reason)

    def _store(
        self, page: PendingPage, content: ExtractedPage, validators: tuple[str, str] = ("", ""), problem: str = ""
    ) -> str:
        if self._language and content.language and is_other_language(content.language, self._language):
            return self._skip(page, "other-language")
        if not content.markdown:
            return self._skip(page, problem or "no-content")
        if content.content_hash == page.content_hash:
            self._dives.mark_unchanged(page.number, *validators, problem)
            return "unchanged"
        if self._dives.find_duplicate(self._dive, content.content_hash, page.number):
            return self._skip(page, problem or "same-as-another")
        self._dives.save_content(page.number, _build_content(content, *validators), problem)
        return "read"

    def _skip(self, page: PendingPage, reason: str) -> str:
        self._dives.set_page_state(page.number, "skipped", reason)
        return reason


def _build_content(page: ExtractedPage, etag: str, last_modified: str) -> PageContent:
    return PageContent(
        title=page.title,
        language=page.language,
        canonical=page.canonical,
        published=page.published,
        modified=page.modified or page.published,
        etag=etag,
        last_modified=last_modified,
        content_hash=page.content_hash,
        headings=[(one.level, one.text, one.anchor) for one in page.headings],
        markdown=page.markdown,
    )
