"""The HTML report, opened from disk in Chromium, with 10,000 rows and with hostile text."""

from __future__ import annotations

import socket
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from headwater.export import EXPORTERS, Output
from headwater.model import Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COLUMNS = ["URL", "Title", "Status", "State", "Depth", "Source", "Found on", "Reason"]
SECTIONS = ["docs", "blog", "shop/tools", "archive/2019"]
MAX_ELEMENTS = 1000

Row = tuple[str, str | None, int | None, str, int | None, str, str | None, str | None]


def make_page(number: int) -> Page:
    """Return one of 10,000 pages; columns have repeated values, blanks, and numbers of different length."""
    section = SECTIONS[number * 7 % len(SECTIONS)]
    is_failed = number % 10 == 3
    return Page(
        f"https://{'www' if number % 5 else 'old'}.example.com/{section}/{number * 7919 % 10_000}",
        title=None if is_failed else f"Title {number * 31 % 997} of {section}",
        status=(404 if number % 20 == 3 else None) if is_failed else 200,
        state="failed" if is_failed else "fetched",
        depth=number * 13 % 120 if number % 50 else None,
        sources=(("link",), ("sitemap",), ("link", "sitemap"))[number % 3],
        found_on=f"https://www.example.com/{section}/" if number % 4 else None,
        reason=("http-404" if number % 20 == 3 else "timeout") if is_failed else None,
    )


PAGES = [make_page(number) for number in range(10_000)]
ROWS: list[Row] = [
    (page.url, page.title, page.status, page.state, page.depth, " ".join(page.sources), page.found_on, page.reason)
    for page in PAGES
]


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """Open an empty tab; a script error on its page fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda message: errors.append(message.text))
    yield tab
    context.close()
    assert errors == []


def write_report(pages: list[Page], folder: Path, title: str = "example.com") -> str:
    """Write the report and return its URL."""
    path = folder / "report.html"
    with path.open("w", encoding="utf-8", newline="") as stream:
        EXPORTERS["html"](pages, Output(stream, title=title))
    return path.as_uri()


def open_report(tab: Tab, pages: list[Page], folder: Path, title: str = "example.com") -> str:
    """Write the report, open it and return its URL."""
    address = write_report(pages, folder, title)
    tab.goto(address)
    return address


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the report of 10,000 rows and return its URL."""
    return write_report(PAGES, tmp_path_factory.mktemp("report"))


@pytest.fixture
def report(tab: Tab, address: str) -> Tab:
    tab.goto(address)
    return tab


