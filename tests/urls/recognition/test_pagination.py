"""Recognition of parts of a paginated list."""

from __future__ import annotations

import pytest

from headwater.urls.recognition.pagination import is_same_series


@pytest.mark.parametrize(
    ("url", "page", "expected"),
    [
        ("https://e.com/list?page=2", "https://e.com/list", True),
        ("https://e.com/list?page=3", "https://e.com/list?page=2", True),
        ("https://e.com/list?a=1&page=3", "https://e.com/list?a=1", True),
        ("https://e.com/list?page=3&a=1", "https://e.com/list?a=1", True),
        ("https://e.com/blog/page/4", "https://e.com/blog", True),
        ("https://e.com/blog/page-4", "https://e.com/blog/page-3", True),
        ("https://e.com/list?page=2", "https://e.com/other", False),
        ("https://e.com/item/2", "https://e.com/item/1", False),
        ("https://e.com/list?homepage=2", "https://e.com/list", False),
        ("https://e.com/calendar?month=2", "https://e.com/calendar", False),
        ("https://e.com/list", "https://e.com/list", False),
        ("https://e.com/liste/seite/4", "https://e.com/liste", True),
        ("https://e.com/liste/seite-4?a", "https://e.com/liste?a", True),
        ("https://e.com/list?page=2&", "https://e.com/list?", True),
        ("https://e.com/list?", "https://e.com/list", True),
    ],
)
def test_urls_of_the_same_series(url: str, page: str, expected: bool) -> None:
    assert is_same_series(url, page) is expected
