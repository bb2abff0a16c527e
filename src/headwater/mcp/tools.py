"""What a model may do with Headwater: each public method of `Tools` is one tool, its docstring what the model is told.

Whoever calls may have read a hostile page: private addresses are never named by an argument, sizes are capped, one
discovery runs at a time.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from headwater import dive as diving
from headwater.api import adiscover
from headwater.classify import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS
from headwater.errors import HeadwaterError, UrlError
from headwater.export.records import make_record
from headwater.fetch.egress import Egress, loopback_host
from headwater.settings import build_settings
from headwater.store import open_store
from headwater.urls import Scope, explain, judge, spell_url
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Dive, Scan

MAX_PAGES = 2000
MAX_ROWS = 1000
MAX_MARKDOWN_LENGTH = 100_000
DIVE_WAIT = 20.0
"""Seconds a tool waits for a dive before it says how far the dive is."""

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
        self._searcher_context: Any = None
        self._searcher: diving.Searcher | None = None

    async def discover_site(self, url: str, max_pages: int = 200) -> dict[str, Any]:
        """Find the pages of a website (navigation, sitemaps, links) and keep them. Gives counts and clusters; list_urls
        lists the pages. Only public addresses are requested."""
        self._reject_private(url)
        async with self._scan_lock:
            chosen = {**asdict(self._settings), "max_pages": _clamp(max_pages, 1, MAX_PAGES)}
            found = await adiscover(url, **chosen)
            result = {
                "scan": found.scan,
                "source": found.source,
                "pages": found.store.listed(found.scan),
                "skipped": dict(found.skipped),
                "clusters": [cluster._asdict() for cluster in found.clusters[:DEFAULT_CLUSTER_LIMIT]],
            }
            found.store.close()
        return result

    async def list_urls(
        self, scan: int | None = None, contains: str = "", cluster: str = "", limit: int = 100, offset: int = 0
    ) -> dict[str, Any]:
        """List the pages of a scan (the last if none is named) by URL, perhaps only those whose URL contains a text or
        that are in a cluster."""
        number = self._scan(scan).number
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
        """List the clusters of a scan that say most about the site: groups of pages by section, shape, topic, language
        or source. Raise the limit to see all."""
        clusters = self._store.clusters(self._scan(scan).number)
        return [cluster._asdict() for cluster in clusters[: _clamp(limit, 1, MAX_CLUSTERS)]]

    async def explain_url(self, url: str, scan: int | None = None) -> dict[str, Any]:
        """Say how a scan found a URL, from the seed to it, or which rule refuses it."""
        chosen = self._scan(scan)
        scope = Scope.from_settings(chosen.seeds, build_settings(dict(chosen.settings)))
        verdict = judge(url, scope)
        steps = [step._asdict() for step in explain(url, scope)]
        page = self._page(chosen, url, scope)
        chain: list[dict[str, Any]] = []
        current = page
        while current is not None and len(chain) < 50:
            chain.insert(0, {"url": current["url"], "sources": current["sources"], "title": current["title"]})
            parent = current["found_on"]
            current = (
                self._page(chosen, parent, scope) if parent and all(parent != one["url"] for one in chain) else None
            )
        return {"page": page, "chain": chain, "allowed": verdict.allowed, "reason": verdict.reason, "rules": steps}

    async def get_evidence(self, scan: int | None = None, kind: str = "", limit: int = 50) -> list[dict[str, Any]]:
        """What a scan did and what came of it: robots_txt, sitemap_fetch, stage, discovery_summary and more."""
        evidence = self._store.evidence(self._scan(scan).number, kind)
        return [{**one._asdict(), "content": dict(one.content)} for one in evidence[-_clamp(limit, 1, MAX_ROWS) :]]

    async def start_dive(
        self, clusters: list[str] | None = None, match: str = "", scan: int | None = None
    ) -> dict[str, Any]:
        """Read the pages of clusters, or those whose URL matches a pattern such as /docs/*, so that search_dive and
        ask_dive can be used on them. Call it again with the same arguments to see how far it is."""
        if not clusters and not match:
            raise HeadwaterError("name clusters or a pattern; list_clusters lists the clusters")
        selection = diving.Selection(tuple(clusters or ()), (match,) if match else ())
        running = next((one for one in self._store.dives.dives() if one.selection == selection.record()), None)
        task = self._dives.get(running.number) if running else None
        if task is None or task.done():
            chosen = self._scan(scan)
            settings = build_settings({**dict(chosen.settings), **_server_settings(self._settings)})
            dive = diving.begin(self._store, selection, settings, chosen.number)
            task = self._dives[dive.number] = asyncio.create_task(diving.run_told(self._store, dive, settings))
            running = dive
        assert running is not None
        done, _ = await asyncio.wait([task], timeout=DIVE_WAIT)
        if done:
            task.result()
        return _summarize_dive(diving.find_dive(self._store.dives, running.number))

    async def search_dive(self, query: str, dive: int | None = None, limit: int = 8) -> dict[str, Any]:
        """Find the passages of a dive (the newest if none is named) that fit a question, by words and by meaning."""
        searcher = await self._get_searcher()
        results = await searcher.search(query, dive, limit=_clamp(limit, 1, 50))
        return {"note": results.note, "hits": [hit._asdict() for hit in results.hits]}

    async def ask_dive(self, question: str, dive: int | None = None) -> dict[str, Any]:
        """Answer a question from the passages of a dive. Citations [n] are checked and refer to `passages`."""
        searcher = await self._get_searcher()
        hits: tuple[diving.Hit, ...] = ()
        answer = diving.Answer("")
        async for part in diving.ask(searcher, self._store.dives, self._settings, question, dive, keeps=False):
            if isinstance(part, diving.Passages):
                hits = part.hits
            elif isinstance(part, diving.Answer):
                answer = part
        return {
            **answer._asdict(),
            "passages": [{"number": place, **hit._asdict()} for place, hit in enumerate(hits, 1)],
        }

    async def get_page_markdown(self, url: str, dive: int | None = None) -> dict[str, Any]:
        """The Markdown of a page that a dive has read."""
        page = self._store.dives.page(url, dive or 0)
        if page is None:
            raise HeadwaterError(f"no dive has read {url}; start_dive reads pages")
        return {
            "url": page.url,
            "title": page.title,
            "language": page.language,
            "modified": page.modified,
            "markdown": page.markdown[:MAX_MARKDOWN_LENGTH],
            "is_cut": len(page.markdown) > MAX_MARKDOWN_LENGTH,
        }

    async def aclose(self) -> None:
        """Stop what runs and let go of the store."""
        for task in self._dives.values():
            task.cancel()
        await asyncio.gather(*self._dives.values(), return_exceptions=True)
        if self._searcher_context is not None:
            await self._searcher_context.__aexit__(None, None, None)
        self._store.close()

    async def _get_searcher(self) -> diving.Searcher:
        """One searcher for all calls, so that vectors are loaded once."""
        if self._searcher is None:
            self._searcher_context = diving.open_searcher(self._store, self._settings)
            self._searcher = await self._searcher_context.__aenter__()
        return self._searcher

    def _reject_private(self, url: str) -> None:
        """On a command line a loopback seed counts as named by the user; here whoever calls is not the user."""
        host = loopback_host(parse_seed_url(url))
        if host and not Egress.allowing(self._settings.allow_private).permits(host, host):
            raise UrlError(url, "it is this machine; start `headwater mcp` with --allow-private to permit it")

    def _scan(self, number: int | None) -> Scan:
        scan = self._store.last() if number is None else self._store.scan(number)
        if scan is None:
            raise HeadwaterError("there is no such scan; discover_site makes one")
        return scan

    def _page(self, scan: Scan, url: str, scope: Scope) -> dict[str, Any] | None:
        spelling = spell_url(url, scope.policy)
        page = self._store.page(scan.number, compute_identity(spelling.key)) if spelling else None
        return None if page is None else make_record(page)


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _summarize_dive(dive: Dive) -> dict[str, Any]:
    fields = ("number", "state", "pages", "done", "waiting", "chunks", "vectors", "embedder")
    return {"name": dive.name, **{name: getattr(dive, name) for name in fields}}


def _server_settings(settings: Settings) -> dict[str, Any]:
    """What the server's own settings say about reading and models, over those of the scan."""
    names = (
        "db", "max_dive_pages", "include_noindex", "chunk_tokens", "embedder", "embedding_model", "openai_base_url",
        "openai_api_key", "chat_model", "allow_private", "max_parallel", "delay", "language", "robots",
    )  # fmt: skip
    return {name: getattr(settings, name) for name in names}
