"""Sitemaps of every kind, valid and broken, are read to the last URL."""

from __future__ import annotations

import gzip
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.files.sitemap_parser import Entry, decompress_body, parse_sitemap, parse_sitemap_body
from headwater.pages.files.sitemap_text import MAX_BYTES
from headwater.settings import Settings

A, B, C = "https://e.com/a", "https://e.com/b", "https://e.com/c"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def urlset(*blocks: str) -> str:
    return HEAD + "".join(f"<url>{block}</url>" for block in blocks) + "</urlset>"


# A file, its kind, the URLs in it, and the beginning of its problem.
FILES: list[tuple[str | bytes, str, list[str], str]] = [
    (urlset("<loc>https://e.com/a</loc>", "<loc> https://e.com/b\n</loc>"), "urlset", [A, B], ""),
    (urlset("<loc>https://e.com/?a=1&amp;b=2</loc>"), "urlset", ["https://e.com/?a=1&b=2"], ""),
    (
        urlset("<loc>https://e.com/?a=1&copy=2</loc>"),
        "urlset",
        ["https://e.com/?a=1&copy=2"],
        "it contains an unescaped &",
    ),
    (urlset("<loc>https://e.com/&#233;&#xE9;&#0;</loc>"), "urlset", ["https://e.com/éé\ufffd"], ""),
    (urlset("<loc><![CDATA[https://e.com/?a&b]]></loc>"), "urlset", ["https://e.com/?a&b"], ""),
    (urlset("<lastmod>2026-01-02</lastmod><loc>https://e.com/a</loc>"), "urlset", [A], ""),
    (urlset("<LOC>https://e.com/a</LOC>"), "urlset", [A], ""),
    (
        "<URLSET><URL><LOC>https://e.com/a</LOC></URL><URL><LOC>https://e.com/b</LOC></URL></URLSET>",
        "urlset",
        [A, B],
        "",
    ),
    ("<Urlset><Url><Loc>https://e.com/A?B</Loc></Url></Urlset>", "urlset", ["https://e.com/A?B"], ""),
    (urlset('<loc lang="en">https://e.com/a</loc>'), "urlset", [A], ""),
    (urlset("<loc></loc>", "<loc>  </loc>", "<loc>https://e.com/a</loc>"), "urlset", [A], ""),
    (urlset("<!-- <loc>https://e.com/old</loc> --><loc>https://e.com/a</loc>"), "urlset", [A], ""),
    ('<sm:urlset xmlns:sm="x"><sm:url><sm:loc>https://e.com/a</sm:loc></sm:url></sm:urlset>', "urlset", [A], ""),
    ('<urlset xmlns="http://wrong.example/"><url><loc>https://e.com/a</loc></url></urlset>', "urlset", [A], ""),
    ("\ufeff  \n" + urlset("<loc>https://e.com/a</loc>"), "urlset", [A], ""),
    (
        urlset("<loc>https://e.com/é</loc>").replace("UTF-8", "UTF-16").encode("utf-16"),
        "urlset",
        ["https://e.com/é"],
        "",
    ),
    (
        urlset("<loc>https://e.com/é</loc>").replace("UTF-8", "UTF-16").encode("utf-16-be"),
        "urlset",
        ["https://e.com/é"],
        "",
    ),
    (
        urlset("<loc>https://e.com/é</loc>").replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        "urlset",
        ["https://e.com/é"],
        "",
    ),
    (urlset("<loc>https://e.com/a</loc>").replace("UTF-8", "no-such-code").encode(), "urlset", [A], ""),
    (urlset("<loc>https://e.com/a</loc>").replace("UTF-8", "rot13").encode(), "urlset", [A], ""),
    (
        "<!DOCTYPE urlset [<!ENTITY x 'y'>]>" + urlset("<loc>https://e.com/&x;</loc>"),
        "urlset",
        ["https://e.com/&x;"],
        "it contains an unescaped &",
    ),
    (
        (
            "<sitemapindex><sitemap><loc>https://e.com/s1.xml</loc></sitemap><sitemap><loc>https://e.com/s2.xml.gz</loc>"
            "</sitemap></sitemapindex>"
        ),
        "index",
        ["https://e.com/s1.xml", "https://e.com/s2.xml.gz"],
        "",
    ),
    (urlset("<loc>https://e.com/a</loc>", "<loc>https://e.com/b</loc>")[:-20], "urlset", [A, B], "it ends early"),
    (HEAD + "<url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b", "urlset", [A], "it ends early"),
    (HEAD + "<url><loc>https://e.com/a</loc></url><url><loc><![CDATA[https://e.com/b", "urlset", [A], "it ends early"),
    (HEAD + "<url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc>", "urlset", [A, B], ""),
    (HEAD + "<loc>https://e.com/a</loc><loc>https://e.com/b", "urlset", [A], "it ends early"),
    (HEAD + "<url><loc>https://e.com/a</loc><url><loc>https://e.com/b</loc></urlset>", "urlset", [A, B], ""),
    (urlset("<loc>https://e.com/a</lok>", "<loc>https://e.com/b</loc>"), "urlset", [A, B], ""),
    ("https://e.com/a\r\n\r\n https://e.com/b \nhttps://e.com/c", "text", [A, B, C], ""),
    (
        (
            '<rss version="2.0"><channel><link>https://e.com/</link><item><title>T</title><link>https://e.com/a</link></item>'
            "<item><guid>https://e.com/b</guid></item><item><guid>id-7</guid></item></channel></rss>"
        ),
        "rss",
        [A, B],
        "",
    ),
    (
        (
            '<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://e.com/"/><entry><link rel="edit" href="https://e.com/edit"/>'
            '<link href="https://e.com/a?x=1&amp;y"/></entry></feed>'
        ),
        "atom",
        ["https://e.com/a?x=1&y"],
        "",
    ),
    ('<rdf:RDF><item rdf:about="x"><link>https://e.com/a</link></item></rdf:RDF>', "rss", [A], ""),
    ("<!doctype html><html><body><a href='/x'>no sitemap</a></body></html>", "html", [], "it is a web page"),
    ("<html><head></head></html>", "html", [], "it is a web page"),
    ("", "empty", [], "it is empty"),
    ("  \n ", "empty", [], "it is empty"),
    ("{}", "unknown", [], "it is not a sitemap"),
    ("<svg></svg>", "unknown", [], "it is not a sitemap"),
]


