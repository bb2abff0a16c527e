"""Launch Chromium for tests of our own pages."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, expect, sync_playwright

from headwater.fetch.browser.chromium import find_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE = 120_000
"""Milliseconds that a page has to show something; a machine under load is slow."""

expect.set_options(timeout=PATIENCE)


@contextmanager
def launched_browser() -> Iterator[Browser]:
    """Launch Chromium for the length of the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()
