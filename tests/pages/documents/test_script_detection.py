"""Pages that look as if scripts fill them."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.script_detection import (
    FEW_LINKS,
    SHORT_TEXT_LENGTH,
    find_script_reason,
    has_application_root,
)

LINKS = "".join(f"<a href=/{number}>x</a>" for number in range(20))
TEXT = "<p>" + "Words that say something. " * 30


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<div id=root></div><script src=a.js></script>", "almost empty except for <div id=root>, which scripts fill"),
        ("<app-root></app-root><script src=a.js></script>", "almost empty except for <app-root>, which scripts fill"),
        ("<div id=app>Loading…</div><script>x</script><a href=/imprint>x</a>", "almost empty except for <div id=app>"),
        ("<body><noscript>Please enable JavaScript to go on.</noscript><p>Hi<script src=a.js></script>", "it asks for"),
        ("<script>document.write('x')</script>", "scripts, and hardly any text"),
        ("<a href='#/a'>A</a><script src=a.js></script>" + TEXT, "links of the form #/…"),
        ("<a href='#!a'>A</a><script src=a.js></script>", "links of the form #/…"),
        ("<div id=root></div>", ""),  # no script to fill it
        ("<p>Short and sweet.", ""),
        ("<p>Short, and it counts visitors.<a href=/next>x</a><script src=count.js></script>", ""),
        (f"<div id=root>{LINKS}</div><script src=a.js></script>", ""),
        (f"<div id=root>{TEXT}</div><script src=a.js></script>", ""),
        (f"{LINKS}<a href='#section'>x</a><script></script>", ""),
        ("", ""),
    ],
)
def test_the_reason_for_opening_a_page_in_a_browser(html: str, why: str) -> None:
    found = find_script_reason(parse_html(html))
    assert found.startswith(why)
    assert bool(found) is bool(why)


@pytest.mark.parametrize("hidden", ["script", "style", "noscript", "template"])
def test_invisible_text_does_not_count(hidden: str) -> None:
    program = f"<{hidden}>{'x' * 1000}</{hidden}>"
    root = "<body><div id=root>{}</div><script src=a.js></script>{}</body>"
    assert find_script_reason(parse_html(root.format("", program)))
    assert find_script_reason(parse_html(root.format("<p>Short.</p>", program)))
    assert not find_script_reason(parse_html(root.format(TEXT, program)))


def test_whitespace_of_scripts_does_not_reduce_the_text() -> None:
    page = f"<body><div id=root>{'x' * (SHORT_TEXT_LENGTH + 1)}</div><script>{' ' * 200}</script></body>"
    assert not find_script_reason(parse_html(page))


def test_limits_of_links_and_text() -> None:
    def page(links: int, letters: int) -> str:
        anchors = "".join(f"<a href=/{number}></a>" for number in range(links))
        return f"<body><div id=root>{anchors}{'x' * letters}</div><script src=a.js></script></body>"

    assert find_script_reason(parse_html(page(FEW_LINKS, SHORT_TEXT_LENGTH)))
    assert not find_script_reason(parse_html(page(FEW_LINKS + 1, SHORT_TEXT_LENGTH)))
    assert not find_script_reason(parse_html(page(FEW_LINKS, SHORT_TEXT_LENGTH + 1)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<div id=__next>{LINKS}</div><script></script>", True),
        (f"<div ng-version=17>{LINKS}</div><script></script>", True),
        (f"<div id=__next>{LINKS}</div>", False),
        (f"{LINKS}<script></script>", False),
    ],
)
def test_has_application_root(html: str, expected: bool) -> None:
    assert has_application_root(parse_html(html)) is expected
