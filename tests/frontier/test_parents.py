"""Directories above known pages."""

from __future__ import annotations

import pytest

from headwater.frontier.parents import list_parents


@pytest.mark.parametrize(
    ("paths", "parents"),
    [
        (["/tags/a/", "/tags/b/"], ["/", "/tags/"]),
        (["/wiki/north/1", "/wiki/north/2", "/wiki/south/3"], ["/", "/wiki", "/wiki/north", "/wiki/south"]),
        (["/docs/a.html"], ["/", "/docs/"]),
        (["/docs/index.html", "/docs/a.html"], ["/"]),
        (["/docs/INDEX.PHP?x=/y/"], ["/"]),
        (["/index/a"], ["/", "/index"]),
        (["/news/page/2", "/news/page/3/"], ["/", "/news/"]),
        (["/a?path=/x/y"], ["/"]),
        (["/"], []),
        ([], []),
    ],
)
def test_directories_are_listed_by_their_number_of_pages(paths: list[str], parents: list[str]) -> None:
    assert list_parents(f"https://e.com{path}" for path in paths) == [f"https://e.com{path}" for path in parents]


def test_the_order_of_pages_does_not_matter() -> None:
    urls = [f"https://e.com/{a}/{b}/{n}" for a in "xyz" for b in "pq" for n in range(ord(a) - 100)]
    assert list_parents(urls) == list_parents(reversed(urls))
