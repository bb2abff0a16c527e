"""Relations between URLs that may be views of one page."""

from __future__ import annotations

import pytest

from headwater.urls.variants import (
    extends_url,
    find_period_family,
    find_years,
    iter_shorter_urls,
    iter_smaller_sets,
    names_page,
    names_sibling,
    strip_view_segment,
)

SITE = "https://e.com"


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("/news/7?ref=3", "/news/7", True),
        ("/news/7/print", "/news/7", True),
        ("/print/news/7", "/news/7", True),
        ("/news/7/print.html", "/news/7", True),
        ("/list?f=2&sort=age", "/list?f=2", True),
        ("/news/7", "/news/7", False),
        ("/news/7", "/news/7/print", False),
        ("/news/8/print", "/news/7", False),
        ("/list?f=3&sort=age", "/list?f=2", False),
        ("/list/page/2", "/list", False),
        ("/list/2", "/list", False),
        ("/docs/v1/intro", "/docs/intro", False),
        ("/docs/1.0/intro", "/docs/intro", False),
        ("/docs/latest/intro", "/docs/intro", False),
        ("/de/intro", "/intro", False),
    ],
)
def test_a_view_extends_the_url_of_its_page(url: str, base: str, expected: bool) -> None:
    assert extends_url(SITE + url, SITE + base) is expected


@pytest.mark.parametrize(
    ("url", "page", "expected"),
    [
        ("/w/index.php?title=Tea&action=edit", "/wiki/Tea", True),
        ("/w/index.php?title=Gr%C3%BCner_Tee&action=edit", "/wiki/Gr%C3%BCner_Tee", True),
        ("/reply.php?topic=5&quote=2", "/topic.php?topic=5", True),
        ("/w/index.php?title=Coffee&action=edit", "/wiki/Tea", False),
        ("/topic.php?topic=6", "/topic.php?topic=5", False),
        ("/topic.php?topic=5", "/forum.php?topic=5", False),
        ("/a?x=1&y=2", "/", False),
    ],
)
def test_a_query_names_a_page(url: str, page: str, expected: bool) -> None:
    assert names_page(SITE + url, SITE + page) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/calendar?month=2024-05", "/calendar?month"),
        ("/calendar?day=20240501", "/calendar?day"),
        ("/calendar?year=2024&month=5", "/calendar?month&year"),
        ("/2024/05", "/{date}"),
        ("/calendar/2024-05-01/", "/calendar/{date}/"),
        ("/archive/2024", "/archive/{year}"),
        ("/item?id=2024", ""),
        ("/item?id=20249", ""),
        ("/list?page=3", ""),
        ("/2024/05/spring-is-here", ""),
        ("/about", ""),
    ],
)
def test_a_date_chooses_the_page(url: str, expected: str) -> None:
    assert find_period_family(SITE + url) == expected


def test_the_years_of_a_url() -> None:
    assert find_years("https://2019.e.com/calendar/2024/05?from=2023-01") == {"2023", "2024"}


def test_sets_of_parameters_grow() -> None:
    assert list(iter_smaller_sets(("a=1", "b=2"))) == [frozenset(), {"a=1"}, {"b=2"}]
    many = tuple(f"p{number}=1" for number in range(20))
    assert len(list(iter_smaller_sets(many))) == 41


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("/news/7/print", "/news/7"),
        ("/news/7/Print.html", "/news/7"),
        ("/news/7/amp", "/news/7"),
        ("/news/7/reviews", ""),
        ("/print", ""),
        ("/news/7", ""),
    ],
)
def test_the_page_of_a_view_with_a_segment_of_its_own(url: str, page: str) -> None:
    assert strip_view_segment(SITE + url) == (SITE + page if page else "")
    assert (SITE + page in iter_shorter_urls(SITE + url)) == bool(page)


@pytest.mark.parametrize(
    ("url", "canonical", "expected"),
    [
        ("/topic?p=501", "/topic?t=5", True),
        ("/topic?p=501", "/topic?p=501", False),
        ("/topic?p=501", "/topic", False),
        ("/topic?p=501", "/thread?t=5", False),
    ],
)
def test_a_copy_names_a_page_of_its_own_path(url: str, canonical: str, *, expected: bool) -> None:
    assert names_sibling(SITE + url, SITE + canonical) is expected
