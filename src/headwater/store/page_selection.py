"""Read the pages of scans as a list is written: filtered, sorted, and ranked for a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.relevance.page_ranking import rank_pages
from headwater.store.page_lists import is_selected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from headwater.model import Page
    from headwater.settings import Settings
    from headwater.store.store import Store


def select_pages(store: Store, find_scans: Callable[[], Iterable[int]], settings: Settings) -> Iterator[Page]:
    """Yield the URLs that `--kinds` and `--list` select, of one scan after another, or ranked for `--search`."""

    def read() -> Iterator[Page]:
        for scan in find_scans():
            for page in store.pages(scan, settings.max_urls, settings.sort):
                if is_selected(page, settings):
                    yield page

    return rank_pages(read, settings.search) if settings.search else read()
