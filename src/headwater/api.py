"""The Python API: `discover`, its variants, and the result they return."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from headwater.event_loop import run_embedded
from headwater.export.records import make_record
from headwater.fetch.login.login import check_login, log_in
from headwater.model import EXPORTED_FIELDS, SCORE_FIELD, StoredLink
from headwater.page_sequence import Pages
from headwater.runner.scan_runner import Listener, ScanRunner, ScanTask
from headwater.runner.scan_setup import check_settings, extract_credentials, public_settings
from headwater.settings import build_environment_layer, build_mapping_layer, build_settings, merge_layers
from headwater.store import MemoryStore, is_selected, open_store, select_pages
from headwater.store.diagnosis import read_diagnosis
from headwater.urls import Policy, normalize
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from headwater.model import Evidence, Page
    from headwater.runner.scan_result import StageReport
    from headwater.settings import Settings
    from headwater.settings.choices import SortOrder
    from headwater.store import ClusterCount, Store


@dataclass(frozen=True, slots=True)
class Discovery:
    """The result of a scan; pages and evidence are read from its store on access."""

    store: Store
    scan: int
    settings: Settings
    stages: tuple[StageReport, ...] = ()

    @property
    def urls(self) -> list[str]:
        """The URLs of all listed pages."""
        return [page.url for page in self.pages]

    @property
    def pages(self) -> Pages:
        """All listed pages in the order of `sort` or `search`; with `max_urls`, those with the highest priority."""
        return Pages(self._read_listed)

    def _read_listed(self) -> Iterator[Page]:
        return select_pages(self.store, lambda: [self.scan], self.settings)

    def search(self, question: str) -> Pages:
        """Return the listed pages ranked for a question, with their `score`."""
        return self.select(search=question)

    def select(self, *, sort: SortOrder | None = None, search: str | None = None) -> Pages:
        """Return the listed pages in another order than the settings say, or ranked for a question."""
        chosen = self._change_settings((), sort, search)
        return Pages(lambda: select_pages(self.store, lambda: [self.scan], chosen))

    def records(
        self, *fields: str, sort: SortOrder | None = None, search: str | None = None
    ) -> Iterator[dict[str, object]]:
        """Yield the listed pages as dictionaries, as JSON has them, with these fields or those of the settings."""
        chosen = self._change_settings(fields, sort, search)
        names = chosen.fields or (*EXPORTED_FIELDS, *([SCORE_FIELD] if chosen.search else []))
        return (make_record(page, names) for page in self.select(sort=sort, search=search))

    def _change_settings(self, fields: tuple[str, ...], sort: SortOrder | None, search: str | None) -> Settings:
        settings = self.settings
        return replace(
            settings,
            fields=fields or settings.fields,
            sort=sort or settings.sort,
            search=search or (None if sort else settings.search),
        )

    def __enter__(self) -> Self:
        """Return the result; its store is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.store.close()

    @property
    def skipped(self) -> Mapping[str, int]:
        """The number of skipped URLs by reason."""
        return self.store.counts(self.scan).skipped

    @property
    def links(self) -> Iterator[StoredLink]:
        """The links between pages: all, the first one to each page, or none, according to the setting `links`."""
        if self.settings.links != "first":
            return self.store.links.edges(self.scan)
        return (
            StoredLink(page.found_on, page.url, page.element, page.text or "", page.region or "content")
            for page in self.store.pages(self.scan)
            if page.found_on and page.element
        )

    @property
    def evidence(self) -> list[Evidence]:
        """The evidence: requests for robots.txt and sitemaps, stages, and their results."""
        return self.store.evidence(self.scan)

    @property
    def diagnosis(self) -> list[str]:
        """Reasons why the scan found few pages, with what to try; empty if it found enough."""
        return read_diagnosis(self.store, self.scan)

    @property
    def clusters(self) -> list[ClusterCount]:
        """All clusters, the most informative ones first."""
        return self.store.clusters(self.scan)

    @property
    def source(self) -> str:
        """The main source of URLs: `sitemap`, `crawl`, `sitemap+crawl`, `navigation` or `none`."""
        return str(self.statistics.get("source", "none"))

    @property
    def statistics(self) -> Mapping[str, Any]:
        """The counts of the scan summary."""
        summaries = self.store.evidence(self.scan, "discovery_summary")
        return summaries[-1].content if summaries else {}


