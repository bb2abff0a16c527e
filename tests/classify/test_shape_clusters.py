"""Shapes that get a cluster: frequent ones that say more than their folder."""

from __future__ import annotations

import pytest

from headwater.classify.shape_clusters import MAX_SHAPES, MIN_SHAPE_PAGES, ShapeClusters, build_shape_title

SITE = "https://e.com"


def choose_shapes(*paths: str) -> ShapeClusters:
    chosen = ShapeClusters()
    for path in paths:
        chosen.note(SITE + path)
    chosen.choose()
    return chosen


@pytest.mark.parametrize(
    ("shape", "title"),
    [
        # parts of a list, with a single parameter
        ("/shop?page", "shop, page by page"),
        ("/Shop?Paged", "Shop, page by page"),
        ("/shop?offset", "shop, page by page"),
        ("/?p", "Pages, page by page"),
        ("/shop?page&size", "shop, by page and size"),
        ("/shop?color&page", "shop, by color and page"),
        # filters; the first three are named
        ("/shop?color", "shop, by color"),
        ("/shop?a_b&c&d&e", "shop, by a_b and c and d"),
        ("/shop?filter[{n}]", "shop, by filter"),
        ("/shop?{n}", "shop, by parameter"),
        ("/items/{n}?color", "items by number, by color"),
        # searches
        ("/search?page&q", "Search results"),
        ("/?s", "Search results"),
        ("/site-search?query", "Search results"),
        ("/shop?keywords", "shop: search results"),
        # values
        ("/{n}", "Pages by number"),
        ("/a/b/c/{hash}", "b/c by id"),
        ("/{n}/{n}", "Pages by number"),
        ("/users/{n}/orders/{uuid}", "users/orders by number by id"),
        ("/{version}/users/{n}", "users by number"),
        ("/{version}", "Pages by version"),
        ("/news/{year}/{slug}", "news by year"),
        ("/story/{date}/{slug}", "story by date"),
        ("/story/{n}/{slug}", "story by number"),
        ("/core/arch/x86_64/{n}", "arch/x86_64 by number"),
        # the same page of many items
        ("/products/{slug}/reviews", "products/…/reviews"),
        ("/shop/products/{slug}/reviews", "shop/products/…/reviews"),
        ("/products/{slug}/reviews?page", "products/…/reviews, page by page"),
        ("/products/{slug}/{slug}", ""),
        ("/{slug}/reviews", "…/reviews"),
    ],
)
def test_titles_of_shapes(shape: str, title: str) -> None:
    assert build_shape_title(shape) == title


def test_a_shape_needs_enough_pages() -> None:
    few = choose_shapes(*(f"/items/{number}" for number in range(MIN_SHAPE_PAGES - 1)))
    enough = choose_shapes(*(f"/items/{number}" for number in range(MIN_SHAPE_PAGES)))
    assert few.get_shape(f"{SITE}/items/1") is None
    assert enough.get_shape(f"{SITE}/items/1") == ("/items/{n}", "items by number")
    assert enough.get_shape(f"{SITE}/items/999") == ("/items/{n}", "items by number")
    assert enough.get_shape(f"{SITE}/orders/1") is None


def test_a_shape_that_says_no_more_than_its_folder_is_not_chosen() -> None:
    chosen = choose_shapes(*(f"/docs/{first}-{second}" for first in ("go", "see") for second in ("far", "near", "all")))
    assert chosen.get_shape(f"{SITE}/docs/go-far") is None


def test_the_most_frequent_shapes_are_chosen() -> None:
    sections = [f"s{letter}x" for letter in "abcdefghijklmnopqrstuvwxyz"[: MAX_SHAPES + 1]]
    paths = [f"/{section}/{number}" for section in sections for number in range(MIN_SHAPE_PAGES)]
    chosen = choose_shapes(*paths, f"/{sections[-1]}/99")
    missing = [section for section in sections if chosen.get_shape(f"{SITE}/{section}/1") is None]
    assert missing == [sections[-2]], "of equally frequent shapes the last by name is left out"


def test_shapes_with_the_same_title_get_different_titles() -> None:
    paths = [f"/{kind}/{number}" for kind in ("a/shop/items", "b/shop/items") for number in range(MIN_SHAPE_PAGES)]
    chosen = choose_shapes(*paths)
    titles = {shape[1] for path in paths if (shape := chosen.get_shape(SITE + path))}
    assert titles == {"shop/items by number", "shop/items by number (/b/shop/items/{n})"}


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
def test_extensions_are_dropped_and_leading_numbers_are_versions(paths: list[str], name: str) -> None:
    chosen = choose_shapes(*paths)
    assert {shape[0] if (shape := chosen.get_shape(SITE + path)) else "" for path in paths} == {name}


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        # names that merely contain digits get no cluster
        (["/core/arch/x86_64/fn.a.html", "/core/arch/x86_64/fn.b.html", "/core/arch/x86_64/fn.c.html"], ""),
        (["/org/w3c/dom/package-use.html", "/org/w3c/dom/package-tree.html", "/org/w3c/dom/all-types.html"], ""),
        (["/f32/constant.MAX.html", "/f64/constant.MAX.html", "/f16/constant.MAX.html"], ""),
        (["/xpressive/s1.html", "/xpressive/s2.html", "/xpressive/s3.html"], ""),
        (["/u/bas_1_3_45.html", "/u/bas_1_3_46.html", "/u/bas_1_3_47.html"], ""),
        (["/m/AbstractTypeVisitor14.html", "/m/AbstractTypeVisitor6.html", "/m/ElementScanner14.html"], ""),
        # values
        (["/w/dQw4w9WgXcQ", "/w/a8Xk2pQz1Lm", "/w/Zz9kP0q2RtY"], "/w/{id}"),
        (["/book/chapter-1.html", "/book/chapter-2.html", "/book/chapter-3.html"], "/book/chapter-{n}"),
        (["/x86_64/1", "/x86_64/2", "/x86_64/3"], "/x86_64/{n}"),
        (["/w3c/blog/2024/03/05/a-b", "/w3c/blog/2024/04/c-d", "/w3c/blog/2023/01/09/e-f"], "/w3c/blog/{date}/{slug}"),
    ],
)
def test_names_with_digits_are_not_values(paths: list[str], name: str) -> None:
    chosen = choose_shapes(*paths)
    assert {shape[0] if (shape := chosen.get_shape(SITE + path)) else "" for path in paths} == {name}
