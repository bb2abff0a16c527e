"""Recognize the pages of a paginated list: `?page=2`, `/page/3`. Paging does not lead deeper into a site."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<=[?&])(?:page|paged|pagenum|pg|p|seite|start|offset)=\d+&?|/(?:page|seite)[/-]\d+(?=[/?]|\Z)")


def is_same_series(url: str, page: str) -> bool:
    """Return True if a URL is another part of the list that `page` is a part of."""
    bare = strip_page_number(url)
    return bare != url and bare == strip_page_number(page)


def is_next_in_series(url: str, page: str) -> bool:
    """Return True if a link with `rel=next` leads to the next part of the list that `page` is a part of.

    It does if only the query differs, as in `?after=x`. In documentation and blogs `rel=next` often names the next
    chapter or article, which is a separate page.
    """
    return url.partition("?")[0] == page.partition("?")[0] or is_same_series(url, page)


def get_series(url: str) -> str:
    """Return the URL without its page number; empty if it has none."""
    bare = strip_page_number(url)
    return bare if bare != url else ""


def strip_page_number(url: str) -> str:
    """Return the URL without its page number."""
    if not ("=" in url or "/page" in url or "/seite" in url):  # few URLs can have one, and the pattern takes 3 µs
        return url.rstrip("?&")
    return _NUMBER.sub("", url).rstrip("?&")
