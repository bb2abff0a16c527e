"""Findings of one response, given the URLs that are already known."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from headwater.examination import SiteState, examine, examine_in_steps, examine_redirect
from headwater.examination.link_extraction import extract_links
from headwater.frontier.url_cache import UrlCache
from headwater.model import Candidate, Response
from headwater.urls import Scope
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "https://e.com/docs/a"


def candidate(url: str = PAGE, depth: int = 1) -> Candidate:
    return Candidate(compute_identity(url), url, url, url, depth)


def response(body: str, url: str = PAGE, **headers: str) -> Response:
    return Response(
        url, 200, {name.replace("_", "-"): value for name, value in headers.items()}, body.encode(), "text/html"
    )


@pytest.fixture(params=[False, True], ids=["links counted", "links kept"], autouse=True)
def keeps_links(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Examine with links kept and counted; both find the same URLs."""
    MODE.append(request.param)
    yield request.param
    MODE.clear()


MODE: list[bool] = []


def site(*, obeys_meta_robots: bool = True) -> SiteState:
    return SiteState(Scope("https://e.com/"), keeps_links=MODE[0], obeys_meta_robots=obeys_meta_robots)


def test_a_relative_link_is_resolved_in_each_directory() -> None:
    cache, state, body = UrlCache(), site(), '<a href="x">x</a><a href="/y">y</a><a href="../z">z</a>'
    reported = []
    for url in ("https://e.com/p", "https://e.com/a/p", "https://e.com/b/p", "https://e.com/q"):
        found = examine(response(body, url), candidate(url), state, cache).found
        reported.append([one.url.removeprefix("https://e.com") for one in found if one.is_new])
    assert reported == [["/x", "/y", "/z"], ["/a/x"], ["/b/x"], []]


def test_a_javascript_link_leads_to_the_page_that_it_opens() -> None:
    cache, state, body = UrlCache(), site(), """<a href="javascript:window.open('x')">x</a><a href="javascript:go()">"""
    reported = []
    for url in ("https://e.com/p", "https://e.com/a/p"):
        found = examine(response(body, url), candidate(url), state, cache).found
        reported.append([one.url.removeprefix("https://e.com") for one in found])
    assert reported == [["/x"], ["/a/x"]]


def test_a_frameset_is_a_page_with_links() -> None:
    findings = examine(
        response("<frameset><frame src=menu><frame src=main></frameset>"), candidate(), site(), UrlCache()
    )
    assert findings.redirect_to == ""
    assert [one.url for one in findings.found] == ["https://e.com/docs/menu", "https://e.com/docs/main"]


def test_a_url_is_reported_once() -> None:
    cache, state = UrlCache(), site()
    page = response(
        '<nav><a href="b">First</a></nav><a href="/docs/b#x">again</a><a href="https://e.com/docs/b/">slash</a>'
    )
    found = examine(page, candidate(), state, cache).found
    assert [(one.url, one.text, one.region, one.source, one.depth) for one in found] == [
        ("https://e.com/docs/b", "First", "nav", "navigation", 2)
    ]
    assert examine(page, candidate(), state, cache).found == []


@pytest.mark.parametrize(
    ("charset", "query"), [("iso-8859-1", "%E9t%E9"), ("windows-1252", "%E9t%E9"), ("utf-8", "%C3%A9t%C3%A9")]
)
@pytest.mark.parametrize("markup", ['<a href="{}">x</a>', '<iframe src="{}"></iframe>'])
def test_a_query_is_encoded_in_the_encoding_of_its_page(markup: str, charset: str, query: str) -> None:
    body = f"<meta charset={charset}>{markup.format('/é?q=été')}".encode(charset)
    for page in (Response(PAGE, 200, body=body), Response(PAGE, 200, body=body, charset=charset)):
        found = examine(page, candidate(), site(), UrlCache()).found
        assert [one.fetch_url for one in found] == [f"https://e.com/%C3%A9?q={query}"]
    assert [link.url for link in extract_links(body, PAGE)] == [f"https://e.com/%C3%A9?q={query}"]


def test_a_shorter_path_is_reported() -> None:
    cache, state = UrlCache(), SiteState(Scope("https://e.com/"))
    body = '<a href="/x">x</a>'
    assert [one.depth for one in examine(response(body), candidate(depth=5), state, cache).found] == [6]
    nearer = examine(response(body, "https://e.com/n"), candidate("https://e.com/n", 2), state, cache).found
    assert [(one.depth, one.is_new) for one in nearer] == [(3, False)]
    smaller = examine(response(body, "https://e.com/m"), candidate("https://e.com/m", 2), state, cache).found
    assert [one.parent_url for one in smaller] == ["https://e.com/m"]
    assert examine(response(body, "https://e.com/z"), candidate("https://e.com/z", 2), state, cache).found == []


