"""Write URLs in transactions of a limited size; a page is settled only once everything it leads to is kept."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.model import DiscoveredUrl, LinkBlock
    from headwater.store import Store, VisitResult

Item = TypeVar("Item")
Batch = tuple[list["VisitResult"], list["DiscoveredUrl"]]


def save_in_batches(
    store: Store,
    scan: int,
    settled: Sequence[VisitResult],
    found: Sequence[DiscoveredUrl],
    skipped: Mapping[str, int],
    *,
    limit: int | None,
    links: LinkBlock | None = None,
    first_list: int = 0,
) -> None:
    """Keep everything, at most `limit` URLs in one transaction; without a limit all at once.

    New links come with the first transaction, for the pages of every one may have them.
    """
    if limit is None:
        store.save_batch(scan, settled, found, skipped, links=links, first_list=first_list)
        return
    batches = list(split_batches(settled, found, limit))
    if not batches and skipped:
        batches = [([], [])]
    for number, (pages, more) in enumerate(batches, 1):
        is_last = number == len(batches)
        store.save_batch(scan, pages, more, skipped if is_last else {}, links=links, first_list=first_list)
        links, first_list = None, first_list + sum(1 for page in pages if page.links is not None)


def split_batches(settled: Sequence[VisitResult], found: Sequence[DiscoveredUrl], limit: int) -> Iterator[Batch]:
    """Yield pages and found URLs, at most `limit` in all; of a page with too many, the URLs go ahead of it."""
    for part in iter_batches(found, limit):
        yield [], part
    pages: list[VisitResult] = []
    size = 0
    for one in settled:
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
