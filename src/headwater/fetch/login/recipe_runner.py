"""Carry out a recipe in a tab of the browser, and check that a page shows its success."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from headwater.errors import LoginError
from headwater.fetch.browser.rendered_page import FIRST_ERROR_STATUS
from headwater.fetch.browser.tab import MAX_SETTLE_MS, QUIET_MS, summarize_error
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.login_forms import find_login_forms
from headwater.pages.files.login_recipes import describe_step

if TYPE_CHECKING:
    from playwright.async_api import Locator

    from headwater.fetch.browser.browser import Browser
    from headwater.fetch.browser.tab import Tab
    from headwater.pages.documents.login_forms import LoginForm
    from headwater.pages.files.login_recipes import LoginRecipe, LoginStep

OPTIONAL_TIMEOUT = 3.0
"""Seconds to wait for the element of an optional step, such as a request for consent."""

CHECK_TIMEOUT = 10.0
"""Seconds for a page to show that a kept session still works."""

_POLL_INTERVAL = 0.05
_REFUSED_POLLS = 10
"""Polls in a row in which a new page asks for a password, before the login counts as refused."""

_PASSWORD_FIELD = "input[type=password]"  # noqa: S105  (a selector)


class RecipeRunner:
    """Runs a recipe in a tab; `timeout` is the time in seconds for a page to load."""

    def __init__(self, recipe: LoginRecipe, browser: Browser, tab: Tab, timeout: float) -> None:
        self._recipe, self._browser, self._tab, self._page = recipe, browser, tab, tab.page
        self._load_timeout = timeout
        self._step_timeout = recipe.timeout or timeout
        self.login_forms: set[LoginForm] = set()

    async def run(self) -> None:
        """Log in; raise LoginError with the step that failed."""
        await self._open(self._recipe.start)
        await self._settle()
        if await self._is_successful():
            raise LoginError(
                f"the success check ({self._recipe.success}) is met by {self._get_place()} before the login; "
                "use one that only a logged-in user meets"
            )
        loads = self._count_loads()
        for number, step in enumerate(self._recipe.steps, 1):
            loads.clear()
            await self._run_step(number, step)
        if not await self._wait_for_success(self._step_timeout, loads):
            raise LoginError(
                f"after the last step the browser is at {self._get_place()}, without {self._recipe.success}. "
                "Check the values and the steps of the recipe"
            )
        await self._settle()

    async def check(self, url: str) -> bool:
        """Open a page and return True if it shows that the session of the tab still works."""
        with suppress(LoginError):
            await self._open(url)
            await self._settle()
            return await self._wait_for_success(CHECK_TIMEOUT, [url])
        return False

    async def _open(self, url: str) -> None:
        try:
            response = await self._page.goto(url, wait_until="domcontentloaded", timeout=self._load_timeout * 1000)
        except Exception as error:  # noqa: BLE001  (the driver raises many kinds of errors)
            failure = self._browser.build_failure(url, error, self._tab)
            raise LoginError(f"{url} did not load in the browser ({failure.reason}): {failure.detail}") from None
        if response is not None and response.status >= FIRST_ERROR_STATUS:
            raise LoginError(f"{url} answered with status {response.status}")

    async def _run_step(self, number: int, step: LoginStep) -> None:
        seconds = min(OPTIONAL_TIMEOUT, self._step_timeout) if step.is_optional else self._step_timeout
        try:
            await self._act(step, seconds * 1000)
        except Exception as error:  # noqa: BLE001  (the driver raises many kinds of errors)
            from playwright.async_api import TimeoutError as DriverTimeoutError  # noqa: PLC0415  (an extra)

            is_late = isinstance(error, DriverTimeoutError)
            if step.is_optional and is_late:
                return
            why = f"no such element was ready within {seconds:g} s" if is_late else _describe(error, step)
            raise LoginError(f"{describe_step(number, step)} failed at {self._get_place()}: {why}") from None

    async def _act(self, step: LoginStep, milliseconds: float) -> None:
        element = self._find(step.selector)
        if step.action == "wait":
            await element.wait_for(timeout=milliseconds)
        elif step.action == "click":
            await element.click(timeout=milliseconds)
        else:
            await element.fill(step.value, timeout=milliseconds)
            self.login_forms |= find_login_forms(parse_html(await self._page.content()))

    def _get_place(self) -> str:
        """Return the URL of the page for messages, without its query, which may hold what was filled in."""
        return self._page.url.partition("#")[0].partition("?")[0]

    def _find(self, selector: str) -> Locator:
        """Return the first visible element; pages often have a hidden form for small screens as well."""
        return self._page.locator(selector).locator("visible=true").first

    def _count_loads(self) -> list[str]:
        """Return a list to which every page that loads from now on is added."""
        loads: list[str] = []
        self._page.on("domcontentloaded", lambda page: loads.append(page.url))
        return loads

    async def _wait_for_success(self, seconds: float, loads: list[str]) -> bool:
        """Wait for the success; return False after the timeout, or if a page that has loaded asks for a password."""
        refused_polls = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not await self._is_successful():
                    refused_polls = refused_polls + 1 if loads and await self._asks_for_password() else 0
                    if refused_polls >= _REFUSED_POLLS:
                        return False
                    await asyncio.sleep(_POLL_INTERVAL)
                return True
        return False

    async def _is_successful(self) -> bool:
        success = self._recipe.success
        if not success.matches_url(self._page.url):
            return False
        if not success.text:
            return True
        with suppress(Exception):  # the page is being replaced
            return await self._page.get_by_text(success.text).locator("visible=true").count() > 0
        return False

    async def _asks_for_password(self) -> bool:
        with suppress(Exception):  # the page is being replaced
            return await self._page.locator(_PASSWORD_FIELD).locator("visible=true").count() > 0
        return False

    async def _settle(self) -> None:
        """Wait until scripts have stopped changing the page, so that what they store is kept."""
        with suppress(Exception):  # the page blocks our script, or is being replaced
            await self._page.wait_for_load_state("domcontentloaded", timeout=self._load_timeout * 1000)
            await self._tab.session.call("waitUntilSettled", QUIET_MS, MAX_SETTLE_MS)


def _describe(error: Exception, step: LoginStep) -> str:
    """Return the driver's message without the value that it may quote."""
    text = summarize_error(error)
    return text.replace(step.value, "…") if step.value else text