def get_drawn_rows(tab: Tab) -> dict[int, list[str]]:
    """Return the rows that have elements, by their position in the table; the title of a cell is its full text."""
    rows: dict[str, list[str]] = tab.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("tbody [role=row]")].map(
               row => [row.ariaRowIndex - 2, [...row.cells].map(cell => cell.title)]))"""
    )
    return {int(place): cells for place, cells in rows.items()}


def scroll_to(tab: Tab, share: float) -> None:
    """Scroll the table and wait until the page has drawn it."""
    tab.locator("#scroll").evaluate("(box, share) => { box.scrollTop = box.scrollHeight * share }", share)
    tab.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def format_row(row: Row) -> list[str]:
    return ["" if value is None else str(value) for value in row]


def assert_table(tab: Tab, expected: list[Row]) -> None:
    """Check the rows at the top, in the middle and at the end, and that few others have elements."""
    for share in (0, 0.5, 1):
        scroll_to(tab, share)
        rows = get_drawn_rows(tab)
        assert rows == {place: format_row(expected[place]) for place in rows}
        assert tab.locator("*").count() < MAX_ELEMENTS
        middle = tab.locator("#scroll").evaluate(
            "box => { const at = box.getBoundingClientRect();"
            " return document.elementFromPoint(at.x + 50, at.y + at.height / 2).closest('tr').ariaRowIndex - 2 }"
        )
        assert middle in rows
    assert len(expected) - 1 in rows


def sort_rows(rows: list[Row], column: int, *, is_reversed: bool) -> list[Row]:
    """Sort numbers as numbers and blanks last in both directions; equal rows keep their order."""
    filled = [row for row in rows if row[column] is not None]
    blank = [row for row in rows if row[column] is None]

    def value(row: Row) -> Any:
        return row[column]

    return sorted(filled, key=value, reverse=is_reversed) + blank


def test_rows_have_the_order_of_the_export(report: Tab) -> None:
    expect(report.get_by_role("status")).to_have_text("10,000 of 10,000")
    expect(report.get_by_role("table")).to_have_attribute("aria-rowcount", "10001")
    assert_table(report, ROWS)


def test_every_column_sorts_in_both_directions(report: Tab) -> None:
    for column, name in enumerate(COLUMNS):
        header = report.get_by_role("columnheader", name=name)
        for direction in ("ascending", "descending", "ascending"):
            header.get_by_role("button").click()
            expect(header).to_have_attribute("aria-sort", direction)
            expect(report.locator("th[aria-sort]")).to_have_count(1)
            assert_table(report, sort_rows(ROWS, column, is_reversed=direction == "descending"))


def test_the_filter_matches_rows_with_every_word(report: Tab) -> None:
    for words in ("timeout", "ARCHIVE/2019", "old. docs", "title 99", "200 sitemap blog", "  "):
        report.get_by_role("searchbox").fill(words)
        wanted = words.lower().split()
        expected = [
            row for row in ROWS if all(any(word in text.lower() for text in format_row(row)) for word in wanted)
        ]
        expect(report.get_by_role("status")).to_have_text(f"{len(expected):,} of 10,000")
        assert_table(report, expected)


def test_a_filter_without_matches_says_so_and_can_be_removed(report: Tab) -> None:
    report.get_by_role("searchbox").fill("no such words")
    expect(report.get_by_role("status")).to_have_text("0 of 10,000")
    expect(report.get_by_text("No URL matches.")).to_be_visible()
    assert get_drawn_rows(report) == {}
    report.get_by_role("searchbox").fill("")
    expect(report.get_by_role("status")).to_have_text("10,000 of 10,000")
    assert_table(report, ROWS)


def test_filter_and_order_can_be_combined(report: Tab) -> None:
    report.get_by_role("columnheader", name="Depth").get_by_role("button").dblclick()
    report.get_by_role("searchbox").press_sequentially("docs")
    expected = sort_rows([row for row in ROWS if "/docs/" in row[0]], COLUMNS.index("Depth"), is_reversed=True)
    expect(report.get_by_role("status")).to_have_text(f"{len(expected):,} of 10,000")
    assert_table(report, expected)


def test_counts_are_correct(report: Tab) -> None:
    counted: dict[str, Counter[str]] = {
        "State": Counter(page.state for page in PAGES),
        "Status": Counter(str(page.status or "none") for page in PAGES),
        "Source": Counter(source for page in PAGES for source in page.sources),
    }
    for name, counts in counted.items():
        section = report.locator("section", has=report.get_by_role("heading", name=name, exact=True))
        texts = section.get_by_role("button").all_inner_texts()
        assert sorted(texts) == sorted(f"{value} {count:,}" for value, count in counts.items())


def test_clicking_a_count_shows_only_its_rows(report: Tab) -> None:
    status = report.get_by_role("status")
    missing = report.get_by_role("button", name="404")
    missing.click()
    expect(missing).to_have_attribute("aria-pressed", "true")
    expected = [row for row in ROWS if row[2] == 404]
    expect(status).to_have_text(f"{len(expected):,} of 10,000")
    assert_table(report, expected)
    report.get_by_role("button", name="sitemap").click()
    expected = [row for row in expected if "sitemap" in row[5]]
    expect(status).to_have_text(f"{len(expected):,} of 10,000")
    assert_table(report, expected)
    missing.click()
    expect(status).to_have_text(f"{sum('sitemap' in row[5] for row in ROWS):,} of 10,000")


def test_folders_of_the_tree_open_with_correct_counts(report: Tab) -> None:
    tree = report.locator("#tree")
    expect(tree.locator("*")).to_have_count(0)
    report.locator("#site > summary").press("Enter")
    hosts = Counter(page.url.split("/")[2] for page in PAGES)
    expect(tree.locator("> details > summary")).to_have_text(
        [f"https://{host} {count:,}" for host, count in sorted(hosts.items())]
    )
    tree.locator("> details > summary").last.press("Enter")
    folder = tree.locator("> details").last.locator("> details")
    expect(folder).to_have_count(4)
    folder.nth(1).locator("> summary").press("Space")
    leaves = sorted(int(page.url.rpartition("/")[2]) for page in PAGES if "www.example.com/blog/" in page.url)
    expect(folder.nth(1).locator("> summary")).to_have_text(f"blog {len(leaves):,}")
    expect(folder.nth(1).locator(".leaf")).to_have_count(200)
    assert folder.nth(1).locator(".leaf").all_inner_texts() == [str(leaf) for leaf in leaves[:200]]
    folder.nth(1).get_by_role("button").press("Enter")
    expect(folder.nth(1).locator(".leaf")).to_have_count(400)


def test_a_single_host_is_open_and_queries_share_a_line(tab: Tab, tmp_path: Path) -> None:
    urls = ["https://e.com/", "https://e.com/a/b", "https://e.com/a/b?c=/d", "https://e.com/a/b#e", "https://e.com/a/"]
    open_report(tab, [Page(url) for url in urls], tmp_path)
    tab.get_by_text("Site tree").click()
    expect(tab.locator("#tree summary")).to_have_text(["https://e.com 5", "a 4"])
    tab.locator("#tree summary").last.click()
    expect(tab.locator("#tree .leaf")).to_have_text(["b 3"])


def test_everything_works_with_the_keyboard(report: Tab) -> None:
    report.get_by_role("searchbox").focus()
    report.keyboard.type("timeout")
    for _ in range(2):
        report.keyboard.press("Tab")
    report.keyboard.press("Enter")
    expected = sort_rows([row for row in ROWS if row[7] == "timeout"], 1, is_reversed=False)
    assert report.evaluate("document.activeElement.textContent") == "URL"
    report.keyboard.press("Tab")
    report.keyboard.press("Space")
    expect(report.get_by_role("columnheader", name="Title")).to_have_attribute("aria-sort", "ascending")
    assert_table(report, expected)


def test_a_link_in_the_table_keeps_the_focus_while_rows_are_drawn(report: Tab) -> None:
    """Scroll events come once per frame and may be slower than the keys; here there are none at all."""
    report.locator("#scroll").evaluate("box => { box.onscroll = null }")
    report.get_by_role("columnheader", name="Reason").get_by_role("button").focus()
    for row in ROWS[:60]:
        report.keyboard.press("Tab")
        assert report.evaluate("document.activeElement.href") == row[0]


def open_all_folders(tab: Tab) -> None:
    """Open every folder of the tree; a folder is filled shortly after it opens."""
    expect(tab.locator("#tree > *").first).to_be_visible()
    unfilled = tab.locator("#tree details[open]:not(:has(> summary + *))")
    closed = tab.locator("#tree details:not([open]) > summary")
    while closed.count():
        closed.first.click()
        expect(unfilled).to_have_count(0)


HOSTILE = [
    "<script>window.ran = 1</script>",
    "</script><script>window.ran = 1</script>",
    "<!--<script>",
    '"><img src=x onerror="window.ran = 1">',
    "' onmouseover='window.ran = 1' x='",
    "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>",
    "javascript:window.ran = 1",
    '\\"];window.ran = 1;//',
    "`${window.ran = 1}`",
    "{{title}} {{rows}}",
    "&lt;b&gt; &amp;",
    "\u2028\u2029\x00\x1b[31m\ud800",
    "__proto__",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(tab: Tab, tmp_path: Path, text: str) -> None:
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: dialogs.append(dialog.message))
    hostile = Page(text, title=text, state="failed", sources=(text,), found_on=text, reason=text)
    title = text.replace("\ud800", "").replace("\x00", "")
    open_report(tab, [hostile, Page(f"https://e.com/{text}/{text}", title=text)], tmp_path, title)
    expect(tab.get_by_role("status")).to_have_text("2 of 2")
    assert tab.locator("title").text_content() == title
    assert tab.locator("h1").text_content() == title
    cells: list[str] = tab.evaluate("[0, 1, 6, 7].map(at => body.rows[1].cells[at].textContent)")
    assert cells == tab.evaluate("text => [text, text, text, text]", text)
    tab.get_by_text("Site tree").click()
    open_all_folders(tab)
    tab.locator("tbody [role=row]").first.hover()
    tab.locator("tbody [role=row]").first.click()
    assert tab.locator("script").count() == 1
    assert tab.locator("img, iframe, b b").count() == 0
    assert set(tab.evaluate("[...document.links].map(link => link.protocol)")) <= {"https:"}
    assert tab.evaluate("window.ran") is None
    assert dialogs == []


def test_the_report_sends_no_requests(tab: Tab, tmp_path: Path) -> None:
    """Every URL points to a listener, which must get no connection, for images or for prefetching."""
    requests: list[str] = []
    tab.context.on("request", lambda request: requests.append(request.url))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        pages = [Page(f"{origin}/{n}", title=f"<img src={origin}>", found_on=origin) for n in range(1000)]
        address = open_report(tab, pages, tmp_path, f"<link rel=stylesheet href={origin}>")
        tab.get_by_role("searchbox").fill("9")
        tab.get_by_role("columnheader", name="Title").get_by_role("button").click()
        tab.get_by_text("Site tree").click()
        tab.get_by_role("cell").get_by_role("link").first.hover()
        scroll_to(tab, 1)
        tab.wait_for_load_state("networkidle")
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert requests == [address]


def test_the_content_security_policy_blocks_the_network(browser: Browser, tmp_path: Path) -> None:
    """Even if text became markup, its images would not be fetched."""
    with browser.new_context() as context:
        tab = context.new_page()
        open_report(tab, PAGES[:1], tmp_path)
        forbidden = tab.evaluate(
            """() => new Promise(done => {
                 addEventListener("securitypolicyviolation", event => done(event.effectiveDirective));
                 const picture = new Image();
                 picture.onload = picture.onerror = () => setTimeout(done, 500, "requested");
                 picture.src = "http://127.0.0.1:9/";
               })"""
        )
    assert forbidden == "img-src"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_report_fits_narrow_and_wide_windows_in_light_and_dark(
    browser: Browser, tmp_path: Path, width: int, scheme: Any
) -> None:
    with browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme) as context:
        tab = context.new_page()
        open_report(tab, PAGES, tmp_path, "a-long-name-without-a-break." * 5)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert tab.locator("#scroll").evaluate("box => box.scrollWidth - box.clientWidth") == 0
        assert_table(tab, ROWS)
        back, text = (brightness(tab, name) for name in ("backgroundColor", "color"))
        assert (back > text) == (scheme == "light")
        assert abs(back - text) > 150


def brightness(tab: Tab, name: str) -> float:
    """Return the mean of red, green and blue of a color of the page."""
    return float(
        tab.evaluate(
            "name => getComputedStyle(document.body)[name].match(/\\d+/g).reduce((a, b) => a + +b, 0) / 3", name
        )
    )
