"""Shapes that get a cluster: frequent enough, and with more to say than their folder."""

from __future__ import annotations

import pytest

from headwater.classify.templates import MAX_SHAPES, SMALLEST, Templates, title_of_shape

SITE = "https://e.com"


def templates(*paths: str) -> Templates:
    chosen = Templates()
    for path in paths:
        chosen.note(SITE + path)
    chosen.choose()
    return chosen


@pytest.mark.parametrize(
    ("shape", "title"),
    [
        # pages of a list, which a single parameter tells
        ("/shop?page", "Shop, page by page"),
        ("/shop?Paged", "Shop, page by page"),
        ("/shop?offset", "Shop, page by page"),
        ("/?p", "Pages, page by page"),
        ("/shop?page&size", "Shop, by page and size"),
        ("/shop?color&page", "Shop, by color and page"),
        # filters, of which the first three are named
        ("/shop?color", "Shop, by color"),
        ("/shop?a_b&c&d&e", "Shop, by a b and c and d"),
        ("/shop?filter[{n}]", "Shop, by filter"),
        ("/shop?{n}", "Shop, by parameter"),
        ("/items/{n}?color", "Items by number, by color"),
        # searches
        ("/search?page&q", "Search results"),
        ("/?s", "Search results"),
        ("/site-search?query", "Search results"),
        ("/shop?keywords", "Shop: search results"),
        # values
        ("/{n}", "Pages by number"),
        ("/a/b/c/{hash}", "B: C by id"),
        ("/{n}/{n}", "Pages by number"),
        ("/users/{n}/orders/{uuid}", "Users: Orders by number by id"),
        ("/{version}/users/{n}", "Users by number"),
        ("/{version}", "Pages by version"),
        ("/news/{year}/{slug}", "News by year"),
        ("/story/{date}/{slug}", "Story posts by date"),
        ("/story/{n}/{slug}", "Story by number"),
        # a part of each of many things
        ("/products/{slug}/reviews", "Products: reviews"),
        ("/shop/products/{slug}/reviews", "Shop: Products: reviews"),
        ("/products/{slug}/{slug}", ""),
        ("/{slug}/reviews", "Pages: reviews"),
    ],
)
def test_titles(shape: str, title: str) -> None:
    assert title_of_shape(shape) == title


def test_a_shape_needs_enough_pages() -> None:
    few = templates(*(f"/items/{number}" for number in range(SMALLEST - 1)))
    enough = templates(*(f"/items/{number}" for number in range(SMALLEST)))
    assert few.template_of(f"{SITE}/items/1") is None
    assert enough.template_of(f"{SITE}/items/1") == ("/items/{n}", "Items by number")
    assert enough.template_of(f"{SITE}/items/999") == ("/items/{n}", "Items by number")
    assert enough.template_of(f"{SITE}/orders/1") is None


def test_a_shape_that_says_no_more_than_its_folder_is_not_chosen() -> None:
    chosen = templates(*(f"/docs/{first}-{second}" for first in ("go", "see") for second in ("far", "near", "all")))
    assert chosen.template_of(f"{SITE}/docs/go-far") is None


def test_the_most_frequent_shapes_are_chosen() -> None:
    sections = [f"s{letter}x" for letter in "abcdefghijklmnopqrstuvwxyz"[: MAX_SHAPES + 1]]
    paths = [f"/{section}/{number}" for section in sections for number in range(SMALLEST)]
    chosen = templates(*paths, f"/{sections[-1]}/99")
    missing = [section for section in sections if chosen.template_of(f"{SITE}/{section}/1") is None]
    assert missing == [sections[-2]], "of equally frequent shapes the last by name is left out"


def test_shapes_with_the_same_title_are_told_apart() -> None:
    paths = [f"/{kind}/{number}" for kind in ("items", "Items") for number in range(SMALLEST)]
    chosen = templates(*paths)
    titles = {template[1] for path in paths if (template := chosen.template_of(SITE + path))}
    assert titles == {"Items by number", "Items by number (/items/{n})"}


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (["/a/1.html", "/a/2.html", "/a/3"], "/a/{n}"),
        (["/whatsnew/3.10", "/whatsnew/3.11.html", "/whatsnew/3.9"], "/whatsnew/{version}"),
        (["/3/lib/1", "/3/lib/2", "/2/lib/1"], "/{version}/lib/{n}"),
        (["/300/lib/1", "/300/lib/2", "/200/lib/1"], "/{n}/lib/{n}"),
        (["/a/1.html?x=1", "/a/2.html?x=1", "/a/3?x=2"], "/a/{n}?x"),
        (["/a/1.mp3", "/a/2.mp3", "/a/3.mp3"], "/a/{n}.mp3"),
    ],
)
def test_endings_and_leading_versions(paths: list[str], name: str) -> None:
    chosen = templates(*paths)
    assert {template[0] if (template := chosen.template_of(SITE + path)) else "" for path in paths} == {name}