@pytest.mark.parametrize("href", ["?page=2", " ?page=2", "https:?page=2"])
@pytest.mark.parametrize("markup", ['<a href="{}">More</a>', '<form action="{}"></form>', '<iframe src="{}"></iframe>'])
def test_a_link_of_only_a_query_is_resolved_on_each_page(markup: str, href: str) -> None:
    cache, state, body = UrlCache(), site(), markup.format(href)
    pages = ["https://e.com/docs/a", "https://e.com/docs/b"]
    once = [[f"{page}?page=2"] for page in pages]
    for new in (once, [list[str]() for _ in pages]):
        reported = [examine(response(body, page), candidate(page), state, cache).found for page in pages]
        assert [[one.url for one in found] for found in reported] == new


def test_a_known_link_is_reported_again_at_a_smaller_depth() -> None:
    cache, state, body = UrlCache(), SiteState(Scope("https://e.com/")), '<a href="x">x</a>'
    reported = [
        [one.depth for one in examine(response(body, url), candidate(url, depth), state, cache).found]
        for url, depth in (
            ("https://e.com/a", 4),
            ("https://e.com/b", 6),
            ("https://e.com/c", 6),
            ("https://e.com/d", 2),
        )
    ]
    assert reported == [[5], [], [], [3]]


def test_base_elements_and_next_links() -> None:
    found = examine(
        response(
            '<base href="/other/"><a href=b>b</a><a rel=next href="/docs/a?after=c">c</a><a rel=next href=d>d</a>'
        ),
        candidate(),
        site(),
        UrlCache(),
    ).found
    assert {one.url: one.depth for one in found} == {
        "https://e.com/other/b": 2,
        "https://e.com/docs/a?after=c": 1,
        "https://e.com/other/d": 2,
        "https://e.com/other": 2,
    }


def test_a_link_to_the_base_is_not_a_link_to_the_page() -> None:
    """`<base href="/">` must not make the link to the homepage a link to the same page."""
    found = examine(
        response('<base href="/"><a href="/">home</a><a href="docs/a">self</a>'), candidate(), site(), UrlCache()
    ).found
    assert [one.url for one in found if one.element == "a"] == ["https://e.com/"]


def test_links_in_headers_are_reported() -> None:
    page = response("", link='</one>; rel="next", <two>; rel=x', refresh="30; url=/three", content_location="four")
    found = examine(page, candidate(), site(), UrlCache()).found
    assert [(one.url, one.depth, one.source) for one in found] == [
        ("https://e.com/one", 2, "header"),
        ("https://e.com/docs/two", 2, "header"),
        ("https://e.com/three", 2, "header"),
        ("https://e.com/docs/four", 2, "header"),
    ]


def test_a_refresh_header_makes_the_page_a_redirect() -> None:
    findings = examine(response("", refresh="0; url=/three"), candidate(), site(), UrlCache())
    assert findings.redirect_to == "https://e.com/three"
    assert ("https://e.com/three", 1, "redirect") in [(one.url, one.depth, one.source) for one in findings.found]


def test_the_target_of_a_redirect_is_as_deep_as_its_page() -> None:
    moved = Response(PAGE, 301, {"location": "/new"})
    assert [
        (one.url, one.depth, one.source, one.redirects)
        for one in examine_redirect(moved, candidate(), site(), UrlCache()).found
    ] == [("https://e.com/new", 1, "redirect", 1)]


def test_skipped_links_are_counted_by_reason() -> None:
    hrefs = ("mailto:x", "#y", "http://[", "https://o.org/", "x.pdf")
    body = "".join(f'<a href="{href}">{href}</a>' for href in hrefs)
    findings = examine(response(body), candidate(), site(), UrlCache())
    assert findings.skipped == {"not-http": 1, "invalid-url": 1, "other-host": 1, "file-extension": 1}
    assert {one.url: (one.kind, one.reason) for one in findings.found} == {
        "https://o.org/": ("external", "other-host"),
        "https://e.com/docs/x.pdf": ("resource", "file-extension"),
    }


def test_title_language_and_canonical_are_read() -> None:
    findings = examine(
        response("<html lang=de><title>T</title><link rel=canonical href=/c>"), candidate(), site(), UrlCache()
    )
    assert (findings.title, findings.language, findings.canonical) == ("T", "de", "https://e.com/c")


def test_links_of_a_nofollow_page_are_not_read() -> None:
    body = "<meta name=robots content=nofollow><a href=b>b</a>"
    assert examine(response(body), candidate(), site(), UrlCache()).found == []
    assert examine(response("<a href=b>b</a>", x_robots_tag="nofollow"), candidate(), site(), UrlCache()).found == []
    assert len(examine(response(body), candidate(), site(obeys_meta_robots=False), UrlCache()).found) == 1


@pytest.mark.parametrize("is_known", [True, False])
def test_a_link_to_the_page_itself_gets_no_number(is_known: bool) -> None:
    cache, state, other = UrlCache(), site(), "https://e.com/docs/b"
    if is_known:
        examine(response('<a href="/docs/a">x</a>', other), candidate(other), state, cache)
        cache.links.take_new_links()
    examine(response('<a href="/docs/a">itself</a>'), candidate(), state, cache)
    assert cache.links.take_new_links() is None


