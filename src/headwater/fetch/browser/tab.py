"""Open pages in a tab: load, wait until they settle, read, scroll, unfold and click; stop hostile ones."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import TYPE_CHECKING, Any

from headwater.fetch.browser.navigations import forbids_scripts, get_page_url
from headwater.fetch.browser.network.certificate_errors import CertificateErrorHandler
from headwater.fetch.browser.network.prefetches import is_data_of_other_page, is_marked_prefetch
from headwater.fetch.browser.page_report import PageReport, parse_report
from headwater.fetch.browser.page_session import MAX_HTML, DocumentGone, PageSession, ScriptBlocked
from headwater.fetch.browser.rendered_page import FIRST_ERROR_STATUS, RenderedPage
from headwater.urls.parsing import HTTP_PREFIXES, get_origin
from headwater.urls.recognition.harmful_urls import is_harmful_for_session, is_harmful_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.async_api import BrowserContext, CDPSession, Dialog, Page, Request, Response, Route

    from headwater.settings import Settings

QUIET_MS, MAX_SETTLE_MS = 60, 5000
"""A page is read after QUIET_MS without a change, or after MAX_SETTLE_MS or a third of its time at the latest."""

MAX_SCROLLS = 150
SCROLL_SHARE, CLICK_SHARE = 0.4, 0.7
"""Shares of the remaining time of a page for scrolling, and for choosing options and clicking."""

MAX_UNPRODUCTIVE_CLICKS = 20
UNROUTE_TIMEOUT = 1.0
MAX_DIALOGS = 10
MAX_POPUPS = 20
MAX_NAVIGATIONS = 50
"""Navigations of a page on its own, including every hop of a redirect."""

MAX_RELOADS = 3
MAX_ENDPOINTS = 500
MAX_ROUTES = 5000
MAX_REPORT_CHARS = 8_000_000
"""Characters of all routes, endpoints and clicked elements of a page."""

_API_RESOURCE_TYPES = frozenset({"xhr", "fetch", "websocket", "eventsource", "ping"})
_ROUTE_CHANGES = frozenset({"pushState", "replaceState", "navigate"})


class NavigatedAway(Exception):  # noqa: N818  (an expected event)
    """The page navigated to another URL on its own."""


class _ReopenFailed(Exception):  # noqa: N818
    """The page could not be opened a second time."""


class Tab:
    """A tab that opens pages of one site, one after another."""

    def __init__(
        self, context: BrowserContext, page: Page, session: CDPSession, script_name: str, settings: Settings
    ) -> None:
        self.context, self.page, self.origin, self.opened = context, page, "", 0
        self.idle_since = 0.0
        self.has_crashed, self.loading_url = False, ""
        """`loading_url` is the URL of the last navigation, after redirects."""
        self.certificate_errors = CertificateErrorHandler(session, settings.insecure)
        self.session = PageSession(session, script_name)
        self._settings = settings
        self._result = RenderedPage("")
        self._deadline: asyncio.Timeout | None = None
        self._dialogs = self._popups = self._navigations = 0
        self._reported_chars = 0
        self._is_clicking = False
        self._is_scriptless = self._has_fake_answer = False
        self._tried_elements: list[str] = []
        session.on("Runtime.bindingCalled", self._on_report)
        page.on("dialog", self._on_dialog)
        page.on("request", self._on_request)
        page.on("crash", self._on_crash)
        context.on("page", self._on_popup)

    def can_open(self, url: str) -> bool:
        """Return True if the tab is alive and has opened no other site than this URL's."""
        return self.origin in {"", get_origin(url)} and not self.has_crashed and not self.page.is_closed()

    async def open(self, url: str, *, should_click: bool, known_elements: Sequence[str] = ()) -> RenderedPage:
        """Open a page and return what it showed before the timeout; known elements are not clicked."""
        self.opened += 1
        self._result, self._is_clicking, self._tried_elements = RenderedPage(url), False, [*known_elements]
        self._dialogs = self._popups = self._reported_chars = 0
        self._has_fake_answer = False
        try:
            async with asyncio.timeout(self._settings.render_timeout) as self._deadline:
                await self._explore(url, should_click=should_click)
        except TimeoutError:
            self._result.problem = self._result.problem or f"not finished after {self._settings.render_timeout:g} s"
        finally:
            self._deadline = None
        return self._result

    async def _explore(self, url: str, *, should_click: bool) -> None:
        response = await self._go(url)
        self._result.status = response.status if response is not None else None
        headers = response.headers if response is not None else {}
        self._is_scriptless, self._result.retry_after = forbids_scripts(headers), headers.get("retry-after", "")
        if self._result.is_failure:
            return
        try:
            await self._read(url)
            if not self._is_scriptless:
                await self._interact(should_click=should_click)
        except NavigatedAway as navigation:
            self._result.moved_to = str(navigation)
            if not self._result.moved_to.startswith(HTTP_PREFIXES):
                self._result.moved_to, self._result.problem = "", "the page navigated to a URL that is not http(s)"

    async def _go(self, url: str) -> Response | None:
        """Load the URL; a tab that already shows the page would otherwise only move to the fragment."""
        if "#" in url and get_page_url(self.page.url) == get_page_url(url):
            await self.page.goto("about:blank", wait_until="commit", timeout=0)
        self._navigations = 0
        self.session.forget_scripts()
        return await self.page.goto(url, wait_until="commit", timeout=0)

    async def _read(self, url: str) -> None:
        """Add the settled document to the result; raise NavigatedAway if the page has left its URL."""
        for _ in range(MAX_RELOADS):
            try:
                document = await self._read_document()
                if "#" in url and document.listens_for_hash:
                    with contextlib.suppress(ScriptBlocked):
                        await self.session.call("fireHashChange", QUIET_MS)
                    document = await self._read_document()
            except DocumentGone:
                await self.page.wait_for_load_state("domcontentloaded", timeout=0)
                continue
            own_routes = {route for route, trigger in document.routes if trigger in _ROUTE_CHANGES}
            if get_page_url(document.url) != get_page_url(url) and document.url not in own_routes:
                raise NavigatedAway(document.url)
            self._result.add(document)
            return
        if get_page_url(self.page.url) != get_page_url(url):
            raise NavigatedAway(self.page.url)
        self._result.problem = "the page reloads itself without end"

    async def _read_document(self) -> PageReport:
        """Return the script's report, or a snapshot if the page blocks the script or has hidden shadow roots."""
        report: PageReport | None = None
        with contextlib.suppress(ScriptBlocked):
            if self._is_scriptless:
                await self.page.wait_for_load_state("domcontentloaded", timeout=0)
            else:
                await self._wait_until_settled()
            report = parse_report(await self.session.call("page"))
        if report is not None and (not report.has_hidden_roots or len(report.html) >= MAX_HTML):
            return report
        html = await self.session.take_snapshot()
        return report._replace(html=html) if report else PageReport(self.page.url, self.page.url, html)

    async def _interact(self, *, should_click: bool) -> None:
        """Scroll, unfold and click; documents read before are kept if that fails."""
        if not self._result.documents:
            return
        try:
            await self._scroll_and_click(should_click=should_click)
        except (DocumentGone, ScriptBlocked):
            return
        except Exception as error:  # noqa: BLE001  (the driver raises many kinds of errors)
            self._result.problem = self._result.problem or summarize_error(error)

    async def _scroll_and_click(self, *, should_click: bool) -> None:
        """Interact with the page if it has anything to scroll, unfold, choose or click, or waits for a timer."""
        may_load_more = self._result.documents[0].reacts_to_scrolling
        until = self._compute_deadline(SCROLL_SHARE)
        has_scrolled = may_load_more and bool(await self.session.call("scroll", MAX_SCROLLS, QUIET_MS, until))
        may_click = should_click and self._settings.max_clicks > 0
        can_click = may_click and bool(await self.session.call("clickable"))
        can_choose = may_click and bool(await self.session.call("selectable"))
        if can_click or can_choose or await self.session.call("foldable") or await self.session.call("late"):
            await self._unfold_and_click(should_click=can_click, should_choose=can_choose)
        elif has_scrolled:
            self._result.add(await self._read_document())

    async def _unfold_and_click(self, *, should_click: bool, should_choose: bool) -> None:
        """Unfold, choose and click while only safe requests are sent; open the page again if it was left."""
        self._is_clicking = True
        await self.page.route("**/*", self._filter_request)
        try:
            home = await self.session.call("address")
            await self.session.call("unfold", QUIET_MS)
            if await self.session.call("runLateTimers", QUIET_MS):
                await self._reopen()
            until = self._compute_deadline(CLICK_SHARE)
            if should_choose and await self.session.call("chooseOptions", QUIET_MS, until):
                await self._reopen()
            while should_click and self._result.clicks < self._settings.max_clicks and await self._click_until_left():
                await self._reopen()
            self._result.add(await self._read_document_at(home))
        finally:
            self._is_clicking = False
            with contextlib.suppress(TimeoutError):  # a page that hangs never releases its requests
                async with asyncio.timeout(UNROUTE_TIMEOUT):
                    await self.page.unroute_all(behavior="ignoreErrors")

    async def _read_document_at(self, home: str) -> PageReport:
        """Read the document after clicking; open the page again if a click has led elsewhere meanwhile."""
        document = await self._read_document()
        if document.url == home:
            return document
        await self._reopen()
        return await self._read_document()

    async def _click_until_left(self) -> bool:
        """Click elements; return True if the page has to be opened again for the remaining ones."""
        remaining, before = self._settings.max_clicks - self._result.clicks, len(self._tried_elements)
        until = self._compute_deadline(CLICK_SHARE)
        arguments = (remaining, MAX_UNPRODUCTIVE_CLICKS, QUIET_MS, until, self._tried_elements)
        try:
            report: dict[str, Any] = await self.session.call("clicks", *arguments)
        except DocumentGone:
            return len(self._tried_elements) > before
        self._result.skipped_clicks += report["skipped"]
        if report["clicked"] and await self.session.wait_for_scripts():
            with contextlib.suppress(DocumentGone):
                await self.session.call("waitUntilSettled", QUIET_MS, MAX_SETTLE_MS)  # the new scripts change the page
            return True
        return bool(report["lost"] and report["clicked"])

    def _compute_deadline(self, share: float) -> float:
        """Return the end of a share of the remaining time, in milliseconds since the epoch; reading takes the rest."""
        assert self._deadline is not None
        end = self._deadline.when() or 0.0
        return (time.time() + (end - asyncio.get_running_loop().time()) * share) * 1000

    async def _reopen(self) -> None:
        self._is_clicking = False
        response = await self._go(self._result.url)
        if response is not None and response.status >= FIRST_ERROR_STATUS:
            raise _ReopenFailed(f"status {response.status} when opened again")
        await self._wait_until_settled()
        self._is_clicking = True

    async def _wait_until_settled(self) -> None:
        longest = min(MAX_SETTLE_MS, self._settings.render_timeout * 1000 / 3)
        await self.session.call("waitUntilSettled", QUIET_MS, longest)
        if await self.session.wait_for_scripts():
            await self.session.call("waitUntilSettled", QUIET_MS, longest)

    async def _filter_request(self, route: Route, request: Request) -> None:
        """Block requests during clicks that could sign out or leave the page; `WriteGuard` answers writes."""
        is_leaving = request.is_navigation_request() and request.frame == self.page.main_frame
        is_own = is_leaving and not self._is_clicking and get_page_url(request.url) == get_page_url(self._result.url)
        judge = is_harmful_for_session if self._settings.has_session else is_harmful_url
        is_harmful = judge(request.url) and not is_own
        if self._is_clicking and is_leaving and request.method == "GET":
            self._result.routes[request.url, "location"] = None
        if is_harmful or (self._is_clicking and is_leaving):
            await route.abort("aborted" if is_leaving else "blockedbyclient")
        else:
            await route.continue_()

    async def _on_dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs > MAX_DIALOGS:
            self._give_up("the page opens dialogs without end")
        with contextlib.suppress(Exception):
            await (dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())

    async def _on_popup(self, popup: Page) -> None:
        if popup != self.page:
            self._popups += 1
            if self._popups > MAX_POPUPS:
                self._give_up("the page opens windows without end")
            with contextlib.suppress(Exception):
                await popup.close()

    def _on_report(self, event: dict[str, Any]) -> None:
        """Handle a message that the script sends immediately, because the page may be gone a moment later."""
        with contextlib.suppress(ValueError):
            if not self._reserve_report_chars(event["payload"]):
                return
            kind, value = json.loads(event["payload"])
            if kind == "tried":
                self._tried_elements.append(value)  # returned to the page unchanged
                self._result.clicked_elements.append(str(value))
                self._has_fake_answer = False
            elif kind == "clicked":
                self._result.clicks += 1
            elif len(self._result.routes) < MAX_ROUTES:
                self._result.routes[str(value), str(kind)] = None
                if self._has_fake_answer and self._is_clicking:
                    self._result.hints.add(str(value))

    def _reserve_report_chars(self, text: str) -> bool:
        """Count a text against MAX_REPORT_CHARS; return False if it does not fit."""
        if self._reported_chars + len(text) > MAX_REPORT_CHARS:
            return False
        self._reported_chars += len(text)
        return True

    def _on_request(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self.loading_url = request.url
            self._navigations += 1
            if self._navigations > MAX_NAVIGATIONS:
                self._give_up("the page navigates without end")
        is_kept = request.resource_type in _API_RESOURCE_TYPES and len(self._result.endpoints) < MAX_ENDPOINTS
        if is_kept and self._reserve_report_chars(request.url):
            self._result.endpoints[request.url.partition("#")[0], request.method] = None

    def note_fake_answer(self, url: str, method: str) -> None:
        """Record a request that was answered instead of sent as an endpoint; what follows may depend on the answer."""
        self._has_fake_answer = self._has_fake_answer or get_origin(url) == self.origin
        if len(self._result.endpoints) < MAX_ENDPOINTS and self._reserve_report_chars(url):
            self._result.endpoints[url.partition("#")[0], method] = None

    def is_prefetch(self, url: str, headers: Mapping[str, str]) -> bool:
        """Return True if a request loads another page in advance; a click may need the data of the page it leads to."""
        is_other = not self._is_clicking and is_data_of_other_page(url, self._result.url)
        return is_other or is_marked_prefetch(headers)

    def _on_crash(self, _: Page) -> None:
        self.has_crashed = True
        self._give_up("the page crashed")

    def _give_up(self, problem: str) -> None:
        """Stop the current page at once; do nothing while the tab is idle."""
        if self._deadline is None:
            return
        self._result.problem = self._result.problem or problem
        if not self._deadline.expired():
            with contextlib.suppress(RuntimeError):
                self._deadline.reschedule(asyncio.get_running_loop().time())


def summarize_error(error: Exception) -> str:
    """Return the first line of a driver's error, without the log that follows."""
    return str(error).strip().partition("\n")[0][:300]
