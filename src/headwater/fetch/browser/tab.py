"""One page in the browser: opened, read once its scripts rest, scrolled, unfolded and clicked; hostile ones are left.

Questions go over the debugging protocol to the script that watches the page (`scripts/`): a page's policy does
not bind it, and what the page redefines does not reach it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from headwater.fetch.browser.certificate_errors import CertificateErrorHandler
from headwater.fetch.browser.navigations import forbids_scripts, get_page_url, is_document_gone
from headwater.fetch.browser.page_report import EMPTY_REPORT, is_page_report, parse_report
from headwater.pages.links.harmful_actions import is_harmful_url
from headwater.urls.parsing import HTTP_PREFIXES, get_origin

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Dialog, Page, Request, Response, Route

    from headwater.settings import Settings

QUIET_MS, MAX_SETTLE_MS = 60, 5000
"""Milliseconds without a change after which a page is read, and after which it is read anyway: then, or after a third
of its time."""

MAX_SCROLLS = 60
MAX_UNPRODUCTIVE_CLICKS = 20
UNROUTE_TIMEOUT = 1.0
LATE_SCRIPT_TIMEOUT = 2.0
"""Seconds for scripts that a page at rest still loads: the next view of an application often is one."""

MAX_DIALOGS = 10
MAX_POPUPS = 20
MAX_NAVIGATIONS = 50
"""Addresses that a page may go to by itself, each hop of a redirect counted, before it is left."""

MAX_RELOADS = 3
MAX_ENDPOINTS = 500
MAX_ROUTES = 5000
MAX_REPORT_CHARS = 8_000_000
"""Characters of all that the scripts of a page lead to and call, and of all that was clicked."""

MAX_HTML = 20_000_000
"""Characters of a page, as in `scripts/language.js`."""

FIRST_ERROR_STATUS = 400
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_API_RESOURCE_TYPES = frozenset({"xhr", "fetch", "websocket", "eventsource", "ping"})


class NavigatedAway(Exception):  # noqa: N818  (no mistake, a turn of events)
    """The page sent the browser elsewhere."""


@dataclass(slots=True)
class RenderedPage:
    """What a page showed: its documents as they were, and where its scripts would lead."""

    url: str
    status: int | None = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    routes: dict[tuple[str, str], None] = field(default_factory=dict)
    endpoints: dict[tuple[str, str], None] = field(default_factory=dict)
    moved_to: str = ""
    clicks: int = 0
    skipped_clicks: int = 0
    problem: str = ""
    retry_after: str = ""

    @property
    def is_failure(self) -> bool:
        """Whether the server answered with an error, whose page is not the page."""
        return self.status is not None and self.status >= FIRST_ERROR_STATUS

    def add(self, document: dict[str, Any]) -> None:
        """The page at a moment; what is the same as before is not kept again."""
        if not self.documents or self.documents[-1]["html"] != document["html"]:
            self.documents.append(document)


class Tab:
    """A page of the browser that opens one URL after another of one site."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession, name: str, settings: Settings) -> None:
        self.context, self.page, self.origin, self.opened = context, page, "", 0
        self.idle_since = 0.0
        self.has_crashed, self.loading_url = False, ""
        """Where the page was being loaded from last, redirects followed."""
        self.certificate_errors = CertificateErrorHandler(session, settings.insecure)
        self._session, self._name, self._settings = session, name, settings
        self._result = RenderedPage("")
        self._deadline: asyncio.Timeout | None = None
        self._dialogs = self._popups = self._navigations = 0
        self._reported_chars = 0
        self._is_clicking = False
        self._is_scriptless = False
        self._tried_elements: list[str] = []
        self._loading_scripts: set[str] = set()
        self._all_scripts_loaded = asyncio.Event()
        session.on("Runtime.bindingCalled", self._on_report)
        page.on("dialog", self._on_dialog)
        page.on("request", self._on_request)
        # From the page's own process, as its answers are: what an answer comes behind has been told when it is here.
        session.on("Network.requestWillBeSent", self._on_sent)
        session.on("Network.loadingFinished", self._on_loaded)
        session.on("Network.loadingFailed", self._on_loaded)
        page.on("crash", self._on_crash)
        context.on("page", self._on_popup)

    async def open(self, url: str, *, clicks: bool) -> RenderedPage:
        """Everything the page shows within the time it is given; what was seen by then counts."""
        self.opened += 1
        self._result, self._is_clicking, self._tried_elements = RenderedPage(url), False, []
        self._dialogs = self._popups = self._reported_chars = 0
        try:
            async with asyncio.timeout(self._settings.render_timeout) as self._deadline:
                await self._explore(url, clicks=clicks)
        except TimeoutError:
            self._result.problem = self._result.problem or f"not done after {self._settings.render_timeout:g} s"
        finally:
            self._deadline = None
        return self._result

    async def _explore(self, url: str, *, clicks: bool) -> None:
        response = await self._go(url)
        self._result.status = response.status if response is not None else None
        headers = response.headers if response is not None else {}
        self._is_scriptless, self._result.retry_after = forbids_scripts(headers), headers.get("retry-after", "")
        if self._result.is_failure:
            return
        try:
            await self._read(url)
            if not self._is_scriptless:
                await self._interact(clicks=clicks)
        except NavigatedAway as moved:
            self._result.moved_to = str(moved)
            if not self._result.moved_to.startswith(HTTP_PREFIXES):
                self._result.moved_to, self._result.problem = "", "it went where a browser may not go"

    async def _go(self, url: str) -> Response | None:
        """Open the URL anew; a tab that shows the page already would only move to the fragment, as things stand."""
        if "#" in url and get_page_url(self.page.url) == get_page_url(url):
            await self.page.goto("about:blank", wait_until="commit", timeout=0)
        self._navigations = 0
        self._loading_scripts.clear()
        self._all_scripts_loaded.set()
        return await self.page.goto(url, wait_until="commit", timeout=0)

    async def _read(self, url: str) -> None:
        """The page once it rests; one that goes elsewhere meanwhile is not read."""
        for _ in range(MAX_RELOADS):
            try:
                document = await self._document()
                if "#" in url and document["hears_hash"]:
                    with contextlib.suppress(_ScriptBlocked):
                        await self.call_page_script("tellOfHash", QUIET_MS)
                    document = await self._document()
            except _DocumentGone:
                await self.page.wait_for_load_state("domcontentloaded", timeout=0)
                continue
            own = {route for route, how in document["routes"] if how in {"pushState", "replaceState", "navigate"}}
            if get_page_url(document["url"]) != get_page_url(url) and document["url"] not in own:
                raise NavigatedAway(document["url"])
            self._result.add(document)
            return
        if get_page_url(self.page.url) != get_page_url(url):
            raise NavigatedAway(self.page.url)
        self._result.problem = "it reloads itself without end"

    async def _document(self) -> dict[str, Any]:
        """The page as our script tells it; where the page keeps that from working, as the browser itself does."""
        document: dict[str, Any] | None = None
        with contextlib.suppress(_ScriptBlocked):
            await (self.page.wait_for_load_state("domcontentloaded", timeout=0) if self._is_scriptless else self._wait_until_settled())
            told = await self.call_page_script("page")
            document = told if is_page_report(told) else None
        if document is not None and (not document["has_unseen_roots"] or len(document["html"]) >= MAX_HTML):
            return document
        html = await self._snapshot()
        return {**(document or {**EMPTY_REPORT, **self._place()}), "html": html}

    def _place(self) -> dict[str, str]:
        return {"url": self.page.url, "base": self.page.url}

    async def _snapshot(self) -> str:
        """The document with every shadow root, closed ones too; six times as slow as asking the script."""
        root = (await self.send("DOM.getDocument", depth=0))["root"]
        told = await self.send("DOM.getOuterHTML", nodeId=root["nodeId"], includeShadowDOM=True)
        return str(told["outerHTML"])[:MAX_HTML]

    async def _interact(self, *, clicks: bool) -> None:
        """Scroll, unfold and click; what was read before counts, whatever comes of it."""
        if not self._result.documents:
            return
        try:
            await self._scroll_and_click(clicks=clicks)
        except (_DocumentGone, _ScriptBlocked):
            return
        except Exception as error:  # noqa: BLE001  (the driver's errors are of many kinds)
            self._result.problem = self._result.problem or summarize_error(error)

    async def _scroll_and_click(self, *, clicks: bool) -> None:
        """Pages that nothing comes of are left as they are."""
        has_scrolled = self._result.documents[0]["wants_scroll"] and bool(await self.call_page_script("scroll", MAX_SCROLLS, QUIET_MS))
        may_click = clicks and self._settings.max_clicks > 0 and bool(await self.call_page_script("clickable"))
        if may_click or await self.call_page_script("foldable"):
            await self._unfold_and_click(clicks=may_click)
        elif has_scrolled:
            self._result.add(await self._document())

    async def _unfold_and_click(self, *, clicks: bool) -> None:
        """Unfold and click with nothing but reading requests let through; a page that was left is opened again."""
        self._is_clicking = True
        await self.page.route("**/*", self._filter_request)
        try:
            home = await self.call_page_script("address")
            await self.call_page_script("unfold", QUIET_MS)
            while clicks and self._result.clicks < self._settings.max_clicks and await self._click_until_lost():
                await self._reopen()
            self._result.add(await self._document_at(home))
        finally:
            self._is_clicking = False
            with contextlib.suppress(TimeoutError):  # a page that hangs takes its guard with it
                async with asyncio.timeout(UNROUTE_TIMEOUT):
                    await self.page.unroute_all(behavior="ignoreErrors")

    async def _document_at(self, home: str) -> dict[str, Any]:
        """The page as clicks left it; where one of them showed another only now, it is opened again."""
        document = await self._document()
        if document["url"] == home:
            return document
        await self._reopen()
        return await self._document()

    async def _click_until_lost(self) -> bool:
        """Whether the page has to be opened again for what is left to click."""
        left, before = self._settings.max_clicks - self._result.clicks, len(self._tried_elements)
        try:
            report: dict[str, Any] = await self.call_page_script("clicks", left, MAX_UNPRODUCTIVE_CLICKS, QUIET_MS, self._until(), self._tried_elements)
        except _DocumentGone:
            return len(self._tried_elements) > before
        self._result.skipped_clicks += report["skipped"]
        if report["made"] and await self._wait_for_late_scripts():
            with contextlib.suppress(_DocumentGone):
                await self.call_page_script("settled", QUIET_MS, MAX_SETTLE_MS)  # what they were loaded for is shown a little later
            return True
        return bool(report["lost"] and report["made"])

    def _until(self) -> float:
        """The browser's clock, in milliseconds, at which clicking ends so that time is left to read the page."""
        assert self._deadline is not None
        end = self._deadline.when() or 0.0
        return (time.time() + (end - asyncio.get_running_loop().time()) * 0.7) * 1000

    async def _reopen(self) -> None:
        self._is_clicking = False
        response = await self._go(self._result.url)
        if response is not None and response.status >= FIRST_ERROR_STATUS:
            raise _ReopenFailed(f"opened again, it answered {response.status}")
        await self._wait_until_settled()
        self._is_clicking = True

    async def _wait_until_settled(self) -> None:
        longest = min(MAX_SETTLE_MS, self._settings.render_timeout * 1000 / 3)
        await self.call_page_script("settled", QUIET_MS, longest)
        if await self._wait_for_late_scripts():
            await self.call_page_script("settled", QUIET_MS, longest)

    async def _wait_for_late_scripts(self) -> bool:
        """Wait for the scripts that a resting page is loading, which nothing in the page tells; were there any?"""
        are_any = bool(self._loading_scripts)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LATE_SCRIPT_TIMEOUT):
                await self._all_scripts_loaded.wait()
        return are_any

    async def call_page_script(self, question: str, *given: object) -> Any:  # noqa: ANN401
        """Ask the script that watches the page."""
        call = f"window[{self._name!r}].tell({', '.join(json.dumps(one) for one in (question, *given))})"
        try:
            answer = await self._session.send(
                "Runtime.evaluate", {"expression": call, "awaitPromise": True, "returnByValue": True}
            )
        except Exception as error:
            if is_document_gone(error):
                raise _DocumentGone from None
            raise
        try:
            return parse_report(answer["result"]["value"])
        except (KeyError, TypeError, ValueError):
            raise _ScriptBlocked from None

    async def send(self, method: str, **given: object) -> Any:  # noqa: ANN401
        """A call of the debugging protocol."""
        return await self._session.send(method, given)

    async def _filter_request(self, route: Route, request: Request) -> None:
        """While we click nothing is sent, nobody is signed out, and the page stays; only we open it again."""
        leaves = request.is_navigation_request() and request.frame == self.page.main_frame
        is_own = leaves and not self._is_clicking and get_page_url(request.url) == get_page_url(self._result.url)
        is_harmful = request.method not in SAFE_METHODS or (is_harmful_url(request.url) and not is_own)
        if self._is_clicking and leaves:
            self._result.routes[request.url, "location"] = None
        if is_harmful or (self._is_clicking and leaves):
            await route.abort("aborted" if leaves else "blockedbyclient")
        else:
            await route.continue_()

    async def _on_dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs > MAX_DIALOGS:
            self._give_up("dialogs without end")
        with contextlib.suppress(Exception):
            await (dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())

    async def _on_popup(self, popup: Page) -> None:
        if popup != self.page:
            self._popups += 1
            if self._popups > MAX_POPUPS:
                self._give_up("windows without end")
            with contextlib.suppress(Exception):
                await popup.close()

    def _on_report(self, event: dict[str, Any]) -> None:
        """What the script in the page notes, told at once."""
        with contextlib.suppress(ValueError):
            if not self._reserve_report_chars(event["payload"]):
                return
            what, value = json.loads(event["payload"])
            if what == "tried":
                self._tried_elements.append(value)  # goes back to the page as it came
            elif what == "clicked":
                self._result.clicks += 1
            elif len(self._result.routes) < MAX_ROUTES:
                self._result.routes[str(value), str(what)] = None

    def _reserve_report_chars(self, text: str) -> bool:
        """Whether this is still kept of what the scripts of a page lead to."""
        if self._reported_chars + len(text) > MAX_REPORT_CHARS:
            return False
        self._reported_chars += len(text)
        return True

    def _on_request(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self.loading_url = request.url
            self._navigations += 1
            if self._navigations > MAX_NAVIGATIONS:
                self._give_up("it goes elsewhere without end")
        is_kept = request.resource_type in _API_RESOURCE_TYPES and len(self._result.endpoints) < MAX_ENDPOINTS
        if is_kept and self._reserve_report_chars(request.url):
            self._result.endpoints[request.url.partition("#")[0], request.method] = None

    def _on_sent(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Script":
            self._loading_scripts.add(event["requestId"])
            self._all_scripts_loaded.clear()

    def _on_loaded(self, event: dict[str, Any]) -> None:
        self._loading_scripts.discard(event["requestId"])
        if not self._loading_scripts:
            self._all_scripts_loaded.set()

    def _on_crash(self, _: Page) -> None:
        self.has_crashed = True
        self._give_up("crashed")

    def _give_up(self, problem: str) -> None:
        """End this page at once; what the last one does while the tab is idle is nobody's problem."""
        if self._deadline is None:
            return
        self._result.problem = self._result.problem or problem
        if not self._deadline.expired():
            with contextlib.suppress(RuntimeError):
                self._deadline.reschedule(asyncio.get_running_loop().time())

    def can_open(self, url: str) -> bool:
        """Whether the tab is alive and has seen no other site than this URL's."""
        return self.origin in {"", get_origin(url)} and not self.has_crashed and not self.page.is_closed()


class _ScriptBlocked(Exception):  # noqa: N818
    """Something in the page keeps our script from answering."""


class _DocumentGone(Exception):  # noqa: N818
    """The document that was asked is there no more."""


class _ReopenFailed(Exception):  # noqa: N818
    """The page could not be opened a second time."""


def summarize_error(error: Exception) -> str:
    """What an error of the driver says, without the log that follows it."""
    return str(error).strip().partition("\n")[0][:300]
