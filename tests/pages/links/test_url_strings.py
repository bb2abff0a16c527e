"""Strings in a page that look like URLs of pages."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.url_strings import MAX_STRINGS, find_script_strings, find_url_strings, looks_like_page


@pytest.mark.parametrize(
    "text",
    ["/guides/1", "/more", "/a/b.html?x=1", "https://e.com/a", "page.html", "../up/page.htm", "list.php?id=3", "/Café"],
)
def test_strings_that_look_like_pages(text: str) -> None:
    assert looks_like_page(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "/", "/g", "//cdn.com/x", "/>", "/a b", "/user/:id", "/user/${id}", "/[a-z]+/", "/api/items", "/x/api/y",
        "/wp-admin/", "/logout", "/search?q=", "text/html", "MM/DD/YYYY", "a.b.c", "$.html", "hello", "https://e.com/<x>",
        "https://e.com/api/x", "/_next/data/x",
    ],
)  # fmt: skip
def test_strings_that_do_not(text: str) -> None:
    assert not looks_like_page(text)


@pytest.mark.parametrize(
    ("script", "strings"),
    [
        ('x = {"pages": ["/topics/1", "/topics/2"]}', ["/topics/1", "/topics/2"]),
        (r'{"url":"https:\/\/e.com\/a","b":"\u002Fb\u002Fc"}', ["https://e.com/a", "/b/c"]),
        ("go('/single'); go(`/template`)", ["/single", "/template"]),
        ('go("/docs/" + "intro")', ["/docs/intro"]),
        ('go("/user/" + id); go(`/user/${id}`)', []),
        ('root + "settings.html"', ["settings.html"]),
        ("fetch('/data.html'); $.get(root + '/part'); loadJson(`/x.php`)", []),
        ("httpGetPromise('all.html'); show('all.html'); go('/page')", ["/page"]),
        ("getElementById('x').href = '/page'", ["/page"]),
        ("// don't stop here\ngo('/after')", ["/after"]),
        ('"unclosed\ngo("/next-line")', ["/next-line"]),
        ('go("/a1"); go("/a1")', ["/a1"]),
    ],
)
def test_strings_of_a_script(script: str, strings: list[str]) -> None:
    assert find_script_strings(script) == strings


@pytest.mark.parametrize(
    ("markup", "strings"),
    [
        ('<script type="application/json">{"path": "/data"}</script>', [(1, "/data")]),
        ('<script type="speculationrules">{"urls": ["/soon"]}</script>', [(1, "/soon")]),
        ("<script>window.state = {path: '/script'}</script>", [(2, "/script")]),
        ('<script src="/x.js">"/ignored"</script>', []),
        ('<script type="application/ld+json">{"url": "/linked-data"}</script>', []),
        ('<li data-target="/attribute">', [(0, "/attribute")]),
        ("<li data-count='17' data-title='/ x'>", []),
        ("<a onclick=\"popup('/window.html', 'w')\">", [(0, "/window.html")]),
        ('<select><option value="/option">', [(0, "/option")]),
        ('<!-- <a href="/comment">old</a> --><!-- /text -->', [(3, "/comment")]),
        ("<!-- <a href=/open>", []),
        ("<p>/text/of/page", []),
    ],
)
def test_strings_of_a_page_have_ranks(markup: str, strings: list[tuple[int, str]]) -> None:
    assert find_url_strings(parse_html(markup), markup.encode()) == strings


def test_the_number_of_strings_is_limited() -> None:
    markup = "<script>" + ",".join(f"'/page/{number}'" for number in range(2000)) + "</script>"
    assert len(find_url_strings(parse_html(markup), markup.encode())) == MAX_STRINGS