SUSPECT = "https://e.com/p/9"


@pytest.mark.parametrize(
    ("pages", "is_suspect", "cleared"),
    [
        (["/p/1"], True, []),
        (["/p/1", "/p/2"], True, []),
        (["/p/1", "/about"], True, [compute_identity(SUSPECT)]),
        (["/p/1", "/p/2", "/p/1/more"], True, [compute_identity(SUSPECT)]),
        (["/p/1", "/about", "/p/2", "/contact"], True, [compute_identity(SUSPECT)]),
        (["/about", "/p/1"], False, []),
        (["/list?page=1", "/p/1"], False, []),
    ],
)
@pytest.mark.parametrize(
    "markup", ['<a href="/p/9">x</a>', '<a href="{}/p/9">x</a>', '<link rel=alternate href="/p/9">']
)
def test_a_url_is_suspect_only_if_every_page_could_have_generated_it(
    markup: str, pages: list[str], is_suspect: bool, cleared: list[int]
) -> None:
    cache, state = UrlCache(), site()
    urls = [f"https://e.com{path}" for path in pages]
    findings = [examine(response(markup.format("https://e.com"), url), candidate(url), state, cache) for url in urls]
    assert [one.is_suspect for one in findings[0].found] == [is_suspect]
    assert [identity for one in findings for identity in one.cleared] == cleared
    assert not any(one.is_suspect for one in findings[-1].found if cleared)


def test_a_suspect_that_is_decided_on_is_not_cleared() -> None:
    cache, state = UrlCache(), site()
    body = '<a href="/p/9">x</a>'
    [found] = examine(response(body, "https://e.com/p/1"), candidate("https://e.com/p/1"), state, cache).found
    cache.suspects.close(found.depth)
    other = examine(response(body, "https://e.com/about"), candidate("https://e.com/about"), state, cache)
    assert other.cleared == []


def test_new_links_of_a_suspect_are_returned() -> None:
    cache, state = UrlCache(), site()
    old, new = (
        '<a href="/old">x</a><a href="more/old">x</a>',
        '<a href="/new">x</a><a href="more/new">x</a><a href="?q">x</a>',
    )
    state.traps.begin_round()
    examine(response(old, "https://e.com/p/0"), candidate("https://e.com/p/0"), state, cache)
    state.traps.begin_round()
    for url in ("https://e.com/p/1", "https://e.com/p/2", "https://e.com/p/1"):
        page = candidate(url)._replace(is_suspect=True)
        links = examine(response(old + new, url), page, state, cache).new_links
        assert sorted(shape for _, shape in links) == ["/new", "/p/more/new", "/p/{n}?q"]
    assert examine(response(old + new, url), candidate(url), state, cache).new_links == []


@pytest.mark.parametrize("first", ["/about", "/list?page=2"])
@pytest.mark.parametrize("markup", ['<a href="/list?page=3">3</a>', '<a rel=next href="/list?page=3">3</a>'])
def test_the_next_part_of_a_list_is_as_deep_as_the_previous_one(markup: str, first: str) -> None:
    cache, state = UrlCache(), site()
    second = "/about" if first != "/about" else "/list?page=2"
    found = []
    for path in (first, second):
        url = f"https://e.com{path}"
        found += examine(response(markup, url), candidate(url), state, cache).found
    assert min(one.depth for one in found) == found[-1].depth == 1


def test_links_beyond_the_limit_are_counted() -> None:
    state = site()
    state.max_links_per_page = 3
    page = response('<a href="/1">1</a><a href="/2">2</a><img src="/3"><img src="/4"><img src="/5">')
    findings = examine(page, candidate(), state, UrlCache())
    assert [one.url.removeprefix("https://e.com/") for one in findings.found] == ["1", "2", "3"]
    assert findings.skipped["too-many-links"] == 2
    findings = examine(response("<a href=/a>a</a>" * 5), candidate(), state, UrlCache())
    assert findings.skipped["too-many-links"] == 2


def test_pages_with_many_links_are_read_in_steps() -> None:
    state = site()
    few, many = ("".join(f"<a href=/{number}>x</a>" for number in range(count)) for count in (900, 4500))
    assert len(list(examine_in_steps(response(few), candidate(), state, UrlCache()))) == 0
    assert len(list(examine_in_steps(response(many), candidate(), state, UrlCache()))) >= 4


def test_nested_anchors_keep_the_beginning_of_their_text() -> None:
    """Each of them contains all the text, 300 times 2 MB; keeping it would take 600 MB."""
    text = "word " * 400_000
    body = "<svg>" + "".join(f"<a href=/{number}>" for number in range(300)) + text
    tracemalloc.start()
    try:
        findings = examine(response(body), candidate(), site(), UrlCache())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(findings.found) == 300
    assert peak < 40 * len(body)
