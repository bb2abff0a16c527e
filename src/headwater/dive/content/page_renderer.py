"""Render the script-built pages of a dive in the browser, without clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.fetch.browser.polite_browser import PoliteBrowser
from headwater.model import FetchFailure, Response
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.script_detection import find_script_reason
from headwater.pages.documents.script_inspection import RENDER_PROBE_REASON

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from headwater.fetch import FetchStack
    from headwater.model import Evidence
    from headwater.settings import Settings

MAX_SHORT_PAGE_CHARS = 1000
"""Pages with more Markdown than this are not checked for signs of scripts."""

NO_BROWSER = "no-browser"


class PageRenderer:
    """Decides which pages need a browser, and opens them; `rendered_urls` are the pages that the scan rendered."""

    def __init__(
        self, stack: FetchStack, settings: Settings, seeds: Sequence[str], rendered_urls: frozenset[str]
    ) -> None:
        self._browser = PoliteBrowser(stack, settings, seeds)
        self._mode, self._rendered_urls = settings.render, rendered_urls

    def must_render(self, url: str) -> bool:
        """Return True if the page is always rendered, so that an unchanged static response says nothing about it."""
        return self._mode == "always" or (self._mode == "auto" and url in self._rendered_urls)

    def should_render(self, url: str, response: Response, markdown: str) -> bool:
        """Return True if the scan rendered the page, or if its static response looks script-built."""
        if self._mode == "never":
            return False
        return self.must_render(url) or (
            len(markdown) <= MAX_SHORT_PAGE_CHARS
            and bool(find_script_reason(parse_html(response.body, response.charset)))
        )

    async def open(self, url: str) -> Response | FetchFailure:
        """Return the page after its scripts have run."""
        opened = await self._browser.open(url, should_click=False)
        if isinstance(opened, FetchFailure):
            return opened
        if opened.moved_to or not opened.documents:
            return FetchFailure(url, "render-failed", opened.problem or "the page navigated away", opened.status)
        document = opened.documents[-1]
        return Response(document.base, 200, body=document.html.encode("utf-8", "replace"), charset="utf-8")

    async def aclose(self) -> None:
        """Close the browser if it was used."""
        await self._browser.aclose()


def find_rendered_urls(evidence: Iterable[Evidence]) -> frozenset[str]:
    """Return the pages that a scan rendered, except those rendered only as a probe that added no links."""
    return frozenset(
        one.url
        for one in evidence
        if one.content.get("added") or RENDER_PROBE_REASON not in {one.content.get("reason"), one.content.get("why")}
    )  # `why` is the key of older scans
