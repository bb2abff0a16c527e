"""URLs that no link leads to are requested within a budget, and listed only if they prove to be pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import headwater
from headwater.discovery.stages.soft_404 import make_probe_url
from headwater.frontier.hints import MAX_MISSES
from tests.commands import headwater as command
from tests.sites.table_site import Answer, TableSite, table_site

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Answers = dict[str, Answer | str]


def find_paths(site: TableSite, **settings: Any) -> set[str]:
    found = headwater.discover(f"{site.origin}/", render="never", **settings)
    return {url.removeprefix(site.origin) for url in found.urls}


def get_results(site: TableSite) -> Mapping[str, str]:
    """Return the result of every hint that was requested, by path."""
    found = headwater.discover(f"{site.origin}/", render="never")
    hints = [one for one in found.evidence if one.kind == "hint"]
    return {one.url.removeprefix(site.origin): str(one.content["result"]) for one in hints}


def make_wiki(_: str) -> Answers:
    """Return a wiki whose lists of tags and regions are linked nowhere."""
    pages = [f"/wiki/{region}/{number}" for region in ("north", "south") for number in range(4)]
    links = "".join(f"<a href={path}>x</a>" for path in pages)
    return {
        "/": f"<title>Wiki</title>{links}<a href=/tags/iron/>Iron</a>",
        **{path: f"<title>{path}</title>text of {path}" for path in (*pages, "/tags/iron/")},
        "/tags/": "<title>Tags</title><a href=/tags/rare/>Rare</a>",
        "/tags/rare/": "<title>Rare</title>rare",
        "/wiki/north": Answer("", 301, headers={"Location": "/wiki/north/"}),
        "/wiki/north/": "<title>North</title>The north",
        "/wiki/south": Answer("", 301, headers={"Location": "/"}),
        "/wiki": Answer("{}", type="application/json"),
    }


def test_directories_of_pages_are_listed_if_they_answer() -> None:
    with table_site(make_wiki) as site:
        found = headwater.discover(f"{site.origin}/", render="never")
        pages = {page.url.removeprefix(site.origin): page for page in found.pages}
        assert {"/tags/", "/tags/rare/", "/wiki/north/"} <= pages.keys()
        assert not {"/wiki", "/wiki/south"} & pages.keys()
        assert pages["/tags/"].sources == ("parent",)
        assert pages["/tags/"].title == "Tags"
        assert site.hits["/tags/"] == 1, "the crawl uses the response to the hint"


def test_every_requested_hint_is_evidence() -> None:
    with table_site(make_wiki) as site:
        assert get_results(site) == {
            "/tags/": "page", "/wiki/north": "page", "/wiki/south": "redirect", "/wiki": "not-html"
        }  # fmt: skip


def test_sources_can_be_chosen() -> None:
    with table_site(make_wiki) as site:
        assert "/tags/" not in find_paths(site, sources=("indexes",))
        assert "/tags/" not in find_paths(site, preset="waterfall")
        assert not site.hits["/tags/"]


def test_hints_that_robots_txt_disallows_are_recorded_and_not_requested() -> None:
    with table_site(make_wiki) as site:
        site.answers["/robots.txt"] = Answer("User-agent: *\nDisallow: /tags/$", type="text/plain")
        assert get_results(site)["/tags/"] == "robots-disallowed"
        assert not site.hits["/tags/"]


def test_strings_in_data_and_scripts_are_listed_if_they_are_pages() -> None:
    def make(origin: str) -> Answers:
        data = '{"routes": [{"path": "/guides/1"}, {"path": "/more"}, {"path": "/gone"}]}'
        return {
            "/": f"<title>x</title><script type=application/json>{data}</script>",
            "/guides/1": "<title>1</title>one",
            "/more": f"<title>m</title><script>pages = ['{origin}/topic', 'https://o.com/x', '/file.pdf']</script>",
            "/topic": "<title>t</title>topic",
        }

    with table_site(make) as site:
        assert find_paths(site) == {"/", "/guides/1", "/more", "/topic"}
        assert get_results(site)["/gone"] == "http-404"
        assert not site.hits["/file.pdf"]


def test_strings_of_the_last_script_files_of_the_seed_are_hints() -> None:
    def make(_: str) -> Answers:
        files = "".join(f"<script src=/{name}.js></script>" for name in ("c", "jquery.min", "b", "a"))
        return {
            "/": f"<title>x</title>{files}<a href=/linked>x</a>",
            "/linked": "<title>l</title>text<script src=/d.js></script>",
            "/a.js": Answer("go('/from-a'); $.get('/gone')", type="text/javascript"),
            "/b.js": Answer("root + 'from-b.html'", type="text/javascript"),
            **{f"/{name}.js": Answer("'/from-a'", type="text/javascript") for name in ("c", "d", "jquery.min")},
            "/from-a": "<title>a</title>page a",
            "/from-b.html": "<title>b</title>page b",
        }

    with table_site(make) as site:
        assert find_paths(site) == {"/", "/linked", "/from-a", "/from-b.html"}
        assert {path: site.hits[path] for path in ("/a.js", "/b.js", "/jquery.min.js", "/d.js")} == {
            "/a.js": 1, "/b.js": 1, "/jquery.min.js": 0, "/d.js": 0
        }  # fmt: skip


def test_paths_that_robots_txt_names_are_hints_if_they_are_allowed() -> None:
    robots = """User-agent: *
