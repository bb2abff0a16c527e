"""Pages of a dive whose text only scripts write: opened in Chromium, in their turn, without a click."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from headwater.model import FetchFailure, Response
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.script_detection import RENDER_PROBE_REASON, find_script_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from headwater.fetch import FetchStack
    from headwater.fetch.browser.browser import Browser
    from headwater.model import Evidence
    from headwater.settings import Settings

MAX_SHORT_PAGE_CHARS = 1000
"""Characters of Markdown; a page that says more without its scripts is not looked at more closely."""

NO_BROWSER = "no-browser"


class PageRenderer:
    """Which pages want a browser, and what it shows of them; started when the first page asks for it."""

    def __init__(self, stack: FetchStack, settings: Settings, seeds: Sequence[str], marked: frozenset[str]) -> None:
        self._stack, self._settings, self._seeds, self._rendered_urls = stack, settings, seeds, marked

    @cached_property
    def _browser(self) -> Browser:
        from headwater.fetch.browser.browser import Browser  # noqa: PLC0415  (dives without a browser start faster)

        return Browser(self._settings, self._seeds)

    def must_render(self, url: str) -> bool:
        """Whether the scan opened the page in the browser; that its static form did not change says nothing then."""
        return self._settings.render == "always" or (self._settings.render == "auto" and url in self._rendered_urls)

    def should_render(self, url: str, response: Response, markdown: str) -> bool:
        """Whether a page is opened: the scan did so, or what came without scripts looks built by them."""
        if self._settings.render == "never":
            return False
        return self.must_render(url) or (
            len(markdown) <= MAX_SHORT_PAGE_CHARS and bool(find_script_reason(parse_html(response.body, response.charset)))
        )

    async def open(self, url: str) -> Response | FetchFailure:
        """The page as its scripts left it."""
        if self._browser.unavailable_reason:
            return FetchFailure(url, NO_BROWSER, self._browser.unavailable_reason)
        async with self._stack.request_slot(url):
            opened = await self._browser.open(url, clicks=False)
            if isinstance(opened, FetchFailure):
                self._stack.back_off(url, opened)
        if isinstance(opened, FetchFailure):
            return opened
        if opened.moved_to or not opened.documents:
            return FetchFailure(url, "render-failed", opened.problem or "it went elsewhere", opened.status)
        shown = opened.documents[-1]
        return Response(shown["base"], 200, body=shown["html"].encode("utf-8", "replace"), charset="utf-8")

    async def aclose(self) -> None:
        """End the browser, if there is one."""
        if "_browser" in self.__dict__:
            await self._browser.aclose()


def find_rendered_urls(evidence: Iterable[Evidence]) -> frozenset[str]:
    """The pages a scan opened, but for those it only tried and that gained nothing."""
    return frozenset(
        one.url
        for one in evidence
        if not (one.content.get("why") == RENDER_PROBE_REASON and not one.content.get("added"))
    )
