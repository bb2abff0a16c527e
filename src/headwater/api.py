"""Headwater from Python: `discover` and its relatives; the one place that wires stages, store and settings together."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from headwater.discovery.pipeline import compute_end_state, discover_site, find_limit, open_context
from headwater.discovery.reachability import check_reachable
from headwater.discovery.stage import Listener
from headwater.fetch.credentials import without_user
from headwater.model import StoredLink
from headwater.page_sequence import Pages
from headwater.settings import (
    SETTINGS,
    build_environment_layer,
    build_mapping_layer,
    build_settings,
    merge_layers,
    redact_value,
)
from headwater.store import MemoryStore, is_selected, open_store
from headwater.urls import Policy, normalize
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence

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
    def pages(self) -> Pages:
        """Every listed page, by URL; with `max_urls` those that matter most."""
        return Pages(self._listed)

    def _listed(self) -> Iterator[Page]:
        pages = self.store.pages(self.scan, self.settings.max_urls)
        return (page for page in pages if is_selected(page, self.settings))

    def __enter__(self) -> Self:
        """Use the result for the length of a block; its store is closed at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.store.close()

    @property
    def skipped(self) -> Mapping[str, int]:
        """How many URLs were refused, by reason."""
        return self.store.counts(self.scan).skipped

    @property
    def links(self) -> Iterator[StoredLink]:
        """The links between pages: all, the first to each page, or none, as the setting `links` says."""
        if self.settings.links != "first":
            return self.store.links.edges(self.scan)
        return (
            StoredLink(page.found_on, page.url, page.element, page.text or "", page.region or "content")
            for page in self.store.pages(self.scan)
            if page.found_on and page.element
        )

    @property
    def evidence(self) -> list[Evidence]:
        """What was done, and what came of it."""
        return self.store.evidence(self.scan)

    @property
    def clusters(self) -> list[ClusterCount]:
        """Return all clusters, those that say most about the site first."""
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


def discover(urls: str | Sequence[str], **settings: Any) -> Discovery:  # noqa: ANN401
    """Find every page of a site. Settings are those of `headwater settings`; `db` keeps the result in a file."""
    store, scan, seeds, chosen = _open_scan(urls, build_settings(settings), keeps="db" in settings)
    return _run_blocking(run_scan(store, scan, seeds, chosen))


async def adiscover(urls: str | Sequence[str], **settings: Any) -> Discovery:  # noqa: ANN401
    """The same for those who have an event loop."""
    store, scan, seeds, chosen = _open_scan(urls, build_settings(settings), keeps="db" in settings)
    return await run_scan(store, scan, seeds, chosen, Listener())


async def stream(urls: str | Sequence[str], **settings: Any) -> AsyncIterator[Page]:  # noqa: ANN401
    """Yield pages as they answer: `async for page in headwater.stream(url)`. Leaving the loop ends the discovery.

    What was found and not requested follows at the end.
    """
    store, scan, seeds, chosen = _open_scan(urls, build_settings(settings), keeps="db" in settings)
    news: asyncio.Queue[int | None] = asyncio.Queue()

    def tell(identities: Sequence[int]) -> None:
        for identity in identities:
            news.put_nowait(identity)

    listener = Listener(on_saved=tell)
    task = asyncio.create_task(run_scan(store, scan, seeds, chosen, listener))
    task.add_done_callback(lambda _: news.put_nowait(None))
    try:
        while (identity := await news.get()) is not None:
            page = store.page(scan, identity)
            if page is not None and is_selected(page, chosen):
                yield page
        await task
        for page in store.pages(scan):
            if page.last_seen is None and is_selected(page, chosen):
                yield page
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def discover_urls(*, scan_id: str = "", domain: str, max_urls: int | None = None, **settings: Any) -> Discovery:  # noqa: ANN401
    """Seed 001: the pages of a domain with evidence. `scan_id` names the scan: `headwater export --scan` finds it."""
    if max_urls is not None:
        settings["max_urls"] = max_urls
    return _discover_with_environment(domain, {"preset": "scan", **settings}, scan_id)


def discover_initial_urls(base_url: str, **settings: Any) -> list[str]:  # noqa: ANN401
    """Seed 000: the base URL, and what the sitemap lists below it."""
    found = _discover_with_environment(base_url, {"preset": "docs", "stages": ("sitemaps",), **settings})
    seed = normalize(parse_seed_url(base_url), Policy.from_settings(found.settings)) or base_url
    return [seed, *(url for url in found.urls if url != seed)]


def extract_credentials(seeds: Sequence[str], settings: Settings) -> tuple[list[str], Settings]:
    """Seeds without user information, which becomes credentials of their origins: it is used, never kept or shown."""
    cleaned = [without_user(seed) for seed in seeds]
    credentials = (*settings.credentials, *(line for _, line in cleaned if line))
    return [seed for seed, _ in cleaned], replace(settings, credentials=credentials)


def public_settings(settings: Settings) -> dict[str, object]:
    """What of the settings a store keeps: nothing secret, a proxy without its password."""
    return {
        name: redact_value(name, value)
        for name, value in asdict(settings).items()
        if not getattr(SETTINGS[name].kind, "secret", False)
    }


def _discover_with_environment(url: str, given: Mapping[str, Any], name: str = "") -> Discovery:
    """Discover as the command line would: what is not given comes from the environment."""
    layers = [build_mapping_layer(given), build_environment_layer(os.environ)]
    keeps = any("db" in layer.values for layer in layers)
    store, scan, seeds, chosen = _open_scan(url, merge_layers(layers).settings, keeps=keeps)
    if name:
        store.name_scan(scan, name)
    return _run_blocking(run_scan(store, scan, seeds, chosen))


def _run_blocking(work: Coroutine[Any, Any, Discovery]) -> Discovery:
    """Run to the end, in a thread where an event loop runs already, as in notebooks and request handlers."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def _open_scan(urls: str | Sequence[str], settings: Settings, *, keeps: bool) -> tuple[Store, int, list[str], Settings]:
    seeds, settings = extract_credentials([urls] if isinstance(urls, str) else list(urls), settings)
    store = open_store(settings.db, settings.transaction_timeout) if keeps else MemoryStore()
    return store, store.create_scan(seeds, public_settings(settings)).number, seeds, settings


async def run_scan(
    store: Store, scan: int, seeds: Sequence[str], settings: Settings, listener: Listener | None = None
) -> Discovery:
    """Run a scan that a store holds already, whether it is new or was interrupted, and note how it ended."""
    try:
        async with open_context(store, scan, seeds, settings, listener) as context:
            await check_reachable(context)
            stages = await discover_site(context)
    except BaseException:
        store.finish_scan(scan, "interrupted")
        raise
    store.finish_scan(scan, compute_end_state(store.counts(scan), find_limit(stages)))
    return Discovery(store, scan, settings, tuple(stages))
