"""Skip rules restrict the crawl; URLs from sitemaps are listed anyway, with the reason why they were not visited."""

from __future__ import annotations

from typing import Any

import pytest

import headwater
from tests.sites.table_site import Answer, robots, table_site, urlset

SKIPPED = {"/admin/x": "skipped-path", "/list?page=2": "query-string"}
DISALLOWED = {"/private/x": "robots-disallowed"}


def listed_site(origin: str) -> dict[str, Answer | str]:
    links = "".join(f'<a href="{path}">x</a>' for path in ("/admin/x", "/admin/linked", "/list?page=2", "/plain#top"))
    return {
        "/": f"<title>Home</title><nav>{links}</nav>",
        "/robots.txt": robots(f"User-agent: *\nDisallow: /private/\nSitemap: {origin}/sitemap.xml"),
        "/sitemap.xml": urlset(*(f"{origin}{path}" for path in (*SKIPPED, *DISALLOWED, "/listed#top"))),
        **{path: f"<title>{path}</title>{path}" for path in ("/admin/x", "/admin/linked", "/list?page=2", "/listed")},
    }


def run(origin: str, **settings: Any) -> headwater.Discovery:
    return headwater.discover(origin, **{"retries": 0, "render": "never", "force_https": False, **settings})


def reasons(found: headwater.Discovery, origin: str) -> dict[str, str | None]:
    return {page.url.removeprefix(origin) or "/": page.reason for page in found.pages}


@pytest.mark.parametrize("keep_skipped", [False, True])
def test_the_preset_scan_lists_all_urls_of_sitemaps(keep_skipped: bool) -> None:
    with table_site(listed_site) as site:
        found = run(site.origin, preset="scan", keep_skipped=keep_skipped)
        assert reasons(found, site.origin) == {"/": None, "/listed": None, **SKIPPED, **DISALLOWED}
        assert {page.url.removeprefix(site.origin) for page in found.pages if page.verified} == {"/"}
        assert not {"/admin/x", "/admin/linked", "/list?page=2", "/plain", "/private/x"} & set(site.hits)
        assert found.skipped["skipped-path"] == 2
        assert found.skipped["query-string"] == found.skipped["anchor"] == 1


@pytest.mark.parametrize("keep_skipped", [False, True])
def test_skipped_urls_of_sitemaps_are_not_visited(keep_skipped: bool) -> None:
    rules = {"skip_paths": ["/admin"], "skip_queries": True}
    with table_site(listed_site) as site:
        found = run(site.origin, keep_skipped=keep_skipped, **rules)
        assert reasons(found, site.origin) == {"/": None, "/listed": None, **SKIPPED}
        assert not {"/admin/x", "/admin/linked", "/list?page=2", "/private/x"} & set(site.hits)
        everything = {page.url.removeprefix(site.origin): page for page in found.store.pages(found.scan)}
        assert (everything["/private/x"].list_name, everything["/private/x"].reason) == ("skipped", "robots-disallowed")


def test_a_page_that_robots_txt_disallows_is_listed_with_that_reason() -> None:
    with table_site(listed_site) as site:
        found = run(site.origin, preset="waterfall")
        assert reasons(found, site.origin)["/private/x"] == "robots-disallowed"
        ignoring = run(site.origin, preset="waterfall", robots="ignore")
        assert reasons(ignoring, site.origin)["/private/x"] is None
