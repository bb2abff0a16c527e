"""The crawl of seed 002: from the seeds over links, breadth first, to the end of the site or of the limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discover.loop import Loop
from headwater.examine import Site
from headwater.fetch import FetchStack
from headwater.frontier.memory import identity_of
from headwater.model import Found
from headwater.urls import Scope, spell
from headwater.urls.parse import seed_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.model import Outcome
    from headwater.settings import Settings
    from headwater.store import Store


def plant(store: Store, scan: int, seeds: Sequence[str], settings: Settings) -> None:
    """Put the seeds where the loop finds them."""
    store.settle(scan, (), seeds_found(seeds, Scope.from_settings(seeds, settings)), {})


def seeds_found(seeds: Sequence[str], scope: Scope) -> list[Found]:
    """The seeds as if a page had revealed them."""
    found = []
    for seed in seeds:
        spelling = spell(seed_url(seed), scope.policy)
        assert spelling is not None
        fetch_url, url, key = spelling
        found.append(Found(identity_of(key), key, url, fetch_url, "page", 0, 0, "", "seed"))
    return found


async def crawl(
    store: Store,
    scan: int,
    seeds: Sequence[str],
    settings: Settings,
    *,
    on_found: Callable[[Sequence[Found]], None] | None = None,
    on_failed: Callable[[Outcome], None] | None = None,
    on_settled: Callable[[Sequence[int]], None] | None = None,
    on_loop: Callable[[Loop], None] | None = None,
) -> Loop:
    """Visit what waits in the store; gives the loop, which knows how it went."""
    scope = Scope.from_settings(seeds, settings)
    for url in store.moved_seeds(scan):  # known when a scan goes on that was interrupted
        scope = scope.moved_to(url)
    site = Site(
        scope,
        keeps_edges=settings.links == "all",
        keeps_skipped=settings.keep_skipped,
        obeys_meta_robots=settings.meta_robots == "obey",
    )
    counts = store.counts(scan)
    async with FetchStack(settings, seeds) as stack:
        loop = Loop(
            site,
            stack.one_hop,
            store,
            scan,
            parallel=settings.max_parallel,
            batch_size=settings.batch_size,
            max_pages=settings.max_pages,
            max_depth=settings.max_depth,
            max_redirects=settings.max_redirects,
            seeds=[one.identity for one in seeds_found(seeds, scope)],
            on_found=on_found,
            on_failed=on_failed,
            on_settled=on_settled,
        )
        if counts.known > len(seeds) or counts.waiting < counts.known:
            loop.resume(counts.fetched + counts.failed)
        if on_loop:
            on_loop(loop)
        await loop.run()
    return loop
