"""Write URLs in transactions of a limited size; a page is stored as visited only after all URLs it links to."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.model import DiscoveredUrl, LinkBlock
    from headwater.store import Store, VisitResult

Item = TypeVar("Item")
Batch = tuple[list["VisitResult"], list["DiscoveredUrl"]]


class BatchWriter:
    """Writes to one scan, at most `limit` URLs in one transaction; without a limit, everything in one."""

    def __init__(self, store: Store, scan: int, limit: int | None) -> None:
        self._store, self._scan, self._limit = store, scan, limit

    def save(
        self,
        visits: Sequence[VisitResult],
        found: Sequence[DiscoveredUrl],
        skipped: Mapping[str, int],
        links: LinkBlock | None = None,
        first_list: int = 0,
    ) -> None:
        """Store visits, found URLs and counts of skipped URLs.

        New links are written in the first transaction, because pages of every transaction may have them.
        """
        if self._limit is None:
            self._store.save_batch(self._scan, visits, found, skipped, links=links, first_list=first_list)
            return
        batches = list(split_batches(visits, found, self._limit))
        if not batches and skipped:
            batches = [([], [])]
        for number, (pages, more) in enumerate(batches, 1):
            is_last = number == len(batches)
            self._store.save_batch(
                self._scan, pages, more, skipped if is_last else {}, links=links, first_list=first_list
            )
            links, first_list = None, first_list + sum(1 for page in pages if page.links is not None)


def split_batches(visits: Sequence[VisitResult], found: Sequence[DiscoveredUrl], limit: int) -> Iterator[Batch]:
    """Yield visits and found URLs, at most `limit` together.

    The URLs of a page that has more than `limit` are written before the page.
    """
    for part in iter_batches(found, limit):
        yield [], part
    pages: list[VisitResult] = []
    size = 0
    for one in visits:
        ahead = max(0, len(one.discovered) - (limit - 1))
        weight = 1 + len(one.discovered) - ahead
        if pages and size + weight + ahead > limit:
            yield pages, []
            pages, size = [], 0
        for part in iter_batches(one.discovered[:ahead], limit):
            yield [], part
        pages.append(one._replace(discovered=one.discovered[ahead:]) if ahead else one)
        size += weight
    if pages:
        yield pages, []


def iter_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part
