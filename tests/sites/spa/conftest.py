"""Provide browser tabs for the tests of the example sites."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.browser import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as Tab


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    for process in browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] == "renderer":  # a page in an endless loop cannot be closed
            with contextlib.suppress(ProcessLookupError):
                os.kill(process["id"], signal.SIGKILL)
    context.close()


@pytest.fixture
def tab(context: BrowserContext) -> Tab:
    return context.new_page()
