"""Run Chromium with a few tabs, replace them often, kill those that hang, and send all traffic through our proxy."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.fetch.browser.chromium import DEAD_PROXY, build_launch_flags, explain_missing_browser, find_chromium
from headwater.fetch.browser.network.nss_home import NssHome
from headwater.fetch.browser.network.socks_proxy import SocksProxy
from headwater.fetch.browser.network.write_guard import WriteGuard
from headwater.fetch.browser.page_scripts import build_page_script
from headwater.fetch.browser.tab import Tab, summarize_error
from headwater.fetch.credentials import Headers
from headwater.fetch.egress import EgressPolicy, describe_blocked_address, get_host
from headwater.fetch.http.dns_resolver import DnsResolver
from headwater.fetch.session_loading import build_storage_state, load_session
from headwater.frontier.timing.retry import parse_retry_after
from headwater.model import FetchFailure
from headwater.urls.parsing import HTTP_PREFIXES, get_origin
from headwater.urls.patterns import compile_patterns
from headwater.version import USER_AGENT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext, CDPSession, Playwright

    from headwater.fetch.browser.rendered_page import RenderedPage
    from headwater.pages.files.session_files import BrowserSession
    from headwater.settings import Settings
    from headwater.urls.patterns import UrlPattern

PAGES_PER_TAB = 50
"""After this many pages a tab gets a new context, which frees cookies, storage and leaked memory."""

CLOSE_TIMEOUT = 3.0
"""Seconds for closing a tab before the whole browser is restarted."""

BROWSER_CLOSE_TIMEOUT = 10.0
"""Seconds for closing the browser, which deletes its profile; a busy machine needs several."""

MAX_RENDERER_MEGABYTES = 1500
"""Memory limit of a page's process."""

IDLE_TIMEOUT = 1.0
"""Seconds after which an idle tab is closed, because the scripts of its last page still run and send requests."""

EVENT_TIMEOUT = 1.0
"""Seconds for which a new connection waits for events of a browser that does not answer."""

_WATCH_INTERVAL = 0.5
_INTERRUPTED = "interrupted by another navigation"