def discover(urls: str | Sequence[str], **settings: Any) -> Discovery:  # noqa: ANN401
    """Find every page of a site. The settings are those of `headwater settings`; `db` stores the result in a file."""
    return _discover_blocking(urls, build_settings(settings), is_stored="db" in settings)


async def adiscover(urls: str | Sequence[str], **settings: Any) -> Discovery:  # noqa: ANN401
    """Async version of discover()."""
    chosen = build_settings(settings)
    await log_in(chosen, _list_seeds(urls))
    return await _discover(_create_task(urls, chosen, is_stored="db" in settings))


async def stream(urls: str | Sequence[str], **settings: Any) -> AsyncIterator[Page]:  # noqa: ANN401
    """Yield pages as they are fetched: `async for page in headwater.stream(url)`. Leaving the loop ends the scan.

    Pages that were found and not requested follow at the end. Duplicates and views of other pages are known only then,
    so they are yielded, too.
    """
    saved: asyncio.Queue[int | None] = asyncio.Queue()

    def enqueue(identities: Sequence[int]) -> None:
        for identity in identities:
            saved.put_nowait(identity)

    await log_in(build_settings(settings), _list_seeds(urls))
    task = _create_task(urls, build_settings(settings), is_stored="db" in settings)
    store, number, chosen = task.store, task.scan.number, task.settings
    scan = asyncio.create_task(ScanRunner(replace(task, listener=Listener(on_saved=enqueue))).run())
    scan.add_done_callback(lambda _: saved.put_nowait(None))
    try:
        while (identity := await saved.get()) is not None:
            page = store.page(number, identity)
            if page is not None and is_selected(page, chosen):
                yield page
        await scan
        for page in store.pages(number):
            if page.last_seen is None and is_selected(page, chosen):
                yield page
    finally:
        scan.cancel()
        await asyncio.gather(scan, return_exceptions=True)


def discover_urls(*, scan_id: str = "", domain: str, max_urls: int | None = None, **settings: Any) -> Discovery:  # noqa: ANN401
    """Find the pages of a domain with the preset `scan`. `headwater export --scan` finds the scan by `scan_id`."""
    if max_urls is not None:
        settings["max_urls"] = max_urls
    return _discover_with_environment(domain, {"preset": "scan", **settings}, scan_id)


def discover_initial_urls(base_url: str, **settings: Any) -> list[str]:  # noqa: ANN401
    """Return the base URL and the URLs below it that the sitemap lists, with the preset `docs`."""
    found = _discover_with_environment(base_url, {"preset": "docs", "stages": ("sitemaps",), **settings})
    seed = normalize(parse_seed_url(base_url), Policy.from_settings(found.settings)) or base_url
    return [seed, *(url for url in found.urls if url != seed)]


def _discover_with_environment(url: str, given: Mapping[str, Any], name: str = "") -> Discovery:
    """Find the pages of a site as the command line does: settings that are not given come from the environment."""
    layers = [build_mapping_layer(given), build_environment_layer(os.environ)]
    is_stored = any("db" in layer.values for layer in layers)
    return _discover_blocking(url, merge_layers(layers).settings, is_stored=is_stored, name=name)


def _discover_blocking(urls: str | Sequence[str], settings: Settings, *, is_stored: bool, name: str = "") -> Discovery:
    if settings.login is not None:
        run_embedded(log_in(settings, _list_seeds(urls)))
    task = _create_task(urls, settings, is_stored=is_stored)
    if name:
        task.store.name_scan(task.scan.number, name)
    return run_embedded(_discover(task))


def _create_task(urls: str | Sequence[str], settings: Settings, *, is_stored: bool) -> ScanTask:
    check_login(settings)  # mistakes are raised before a scan is created
    seeds, settings = extract_credentials(_list_seeds(urls), settings)
    check_settings(seeds, settings)
    store = open_store(settings.db, settings.transaction_timeout) if is_stored else MemoryStore()
    return ScanTask(store, store.create_scan(seeds, public_settings(settings)), settings)


def _list_seeds(urls: str | Sequence[str]) -> list[str]:
    return [urls] if isinstance(urls, str) else list(urls)


async def _discover(task: ScanTask) -> Discovery:
    result = await ScanRunner(task).run()
    return Discovery(task.store, task.scan.number, task.settings, result.reports)
