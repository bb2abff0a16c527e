"""The hostile pages misbehave as intended in a real Chromium without protection."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error

from tests.commands import PATIENCE
from tests.sites.spa.site import SITES, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, CDPSession, Dialog
    from playwright.sync_api import Page as Tab

    from tests.sites.spa.kinds import Served

BEYOND = [route for route in SITES["hostile"].routes if route.path.startswith("/beyond")]


@pytest.fixture
def served() -> Iterator[Served]:
    with serving("hostile") as served:
        yield served


def wait_until(tab: Tab, condition: Callable[[], bool]) -> None:
    """Let the browser run until the condition is true; fail after a while."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true"
        tab.wait_for_timeout(50)


def evaluate(tab: Tab, expression: str) -> list[object]:
    """Return the list that receives the page's answer, without waiting: a page in an endless loop never answers."""
    answers: list[object] = []
    assert tab.context.browser is not None
    session = tab.context.browser.new_browser_cdp_session()
    session.on("Target.receivedMessageFromTarget", lambda answer: answers.extend([answer]))
    target = tab.context.new_cdp_session(tab).send("Target.getTargetInfo")["targetInfo"]["targetId"]
    line = session.send("Target.attachToTarget", {"targetId": target})["sessionId"]
    message = json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {"expression": expression}})
    session.send("Target.sendMessageToTarget", {"sessionId": line, "message": message})
    return answers


def is_stuck(tab: Tab, served: Served) -> bool:
    """Return True if the page has not answered by the time another page was loaded in its own process."""
    answers = evaluate(tab, "1")
    assert tab.context.browser is not None
    with tab.context.browser.new_context() as other:
        other.new_page().goto(f"{served.origin}/fine/1")
    return not answers


def test_harmless_pages_answer(tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/fine/1")
    answers = evaluate(tab, "1")
    wait_until(tab, lambda: bool(answers))


@pytest.mark.parametrize("path", ["/loop", "/loop-later", "/loop-in-microtasks"])
def test_loops_never_end(tab: Tab, served: Served, path: str) -> None:
    tab.goto(served.origin + path, wait_until="commit")
    wait_until(tab, lambda: is_stuck(tab, served))


def test_a_click_can_start_a_loop(tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/loop-on-click")
    evaluate(tab, "document.querySelector('#spin').click()")
    wait_until(tab, lambda: is_stuck(tab, served))


@pytest.mark.parametrize(("path", "kinds"), [("/alerts", {"alert"}), ("/questions", {"confirm", "prompt"})])
def test_dialogs_open_again_and_again(tab: Tab, served: Served, path: str, kinds: set[str]) -> None:
    seen: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        seen.append(dialog.type)
        dialog.dismiss()

    tab.on("dialog", dismiss)
    tab.goto(served.origin + path, wait_until="commit")
    wait_until(tab, lambda: len(seen) > 5)
    assert set(seen) == kinds


def test_ten_popups(context: BrowserContext, tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/popups")
    wait_until(tab, lambda: len(context.pages) == 11)


def test_downloads(tab: Tab, served: Served) -> None:
    for path in ("/download", "/download-of-html"):
        with tab.expect_download(), pytest.raises(Error, match=r"Download is starting|ERR_ABORTED"):
            tab.goto(served.origin + path)
    with tab.expect_download():
        tab.goto(f"{served.origin}/download-by-script", wait_until="commit")


def test_leaving_opens_a_dialog(tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/before-unload")
    tab.locator("h1").click()
    seen: list[str] = []

    def accept(dialog: Dialog) -> None:
        seen.append(dialog.type)
        dialog.accept()

    tab.on("dialog", accept)
    tab.goto(f"{served.origin}/fine/1")
    assert seen == ["beforeunload"]


def test_the_renderer_crashes(tab: Tab, served: Served) -> None:
    with tab.expect_event("crash"):
        tab.goto(f"{served.origin}/crash", wait_until="commit")


def test_memory_grows(tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/memory")
    tab.wait_for_function("kept.length > 3")


@pytest.mark.parametrize("path", ["/reload", "/ping"])
def test_navigation_never_ends(tab: Tab, served: Served, path: str) -> None:
    tab.goto(served.origin + path, wait_until="commit")
    wait_until(tab, lambda: [one.path for one in served.requests].count(path) > 3)


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ("/to-private", {"/by-redirect"}),
        ("/to-private-by-script", {"/by-script"}),
        ("/to-private-by-request", {"/by-fetch", "/by-image", "/by-frame", "/by-popup", "/by-redirect"}),
    ],
)
def test_private_addresses_are_reached(tab: Tab, served: Served, path: str, reached: set[str]) -> None:
    tab.goto(served.origin + path, wait_until="commit")
    wait_until(tab, lambda: reached <= {one.path for one in served.private_requests})


def test_lies(tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/lies")
    reply = tab.context.new_cdp_session(tab).send("Runtime.evaluate", {"expression": "JSON.stringify([])"})
    assert reply["result"]["value"] == '["/made-up"]'


def test_a_service_worker_answers_for_the_site(tab: Tab, served: Served) -> None:
    tab.goto(f"{served.origin}/service-worker")
    tab.wait_for_function("navigator.serviceWorker.controller")
    tab.goto(f"{served.origin}/fine/1")
    assert tab.locator("h1").text_content() == "Worker"


def test_hostile_pages_have_their_links(browser: Browser, served: Served) -> None:
    """The debugging protocol shows them, whatever scripts and policies of the page do."""
    context = browser.new_context(service_workers="block")
    for route in BEYOND:
        tab = context.new_page()
        tab.goto(served.origin + route.on, wait_until="commit")
        session = context.new_cdp_session(tab)
        wait_until(tab, partial(is_in_document, session, route.path))
        tab.close()
    context.close()


def is_in_document(session: CDPSession, path: str) -> bool:
    return f'"{path}"' in json.dumps(session.send("DOM.getDocument", {"depth": -1, "pierce": True}))
