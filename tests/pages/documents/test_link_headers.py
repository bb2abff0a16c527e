"""Links in the headers of a response."""

from __future__ import annotations

import pytest

from headwater.pages.documents.link_headers import extract_header_links


@pytest.mark.parametrize(
    ("headers", "links"),
    [
        ({}, []),
        ({"link": "</a>; rel=next"}, ["/a"]),
        ({"link": '</a>; rel="next", <https://e.com/b>; rel=prev'}, ["/a", "https://e.com/b"]),
        ({"link": "no brackets"}, []),
        ({"link": "<with space>"}, []),
        ({"link": f"<{'x' * 3000}>"}, []),
        ({"refresh": "5; url=/next"}, ["/next"]),
        ({"refresh": "5"}, []),
        ({"content-location": "/here"}, ["/here"]),
        ({"location": "/redirect"}, []),
        ({"content-location": "/c", "refresh": "0;url=/b", "link": "</a>"}, ["/a", "/b", "/c"]),
    ],
)
def test_links_in_headers(headers: dict[str, str], links: list[str]) -> None:
    assert extract_header_links(headers) == links
