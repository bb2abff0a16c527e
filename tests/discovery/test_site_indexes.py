"""Index files that pages name are read after the crawl, and the pages they list are visited before they are listed."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from headwater.discovery.stages import index_reader
from tests.commands import headwater as command
from tests.sites.table_site import Answer, TableSite, table_site

if TYPE_CHECKING:
    from pathlib import Path

SIGN = '<script src="/_static/doctools.js"></script>'
INVENTORY = b"""\
index std:doc -1 index.html Home
orphan std:doc -1 orphan.html An orphan
gone std:doc -1 gone.html Gone
"""
HEADER = (
    b"# Sphinx inventory version 2\n# Project: Demo\n# Version: 1\n"
    b"# The remainder of this file is compressed using zlib.\n"
)


def sphinx_site(_: str) -> dict[str, Answer | str]:
    """Return a site whose inventory lists a page that no page links to, and one that does not exist."""
    return {
        "/": f"<title>Home</title>{SIGN}<a href=/linked.html>x</a>",
        "/index.html": f"<title>Home</title>{SIGN}<a href=/linked.html>x</a>",
        "/linked.html": "<title>Linked</title>a",
        "/orphan.html": "<title>An orphan</title><a href=/below.html>x</a>",
        "/below.html": "<title>Below</title>b",
        "/objects.inv": Answer(HEADER + zlib.compress(INVENTORY), type="application/octet-stream"),
    }


def wordpress_site(origin: str) -> dict[str, Answer | str]:
    """Return a blog whose front page links to its newest post only; 150 posts are in the REST API."""
    api = "/wp-json/wp/v2"
    query = "per_page=100&page={}&_fields=link,title,name"
    posts = [{"link": f"{origin}/post/{number}/", "title": {"rendered": f"Post {number}"}} for number in range(150)]
    types = {"post": {"rest_base": "posts"}, "attachment": {"rest_base": "media"}}
    pages: dict[str, Answer | str] = {f"/post/{n}/": f"<title>Post {n}</title>text {n}" for n in range(150)}
    return {
        **pages,
        "/": '<title>Blog</title><link rel="https://api.w.org/" href="/wp-json/"><a href=/post/149/>x</a>',
        f"{api}/types": Answer(json.dumps(types), type="application/json"),
        f"{api}/posts?{query.format(1)}": Answer(json.dumps(posts[:100]), type="application/json"),
        f"{api}/posts?{query.format(2)}": Answer(json.dumps(posts[100:]), type="application/json"),
    }


def find_paths(site: TableSite, **settings: Any) -> set[str]:
    found = headwater.discover(f"{site.origin}/", render="never", **settings)
    return {url.removeprefix(site.origin) for url in found.urls}


def test_pages_of_an_inventory_are_visited_with_what_they_link_to() -> None:
    with table_site(sphinx_site) as site:
        found = headwater.discover(f"{site.origin}/", render="never")
        pages = {page.url.removeprefix(site.origin): page for page in found.pages}
        assert set(pages) == {"/", "/linked.html", "/orphan.html", "/below.html"}
        assert pages["/orphan.html"].sources == ("index",)
        assert pages["/orphan.html"].depth is None
        assert pages["/below.html"].found_on == f"{site.origin}/orphan.html"
        assert site.hits["/gone.html"] == 1, "a page of an index is requested before it is listed"


def test_every_file_is_evidence() -> None:
    with table_site(sphinx_site) as site:
        found = headwater.discover(f"{site.origin}/", render="never")
        evidence = {
            one.url.removeprefix(site.origin): one.content for one in found.evidence if one.kind == "index_file"
        }
        assert evidence["/objects.inv"] == {"index": "sphinx-inventory", "result": "read", "urls_found": 3}
        assert str(evidence["/llms.txt"]["result"]).startswith("http-404")


def test_an_api_is_read_page_by_page() -> None:
    with table_site(wordpress_site) as site:
        assert find_paths(site) == {"/", *(f"/post/{number}/" for number in range(150))}


@pytest.mark.parametrize(
    ("settings", "requests"),
    [
        ({"sources": ()}, set()),
        ({"sources": ("llms",)}, {"/llms.txt"}),
        ({"sources": ("apis",)}, set()),
        ({"preset": "waterfall"}, set()),
        ({"preset": "crawl"}, set()),
    ],
    ids=str,
)
def test_sources_can_be_chosen(settings: dict[str, Any], requests: set[str]) -> None:
    with table_site(sphinx_site) as site:
        find_paths(site, **settings)
        assert {path for path in site.hits if path in {"/objects.inv", "/llms.txt"}} == requests


def test_files_that_robots_txt_disallows_are_not_requested() -> None:
    with table_site(sphinx_site) as site:
        site.answers["/robots.txt"] = Answer("User-agent: *\nDisallow: /objects.inv", type="text/plain")
        assert find_paths(site) == {"/", "/linked.html"}
        assert not site.hits["/objects.inv"]


def test_a_file_that_is_too_large_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_reader, "MAX_FILE_BYTES", 10)
    with table_site(sphinx_site) as site:
        assert find_paths(site) == {"/", "/linked.html"}


def test_scripts_of_pages_are_read_only_for_pages_that_nothing_else_lists() -> None:
    signs = '<meta name=generator content="VitePress v1"><script type=module src=/assets/app.X.js></script>'
    script = 'const __pageData = JSON.parse(\'{"relativePath":"guide/hidden_page.md","title":"Hidden"}\')'
    with table_site(
        lambda _: {
            "/": f"<title>Home</title>{signs}<a href=/guide/start.html>x</a>",
            "/guide/start.html": "<title>Start</title>start",
            "/guide/hidden_page.html": "<title>Hidden</title>hidden",
            "/hashmap.json": Answer('{"guide_start.md":"A","guide_hidden_page.md":"B"}', type="application/json"),
            "/assets/guide_hidden_page.md.B.lean.js": Answer(script, type="text/javascript"),
        }
    ) as site:
        assert find_paths(site) == {"/", "/guide/start.html", "/guide/hidden_page.html"}
        assert not site.hits["/assets/guide_start.md.A.lean.js"]


def pagefind_site(count: int, linked: int) -> dict[str, Answer | str]:
    """Return a site whose Pagefind index has a fragment for every page; the start page links to some of them."""
    fragments = {
        f"/pagefind/fragment/en_{number:07x}.pf_fragment": b'pagefind_dcd{"url":"/page/%d/"}' % number
        for number in range(count)
    }
    entries = b"".join(b"\x82jen_%07x\x05" % number for number in range(count))
    files = {
        "/pagefind/pagefind-entry.json": b'{"languages":{"en":{"hash":"en_1"}}}',
        "/pagefind/pagefind.en_1.pf_meta": gzip.compress(b"pagefind_dcd\x82e1.6.0\x98\x20" + entries),
        **{path: gzip.compress(body) for path, body in fragments.items()},
    }
    links = "".join(f"<a href=/page/{number}/>x</a>" for number in range(linked))
    return {
        "/": f"<title>Home</title><script src=/pagefind/pagefind-ui.js></script>{links}",
        **{f"/page/{number}/": f"<title>Page {number}</title>text {number}" for number in range(count)},
        **{path: Answer(body, type="application/octet-stream") for path, body in files.items()},
    }


@pytest.mark.parametrize(("linked", "read"), [(30, 0), (20, 30), (0, 30)])
def test_fragments_of_pagefind_are_read_only_while_pages_are_missing(linked: int, read: int) -> None:
    with table_site(lambda _: pagefind_site(30, linked)) as site:
        assert find_paths(site) == {"/", *(f"/page/{number}/" for number in range(30))}
        assert sum(path.endswith(".pf_fragment") for path in site.hits) == read


def test_fragments_of_pagefind_are_left_unread_once_many_list_nothing_new() -> None:
    with table_site(lambda _: pagefind_site(100, 60)) as site:
        assert len(find_paths(site)) == 61
        assert sum(path.endswith(".pf_fragment") for path in site.hits) == index_reader.MAX_BARREN_FILES


def test_half_of_a_surrogate_pair_in_a_title_does_not_end_the_crawl() -> None:
    with table_site(lambda _: pagefind_site(3, 0)) as site:
        title = b'pagefind_dcd{"url":"/page/1/","meta":{"title":"a\\ud800"}}'
        site.answers["/pagefind/fragment/en_0000001.pf_fragment"] = Answer(title, type="application/octet-stream")
        assert find_paths(site) == {"/", "/page/0/", "/page/1/", "/page/2/"}


def test_a_plain_site_costs_one_more_request() -> None:
    with table_site(lambda _: {"/": "<title>a</title><a href=/b>b</a>", "/b": "<title>b</title>b"}) as site:
        find_paths(site, sources=())
        without = sum(site.hits.values())
        find_paths(site)
        assert sum(site.hits.values()) - without == without + 1


def test_a_resumed_scan_reads_the_files_that_an_interrupted_one_found(tmp_path: Path) -> None:
    with table_site(sphinx_site) as site:
        command("discover", f"{site.origin}/", "--render", "never", "--max-pages", "1", cwd=tmp_path)
        assert not site.hits["/objects.inv"]
        resumed = command("resume", "--max-pages", "none", "--format", "text", cwd=tmp_path)
        assert {f"{site.origin}/orphan.html", f"{site.origin}/below.html"} <= set(resumed.out.split())


def test_all_pages_of_a_feed_are_read() -> None:
    def make(_: str) -> dict[str, Answer | str]:
        sign = '<link rel="alternate" type="application/atom+xml" href="/feed/1.xml">'
        feeds: dict[str, Answer | str] = {
            f"/feed/{n}.xml": Answer(
                f'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="/feed/{n + 1}.xml"/>'
                f'<entry><title>{n}</title><link href="/post/{n}"/></entry></feed>',
                type="application/atom+xml",
            )
            for n in range(1, 9)
        }
        posts: dict[str, Answer | str] = {f"/post/{n}": f"<title>{n}</title>post {n}" for n in range(1, 9)}
        return {**feeds, **posts, "/": "<title>a</title><a href=/blog>b</a>", "/blog": f"<title>b</title>{sign}"}

    with table_site(make) as site:
        assert find_paths(site) == {"/", "/blog", *(f"/post/{n}" for n in range(1, 9))}


def make_feed(*paths: str) -> Answer:
    items = "".join(f"<item><title>{path}</title><link>{path}</link></item>" for path in paths)
    return Answer(f"<rss><channel>{items}</channel></rss>", type="application/rss+xml")


def test_feeds_that_links_of_any_page_name_are_read() -> None:
    """The page is three clicks away; one feed has the name of a file, the other that of a page."""

    def make(_: str) -> dict[str, Answer | str]:
        pages: dict[str, Answer | str] = {f"/p{n}": f"<title>{n}</title><a href=/p{n + 1}>x</a>" for n in range(4)}
        return {
            **pages,
            "/": "<title>a</title><a href=/p0>x</a>",
            "/p4": "<title>b</title><a href=/news/rss.xml>RSS</a><a href=/feed/>Feed</a>",
            "/news/rss.xml": make_feed("/news/1", "/news/2"),
            "/feed/": make_feed("/post/1"),
            **{path: f"<title>{path}</title>{path}" for path in ("/news/1", "/news/2", "/post/1")},
        }

    with table_site(make) as site:
        assert {"/news/1", "/news/2", "/post/1"} <= find_paths(site)
        assert not {"/news/1", "/post/1"} & find_paths(site, sources=("indexes",))


def test_feeds_are_left_unread_after_three_in_a_row_without_new_pages() -> None:
    def make(_: str) -> dict[str, Answer | str]:
        links = "".join(f"<a href=/c{n}/rss.xml>RSS</a>" for n in range(40))
        feeds: dict[str, Answer | str] = {f"/c{n}/rss.xml": make_feed("/a") for n in range(40)}
        return {**feeds, "/": f"<title>x</title><a href=/a>a</a>{links}", "/a": "<title>a</title>a"}

    with table_site(make) as site:
        assert find_paths(site) == {"/", "/a"}
        assert sum(count for path, count in site.hits.items() if path.endswith("rss.xml")) <= 4
