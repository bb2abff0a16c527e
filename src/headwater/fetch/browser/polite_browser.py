"""Open pages in the browser within the rate limits of their hosts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from headwater.model import FetchFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.fetch import FetchStack
    from headwater.fetch.browser.browser import Browser
    from headwater.fetch.browser.rendered_page import RenderedPage
    from headwater.settings import Settings


class PoliteBrowser:
    """A browser that is loaded when first needed, waits for request slots, and backs off when a host asks for it."""

    def __init__(self, stack: FetchStack, settings: Settings, seeds: Sequence[str]) -> None:
        self._stack, self._settings, self._seeds = stack, settings, seeds

    @cached_property
    def _browser(self) -> Browser:
        from headwater.fetch.browser.browser import Browser  # noqa: PLC0415  (commands without a browser start faster)

        return Browser(self._settings, self._seeds)

    @property
    def unavailable_reason(self) -> str:
        """The reason why pages cannot be opened; empty if they can."""
        return self._browser.unavailable_reason

    async def open(
        self, url: str, *, should_click: bool = True, known_elements: Sequence[str] = ()
    ) -> RenderedPage | FetchFailure:
        """Open a page when its host has a free request slot; known elements are not clicked."""
        if self.unavailable_reason:
            return FetchFailure(url, "no-browser", self.unavailable_reason)
        async with self._stack.request_slot(url):
            result = await self._browser.open(url, should_click=should_click, known_elements=known_elements)
            if isinstance(result, FetchFailure):
                self._stack.back_off(url, result)
            return result

    async def aclose(self) -> None:
        """Close the browser if it was used."""
        if "_browser" in self.__dict__:
            await self._browser.aclose()
