"""The default list holds every page and only pages, each under a URL that loads."""

from __future__ import annotations

import json
import os
import posixpath
import random
from html import escape
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from tests.commands import headwater as run_headwater
from tests.sites.table_site import Answer, TableSite, table_site

if TYPE_CHECKING:
    from pathlib import Path

SITES = int(os.environ.get("HEADWATER_TEST_GENERATED", "100"))


def lists(site: TableSite, start: str = "/", **settings: Any) -> dict[str, str]:
    """Return the list that each path is in."""
    found = headwater.discover(site.origin + start, retries=0, render="never", **settings)
    assert {page.list_name for page in found.pages} <= {"pages"}
    return {page.url.removeprefix(site.origin): page.list_name for page in found.store.pages(found.scan)}


def redirect(to: str, status: int = 301) -> Answer:
    return Answer(status=status, headers={"Location": to})


def test_each_kind_of_url_is_in_its_list() -> None:
    links = "".join(
        f'<a href="{path}">x</a>' for path in ("/a", "/moved", "/gone", "/file", "/index.html", "/stub", "/d/")
    )
    with table_site(
        lambda _: {
            "/": links, "/index.html": links, "/a": "a", "/moved": redirect("/new"), "/new": "new",
            "/file": Answer("%PDF", type="application/pdf"), "/d/": "d", "/real": "real",
            "/stub": '<meta http-equiv="refresh" content="0; url=/real">',
        }
    ) as site:  # fmt: skip
        assert lists(site) == {
            "/": "pages", "/a": "pages", "/new": "pages", "/d/": "pages", "/real": "pages", "/moved": "redirects",
            "/stub": "redirects", "/gone": "broken", "/file": "files", "/index.html": "duplicates",
        }  # fmt: skip