@pytest.mark.parametrize(("file", "kind", "urls", "problem"), FILES)
def test_kind_urls_and_problem_of_a_file(file: str | bytes, kind: str, urls: list[str], problem: str) -> None:
    body = file if isinstance(file, bytes) else file.encode()
    sitemap = parse_sitemap_body(body)
    assert (sitemap.kind, [entry.url for entry in sitemap.entries()]) == (kind, urls)
    assert sitemap.problem.startswith(problem)
    assert bool(sitemap.problem) == bool(problem)
    assert [entry.url for entry in sitemap.pages] == ([] if kind == "index" else urls)
    assert sitemap.children == (urls if kind == "index" else [])
    packed = parse_sitemap_body(gzip.compress(body))
    assert (packed.kind, [entry.url for entry in packed.entries()]) == (kind, urls)


# A file, the pages in it, and the sitemaps that it lists.
MIXTURES: list[tuple[str, list[str], list[str]]] = [
    (f"<urlset><sitemap><loc>{A}</loc></sitemap></urlset>", [], [A]),
    (f"<root><sitemap><loc>{A}</loc></sitemap></root>", [], []),
    (f"<sitemapindex><sitemap>{A}</sitemap><sitemap>\n{B}\n</sitemap></sitemapindex>", [], [A, B]),
    (f"<sitemapindex><sitemap>no URL</sitemap><sitemap>{B}</sitemap></sitemapindex>", [], [B]),
    (f"<sitemapindex><sitemap><loc>{A}</loc></sitemap><url><loc>{B}</loc></url></sitemapindex>", [B], [A]),
    (
        f"<urlset><url><loc>{A}</loc></url><sitemap><loc>{B}</loc></sitemap><url><loc>{C}</loc></url></urlset>",
        [A, C],
        [B],
    ),
    (f"<SITEMAPINDEX><SITEMAP><LOC>{A}</LOC></SITEMAP></SITEMAPINDEX>", [], [A]),
    (f"<sitemapindex><loc>{A}</loc></sitemapindex>", [], [A]),
    (f"<urlset><loc>{A}</loc></urlset>", [A], []),
]


