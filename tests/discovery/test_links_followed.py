"""Kinds of links that each preset follows; other kinds are recorded with the reason why they were skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import headwater
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from pathlib import Path

PLACES = {
    "a": "<main><a href=/x-a>a</a></main>",
    "area": "<main><map><area href=/x-area></map></main>",
    "data": "<main><div data-href=/x-data></div></main>",
    "onclick": "<main><div onclick=\"location.href='/x-onclick'\"></div></main>",
    "button": "<main><button data-navigate=/x-button></button></main>",
    "router": "<main><span data-router-link=/x-router></span></main>",
    "json-ld": '<script type=application/ld+json>{"@type":"WebPage","url":"/x-json-ld"}</script>',
    "loc": "<main><loc>/x-loc</loc></main>",
    "template": "<main><script type=text/template><a href='/x-template'></a></script></main>",
    "form": "<main><form action=/x-form></form></main>",
    "frame": "<main><iframe src=/x-frame></iframe></main>",
    "cite": "<main><blockquote cite=/x-cite></blockquote></main>",
    "link": "<link rel=alternate hreflang=de href=/x-link>",
    "meta": "<meta property=og:url content=/x-meta>",
}
KINDS = {*PLACES, "header"}
DOCS = {"a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template"}


def everywhere(_: str) -> dict[str, Answer | str]:
    page = "<title>Everywhere</title>" + "".join(PLACES[name] for name in ("link", "meta"))
    page += "<body>" + "".join(markup for name, markup in PLACES.items() if name not in {"link", "meta"})
    pages: dict[str, Answer | str] = {f"/x-{name}": f"<title>{name}</title>the page {name}" for name in KINDS}
    return {"/": Answer(page, headers={"Link": "</x-header>; rel=next"}), **pages}


def run(origin: str, **settings: Any) -> headwater.Discovery:
    return headwater.discover(origin, **{"retries": 0, "render": "never", "force_https": False, **settings})


@pytest.mark.parametrize(
    ("preset", "followed"),
    [
        ("full", KINDS),
        ("crawl", {"a", "area"}),
        ("scan", {"a", "area"}),
        ("docs", DOCS),
        ("waterfall", KINDS - {"link", "meta", "header", "json-ld", "loc"}),
    ],
)
def test_kinds_of_links_by_preset(preset: str, followed: set[str]) -> None:
    with table_site(everywhere) as site:
        found = run(site.origin, preset=preset)
        requested = {path.removeprefix("/x-") for path in site.hits if path.startswith("/x-")}
        assert requested == followed
        assert {page.url.removeprefix(f"{site.origin}/x-") for page in found.pages if "/x-" in page.url} == followed
        others = {page.url.removeprefix(f"{site.origin}/x-"): page for page in found.store.pages(found.scan)}
        for name in KINDS - followed:
            assert (others[name].list_name, others[name].reason) == ("skipped", "link-not-followed"), name
            assert others[name].found_on, name
    assert found.skipped.get("link-not-followed", 0) == len(KINDS - followed)


def test_regions_of_the_preset_waterfall() -> None:
    pages: dict[str, Answer | str] = {
        "/": "<title>1</title><div><a href=/outside>o</a></div>"
        + "".join(f"<{tag}><a href=/{tag}>x</a></{tag}>" for tag in ("header", "nav", "aside", "main", "footer")),
        "/main": "<title>2</title><p>Without a main element <a href=/plain>this</a> is the main part.",
    }
    texts: dict[str, Answer | str] = {
        f"/{name}": f"<title>{name}</title>{name}" for name in ("outside", "header", "nav", "aside", "footer", "plain")
    }
    with table_site(lambda _: {**texts, **pages}) as site:
        found = run(site.origin, preset="waterfall")
        assert {page.url.removeprefix(site.origin) or "/" for page in found.pages} == {*pages, *texts} - {"/outside"}
        assert site.hits["/outside"] == 0


@pytest.mark.parametrize("kept", ["first", "all"])
def test_a_page_with_followed_and_skipped_links_is_visited(kept: str) -> None:
    pages: dict[str, Answer | str] = {
        "/": "<title>1</title><link rel=next href=/late><a href=/middle>m</a>",
        "/middle": "<title>2</title><a href=/late>l</a><link rel=prev href=/>",
        "/late": "<title>3</title>late",
    }
    with table_site(lambda _: pages) as site:
        found = run(site.origin, preset="crawl", links=kept)
        late = next(page for page in found.pages if page.url.endswith("/late"))
        assert (late.depth, late.found_on, late.element, late.state) == (2, f"{site.origin}/middle", "a", "fetched")
        if kept == "all":
            assert (f"{site.origin}/", f"{site.origin}/late", "link") in {link[:3] for link in found.links}


def test_a_page_first_found_as_a_resource_is_listed() -> None:
    pages: dict[str, Answer | str] = {
        "/": "<title>1</title><link rel=prefetch href=/next><a href=/middle>m</a>",
        "/middle": "<title>2</title><a href=/next>n</a>",
        "/next": "<title>3</title>next",
    }
    with table_site(lambda _: pages) as site:
        found = run(site.origin)
        assert {page.url.removeprefix(site.origin) for page in found.pages} == set(pages)


def test_redirects_are_followed_whatever_the_kind_of_link() -> None:
    pages: dict[str, Answer | str] = {
        "/": "<title>1</title><a href=/moved>m</a><a href=/stub>s</a>",
        "/moved": Answer("", 301, headers={"Location": "/target"}),
        "/stub": "<meta http-equiv=refresh content='0; url=/other'>",
        "/target": "<title>t</title>target",
        "/other": "<title>o</title>other",
    }
    with table_site(lambda _: pages) as site:
        found = run(site.origin, preset="crawl")
        assert {page.url.removeprefix(site.origin) or "/" for page in found.pages} == {"/", "/target", "/other"}


def test_the_links_of_an_unchanged_page_are_followed(tmp_path: Path) -> None:
    def make(_: str) -> dict[str, Answer | str]:
        home = "<title>1</title><main><a href=/in>i</a></main><p><a href=/out>o</a><link rel=next href=/next>"
        bare = "<title>2</title><p><a href=/plain>p</a>"
        tagged = {"ETag": '"1"'}
        pages: dict[str, Answer | str] = {
            "/": Answer(home, headers=tagged),
            "/in": Answer(bare, headers=tagged),
            **{f"/{name}": Answer(f"<title>{name}</title>{name}", headers=tagged) for name in ("out", "next", "plain")},
        }
        return pages

    db = str(tmp_path / "two.db")
    with table_site(make) as site:
        first = run(site.origin, preset="waterfall", db=db)
        site.requests.clear()
        second = run(site.origin, preset="waterfall", db=db)
        for found in (first, second):
            listed = {page.url.removeprefix(site.origin) or "/" for page in found.pages}
            assert listed == {"/", "/in", "/plain"}
            assert found.skipped["link-not-followed"] == 2
        assert {status for path, _, status in site.requests if path in {"/", "/in", "/plain"}} == {304}
