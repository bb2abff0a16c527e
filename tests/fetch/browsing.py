"""Open pages in Headwater's browser, for the tests of this folder."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from headwater.fetch.browser.browser import Browser
from headwater.fetch.browser.rendered_page import RenderedPage
from headwater.settings import build_settings
from tests.commands import PATIENCE
from tests.sites.table_site import Answer, serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.model import FetchFailure

RENDER_TIMEOUT = PATIENCE
"""Seconds for pages that are expected to be read; a busy machine is slow."""


def open_all(urls: Sequence[str], seeds: Sequence[str], **settings: Any) -> list[RenderedPage | FetchFailure]:
    """Open these URLs in one browser, several at a time."""

    async def work() -> list[RenderedPage | FetchFailure]:
        chosen = build_settings({"render_timeout": RENDER_TIMEOUT, "render_parallel": 3, **settings})
        browser = Browser(chosen, seeds)
        try:
            return await asyncio.gather(*(browser.open(url) for url in urls))
        finally:
            await browser.aclose()

    return asyncio.run(work())


def open_page(url: str, origin: str) -> RenderedPage:
    """Open a URL that must be readable."""
    (page,) = open_all([url], [origin])
    assert isinstance(page, RenderedPage), page
    return page


def open_html(html: str) -> tuple[RenderedPage, str]:
    """Serve this HTML at every path, open the root, and return the rendered page and the origin."""
    with serve(lambda _: Answer(html)) as server:
        return open_page(f"{server.origin}/", server.origin), server.origin
