"""Links of a page: every rule of LINK_RULES has an example."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.link_finder import find_all_links, find_non_anchor_links, may_have_conditional_comments
from headwater.pages.links.link_rules import LINK_RULES

# Markup, and the links in it: URL, element, attribute, kind.
PAGES: list[tuple[str, list[str]]] = [
    ('<a href="/x">t</a>', ["/x a href page"]),
    ('<map><area href="/x"></map>', ["/x area href page"]),
    ('<svg><a xlink:href="/x"></a></svg>', ["/x a xlink:href page"]),
    ('<svg><a href="/x"></a></svg>', ["/x a href page"]),
    ('<link rel="stylesheet" href="/x">', ["/x link href resource"]),
    ('<link rel="shortcut icon" href="/x">', ["/x link href resource"]),
    ('<link rel="canonical" href="/x">', ["/x link href page"]),
    ('<link rel="alternate" hreflang="de" href="/x">', ["/x link href page"]),
    ('<link rel="next" href="/x">', ["/x link href page"]),
    (
        '<link rel=preload imagesrcset="/a 1x, /b 2x">',
        [
            "/a link imagesrcset resource",
            "/b link imagesrcset resource",
        ],
    ),
    ('<form action="/x"></form>', ["/x form action page"]),
    ('<form action="/x" method="POST"></form>', ["/x form action endpoint"]),
    ('<button formaction="/x"></button>', ["/x button formaction page"]),
    ('<input formaction="/x" formmethod=post>', ["/x input formaction endpoint"]),
    ('<iframe src="/x"></iframe>', ["/x iframe src page"]),
    ('<iframe srcdoc="<a href=/x>"></iframe>', ["/x a href page"]),
    (
        "<frameset><frame src=/x longdesc=/y></frameset>",
        [
            "/x frame src page",
            "/y frame longdesc page",
        ],
    ),
    ("<portal src=/x></portal>", ["/x portal src page"]),
    ('<object data=/x type="text/html"></object>', ["/x object data page"]),
    ('<embed src=/x type="text/html">', ["/x embed src page"]),
    (
        "<select onchange='location = this.value'><option value=/x>X<option value=/y>Y<option value=''>None</select>",
        ["/x option value page", "/y option value page"],
    ),
    ("<select onchange='window.open(this.value)'><option value=/x>X</select>", ["/x option value page"]),
    ("<select onchange='sort(this.value)'><option value=/x>X</select>", []),
    (
        "<select><option value=''>Language<option value=/de/>Deutsch<option value=https://e.com/>English</select>",
        ["/de/ option menu page", "https://e.com/ option menu page"],
    ),
    ("<select><option value=/x>X<option value=red>Red</select>", []),
    ("<select><option value=/x>X<option value=/x>X</select>", []),
    ("<select><option value=//cdn/x>X<option value=/x>X</select>", []),
    ("<select><option value=/x>X</select>", []),
    ('<img longdesc="/x">', ["/x img longdesc page"]),
    ("<blockquote cite=/x></blockquote>", ["/x blockquote cite page"]),
    (
        "<q cite=/x></q><ins cite=/y></ins><del cite=/z></del>",
        [
            "/x q cite page",
            "/y ins cite page",
            "/z del cite page",
        ],
    ),
    (
        "<object data=/x classid=/y codebase=/z archive='/a /b'></object>",
        [
            "/x object data resource",
            "/y object classid resource",
            "/z object codebase resource",
            "/a object archive resource",
            "/b object archive resource",
        ],
    ),
    (
        "<applet codebase=/z archive=/a></applet>",
        [
            "/z applet codebase resource",
            "/a applet archive resource",
        ],
    ),
    ("<embed src=/x>", ["/x embed src resource"]),
    (
        "<img src=/x lowsrc=/y data-src=/z dynsrc=/w>",
        [
            "/w img dynsrc resource",
            "/x img src resource",
            "/y img lowsrc resource",
            "/z img data-src resource",
        ],
    ),
    (
        '<img srcset="/a.png 1x, /b,c.png 2x">',
        [
            "/a.png img srcset resource",
            "/b,c.png img srcset resource",
        ],
    ),
    (
        "<video src=/v poster=/p><source src=/s><track src=/t></video>",
        [
            "/v video src resource",
            "/p video poster resource",
            "/s source src resource",
            "/t track src resource",
        ],
    ),
    (
        "<audio src=/x></audio><script src=/y></script><input type=image src=/z>",
        [
            "/x audio src resource",
            "/y script src resource",
            "/z input src resource",
        ],
    ),
    (
        "<body background=/x><table background=/y><tr><td background=/z>",
        [
            "/x body background resource",
            "/y table background resource",
            "/z td background resource",
        ],
    ),
    (
        "<svg><image href=/x /><use xlink:href=/y /></svg>",
        [
            "/x image href resource",
            "/y use xlink:href resource",
        ],
    ),
    ("<base href=/x>", ["/x base href resource"]),
    (
        "<html manifest=/x><head profile='/y /z'>",
        [
            "/x html manifest resource",
            "/y head profile resource",
            "/z head profile resource",
        ],
    ),
    ('<a href=/x ping="/p /q">', ["/x a href page", "/p a ping endpoint", "/q a ping endpoint"]),
    ("<meta http-equiv=Refresh content='5; URL=/x'>", ["/x meta content page"]),
    ("<meta http-equiv=refresh content=30>", []),
    (
        "<meta property=og:url content=/x><meta property=og:image content=/y>",
        [
            "/x meta content page",
            "/y meta content resource",
        ],
    ),
    (
        "<meta name=twitter:url content=/x><meta name=twitter:image content=/y>",
        [
            "/x meta content page",
            "/y meta content resource",
        ],
    ),
    ("<meta name=description content=/x>", []),
    (
        """<script type="text/x-template"><a class=x href="/a">A</a><area href='/b'><A HREF=/c>C</A></script>""",
        [
            "/a script text page",
            "/b script text page",
            "/c script text page",
        ],
    ),
    ("<script>var x = '<a href=\"/no\">';</script>", []),
    (
        "<div data-href=/x></div><p data-url=/y></p><i data-link=/z></i>",
        [
            "/x div data-href page",
            "/y p data-url page",
            "/z i data-link page",
        ],
    ),
    ("<button data-navigate=/x>", ["/x button data-navigate page"]),
    (
        "<b data-next-link=/x></b><b data-router-link=/y></b>",
        [
            "/x b data-next-link page",
            "/y b data-router-link page",
        ],
    ),
    ("<span role=link href=/x>", ["/x span href page"]),
    ("<div onclick=\"location.href='/x'\">", ["/x div onclick page"]),
    ("<div onclick='window.location = \"/x\"; f()'>", ["/x div onclick page"]),
    (
        "<div onclick=\"location.assign('/x')\" ><p onclick=\"window.open('/y')\">",
        [
            "/x div onclick page",
            "/y p onclick page",
        ],
    ),
    ("<div style=\"background: url('/x')\">", ["/x div style resource"]),
    (
        "<style>@import '/x'; b { background: url(/y) }</style>",
        [
            "/x style text resource",
            "/y style text resource",
        ],
    ),
    ("<template><a href=/x></a></template>", ["/x a href page"]),
    ("<my-a><template shadowrootmode=open><a href=/x></a></template></my-a>", ["/x a href page"]),
    ("<noscript><a href=/x></a></noscript>", ["/x a href page"]),
    (
        "<!--[if lt IE 9]><a href=/x></a><script src=/y></script><![endif]-->",
        [
            "/x a href page",
            "/y script src resource",
        ],
    ),
    ("<!-- <a href=/x></a> -->", []),
    ("<urlset><loc>https://e.com/x</loc></urlset>", ["https://e.com/x loc text page"]),
    (
        (
            '<script type="application/ld+json">{"@id":"/a","url":"/b","mainEntityOfPage":{"@id":"/c"},'
            '"itemListElement":[{"item":"/d"},{"item":{"@id":"/e"}}],"name":"/no"}</script>'
        ),
        [
            "/a script json-ld page",
            "/b script json-ld page",
            "/c script json-ld page",
            "/d script json-ld page",
            "/e script json-ld page",
        ],
    ),
    ('<script type="application/ld+json">{broken</script>', []),
]


@pytest.mark.parametrize(("markup", "expected"), PAGES, ids=[page[0][:60] for page in PAGES])
def test_links_are_found(markup: str, expected: list[str]) -> None:
    found = [
        f"{link.href} {link.element.tag} {link.attribute} {link.rule.kind}"
        for link in find_all_links(parse_html(markup))
    ]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(("nesting", "is_found"), [(0, True), (1, True), (2, True), (3, True), (50, False)])
def test_links_in_embedded_documents_are_found_up_to_a_depth(nesting: int, is_found: bool) -> None:
    markup = "<a href=/inner>"
    for _ in range(nesting):
        markup = f'<iframe srcdoc="{escape(markup)}"></iframe>'
    assert [link.href for link in find_all_links(parse_html(markup))] == (["/inner"] if is_found else [])
    is_in_frame = is_found and nesting > 0
    assert [link.href for link in find_non_anchor_links(parse_html(markup))] == (["/inner"] if is_in_frame else [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", False),
        (b"<p>no brackets", False),
        (b"<p>[1] [2]", False),
        (b"<p>[ if", False),
        (b"<p>[IF", False),
        (b"<!--[if IE]>", True),
        (b"[if", True),
        (b"[1] [2] <!--[if IE]>", True),
        (b"[[if", True),
        (b"[x] " * 1000 + b"<!--[if IE]>", True),
        ("<!--[if IE]>".encode("utf-16"), True),
    ],
)
def test_conditional_comments_are_detected_in_the_body(body: bytes, expected: bool) -> None:
    assert may_have_conditional_comments(body) is expected


@pytest.mark.parametrize(
    ("script", "urls"),
    [
        ("setTimeout(() => location.replace('/x'), 60000)", ["/x"]),
        ("function go() { window.location.href = '/x' }", ["/x"]),
        ("document.location='/x'; window.open(`/y`)", ["/x", "/y"]),
        ("let url = location.href; if (location == '/x') go()", []),
        ("const allocation = []", []),
    ],
)
def test_urls_that_inline_scripts_open_are_links_if_scripts_are_read(script: str, urls: list[str]) -> None:
    markup = f"<p>Text<script>{script}</script>"
    document, body = parse_html(markup), markup.encode()
    assert [link.href for link in find_non_anchor_links(document, body=body, reads_scripts=True)] == urls
    assert [link.href for link in find_non_anchor_links(document, body=body)] == []


def test_every_rule_has_an_example() -> None:
    examples = {tuple(link.split()[1:]) for _, links in PAGES for link in links}
    for rule in LINK_RULES:
        for attribute in rule.attributes.split():
            elements = {element for element, name, kind in examples if name == attribute and kind == rule.kind}
            assert elements, rule
            assert rule.elements == "*" or elements & set(rule.elements.split()), rule


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000,
        "<a href='" + "x" * 10_000_000 + "'>",
        "\x00" * 1000,
        "<a href=\ud800>",
        "<iframe srcdoc='" * 50,
    ],
    ids=["nested", "long attribute", "NUL", "surrogate", "srcdoc in srcdoc"],
)
def test_hostile_markup_does_not_raise(markup: str) -> None:
    list(find_all_links(parse_html(markup.encode("utf-8", "surrogatepass"))))


@given(st.text(alphabet="<>/='\" abhrefsciptloc&;-![]"))
def test_no_markup_raises(markup: str) -> None:
    document = parse_html(markup)
    list(find_all_links(document))
    Head.from_document(document)


@pytest.mark.parametrize(
    ("markup", "found", "omitted"),
    [
        ("<img src=/1><img src=/2><img src=/3>", ["/1", "/2"], 1),
        ("<img srcset='/1 1x, /2 2x, /3 3x, /4 4x'>", ["/1", "/2"], 2),
        ("<link rel=next href=/1><div data-href=/2><style>a{background:url(/3)}</style>", ["/1", "/2"], 1),
        ('<script type="application/ld+json">[{"url":"/1"},{"url":"/2"},{"url":"/3"}]</script>', ["/1", "/2"], 1),
        ("<iframe srcdoc='<a href=/1>'></iframe><iframe srcdoc='<a href=/2><a href=/3>'></iframe>", ["/1", "/2"], 1),
        ("<img src=/1><img src=/2><iframe srcdoc='<a href=/3>'></iframe><!--[if IE]><a href=/4><![endif]-->",
         ["/1", "/2"], 2),
        ("<img src=/1>", ["/1"], 0),
    ],
)  # fmt: skip
def test_links_beyond_the_limit_are_counted(markup: str, found: list[str], omitted: int) -> None:
    links = find_non_anchor_links(parse_html(markup), limit=2)
    assert [link.href for link in links] == found
    assert links.omitted_count == omitted
