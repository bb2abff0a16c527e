"""Verdicts on pages of one path: views of another page, or pages of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.classify.views import CommonAdditions, ViewPage, decode_sketch, encode_sketch, find_views
from headwater.model import ContentSketch
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Iterable

SITE = "https://e.com"
ITEMS = frozenset(range(100, 120))


def content(
    links: Iterable[int] = ITEMS, labels: Iterable[int] = range(20), heading: int = 1, texts: Iterable[int] = (7, 8)
) -> ContentSketch:
    return ContentSketch(heading, frozenset(links), frozenset(texts), frozenset(labels), frozenset(labels))


def page(
    path: str, sketch: ContentSketch | None = None, canonical: str = "", *, noindex: bool = False, parent: str = "",
    element: str = "a",
) -> ViewPage:  # fmt: skip
    key = SITE + path
    packed = encode_sketch(sketch) if sketch is not None else None
    canonical, parent = (SITE + one if one else "" for one in (canonical, parent))
    return ViewPage(compute_identity(key), key, packed, canonical, noindex, parent, element)


def verdicts(pages: list[ViewPage]) -> dict[str, tuple[str, str]]:
    """Return each view with its page and the reason, the same in any order of the pages."""
    by_key = {one.key: one for one in pages}
    by_identity = {one.identity: one.key.removeprefix(SITE) for one in pages}
    path = min((one.key.partition("?")[0] for one in pages), key=lambda one: -len(one))
    groups = [[one for one in order if one.key.partition("?")[0] == path] for order in (pages, pages[::-1])]
    found = [
        {
            by_identity[one.view]: (one.page.removeprefix(SITE), one.reason)
            for one in find_views(group, by_key.get, CommonAdditions())
        }
        for group in groups
    ]
    assert found[0] == found[1]
    return found[0]


VIEWS = {
    "sort order": [page("/shop", content()), page("/shop?sort=age", content())],
    "filter": [page("/shop", content()), page("/shop?colour=red", content(range(100, 104)))],
    "filter over all parts of a list": [
        page("/shop", content()),
        page("/shop?page=2", content(range(200, 220))),
        page("/shop?colour=red", content([100, 101, 200, 201])),
    ],
    "number of results": [page("/shop", content()), page("/shop?colour=red", content(range(100, 115), range(1, 20)))],
    "reply form, declared by the canonical link": [
        page("/post", content(), "/post"),
        page("/post?replytocom=5", content(labels=range(23), heading=2), "/post"),
    ],
    "print version, declared by the canonical link": [
        page("/news/7", content(), "/news/7"),
        page("/news/7/print", content((), range(2), heading=3), "/news/7"),
    ],
    "session": [page("/topic?t=5", content()), page("/topic?t=5&sid=3f", content())],
    "sessions only": [page("/topic?t=5&sid=1a", content()), page("/topic?t=5&sid=3f", content())],
    "parameters in another order": [page("/topic?a=1&b=2", content()), page("/topic?b=2&a=1", content())],
}


@pytest.mark.parametrize("pages", VIEWS.values(), ids=VIEWS)
def test_the_last_page_is_a_view_of_the_first(pages: list[ViewPage]) -> None:
    expected = (pages[0].key.removeprefix(SITE), "page-view")
    assert verdicts(pages) == {pages[-1].key.removeprefix(SITE): expected}


PAGES = {
    "further part of a list": [page("/shop", content()), page("/shop?page=2", content(range(200, 220)))],
    "article": [page("/item", content()), page("/item?id=3", content(texts=(7, 8, 9)))],
    "article with labels only": [page("/item", content()), page("/item?id=3", content(labels=range(22)))],
    "filter with a title of its own": [
        page("/shop", content()),
        page("/shop?type=hat", content(range(100, 104), heading=2)),
    ],
    "list of other products": [page("/shop", content()), page("/shop?type=hat", content(range(200, 204)))],
    "two articles without a list": [page("/item?id=3", content()), page("/item?id=4", content(texts=(9,)))],
    "later part of a list that names the first as canonical": [
        page("/list", content(), "/list"),
        page("/list?page=2", content(range(200, 220)), "/list"),
    ],
    "comments that name the article as canonical": [
        page("/news/7", content(), "/news/7"),
        page("/news/7/comments", content((), texts=(20, 21)), "/news/7"),
    ],
    "old version that names the new one as canonical": [
        page("/docs/intro", content(), "/docs/intro"),
        page("/docs/v1/intro", content(), "/docs/intro"),
    ],
    "page that asks not to be indexed": [page("/about", content()), page("/about/us", content(), noindex=True)],
}


@pytest.mark.parametrize("pages", PAGES.values(), ids=PAGES)
def test_pages_with_content_of_their_own_stay_listed(pages: list[ViewPage]) -> None:
    assert verdicts(pages) == {}


NOINDEX = {
    "edit form": page("/w/index.php?title=Tea&action=edit", noindex=True, parent="/wiki/Tea"),
    "reply form": page("/reply.php?topic=5&quote=2", noindex=True, parent="/topic.php?topic=5"),
    "search form": page("/search", noindex=True, parent="/start", element="form"),
}


@pytest.mark.parametrize("view", NOINDEX.values(), ids=NOINDEX)
def test_pages_that_ask_not_to_be_indexed_may_be_views_of_the_linking_page(view: ViewPage) -> None:
    expected = {view.key.removeprefix(SITE): (view.parent.removeprefix(SITE), "noindex-view")}
    assert verdicts([view]) == expected
    assert verdicts([view._replace(noindex=False)]) == {}
    assert verdicts([view._replace(parent="")]) == {}


def test_a_search_is_a_view_of_its_empty_form() -> None:
    results = page("/search?q=tea", content(range(300, 310)), noindex=True)
    assert verdicts([page("/search", content()), results]) == {"/search?q=tea": ("/search", "noindex-view")}
    assert verdicts([page("/search", content(), noindex=True), results]) == {}


def test_seeds_pages_of_sitemaps_and_duplicates_are_not_judged() -> None:
    base, view = page("/shop", content()), page("/shop?sort=age", content())
    assert verdicts([base, view._replace(is_protected=True)]) == {}
    assert verdicts([base, view._replace(leads_to=base.identity)]) == {}


def test_sketches_are_packed_without_loss() -> None:
    sketch = content()._replace(template=-5, masked_labels=frozenset({2**32 - 1}))
    assert decode_sketch(encode_sketch(sketch)) == sketch
    assert encode_sketch(sketch) == encode_sketch(decode_sketch(encode_sketch(sketch)))


def find_additions(count: int, *, labels: Iterable[int], value: str = "usd") -> set[str]:
    """Return the views among items in another currency, each with these labels instead of one of its own."""
    additions, keys = CommonAdditions(), {}
    for number, label in zip(range(count), [*labels] * count, strict=False):
        own = range(10 * number, 10 * number + 8)
        item = page(f"/item?id={number}", content(labels=own, heading=9))
        priced = page(f"/item?id={number}&currency={value}", content(labels=[*own[1:], label], heading=9))
        keys[priced.identity] = priced.key.removeprefix(SITE)
        assert list(find_views([item, priced], lambda _: None, additions)) == []
    return {keys[view] for view, _ in additions.find_views()}


def test_labels_that_a_parameter_adds_to_every_page_belong_to_none() -> None:
    assert find_additions(5, labels=[7000]) == {f"/item?id={number}&currency=usd" for number in range(5)}


def test_labels_that_differ_between_pages_are_content() -> None:
    assert find_additions(9, labels=range(7000, 7009)) == set()
    assert find_additions(4, labels=[7000]) == set()
