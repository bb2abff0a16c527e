"""Directories above known pages."""

from __future__ import annotations

import pytest

from headwater.frontier.parents import list_files_of_directory, list_parents


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


@pytest.mark.parametrize(
    ("directory", "file"),
    [
        ("https://e.com/core/", "https://e.com/core.html"),
        ("https://e.com/a/core", "https://e.com/a/core.php"),
        ("https://e.com/", ""),
        ("https://e.com/a.html", ""),
        ("https://e.com/a/?x=1", ""),
    ],
)
def test_files_that_may_be_the_page_of_a_directory(directory: str, file: str) -> None:
    found = list_files_of_directory(directory)
    assert file in found if file else not found
