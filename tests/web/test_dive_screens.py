"""Dive screens in Chromium: reading, search and questions; text of hostile pages and models is shown as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab
from sample.serve import sample_site

from headwater.store import ChunkRow, Message, PageContent, SqliteStore
from headwater.store.records.dive_records import ScanPage
from headwater.urls.identity import compute_identity
from tests.commands import PATIENCE
from tests.export.test_html_in_chromium import HOSTILE
from tests.web.scripted_model import scripted_model
from tests.web.serving import Server, serving
from tests.web.test_scan_screens import (
    WIDTHS,
    assert_fits_and_is_accessible,
    check_layout,
    hostile_store,
    open_page,
    wait_until_done,
    watched_tab,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.scripted_model import ScriptedModel


class Place(NamedTuple):
    """A server and the site that it scans."""

    server: Server
    origin: str


@pytest.fixture(params=WIDTHS)
def tab(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Tab]:
    with watched_tab(browser, request.param) as tab:
        tab.emulate_media(color_scheme="dark" if request.param == WIDTHS[0] else "light")
        yield tab


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with sample_site() as origin, serving(tmp_path_factory.mktemp("dives")) as server:
        yield Place(server, origin)


def ask(tab: Tab, question: str) -> None:
    tab.get_by_label("Question").fill(question)
    tab.get_by_role("button", name="Ask", exact=True).click()


def wait_for_answers(tab: Tab, count: int) -> None:
    """Wait until this many questions are answered and the form is ready again."""
    expect(tab.locator(".turn.assistant")).to_have_count(count)
    expect(tab.get_by_role("button", name="Ask", exact=True)).to_be_enabled()


def pick_a_cluster(tab: Tab) -> None:
    tab.get_by_role("link", name="Clusters", exact=True).click()
    check_layout(tab)
    tab.get_by_role("link", name="Deep dive into guides").click()
    expect(tab.get_by_label("Cluster")).to_have_value("section:/guides")
    check_layout(tab)
    tab.get_by_role("button", name="Start dive", exact=True).click()


def watch_dive(tab: Tab) -> None:
    expect(tab).to_have_url(re.compile(r"/dives/1$"))
    expect(tab.locator("#state")).to_have_text("Done")
    expect(tab.get_by_role("heading", name="Next steps")).to_be_visible()
    expect(tab.locator("[data-stage=reading] [data-part=count]")).to_have_text("5")
    check_layout(tab)


def read_documents(tab: Tab) -> None:
    tab.get_by_role("link", name="Documents", exact=True).click()
    check_layout(tab)
    tab.get_by_text("Export pages").click()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="llms.txt").first.click()
    assert download.value.path().read_text().startswith("# guides")
    tab.keyboard.press("Escape")
    tab.get_by_role("link", name="What to pack").click()
    expect(tab.locator("pre.markdown")).to_contain_text("# What to pack")
    check_layout(tab)


def search_dive(tab: Tab, origin: str) -> None:
    """The address holds the query; a result links to its heading at the site."""
    tab.get_by_role("link", name="Search", exact=True).click()
    tab.get_by_label("Search this dive").fill("which bags for clothes")
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile(r"q=which\+bags\+for\+clothes"))
    expect(tab.locator(".hit").first.locator("mark").first).to_have_text("clothes")
    expect(tab.locator(".hit").first).to_contain_text("by meaning: 1")
    assert_fits_and_is_accessible(tab)
    with tab.context.expect_page() as opened:
        tab.get_by_role("link", name="What to pack > Dry bags").click()
    assert opened.value.url == f"{origin}/guides/packing-list.html#dry-bags"
    opened.value.close()


def ask_questions(tab: Tab) -> None:
    """A citation opens its passage, also by keyboard, and gets the focus back."""
    tab.get_by_role("link", name="Ask", exact=True).click()
    expect(tab.get_by_text("No model is configured: answers are quoted")).to_be_visible()
    ask(tab, "Which dry bags should I pack for my clothes?")
    wait_for_answers(tab, 1)
    expect(tab.locator(".turn.assistant")).to_contain_text("One for clothes, one for bread")
    citation = tab.get_by_role("button", name="Passage 1: What to pack > Dry bags").first
    citation.focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("dialog")).to_contain_text("One for clothes, one for bread")
    expect(tab.get_by_role("link", name="Open at the site")).to_have_attribute("href", re.compile("#dry-bags$"))
    assert_fits_and_is_accessible(tab)
    tab.keyboard.press("Escape")
    expect(citation).to_be_focused()
    ask(tab, "Which minister of finance resigned in Mongolia last week?")
    wait_for_answers(tab, 2)
    expect(tab.locator(".unanswered")).to_have_text(re.compile("The site does not answer this"))


def reload_and_clear(tab: Tab) -> None:
    tab.reload()
    wait_for_answers(tab, 2)
    tab.get_by_role("button", name="Passage 1: What to pack > Dry bags").first.click()
    expect(tab.get_by_role("dialog")).to_contain_text("One for clothes, one for bread")
    tab.get_by_role("button", name="Close").click()
    check_layout(tab)
    tab.once("dialog", lambda dialog: dialog.accept())
    tab.get_by_role("button", name="Clear conversation").click()
    expect(tab.get_by_text("Ask a question about the 5 pages of this dive")).to_be_visible()
    tab.reload()
    expect(tab.get_by_text("Ask a question about the 5 pages of this dive")).to_be_visible()


def test_a_cluster_is_read_searched_and_asked(place: Place, tab: Tab) -> None:
    open_page(tab, place.server)
    tab.get_by_label("Site, or several sites").fill(place.origin)
    tab.get_by_role("button", name="Start").click()
    wait_until_done(tab, place.server)
    pick_a_cluster(tab)
    watch_dive(tab)
    read_documents(tab)
    search_dive(tab, place.origin)
    ask_questions(tab)
    reload_and_clear(tab)
    tab.get_by_role("link", name="Dives", exact=True).click()
    expect(tab.locator("tbody tr")).to_contain_text("5 of 5")
    check_layout(tab)


TEXTS = [text.replace("\ud800", "").replace("\x00", "") for text in HOSTILE]
EVIL = "<img src=x onerror=\"window.ran='model'\"> [1] [x](javascript:alert(1)) <script>window.ran=1</script>"


def hostile_dive(path: Path) -> None:
    """Store a scan and a dive in which all text from pages is hostile."""
    hostile_store(path)
    store = SqliteStore(str(path))
    urls = [f"https://e.com/{number}" for number in range(len(TEXTS))]
    listed = [
        ScanPage(compute_identity(url), url, url, text, "en", False, ()) for url, text in zip(urls, TEXTS, strict=True)
    ]
    selection = {"clusters": [TEXTS[0]], "include": [TEXTS[1]], "all_languages": False}
    number, _ = store.dives.start_dive(1, ["https://e.com/"], selection, listed)
    for waiting, text in zip(store.dives.pending_pages(number, 0, 100), TEXTS, strict=True):
        content = PageContent(text, "en", text, text, text, "", "", 1, [(1, text, text)], f"# {text}\n\n{text}\n")
        store.dives.save_content(waiting.number, content)
        passage = ChunkRow(f"{text} > {text}", text, f"boat {text} boat", 9, waiting.number)
        store.dives.set_chunks(number, waiting.number, 1, [passage])
    store.dives.set_page_state(waiting.number, "failed", TEXTS[2])
    cited = {"number": 1, "url": "javascript:alert(1)", "page_url": TEXTS[3], "heading": TEXTS[4], "passage": TEXTS[5]}
    store.dives.add_message(number, Message("user", TEXTS[6], (), ""))
    store.dives.add_message(number, Message("assistant", f"{TEXTS[7]} [1]", [cited], ""))
    store.dives.finish_dive(number, "done")
    store.close()


def assert_harmless(tab: Tab) -> None:
    assert tab.locator("script:not([src])").count() == 0
    assert tab.locator("main img, main iframe, main object, main svg").count() == 0
    assert set(tab.evaluate("[...document.links].map(link => link.protocol)")) <= {"https:", "http:"}
    assert tab.evaluate("window.ran") is None


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        yield model


@pytest.fixture
def hostile(tmp_path: Path, model: ScriptedModel) -> Iterator[Server]:
    """A server over hostile pages, with a hostile model."""
    hostile_dive(tmp_path / "web.db")
    with serving(tmp_path, environment={**model.environment, "HEADWATER_EMBEDDER": "none"}) as server:
        server.wait_for_index(1)
        yield server


def test_hostile_pages_and_a_hostile_model_are_shown_as_text(
    browser: Browser, model: ScriptedModel, hostile: Server
) -> None:
    with watched_tab(browser, WIDTHS[-1]) as tab:
        tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
        open_page(tab, hostile)
        for path in ("/dives", "/scans/1/dives", "/scans/1/dive", "/dives/1", "/dives/1/documents",
                     "/dives/1/document?url=https://e.com/3", "/dives/1/search?q=boat"):  # fmt: skip
            tab.goto(hostile.origin + path)
            assert_harmless(tab)
        shown = tab.evaluate("[...document.querySelectorAll('.passage')].map(one => one.textContent)")
        assert {text.strip() for text in shown} == {f"boat {text} boat".strip() for text in TEXTS}
        expect(tab.get_by_role("status").filter(has_text="by words only")).to_be_visible()
        tab.goto(f"{hostile.origin}/dives/1/ask")
        expect(tab.locator(".turn.user .passage")).to_have_text(TEXTS[6])
        tab.locator(".cite").first.click()
        assert tab.locator("#passage-text").evaluate("one => one.textContent") == TEXTS[5]
        expect(tab.get_by_role("link", name="Open at the site")).to_be_hidden()
        assert_harmless(tab)
        tab.keyboard.press("Escape")
        model.pieces = ["The boat ", EVIL, " is a boat [1]."]
        ask(tab, "What is a boat?")
        wait_for_answers(tab, 2)
        expect(tab.locator(".turn.assistant").last).to_contain_text("is a boat")
        assert_harmless(tab)


def test_an_answer_is_stopped_and_failures_are_shown(browser: Browser, model: ScriptedModel, hostile: Server) -> None:
    assert hostile.request("/api/v1/dives/1/messages", method="DELETE").status < 300
    with watched_tab(browser, WIDTHS[0]) as tab:
        open_page(tab, hostile, "/dives/1/ask")
        expect(tab.locator("#empty")).to_be_visible()
        model.is_disconnected.clear()
        ask(tab, "Is the boat endless?")
        expect(tab.locator(".turn.assistant")).to_contain_text("On and on.")
        expect(tab.get_by_role("button", name="Ask", exact=True)).to_be_disabled()
        assert_fits_and_is_accessible(tab)
        tab.get_by_role("button", name="Stop").click()
        assert model.is_disconnected.wait(PATIENCE)
        expect(tab.locator(".turn.assistant")).to_contain_text("Stopped. This question is not kept.")
        expect(tab.get_by_label("Question")).to_have_value("Is the boat endless?")
        model.status = 401
        ask(tab, "What is the boat?")
        expect(tab.get_by_role("alert")).to_contain_text("does not accept the key")
        model.status = 200


def test_an_error_is_shown_at_its_field(browser: Browser, hostile: Server) -> None:
    with browser.new_context() as context:
        tab = context.new_page()
        open_page(tab, hostile, "/scans/1/dive")
        tab.get_by_label("Maximum number of pages").fill("many")
        tab.get_by_role("button", name="Start dive", exact=True).click()
        expect(tab.get_by_role("alert")).to_contain_text("Maximum number of pages")
        expect(tab.get_by_label("Maximum number of pages")).to_be_focused()
