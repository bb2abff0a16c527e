"""A Chromium for each file of tests; what hostile pages leave behind in one is not met by others."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as Tab

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(60_000)  # the machine may be busy
    yield context
    for process in browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] == "renderer":  # a page in a loop can hold up its own closing for ever
            with contextlib.suppress(ProcessLookupError):
                os.kill(process["id"], signal.SIGKILL)
    context.close()


@pytest.fixture
def tab(context: BrowserContext) -> Tab:
    return context.new_page()
