"""Which pages look built by scripts, and which words are never clicked: tables."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.script_detection import (
    FEW_LINKS,
    SHORT_TEXT_LENGTH,
    find_script_reason,
    is_empty_shell,
)
from headwater.pages.documents.script_inspection import inspect_scripts, list_script_files

LINKS = "".join(f"<a href=/{number}>x</a>" for number in range(20))
TEXT = "<p>" + "Words that say something. " * 30


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<div id=root></div><script src=a.js></script>", "almost empty except for <div id=root>, which scripts fill"),
        ("<app-root></app-root><script src=a.js></script>", "almost empty except for <app-root>, which scripts fill"),
        ("<div id=app>Loading…</div><script>x</script><a href=/imprint>x</a>", "almost empty except for <div id=app>"),
        ("<body><noscript>Please enable JavaScript to go on.</noscript><p>Hi<script src=a.js></script>", "it asks for"),
        ("<noscript>Enable JavaScript.</noscript><p>A short page.<a href=/next>x</a><script src=a.js></script>", ""),
        ("<script>document.write('x')</script>", "scripts, and hardly any text"),
        ("<a href=/>x</a><script type=module src=a.js></script>", "scripts, and hardly any text"),
        ("<nav><a href=/>x</a></nav><script src=/_next/static/a.js></script>", "almost empty, with scripts of a frame"),
        ("<p>Hi<a href=/>x</a><script>__sveltekit_1x = {}</script>", "almost empty, with scripts of a framework (__sv"),
        ("<a href='#/a'>A</a><script src=a.js></script>" + TEXT, "links of the form #/…"),
        ("<a href='#!a'>A</a><script src=a.js></script>", "links of the form #/…"),
        ("<div id=root></div>", ""),  # nothing fills it
        ("<p>Short and sweet.", ""),
        ("<p>Short, and it counts visitors.<a href=/next>x</a><script src=count.js></script>", ""),
        (f"<div id=root>{LINKS}</div><script src=a.js></script>", ""),
        (f"<div id=root>{TEXT}</div><script src=a.js></script>", ""),
        (f"{LINKS}<a href='#section'>x</a><script></script>", ""),
        ("", ""),
    ],
)
def test_looks_scripted(html: str, why: str) -> None:
    found = find_script_reason(parse_html(html))
    assert found.startswith(why)
    assert bool(found) is bool(why)


@pytest.mark.parametrize("hidden", ["script", "style", "noscript", "template"])
def test_text_that_nobody_sees_does_not_count(hidden: str) -> None:
    program = f"<{hidden}>{'x' * 1000}</{hidden}>"
    root = "<body><div id=root>{}</div><script src=a.js></script>{}</body>"
    assert find_script_reason(parse_html(root.format("", program)))
    assert find_script_reason(parse_html(root.format("<p>Short.</p>", program)))
    assert not find_script_reason(parse_html(root.format(TEXT, program)))


def test_white_space_of_scripts_takes_nothing_from_the_text() -> None:
    page = f"<body><div id=root>{'x' * (SHORT_TEXT_LENGTH + 1)}</div><script>{' ' * 200}</script></body>"
    assert not find_script_reason(parse_html(page))


def test_how_few_links_and_how_little_text() -> None:
    def page(links: int, letters: int) -> str:
        anchors = "".join(f"<a href=/{number}></a>" for number in range(links))
        return f"<body><div id=root>{anchors}{'x' * letters}</div><script src=a.js></script></body>"

    assert find_script_reason(parse_html(page(FEW_LINKS, SHORT_TEXT_LENGTH)))
    assert not find_script_reason(parse_html(page(FEW_LINKS + 1, SHORT_TEXT_LENGTH)))
    assert not find_script_reason(parse_html(page(FEW_LINKS, SHORT_TEXT_LENGTH + 1)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<div id=__next>{LINKS}</div><script></script>", 2),
        (f"<div ng-version=17>{LINKS}</div><script></script>", 2),
        (f"<div id=__next>{LINKS}</div>", 0),
        (f"{LINKS}<script src=/app.js></script>", 1),
        (f"{LINKS}<script type=module src=/app.js></script>", 1),
        (f"{LINKS}<script>fetch('/more').then(show)</script>", 1),
        (f"{LINKS}<script>$('#menu').load('/menu.html')</script>", 1),
        (f"{LINKS}<ul></ul><script src=/app.js></script>", 2),
        (f"{LINKS}<button>More</button><script src=/app.js></script>", 2),
        (f"{LINKS}<form><button>Search</button></form><script src=/app.js></script>", 1),
        (f"{LINKS}<button>More</button>", 0),
        (f"{LINKS}<script src=/_next/static/chunks/a.js></script>", 2),
        (f"{LINKS}<script>self.__next_f.push([1])</script>", 2),
        (f"{LINKS}<script src=menudata.js></script>", 2),
        (f"<body data-sveltekit-preload-data=hover>{LINKS}<script></script>", 2),
        (f"{LINKS}<noscript>Please enable JavaScript</noscript><script src=/app.js></script>", 1),
        (f"{LINKS}<script></script>", 0),
        (f"{LINKS}<script>var page = 1</script>", 0),
        (f"{LINKS}<script type='application/ld+json'>{{}}</script>", 0),
        (f"{LINKS}<script type='text/template'>fetch(</script>", 0),
        (f"{LINKS}<script async src='https://www.googletagmanager.com/gtag/js?id=1'></script>", 0),
        (f"{LINKS}<script>window.dataLayer = []; document.createElement('script')</script>", 0),
        (f"{LINKS}<script src='/lib/jquery-3.7.1.min.js'></script><script src='/js/highlight.js'></script>", 0),
    ],
)
def test_pages_worth_opening_to_see_if_scripts_add_links(html: str, expected: int) -> None:
    assert inspect_scripts(parse_html(html)).max_probes == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<nav><a href=/a>A long name of a page</a> <a href=/b>Another long name</a></nav><h1>All</h1>",
            True,
        ),
        ("<header>The name of the site, with a motto that is rather long</header><h1>All</h1><ul></ul>", True),
        ("<a href='#/a'>A</a>" + TEXT, True),
        ("<h1>About us</h1><p>Everything that visitors ask about us, with opening times and prices.", False),
    ],
)
def test_shells_have_no_text_besides_links_and_landmarks(html: str, expected: bool) -> None:
    document = parse_html(f"<body data-app>{html}<script src=a.js></script>")
    reason = find_script_reason(document)
    assert reason
    assert is_empty_shell(document, reason) is expected


def test_pages_of_one_template_have_the_same_scripts_and_elements() -> None:
    page = "<h1>{}</h1><script src='/app.js?{}'></script>{}"
    one, two, other = (
        inspect_scripts(parse_html(page.format(*values))).template
        for values in (("A", 1, ""), ("B", 2, ""), ("B", 2, "<ul></ul>"))
    )
    assert one == two != other


def test_links_to_other_hosts_do_not_make_a_page_complete() -> None:
    links = "".join(f"<a href=https://other.example/{number}>x</a>" for number in range(20))
    assert find_script_reason(parse_html(f"<div id=root></div>{links}<script src=a.js></script>"))


def test_script_files_are_listed_without_libraries() -> None:
    markup = "".join(f"<script src={url}></script>" for url in ("/app.js", "/jquery.min.js", "/app.js", "b.js"))
    assert list_script_files(parse_html(f"{markup}<script>inline()</script><script src></script>")) == [
        "/app.js",
        "b.js",
    ]