class Browser:
    """A Chromium that starts with the first page; if it is not installed, every page fails with an explanation."""

    def __init__(self, settings: Settings, seeds: Sequence[str] = ()) -> None:
        self._settings = settings
        self._headers = Headers.from_settings(settings.header, settings.credentials, seeds)
        self._session = load_session(settings)
        egress = EgressPolicy.from_allow_list(settings.allow_private, seeds)
        upstream = settings.proxy or ""
        self._proxy = SocksProxy(egress, DnsResolver(settings.ip_version), settings.connect_timeout, upstream)
        self._allowed_writes = compile_patterns(settings.allow_post, "allow-post")
        self._tab_slots = asyncio.Semaphore(get_tab_limit(settings))
        self._start_lock = asyncio.Lock()
        self._name, self._report = (f"_{secrets.token_hex(8)}" for _ in range(2))
        self._idle: list[Tab] = []
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._devtools: CDPSession | None = None
        self._nss_home: NssHome | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._open_pages = 0

    @cached_property
    def unavailable_reason(self) -> str:
        """The reason why pages cannot be opened; empty if they can."""
        return explain_missing_browser(self._settings.browser, self._settings.ca_file)

    async def open(
        self, url: str, *, should_click: bool = True, known_elements: Sequence[str] = ()
    ) -> RenderedPage | FetchFailure:
        """Open a page; failures of the page or the browser are returned, not raised."""
        if self.unavailable_reason:
            return FetchFailure(url, "no-browser", self.unavailable_reason)
        async with self._tab_slots:
            open_once = partial(self._open_once, url, should_click=should_click, known_elements=known_elements)
            result = await open_once()
            if isinstance(result, FetchFailure) and _INTERRUPTED in result.detail:  # by the previous page of the tab
                result = await open_once()
            return result

    @contextlib.asynccontextmanager
    async def open_tab(
        self, url: str, session: BrowserSession | None = None, allowed_writes: Sequence[UrlPattern] = ()
    ) -> AsyncIterator[Tab]:
        """Open an empty tab for the origin of a URL, for a caller that controls the page itself."""
        await self._start()
        assert self._browser is not None
        tab = await self._new_tab(self._browser, url, session or self._session, allowed_writes)
        try:
            yield tab
        finally:
            await self._discard(tab)

    async def _open_once(
        self, url: str, *, should_click: bool, known_elements: Sequence[str]
    ) -> RenderedPage | FetchFailure:
        try:
            tab = await self._get_tab(url)
        except Exception as error:  # noqa: BLE001  (Chromium may fail to start in many ways)
            await self._restart()
            return FetchFailure(url, "browser-failed", summarize_error(error))
        return await self._open_in(tab, url, should_click=should_click, known_elements=known_elements)

    async def _open_in(
        self, tab: Tab, url: str, *, should_click: bool, known_elements: Sequence[str]
    ) -> RenderedPage | FetchFailure:
        self._open_pages += 1
        try:
            opened = await tab.open(url, should_click=should_click, known_elements=known_elements)
        except asyncio.CancelledError:
            await self._discard(tab)
            raise
        except Exception as error:  # noqa: BLE001  (the driver raises many kinds of errors)
            await self._discard(tab)
            return self.build_failure(url, error, tab)
        finally:
            self._open_pages -= 1
        if opened.is_failure:
            self._keep(tab)
            return _build_status_failure(opened)
        if opened.problem:
            await self._discard(tab)
            return opened if opened.documents else FetchFailure(url, "render-failed", opened.problem, opened.status)
        self._keep(tab)
        return opened

    def _keep(self, tab: Tab) -> None:
        tab.idle_since = asyncio.get_running_loop().time()
        self._idle.append(tab)

    def build_failure(self, url: str, error: Exception, tab: Tab) -> FetchFailure:
        """Return the reason for an error of the driver; the egress guard may have blocked the page."""
        text, target = summarize_error(error), tab.loading_url
        blocked = self._proxy.blocked_hosts.get(get_host(target)) if target.startswith(HTTP_PREFIXES) else None
        if "SOCKS" in text and blocked:
            return FetchFailure(url, "private-address", describe_blocked_address(blocked))
        if rejected := tab.certificate_errors.get_rejection(target):
            return FetchFailure(url, "render-failed", f"net::{rejected} at {target}")
        if "ERR_ABORTED" in text or "ownload" in text:
            return FetchFailure(url, "download", "the browser would save it as a file")
        return FetchFailure(url, "render-failed", text)

    async def _get_tab(self, url: str) -> Tab:
        """Return an idle tab of the same site, or a new one."""
        while self._idle:
            tab = self._idle.pop()
            if tab.opened < PAGES_PER_TAB and tab.can_open(url):
                return tab
            await self._discard(tab)
        await self._start()
        assert self._browser is not None
        return await self._new_tab(self._browser, url, self._session, self._allowed_writes)

    async def _new_tab(
        self, browser: PlaywrightBrowser, url: str, own: BrowserSession, allowed_writes: Sequence[UrlPattern]
    ) -> Tab:
        common = dict(line.split(": ", 1) for line in self._headers.common)
        context = await browser.new_context(
            user_agent=self._settings.user_agent or USER_AGENT,
            proxy={"server": f"socks5://127.0.0.1:{self._proxy.port}", "bypass": "<-loopback>"},
            accept_downloads=False,
            service_workers="block",
            viewport={"width": 1280, "height": 1000},
            extra_http_headers=common or None,
            storage_state=build_storage_state(own, url),
        )
        script = build_page_script(self._name, self._report, pointer_only=self._settings.pointer_only)
        await context.add_init_script(script)
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await session.send("Runtime.enable")
        await session.send("Network.enable")
        await session.send("Runtime.addBinding", {"name": self._report})
        tab = Tab(context, page, session, self._name, self._settings)
        tab.origin = origin = get_origin(url)
        secret_headers = self._headers.for_origin(origin)[len(self._headers.common) :]
        guard = WriteGuard(session, allowed_writes, origin, secret_headers, tab, proxy=self._proxy)
        await guard.start()
        await tab.certificate_errors.start()
        return tab

    async def _start(self) -> None:
        async with self._start_lock:
            if self._browser is not None and self._browser.is_connected():
                return
            from playwright.async_api import async_playwright  # noqa: PLC0415  (an extra, and slow to import)

            environment = await self._build_environment()
            if not self._proxy.port:
                await self._proxy.start()
            self._playwright = self._playwright or await async_playwright().start()
            self._browser = await self._playwright.chromium.launch(
                executable_path=find_chromium(self._settings.browser),
                args=build_launch_flags(),
                proxy={"server": DEAD_PROXY},
                env=environment,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            self._devtools = await self._browser.new_browser_cdp_session()
            self._proxy.before_connect = self._receive_events
            self._watcher = self._watcher or asyncio.create_task(self._watch())

    async def _receive_events(self) -> None:
        """Wait until events that Chromium has sent so far have arrived, such as the start of a worker."""
        if self._devtools is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(EVENT_TIMEOUT):
                    await self._devtools.send("Browser.getVersion")

    async def _build_environment(self) -> dict[str, str | float | bool] | None:
        """Return Chromium's environment with a home folder that trusts `--ca-file`; None without the setting."""
        if self._settings.ca_file and self._nss_home is None:
            self._nss_home = await asyncio.to_thread(NssHome, self._settings.ca_file)
        return self._nss_home.environment() if self._nss_home is not None else None

    async def _discard(self, tab: Tab) -> None:
        """Close a tab and its context; restart the browser if that takes too long."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await _close(tab.context)
        except TimeoutError:
            await self._restart()

    async def _restart(self) -> None:
        self._idle.clear()
        browser, self._browser = self._browser, None
        if browser is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(BROWSER_CLOSE_TIMEOUT):
                    await browser.close()

    async def _watch(self) -> None:
        """Kill page processes that use too much memory, which crashes their tabs, and close idle tabs."""
        while True:
            await asyncio.sleep(_WATCH_INTERVAL)
            await self._close_idle()
            browser = self._browser
            if browser is None or not browser.is_connected() or not self._open_pages:
                continue
            with contextlib.suppress(Exception):
                session = await browser.new_browser_cdp_session()
                info = await session.send("SystemInfo.getProcessInfo")
                await session.detach()
                for process in info["processInfo"]:
                    if process["type"] == "renderer" and _get_memory_megabytes(process["id"]) > MAX_RENDERER_MEGABYTES:
                        os.kill(process["id"], signal.SIGKILL)

    async def _close_idle(self) -> None:
        now = asyncio.get_running_loop().time()
        for tab in [one for one in self._idle if now - one.idle_since >= IDLE_TIMEOUT]:
            if tab in self._idle:  # it may be in use by now
                self._idle.remove(tab)
                await self._discard(tab)

    async def aclose(self) -> None:
        """Stop Chromium, its driver and the proxy."""
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
        await self._restart()
        if self._playwright is not None:
            await self._playwright.stop()
        if self._nss_home is not None:
            await asyncio.to_thread(self._nss_home.close)
        await self._proxy.aclose()


def get_tab_limit(settings: Settings) -> int:
    """Return the number of concurrent tabs: the setting, or the number of cores up to 8."""
    return settings.render_parallel or max(1, min(8, os.cpu_count() or 1))


def _build_status_failure(opened: RenderedPage) -> FetchFailure:
    """Return the failure that the same response without a browser would be."""
    pause = parse_retry_after(opened.retry_after, datetime.now(UTC)) if opened.retry_after else None
    return FetchFailure(opened.url, f"http-{opened.status}", "in the browser", opened.status, retry_after=pause)


async def _close(context: BrowserContext) -> None:
    with contextlib.suppress(Exception):
        await context.close()


def _get_memory_megabytes(process: int) -> int:
    """Return the resident memory of a process in megabytes, or 0 if the system does not report it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000
    return 0