@pytest.mark.parametrize("format_", ["json", "jsonl", "csv", "xml", "md", "text"])
def test_every_format_lists_the_same(format_: str, tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {
        "/": "".join(f"<a href=/{n}>x</a>" for n in range(9)),
        "/gone": Answer(status=404),
    }
    pages |= {f"/{n}": f"page {n} <a href=/gone>x</a>" for n in range(8)}
    with table_site(lambda _: pages) as site:
        written = run_headwater(site.origin, "--db", str(tmp_path / "x.db"), "--format", format_, "--quiet").out
        listed = {f"{site.origin}/", *(f"{site.origin}/{n}" for n in range(8))}
    for url in listed:
        assert escape(url) in written
    assert f"{site.origin}/gone" not in written.replace(f'"found_on": "{site.origin}/gone"', "")


@pytest.mark.parametrize(("listed", "linked"), [("/docs/", "/docs"), ("/docs", "/docs/")])
def test_a_spelling_that_fails_does_not_hide_one_that_loads(listed: str, linked: str) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        sitemap = f"<urlset><url><loc>{origin}{listed}</loc></url></urlset>"
        return {
            "/": f'<a href="{linked}">docs</a>', "/docs/": "docs <a href=/docs/below>b</a>", "/docs/below": "below",
            "/sitemap.xml": Answer(sitemap, type="text/xml"),
        }  # fmt: skip

    with table_site(make) as site:
        assert lists(site) == {"/": "pages", "/docs/": "pages", "/docs/below": "pages"}


def test_a_page_is_listed_under_the_spelling_that_loads() -> None:
    with table_site(
        lambda _: {"/": "<a href=/d>d</a><a href=/e>e</a>", "/d": redirect("/d/"), "/d/": "d", "/e": "e"}
    ) as site:
        assert lists(site) == {"/": "pages", "/d/": "pages", "/e": "pages"}
        assert lists(site, preset="waterfall") == {"/": "pages", "/d": "pages", "/e": "pages"}


def test_a_canonical_merges_only_pages_with_the_same_text() -> None:
    def page(text: str, canonical: str) -> str:
        return f"<link rel=canonical href={canonical}><main>{text}</main><footer>{random.random()}</footer>"

    with table_site(
        lambda _: {
            "/": "<a href=/a>a</a><a href=/a?print=1>p</a><a href=/v1/a>v</a>",
            "/a": page("the text", "/a"), "/a?print=1": page("the text", "/a"), "/v1/a": page("an older text", "/a"),
        }
    ) as site:  # fmt: skip
        assert lists(site) == {"/": "pages", "/a": "pages", "/a?print=1": "duplicates", "/v1/a": "pages"}


def test_pages_filled_by_scripts_are_never_duplicates() -> None:
    shell = "<title>App</title><div id=root></div><script src=/app.js></script>"
    with table_site(lambda _: {"/": "<p>Home</p><a href=/x>x</a><a href=/y>y</a>", "/x": shell, "/y": shell}) as site:
        assert {path: name for path, name in lists(site).items() if path in {"/x", "/y"}} == {
            "/x": "pages",
            "/y": "pages",
        }


def relative(path: str, page: str) -> str:
    """Return a path as it is written on a page, such as `../b/p1/?copy=2`."""
    bare, mark, query = path.partition("?")
    short = posixpath.relpath(bare, posixpath.dirname(page) or "/")
    return short + ("/" if bare.endswith("/") and short[-1] != "/" else "") + mark + query


class Generated:
    """A random site with redirects, dead links, duplicates, slash variants, and a sitemap that disagrees with links."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        count = self.chance.randint(1, 30)
        names = sorted({f"{self.chance.choice(('', '/a', '/b', '/c'))}/p{n % 10}" for n in range(1, count)})
        self.chance.shuffle(names)
        self.pages = ["/", *(name + self.chance.choice(("", "/")) for name in names)]
        self.redirects = {f"/old{n}": self.chance.choice(self.pages) for n in range(self.chance.randint(0, 4))}
        self.dead = [f"/dead{n}" for n in range(self.chance.randint(0, 4))]
        self.copies = {f"{self.chance.choice(self.pages)}?copy={n}": n for n in range(self.chance.randint(0, 3))}
        self.children: dict[str, list[str]] = {page: [] for page in self.pages}
        self.listed: set[str] = set()
        for place, page in enumerate(self.pages[1:], 1):  # every page is linked from an earlier one, or listed
            if self.chance.random() < 0.8:
                self._link(self.chance.choice(self.pages[:place]), page)
            else:
                self.listed.add(page)
        extras = [*self.redirects, *self.dead, *self.copies]
        for extra in extras:
            if self.chance.random() < 0.8:
                self._link(self.chance.choice(self.pages), extra)
            else:
                self.listed.add(extra)
        for _ in range(self.chance.randint(0, 20)):
            self._link(self.chance.choice(self.pages), self.chance.choice(self.pages))
        some = self.chance.randint(0, len(self.pages))
        self.listed |= {self._variant(page) for page in self.chance.sample(self.pages, some)}

    def _link(self, page: str, target: str) -> None:
        self.children[page].append(self._variant(target))

    def _variant(self, path: str) -> str:
        """Return the path, sometimes in a spelling that fails or redirects."""
        if path == "/" or "?" in path or self.chance.random() < 0.85:
            return path
        other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
        self.children.setdefault("/", []).append(path)  # one link has the right spelling
        return other

    def answers(self, origin: str) -> dict[str, Answer | str]:
        def html(page: str) -> str:
            hrefs = [
                relative(one, page) if (place + len(page)) % 3 else one for place, one in enumerate(self.children[page])
            ]
            return f"<title>{page}</title>" + "".join(f'<a href="{escape(href)}">x</a>' for href in hrefs)

        answers: dict[str, Answer | str] = {page: html(page) for page in self.pages}
        answers |= {path: redirect(target) for path, target in self.redirects.items()}
        answers |= {path: html(path.partition("?")[0]) for path in self.copies}
        locations = "".join(f"<url><loc>{origin}{escape(path)}</loc></url>" for path in sorted(self.listed))
        return answers | {"/sitemap.xml": Answer(f"<urlset>{locations}</urlset>", type="text/xml")}


@pytest.mark.parametrize("part", range(4))
def test_generated_sites_are_listed_exactly(part: int) -> None:
    for seed in range(part, SITES, 4):
        generated = Generated(seed)
        with table_site(generated.answers) as site:
            found = headwater.discover(f"{site.origin}/", retries=0, render="never")
            listed = sorted(url.removeprefix(site.origin) for url in found.urls)
            duplicate_of = {page.url: page.duplicate_of for page in found.store.pages(found.scan) if page.duplicate_of}
        # A copy may be listed instead of its original, if more pages link to it.
        originals = sorted(path.partition("?")[0] for path in listed)
        assert originals == sorted(generated.pages), f"site {seed}: {json.dumps(duplicate_of)}"