@pytest.mark.parametrize(("file", "pages", "children"), MIXTURES)
def test_pages_and_sitemaps_in_one_file(file: str, pages: list[str], children: list[str]) -> None:
    sitemap = parse_sitemap(file)
    assert ([page.url for page in sitemap.pages], sitemap.children) == (pages, children)


CDATA_A, CDATA_B = "<![CDATA[https://e.com/a]]>", "\n  <![CDATA[ https://e.com/b\n]]>\n"

# The content of the `loc` elements of a file, and their URLs.
LOCS: list[tuple[list[str], list[str]]] = [
    ([CDATA_A, B, C], [A, B, C]),
    ([A, CDATA_B, C], [A, B, C]),
    ([A, B, "<![CDATA[https://e.com/c]]>"], [A, B, C]),
    ([CDATA_A, CDATA_B, "<![CDATA[https://e.com/c]]>"], [A, B, C]),
    ([A, "<![CDATA[https://e.com/?a&b]]>", "https://e.com/?a&amp;b"], [A, "https://e.com/?a&b", "https://e.com/?a&b"]),
    ([A, "<![CDATA[https://e.com/?a&amp;b]]>"], [A, "https://e.com/?a&amp;b"]),  # no entities in CDATA
    ([A, "https://e.com/<![CDATA[?a&b]]>&amp;c<![CDATA[&d]]>"], [A, "https://e.com/?a&b&c&d"]),
    ([A, "<![CDATA[]]>", "<![CDATA[  ]]>", B], [A, B]),
    ([A, "https://e.com/b<br/>", C], [A, B, C]),
]


@pytest.mark.parametrize("rest", ["", "<lastmod>2026-01-02</lastmod>", "<lastmod><![CDATA[2026-01-02]]></lastmod>\n"])
@pytest.mark.parametrize(("locs", "urls"), LOCS)
def test_cdata_is_read_anywhere(locs: list[str], urls: list[str], rest: str) -> None:
    entries = list(parse_sitemap_body(urlset(*(f"<loc>{loc}</loc>{rest}" for loc in locs)).encode()).entries())
    assert [entry.url for entry in entries] == urls
    assert {entry.lastmod for entry in entries} == {"2026-01-02" if rest else ""}
    loose = HEAD + "".join(f"<loc>{loc}</loc>" for loc in (CDATA_A, CDATA_B, C))
    assert [entry.url for entry in parse_sitemap_body(loose.encode()).entries()] == [A, B, C]


HARD = [
    "<loc>" + " " * 9,
    "<loc>x",
    "<loc>",
    "<![CDATA[",
    "<!--",
    "<!DOCTYPE[]",
    "<link ",
    "<image:loc ",
    "hreflang",
    "<x",
]


@pytest.mark.parametrize("filling", HARD)
@pytest.mark.parametrize("begin", ["<url>", "<url><loc>", "<url><link hreflang ", "<!DOCTYPE[]"])
def test_unclosed_markup_takes_linear_time(begin: str, filling: str) -> None:
    body = (begin + filling * 20_000 + "<x></url></urlset>").encode()
    started = time.process_time()
    list(parse_sitemap_body(body).entries())
    assert time.process_time() - started < 1  # takes 20 ms; quadratic time would be many seconds


@pytest.mark.parametrize(
    ("block", "entry"),
    [
        (
            "<lastmod>2026-01-02</lastmod><changefreq>daily</changefreq><priority>0.8</priority>",
            ("2026-01-02", "daily", 0.8),
        ),
        ("<priority>0.3</priority><lastmod>2026-01-02T03:04:05Z</lastmod>", ("2026-01-02T03:04:05Z", "", 0.3)),
        ("<priority>high</priority>", ("", "", None)),
        ("<priority>7</priority>", ("", "", None)),
        ("<priority>nan</priority>", ("", "", None)),
    ],
)
def test_metadata_of_an_entry(block: str, entry: tuple[str, str, float | None]) -> None:
    found = next(parse_sitemap_body(urlset(f"<loc>https://e.com/a</loc>{block}").encode()).entries())
    assert (found.lastmod, found.changefreq, found.priority) == entry


