"""Pages of one list: `?page=2`, `/page/3`. Going from one to the next takes nobody deeper into a site."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<=[?&])(?:page|paged|pagenum|pg|p|seite|start|offset)=\d+&?|/(?:page|seite)[/-]\d+(?=[/?]|\Z)")


def is_pagination(url: str, page: str) -> bool:
    """Whether a URL is another part of the list that `page` is a part of."""
    bare = list_of(url)
    return bare != url and bare == list_of(page)


def is_next_part(url: str, page: str) -> bool:
    """Return whether a link with `rel=next` goes on in the list that `page` is a part of.

    It does if only the query differs, as in `?after=x`. In documentation and blogs `rel=next` names the next chapter or
    article, which is a page of its own.
    """
    return url.partition("?")[0] == page.partition("?")[0] or is_pagination(url, page)


def series_of(url: str) -> str:
    """Return the URL without the number of the part; empty if it has none."""
    bare = list_of(url)
    return bare if bare != url else ""


def list_of(url: str) -> str:
    """The URL without the number of the part."""
    return _NUMBER.sub("", url).rstrip("?&")
