"""Pages that need JavaScript: the crawl hands them to a browser, and what that shows is examined like any page.

In adaptive mode a page is opened when its static form looks built by scripts, and shapes of URLs are learned from what
came of it. Hash routes (`#/route`) are pages of their own if they show something else than the page without them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.discovery.stage import StageReport, counted
from headwater.discovery.stages.nav_scrape import IMPORTANCE, NavScrape
from headwater.discovery.visits.page_reading import finish_reading
from headwater.examination import examine_in_steps, examine_routes, united
from headwater.fetch.browser.page_report import parse_means, parse_region
from headwater.fetch.reasons import WORTH_RETRYING
from headwater.model import Evidence, Extra, Findings, Outcome, Response, Route
from headwater.pages.documents.hashes import hash_of
from headwater.pages.documents.script_signs import MAY_GAIN

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from headwater.discovery.stage import Context, Progress
    from headwater.discovery.visits.page_reading import Reading
    from headwater.examination import Site
    from headwater.fetch.browser.browser import Browser
    from headwater.fetch.browser.tab import Opened
    from headwater.frontier.memory import Memory
    from headwater.model import Candidate, Found
    from headwater.settings import Settings

HTML = frozenset({"text/html", "application/xhtml+xml", ""})
ROUTE_MARKS = ("#/", "#!")
MAX_TEXTS = 10_000


class Render:
    """The last word on the browser's share; the pages themselves were opened while the crawl went."""

    name = "render"

    def is_needed(self, settings: Settings, progress: Progress) -> bool:
        """Wherever it is wanted; whether any page needed it is seen in the crawl."""
        return self.name in settings.stages and settings.render != "never"

    async def run(self, context: Context) -> StageReport:
        """Tell what the browser did."""
        renderer = context.renderer
        if renderer is None or not (renderer.opened or renderer.missed):
            return StageReport(self.name, "skipped", note="no page needed it")
        if renderer.missed and not renderer.opened:
            return StageReport(
                self.name, "skipped", note=f"{renderer.missed:,} pages look script-built; {renderer.browser.missing}"
            )
        failed = f", {renderer.failed:,} failed" if renderer.failed else ""
        note = f"{counted(renderer.opened, 'page')} opened{failed}"
        return StageReport(self.name, "done", renderer.added, note=note)


class Seen(NamedTuple):
    """What a visit in the browser came to; `is_same` when a hash route shows what the page shows anyway."""

    findings: Findings
    status: int | None = None
    is_same: bool = False


class Renderer:
    """Opens pages in the browser for the crawl."""

    def __init__(self, context: Context) -> None:
        self.opened = self.added = self.failed = self.missed = 0
        self._context = context
        self._texts: dict[str, int] = {}
        self._opened_before: set[str] | None = None

    @cached_property
    def browser(self) -> Browser:
        """Made when the first page asks for it; most sites need none."""
        from headwater.fetch.browser.browser import Browser  # noqa: PLC0415  (scans without a browser start faster)

        return Browser(self._context.settings, self._context.roots)

    def why(self, candidate: Candidate, response: Response, findings: Findings) -> str:
        """Why a page is opened; empty if it is not."""
        if response.content_type not in HTML:
            return ""
        reason = findings.scripted or (MAY_GAIN if findings.may_gain else "")
        rendering = self._context.site.rendering
        if rendering is None or not rendering.is_wanted(
            candidate.identity, looks_scripted=bool(findings.scripted), may_gain=findings.may_gain
        ):
            return ""
        reason = reason or "--render always"
        if reason and self.browser.missing:
            self.missed += 1
            return ""
        return reason

    def was_opened(self, url: str) -> bool:
        """Whether an earlier scan opened the page: that its static form did not change says nothing then."""
        if self._opened_before is None:
            previous, store = self._context.previous, self._context.store
            earlier = store.evidence(previous, "render") if previous is not None else []
            self._opened_before = {one.url for one in earlier}
        return url in self._opened_before

    async def enrich(
        self, candidate: Candidate, memory: Memory, reading: Reading, why: str, static: Findings
    ) -> Findings:
        """Return what the browser adds to what the static page said."""
        rendering, site = self._context.site.rendering, self._context.site
        if rendering is not None:
            rendering.begin(candidate.identity)
        result = await self._open(candidate.fetch_url)
        if isinstance(result, Outcome):
            if rendering is not None and result.reason in WORTH_RETRYING:
                rendering.forgive(candidate.identity)
            self.failed += 1
            self._note(candidate.url, why, result, 0)
            return Findings([])
        async with reading:
            shown = reading.recall(await finish_reading(_examined(result, candidate, site, memory)), candidate)
        self._remember_text(candidate.fetch_url, result)
        new_pages = shown.new_pages - static.new_pages
        added = (
            len(new_pages) if rendering is None else rendering.learn(candidate.identity, new_pages, site.traps.round)
        )
        self.added += added
        self._note(candidate.url, why, result, added)
        if candidate.depth == 0 and NavScrape.name in self._context.settings.stages:
            shown = shown._replace(found=_with_importance(shown.found))
        return shown

    async def visit_route(self, candidate: Candidate, memory: Memory, reading: Reading) -> Seen | Outcome:
        """A hash route, which no request without a browser could tell from its page."""
        if self.browser.missing:
            self.missed += 1
            return Outcome(candidate.url, "no-browser", self.browser.missing)
        page = candidate.fetch_url.partition("#")[0]
        if page not in self._texts and not isinstance(whole := await self._open(page), Outcome):
            self._remember_text(page, whole)
        result = await self._open(candidate.fetch_url)
        if isinstance(result, Outcome):
            self.failed += 1
            return result
        if self._texts.get(page) == _text_of(result):
            return Seen(Findings([]), result.status, is_same=True)
        async with reading:
            steps = _examined(result, candidate, self._context.site, memory)
            shown = reading.recall(await finish_reading(steps), candidate)
        added = sum(one.is_new for one in shown.found)
        self.added += added
        self._note(candidate.url, "a hash route", result, added)
        return Seen(shown, result.status)

    async def aclose(self) -> None:
        """End the browser."""
        if "browser" in self.__dict__:
            await self.browser.aclose()

    async def _open(self, url: str) -> Opened | Outcome:
        self.opened += 1
        async with self._context.stack.turn(url):
            result = await self.browser.open(url)
            if isinstance(result, Outcome):
                self._context.stack.heed(url, result)
            return result

    def _remember_text(self, url: str, opened: Opened) -> None:
        if len(self._texts) < MAX_TEXTS and opened.documents:
            self._texts[url.partition("#")[0]] = _text_of(opened)

    def _note(self, url: str, why: str, result: Opened | Outcome, added: int) -> None:
        if isinstance(result, Outcome):
            error = f"{result.reason} {result.detail}".strip()
            self._context.add_evidence(Evidence("render", url, False, result.status, error, {"why": why}))
            return
        content = {
            "why": why, "added": added, "routes": len(result.routes), "clicks": result.clicks,
            "left_alone": result.left_alone, "moved_to": result.moved_to,
        }  # fmt: skip
        evidence = Evidence("render", url, not result.problem, result.status, result.problem, content)
        self._context.add_evidence(evidence)