def test_alternates_and_media_of_an_entry() -> None:
    block = (
        "<loc>https://e.com/en</loc>"
        '<xhtml:link rel="alternate" hreflang="de-AT" href="https://e.com/de?a&amp;b"/>'
        "<image:image><image:loc>https://e.com/i.png</image:loc></image:image>"
        "<image:image><image:loc><![CDATA[https://e.com/j.png?a&b]]></image:loc></image:image>"
        "<video:video><video:thumbnail_loc>https://e.com/t.jpg</video:thumbnail_loc></video:video>"
        "<news:news><news:title>News</news:title></news:news>"
    )
    entry = next(parse_sitemap_body(urlset(block).encode()).entries())
    assert entry == Entry(
        "https://e.com/en",
        alternates=(("de-at", "https://e.com/de?a&b"),),
        resources=("https://e.com/i.png", "https://e.com/j.png?a&b", "https://e.com/t.jpg"),
    )


def test_broken_gzip_is_read_as_far_as_possible() -> None:
    body = gzip.compress(urlset(*(f"<loc>https://e.com/{number}</loc>" for number in range(20_000))).encode())
    cut = parse_sitemap_body(body[: len(body) // 2])
    assert cut.problem == "the gzip ends early"
    assert len(list(cut.entries())) > 5_000
    middle = len(body) // 2
    damaged = parse_sitemap_body(body[:middle] + bytes(64) + body[middle + 64 :])
    assert damaged.problem.startswith("the gzip is broken")
    assert len(list(damaged.entries())) > 5_000


def test_every_member_of_a_gzip_is_read() -> None:
    text = urlset(*(f"<loc>https://e.com/{number}</loc>" for number in range(2000))).encode()
    members = b"".join(gzip.compress(text[start : start + 1000]) for start in range(0, len(text), 1000))
    sitemap = parse_sitemap_body(members + b"\0\0trailing")
    assert (sitemap.problem, len(sitemap.pages)) == ("", 2000)


def test_gzip_with_too_many_members_is_rejected() -> None:
    body, problem = decompress_body(gzip.compress(b"a") * 20_000, 1_000_000)
    assert (body[:1], problem) == (b"a", "the gzip is broken: more than 10,000 gzip members")


def test_the_limit_is_that_of_the_protocol() -> None:
    exactly, more = (gzip.compress(b"x" * size) for size in (52_428_800, 52_428_801))
    assert (len(decompress_body(exactly, MAX_BYTES)[0]), decompress_body(exactly, MAX_BYTES)[1]) == (52_428_800, "")
    body, problem = decompress_body(more, MAX_BYTES)
    assert (len(body), problem) == (52_428_800, "too-large: only the first 52,428,800 bytes were read")
    assert Settings().max_sitemap_bytes == MAX_BYTES


@pytest.mark.parametrize("encoding", ["punycode", "idna", "unicode_escape", "utf-7", "undefined", "rot13", "zlib"])
def test_encodings_that_documents_do_not_use_are_ignored(encoding: str) -> None:
    body = urlset("<loc>https://e.com/a</loc>").replace("UTF-8", encoding) + "+AGE-" * 20_000
    assert [entry.url for entry in parse_sitemap_body(body.encode()).entries()] == [A]
    assert [
        entry.url for entry in parse_sitemap_body(HEAD.encode() + b"<loc>" + A.encode() + b"</loc>", encoding).pages
    ] == [A]


def test_decompression_bombs_are_cut() -> None:
    body, problem = decompress_body(gzip.compress(b"x" * 10_000_000), 1000)
    assert (len(body), problem) == (1000, "too-large: only the first 1,000 bytes were read")
    layers = b"<urlset></urlset>"
    for _ in range(5):
        layers = gzip.compress(layers)
    assert parse_sitemap_body(layers).kind == "unknown"


def test_large_files_are_streamed() -> None:
    text = urlset(*(f"<loc>https://e.com/page/{number}</loc>" for number in range(50_000))).encode()
    sitemap = parse_sitemap_body(text)
    tracemalloc.start()
    count = sum(1 for _ in sitemap.entries())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 50_000
    assert peak < 1_000_000


@given(st.binary(max_size=300))
def test_no_bytes_raise(body: bytes) -> None:
    list(parse_sitemap_body(body).entries())
    list(parse_sitemap_body(b"\x1f\x8b" + body).entries())


@given(
    st.lists(
        st.sampled_from("<url> </url> <loc> </loc> <![CDATA[ ]]> <!-- --> & &amp; https://e.com/ <urlset> x".split())
    )
)
def test_no_mixture_of_markup_raises(parts: list[str]) -> None:
    list(parse_sitemap_body(("<urlset>" + "".join(parts)).encode()).entries())