Disallow: /private/
Allow: /private/open.html
Allow: /*.css
User-agent: otherbot
Disallow: /archive$
Disallow: /private/closed"""
    pages = {
        path: f"<title>{path}</title>{path}" for path in ("/", "/private/open.html", "/private/closed", "/archive")
    }
    with table_site(lambda _: {**pages, "/robots.txt": Answer(robots, type="text/plain")}) as site:
        assert find_paths(site) == {"/", "/private/open.html", "/archive"}
        assert not any(path in site.hits for path in ("/private/", "/private/closed"))


def test_choices_of_forms_are_listed_and_search_boxes_are_not_filled() -> None:
    def make(_: str) -> Answers:
        options = "".join(f"<option>{name}" for name in ("maps", "plays", "gone"))
        return {
            "/": f"<title>x</title><form action=/shelf><select name=name>{options}</select></form>"
            "<form action=/search><input name=q></form><form action=/find><input name=q></form>",
            "/shelf?name=maps": "<title>Maps</title><a href=/book/1>1</a>",
            "/shelf?name=plays": "<title>Plays</title>None",
            "/book/1": "<title>Book</title>book",
            "/search": "<title>Search</title><meta name=robots content=noindex>Nothing was found",
            "/find": "<title>Find</title>Find books",
        }

    with table_site(make) as site:
        found = headwater.discover(f"{site.origin}/", render="never")
        pages = {page.url.removeprefix(site.origin): page.sources for page in found.pages}
        assert pages.keys() == {"/", "/shelf?name=maps", "/shelf?name=plays", "/book/1", "/find"}
        assert pages["/shelf?name=maps"] == ("form",)
        assert not any("?q" in path for path in site.hits)
        assert "/search" in find_paths(site, preset="waterfall"), "other presets follow the action"


def test_strings_that_name_harmful_actions_are_not_requested() -> None:
    markup = "<title>x</title><script>let urls = ['/cart/delete', '/list/remove/3']</script>"
    with table_site(lambda _: {"/": markup}) as site:
        assert get_results(site) == {}
        assert not any(path.startswith(("/cart", "/list")) for path in site.hits)


@pytest.mark.parametrize("parallel", [1, 8])
def test_a_plain_site_costs_few_requests(parallel: int) -> None:
    """Every page is in a directory of its own that does not answer."""

    def make(_: str) -> Answers:
        paths = [f"/{name}/page.html" for name in "abcdefghijklmnopqrstuvwxyz"]
        links = "".join(f"<a href={path}>x</a>" for path in paths)
        return {"/": f"<title>x</title>{links}", **{path: f"<title>{path}</title>{path}" for path in paths}}

    with table_site(make) as site:
        assert len(find_paths(site, max_parallel=parallel)) == 27
        assert sorted(path for path in site.hits if path.endswith("/") and len(path) == 3) == [
            f"/{name}/" for name in "abcdef"
        ]
        assert len("abcdef") == MAX_MISSES


def test_the_page_that_a_host_returns_for_missing_paths_is_no_page() -> None:
    with table_site(make_wiki) as site:
        for path in (make_probe_url(site.origin).removeprefix(site.origin), "/wiki", "/tags/"):
            site.answers[path] = Answer("<title>Shop</title>Welcome to the shop")
        assert {"/wiki": "soft-404", "/tags/": "soft-404"}.items() <= get_results(site).items()


def test_of_hints_with_the_same_text_one_is_a_page() -> None:
    with table_site(make_wiki) as site:
        for path in ("/wiki", "/wiki/south", "/tags/"):
            site.answers[path] = Answer("<title>Shop</title>Welcome to the shop")
        assert sorted(get_results(site).values()) == ["duplicate", "duplicate", "page", "page"]


def test_usual_pages_of_a_generator_are_listed_if_they_exist() -> None:
    answers: Answers = {
        "/": "<title>Blog</title><meta name=generator content=Pelican><a href=/a.html>a</a>",
        "/a.html": "<title>A</title>a",
        "/tags.html": "<title>Tags</title>tags",
        "/404.html": "<title>Lost</title>lost",
    }
    with table_site(lambda _: {**answers, "/robots.txt": Answer("Allow: /404.html", type="text/plain")}) as site:
        found = headwater.discover(f"{site.origin}/", render="never")
        sources = {page.url.removeprefix(site.origin): page.sources for page in found.pages}
        assert sources.keys() == {"/", "/a.html", "/tags.html"}
        assert sources["/tags.html"] == ("index",)
        assert not site.hits["/404.html"]
        site.hits.clear()
        find_paths(site, sources=("parents",))
        assert not site.hits["/tags.html"]


def test_a_directory_that_answers_with_the_page_of_a_file_is_no_page() -> None:
    page = "<title>Core</title>The core <a href=core/parts.html>parts</a>"
    answers: Answers = {
        "/": "<title>Start</title><a href=/core.html>core</a>", "/core.html": page, "/core/": page,
        "/core/parts.html": "<title>Parts</title>parts",
    }  # fmt: skip
    with table_site(lambda _: answers) as site:
        assert find_paths(site) == {"/", "/core.html", "/core/parts.html"}
        assert site.hits["/core/"] == 1
        assert not site.hits["/core/core/parts.html"]


def test_a_resumed_scan_requests_no_hint_twice(tmp_path: Path) -> None:
    with table_site(make_wiki) as site:
        command("discover", f"{site.origin}/", "--render", "never", "--max-pages", "5", cwd=tmp_path)
        assert not site.hits["/tags/"]
        resumed = command("resume", "--max-pages", "none", "--format", "text", cwd=tmp_path)
        assert f"{site.origin}/tags/rare/" in resumed.out.split()
        command("resume", "--format", "text", cwd=tmp_path)
        assert site.hits["/tags/"] == site.hits["/wiki/south"] == 1
