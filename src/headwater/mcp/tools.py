"""Tools for language models: each public method of `Tools` is one tool, and its docstring is the description.

A model that calls a tool may have read a hostile page. Therefore arguments cannot allow private addresses, sizes are
limited, and one scan runs at a time.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from headwater import dive as diving
from headwater.api import adiscover
from headwater.classify import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS
from headwater.errors import HeadwaterError, UrlError
from headwater.event_loop import cancel_tasks
from headwater.export.records import make_record
from headwater.fetch.egress import EgressPolicy, get_loopback_host
from headwater.settings import build_settings
from headwater.store import open_store
from headwater.store.provenance import restore_scope, trace_url
from headwater.urls import explain, judge
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Dive, Scan

MAX_PAGES = 2000
MAX_ROWS = 1000
MAX_MARKDOWN_LENGTH = 100_000
DIVE_WAIT = 20.0
"""Seconds a tool waits for a dive before it returns the progress of the dive."""

TOOL_NAMES = (
    "discover_site", "list_urls", "list_clusters", "explain_url", "get_evidence", "start_dive", "search_dive",
    "ask_dive", "get_page_markdown",
)  # fmt: skip


class Tools:
    """The tools over one store."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = open_store(settings.db)
        self._scan_lock = asyncio.Lock()
        self._dives: dict[int, asyncio.Task[Dive]] = {}
        self._open_resources = AsyncExitStack()
        self._searcher: diving.Searcher | None = None

    async def discover_site(self, url: str, max_pages: int = 200) -> dict[str, Any]:
        """Scan a website: find its pages through navigation, sitemaps and links, and store them. Returns counts and
        clusters; use list_urls to list the pages. Only public addresses are requested."""
        self._reject_private(url)
        async with self._scan_lock:
            chosen = {**asdict(self._settings), "max_pages": _clamp(max_pages, 1, MAX_PAGES)}
            found = await adiscover(url, **chosen)
            result = {
                "scan": found.scan,
                "source": found.source,
                "pages": found.store.count_listed(found.scan),
                "skipped": dict(found.skipped),
                "clusters": [cluster._asdict() for cluster in found.clusters[:DEFAULT_CLUSTER_LIMIT]],
            }
            found.store.close()
        return result

    async def list_urls(
        self, scan: int | None = None, contains: str = "", cluster: str = "", limit: int = 100, offset: int = 0
    ) -> dict[str, Any]:
        """List the pages of a scan (by default the last) by URL, optionally only those whose URL contains a text or
        that belong to a cluster."""
        number = self._find_scan(scan).number
        pages = [
            page
            for page in self._store.pages(number)
            if page.kind == "page"
            and page.list_name == "pages"
            and contains in page.url
            and (not cluster or cluster.lower() in {name.lower() for name in page.clusters or ()})
        ]
        start = _clamp(offset, 0, len(pages))
        rows = pages[start : start + _clamp(limit, 1, MAX_ROWS)]
        fields = ("url", "title", "state", "status", "sources", "clusters", "priority", "language")
        return {"total": len(pages), "urls": [{name: make_record(page)[name] for name in fields} for page in rows]}

    async def list_clusters(self, scan: int | None = None, limit: int = DEFAULT_CLUSTER_LIMIT) -> list[dict[str, Any]]:
        """List the most important clusters of a scan: groups of pages by section, URL shape, topic, language or source.
        Raise the limit to list all."""
        clusters = self._store.clusters(self._find_scan(scan).number)
        return [cluster._asdict() for cluster in clusters[: _clamp(limit, 1, MAX_CLUSTERS)]]

    async def explain_url(self, url: str, scan: int | None = None) -> dict[str, Any]:
        """Explain how a scan found a URL, step by step from the seed, or which rule skips it."""
        chosen = self._find_scan(scan)
        scope = restore_scope(chosen)
        verdict = judge(url, scope)
        page, chain = trace_url(self._store, chosen, url)
        return {
            "page": page and make_record(page),
            "chain": [step._asdict() for step in chain],
            "allowed": verdict.allowed,
            "reason": verdict.reason,
            "rules": [step._asdict() for step in explain(url, scope)],
        }

    async def get_evidence(self, scan: int | None = None, kind: str = "", limit: int = 50) -> list[dict[str, Any]]:
        """Return the log of a scan: records of kind robots_txt, sitemap_fetch, stage, discovery_summary and others."""
        evidence = self._store.evidence(self._find_scan(scan).number, kind)
        return [{**one._asdict(), "content": dict(one.content)} for one in evidence[-_clamp(limit, 1, MAX_ROWS) :]]

    async def start_dive(
        self, clusters: list[str] | None = None, match: str = "", scan: int | None = None
    ) -> dict[str, Any]:
        """Read the pages of clusters, or pages whose URL matches a pattern such as /docs/*, for search_dive and
        ask_dive. Call it again with the same arguments to get its progress."""
        if not clusters and not match:
            raise HeadwaterError("name clusters or a pattern; use list_clusters to list the clusters")
        selection = diving.Selection(tuple(clusters or ()), (match,) if match else ())
        running = next((one for one in self._store.dives.dives() if one.selection == selection.to_record()), None)
        task = self._dives.get(running.number) if running else None
        if task is None or task.done():
            chosen = self._find_scan(scan)
            settings = build_settings({**dict(chosen.settings), **_select_server_settings(self._settings)})
            dive = diving.create_dive(self._store, selection, settings, chosen.number)
            task = self._dives[dive.number] = asyncio.create_task(
                diving.run_dive_with_events(self._store, dive, settings)
            )
            running = dive
        assert running is not None
        done, _ = await asyncio.wait([task], timeout=DIVE_WAIT)
        if done:
            task.result()
        return _summarize_dive(diving.find_dive(self._store.dives, running.number))

    async def search_dive(self, query: str, dive: int | None = None, limit: int = 8) -> dict[str, Any]:
        """Find the passages of a dive (by default the newest) that match a query best, by words and by meaning."""
        searcher = await self._get_searcher()
        results = await searcher.search(query, dive, limit=_clamp(limit, 1, 50))
        return {"note": results.note, "hits": [hit._asdict() for hit in results.hits]}

    async def ask_dive(self, question: str, dive: int | None = None) -> dict[str, Any]:
        """Answer a question from the passages of a dive. Citations [n] are verified and refer to `passages`."""
        searcher = await self._get_searcher()
        hits: tuple[diving.Hit, ...] = ()
        answer = diving.Answer("")
        async for part in diving.ask(searcher, self._store.dives, self._settings, question, dive, should_save=False):
            if isinstance(part, diving.Passages):
                hits = part.hits
            elif isinstance(part, diving.Answer):
                answer = part
        return {
            **answer._asdict(),
            "passages": [{"number": number, **hit._asdict()} for number, hit in enumerate(hits, 1)],
        }

    async def get_page_markdown(self, url: str, dive: int | None = None) -> dict[str, Any]:
        """Return the Markdown of a page that a dive has read."""
        page = self._store.dives.page(url, dive or 0)
        if page is None:
            raise HeadwaterError(f"no dive has read {url}; use start_dive to read pages")
        return {
            "url": page.url,
            "title": page.title,
            "language": page.language,
            "modified": page.modified,
            "markdown": page.markdown[:MAX_MARKDOWN_LENGTH],
            "is_cut": len(page.markdown) > MAX_MARKDOWN_LENGTH,
        }

    async def aclose(self) -> None:
        """Stop running dives and close the store."""
        await cancel_tasks(self._dives.values())
        await self._open_resources.aclose()
        self._store.close()

    async def _get_searcher(self) -> diving.Searcher:
        """Return the searcher that all calls share, so that vectors are loaded once."""
        if self._searcher is None:
            searcher = diving.open_searcher(self._store, self._settings)
            self._searcher = await self._open_resources.enter_async_context(searcher)
        return self._searcher

    def _reject_private(self, url: str) -> None:
        """Raise an error for loopback URLs; unlike on the command line, the caller is not the user."""
        host = get_loopback_host(parse_seed_url(url))
        if host and not EgressPolicy.from_allow_list(self._settings.allow_private).permits(host, host):
            raise UrlError(url, "it is this machine; start `headwater mcp` with --allow-private to allow it")

    def _find_scan(self, number: int | None) -> Scan:
        scan = self._store.last_scan() if number is None else self._store.scan(number)
        if scan is None:
            raise HeadwaterError("no such scan; use discover_site to scan a site")
        return scan


def _clamp(value: int, minimum: int, maximum: int) -> int:
    return max(minimum, min(value, maximum))


def _summarize_dive(dive: Dive) -> dict[str, Any]:
    return {
        "name": dive.name,
        "number": dive.number,
        "state": dive.state,
        "pages": dive.pages,
        "done": dive.done,
        "waiting": dive.pending,
        "chunks": dive.chunks,
        "vectors": dive.vectors,
        "embedder": dive.embedder,
    }


def _select_server_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings of the server that override those of a scan in a dive."""
    names = (
        "db", "max_dive_pages", "include_noindex", "chunk_tokens", "embedder", "embedding_model", "openai_base_url",
        "openai_api_key", "chat_model", "allow_private", "max_parallel", "delay", "language", "robots",
    )  # fmt: skip
    return {name: getattr(settings, name) for name in names}
