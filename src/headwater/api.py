"""Headwater from Python: `discover` and its relatives; the one place that wires stages, store and settings together."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from headwater.discovery.stage import Listener
from headwater.discovery.waterfall import discover_site, end_state, limit_of, open_context
from headwater.fetch.credentials import without_user
from headwater.settings import SETTINGS, from_mapping, public_value
from headwater.store import MemoryStore, open_store
from headwater.urls import Policy, normalize
from headwater.urls.parse import seed_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from headwater.discovery.stage import StageReport
    from headwater.model import Evidence, Page
    from headwater.settings import Settings
    from headwater.store import ClusterCount, Store


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a discovery found; pages and evidence are read from its store when they are asked for."""

    store: Store
    scan: int
    settings: Settings
    stages: tuple[StageReport, ...] = ()

    @property
    def urls(self) -> list[str]:
        """Every listed page's URL."""
        return [page.url for page in self.pages]

    @property
    def pages(self) -> Iterator[Page]:
        """Every listed page, by URL; with `max_urls` those that matter most."""
        pages = self.store.pages(self.scan, self.settings.max_urls)
        return (page for page in pages if page.kind in self._kinds and page.state != "skipped")

    @property
    def skipped(self) -> Mapping[str, int]:
        """How many URLs were refused, by reason."""
        return self.store.counts(self.scan).skipped

    @property
    def links(self) -> Iterator[tuple[str, str, str]]:
        """The links between pages (from, to, element): all, the first to each page, or none, as `links` says."""
        if self.settings.links != "first":
            return self.store.edges(self.scan)
        pages = self.store.pages(self.scan)
        return ((page.found_on, page.url, page.element) for page in pages if page.found_on and page.element)

    @property
    def evidence(self) -> list[Evidence]:
        """What was done, and what came of it."""
        return self.store.evidence(self.scan)

    @property
    def clusters(self) -> list[ClusterCount]:
        """The clusters, the largest first."""
        return self.store.clusters(self.scan)

    @property
    def source(self) -> str:
        """Which stage carried the discovery: `sitemap`, `crawl`, `sitemap+crawl`, `navigation` or `none`."""
        return str(self.statistics.get("source", "none"))

    @property
    def statistics(self) -> Mapping[str, Any]:
        """The counts of the discovery's summary."""
        summaries = self.store.evidence(self.scan, "discovery_summary")
        return summaries[-1].content if summaries else {}

    @property
    def _kinds(self) -> frozenset[str]:
        kinds = self.settings.kinds
        return frozenset({"page", "external", "resource", "endpoint"} if "all" in kinds else kinds)


def discover(urls: str | Sequence[str], **settings: Any) -> Discovery:  # noqa: ANN401
    """Find every page of a site. Settings are those of `headwater settings`; `db` keeps the result in a file."""
    return asyncio.run(adiscover(urls, **settings))


async def adiscover(urls: str | Sequence[str], **settings: Any) -> Discovery:  # noqa: ANN401
    """The same for those who have an event loop."""
    store, scan, seeds, chosen = _begin(urls, settings)
    return await run_scan(store, scan, seeds, chosen, Listener())


async def stream(urls: str | Sequence[str], **settings: Any) -> AsyncIterator[Page]:  # noqa: ANN401
    """Pages as they are found: `async for page in headwater.stream(url)`. Leaving the loop ends the discovery."""
    store, scan, seeds, chosen = _begin(urls, settings)
    news: asyncio.Queue[int | None] = asyncio.Queue()
    seen: set[int] = set()

    def tell(identities: Sequence[int]) -> None:
        for identity in identities:
            news.put_nowait(identity)

    listener = Listener(on_found=lambda found: tell([one.identity for one in found]), on_settled=tell)
    task = asyncio.create_task(run_scan(store, scan, seeds, chosen, listener))
    task.add_done_callback(lambda _: news.put_nowait(None))
    try:
        while (identity := await news.get()) is not None:
            page = None if identity in seen else store.page(scan, identity)
            if page is not None and page.kind in {"page", *chosen.kinds} and page.state != "skipped":
                seen.add(identity)
                yield page
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def discover_urls(*, scan_id: str = "", domain: str, max_urls: int | None = None, **settings: Any) -> Discovery:  # noqa: ANN401
    """Seed 001: the pages of a domain with evidence. `scan_id` names the scan for the caller's own books."""
    if max_urls is not None:
        settings["max_urls"] = max_urls
    found = discover(domain, **{"preset": "scan", **settings})
    if scan_id:
        found.store.add_event(found.scan, "scan-id", {"id": scan_id})
    return found


def discover_initial_urls(base_url: str, **settings: Any) -> list[str]:  # noqa: ANN401
    """Seed 000: the base URL, and what the sitemap lists below it."""
    found = discover(base_url, **{"preset": "docs", "stages": ("sitemaps",), **settings})
    seed = normalize(seed_url(base_url), Policy.from_settings(found.settings)) or base_url
    return [seed, *(url for url in found.urls if url != seed)]


def without_secrets(seeds: Sequence[str], settings: Settings) -> tuple[list[str], Settings]:
    """Seeds without user information, which becomes credentials of their origins: it is used, never kept or shown."""
    cleaned = [without_user(seed) for seed in seeds]
    credentials = (*settings.credentials, *(line for _, line in cleaned if line))
    return [seed for seed, _ in cleaned], replace(settings, credentials=credentials)


def public_settings(settings: Settings) -> dict[str, object]:
    """What of the settings a store keeps: nothing secret, a proxy without its password."""
    return {
        name: public_value(name, value)
        for name, value in asdict(settings).items()
        if not getattr(SETTINGS[name].kind, "secret", False)
    }


def _begin(urls: str | Sequence[str], given: Mapping[str, Any]) -> tuple[Store, int, list[str], Settings]:
    seeds, settings = without_secrets([urls] if isinstance(urls, str) else list(urls), from_mapping(dict(given)))
    store = open_store(settings.db, settings.transaction_timeout) if "db" in given else MemoryStore()
    return store, store.begin(seeds, public_settings(settings)).number, seeds, settings


async def run_scan(
    store: Store, scan: int, seeds: Sequence[str], settings: Settings, listener: Listener | None = None
) -> Discovery:
    """Run a scan that a store holds already, whether it is new or was interrupted, and note how it ended."""
    try:
        async with open_context(store, scan, seeds, settings, listener) as context:
            stages = await discover_site(context)
    except BaseException:
        store.end(scan, "interrupted")
        raise
    store.end(scan, end_state(store.counts(scan), limit_of(stages)))
    return Discovery(store, scan, settings, tuple(stages))
