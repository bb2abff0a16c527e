"""`--per-shape` visits some pages of each URL shape, lists the others unverified, and can be raised by a resume."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from headwater import discover
from tests.commands import headwater
from tests.sites.table_site import Answer, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path

POSTS = [f"/blog/post-number-{number}" for number in range(9)]
COMMENTS = [f"/comments/{number}" for number in range(9)]


def blog(origin: str) -> dict[str, Answer | str]:
    """Return a blog whose posts link to comments; the first post redirects to one that nothing else links to."""

    def links(paths: list[str]) -> str:
        return "".join(f"<a href={path}>{path}</a> " for path in paths)

    pages: dict[str, Answer | str] = {path: f"<title>{path}</title>{path}" for path in (*COMMENTS, "/blog/a-target")}
    pages |= {post: f"<title>{post}</title>{links([COMMENTS[8 - n]])}" for n, post in enumerate(POSTS)}
    pages[POSTS[0]] = Answer(status=301, headers={"Location": "/blog/a-target"})
    pages["/sitemap.xml"] = urlset(f"{origin}/blog/only-in-sitemap")
    pages["/blog/only-in-sitemap"] = "<title>sitemap</title>listed only"
    return {**pages, "/": f"<title>Home</title>{links(POSTS[::-1])}<a href=/about>about</a>", "/about": "about"}


@pytest.mark.parametrize("parallel", [1, 8])
def test_the_first_pages_of_each_shape_are_visited_in_key_order(parallel: int) -> None:
    with table_site(blog) as site:
        found = discover(site.origin, per_shape=3, max_parallel=parallel, render="never", sources="none")
    pages = {page.url.removeprefix(site.origin): page for page in found.pages}
    visited = {path for path in site.hits if path.startswith(("/blog", "/comments"))}
    assert visited == {*POSTS[:3], "/comments/6", "/comments/7"}
    assert {path for path, page in pages.items() if page.verified} == {"/", "/about", *visited} - {POSTS[0]}
    left = {path for path, page in pages.items() if page.reason == "per-shape"}
    assert left == {*POSTS[3:], "/blog/a-target", "/blog/only-in-sitemap"}


@pytest.mark.parametrize("command", [["discover", "--render", "never"], ["crawl", "--format", "text"]])
def test_a_resume_with_a_larger_number_goes_on(command: list[str], tmp_path: Path) -> None:
    with table_site(blog) as site:
        first = headwater(*command, f"{site.origin}/", "--per-shape", "2", cwd=tmp_path)
        line = next(line for line in first.err.splitlines() if "because of --per-shape 2" in line)
        assert "INCOMPLETE" not in first.err
        advice = shlex.split(line.partition("headwater resume ")[2])
        assert advice == ["--per-shape", "4"]
        assert POSTS[2] not in site.hits
        headwater("resume", *advice, cwd=tmp_path)
        assert {"/blog/a-target", POSTS[2], "/comments/6"} <= set(
            site.hits
        )  # the two next by key, and what they lead to
        assert POSTS[3] not in site.hits
        last = headwater("resume", "--per-shape", "none", cwd=tmp_path)
    assert "--per-shape" not in last.err
    assert set(POSTS + COMMENTS) - {"/comments/8"} <= set(site.hits)  # only the redirect leads to the last comment
    assert max(site.hits[path] for path in POSTS + COMMENTS) == 1
    assert headwater("resume", cwd=tmp_path).code != 0