def _examined(opened: Opened, page: Candidate, site: Site, memory: Memory) -> Generator[None, None, Findings]:
    """Examine every document that the page showed, with pauses, and then where its scripts lead."""
    findings = Findings([])
    for document in _with_frames(opened.documents):
        response = Response(document["base"], 200, body=document["html"].encode("utf-8", "replace"), charset="utf-8")
        shown = yield from examine_in_steps(response, page, site, memory, is_rendered=True)
        findings = united(findings, shown)
        yield
    routes = examine_routes(list(_routes(opened)), page, site, memory)
    findings = united(findings, routes)
    title = opened.documents[-1]["title"] if opened.documents else ""
    return findings._replace(
        title=title[:500] or findings.title,
        scripted="",
        may_gain=False,
        content_hash=_text_of(opened) if opened.documents else None,
    )


def _with_frames(documents: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    for document in documents:
        yield document
        yield from _with_frames(document["frames"])


def _routes(opened: Opened) -> Iterable[Route]:
    """Where scripts lead: addresses they set, the router's table, fragments that may be pages, what they call."""
    if opened.moved_to:
        yield Route(opened.moved_to, "location")
    for url, told in opened.routes:
        how, region = parse_means(told)
        is_call = how == "sendBeacon"
        yield (
            Route(url, "POST", kind="endpoint")
            if is_call
            else Route(url, how, keeps_fragment=_is_route(url), region=region)
        )
    for document in opened.documents:
        here = document["url"].partition("#")[0]
        for path, router in document["tables"]:
            is_hash = path.startswith("#") or "/#" in path
            yield Route(here + path[path.index("#") :] if is_hash else path, router, keeps_fragment=is_hash)
        for fragment, has_target, text, region in document["fragments"]:
            if fragment.startswith(ROUTE_MARKS) or (document["hears_hash"] and not has_target):
                yield Route(here + fragment, "hash", text, keeps_fragment=True, region=parse_region(region))
    for url, method in opened.endpoints:
        yield Route(url, method, kind="endpoint")


def _is_route(url: str) -> bool:
    return "#" in url and url[url.index("#") :].startswith(ROUTE_MARKS)


def _with_importance(found: Sequence[Found]) -> list[Found]:
    """Return what the root page led to; links of its navigation matter as much as those without a browser do."""
    extra = Extra(importance=IMPORTANCE)
    structural = [one for one in found if one.source == "navigation" and one.kind == "page" and not one.reason]
    return [*found, *(one._replace(extra=extra, is_new=False) for one in structural)]


def _text_of(opened: Opened) -> int:
    """A number for what a reader would see."""
    text = opened.documents[0]["text"] if opened.documents else ""
    return hash_of(" ".join(text.split()).encode("utf-8", "surrogatepass"))
