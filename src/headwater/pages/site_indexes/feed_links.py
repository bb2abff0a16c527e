"""Recognise feeds among the links of a page by file name and link text, and among responses by content type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.pages.site_indexes.records import IndexFile
from headwater.urls.parsing import get_authority
from headwater.urls.recognition.file_types import get_extension

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.model import DiscoveredUrl, FetchFailure

FEED_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/x-opml"}
)
_XML_TYPES = frozenset({"application/xml", "text/xml"})
_FEED_EXTENSIONS = frozenset({"rss", "atom", "rdf", "opml"})
_DATA_EXTENSIONS = frozenset({"xml", "json"})
_FEED_NAME = re.compile(r"(?:\A|[^a-z])(?:rss\d?|atom|feeds?)(?:[^a-z]|\Z)")
_HUGO_FEED = "index.xml"


def find_feed_links(found: Iterable[DiscoveredUrl], page: str) -> list[IndexFile]:
    """Return the feeds among the files that a page links to, on the page's own host."""
    files = (one for one in found if one.kind == "resource" and is_feed_link(one.fetch_url, one.text))
    return [make_feed_file(one.fetch_url) for one in files if get_authority(one.fetch_url) == get_authority(page)]


def is_feed_link(url: str, text: str = "") -> bool:
    """Return True if the name of a file, or the text of a link to it, says that it is a feed."""
    path = url.partition("?")[0]
    extension = get_extension(path)
    if extension in _FEED_EXTENSIONS:
        return True
    if extension not in _DATA_EXTENSIONS:
        return False
    name = path[path.rfind("/") + 1 :].lower()
    return name == _HUGO_FEED or any(_FEED_NAME.search(words) for words in (name, text[:200].lower()))


def find_feed_response(failure: FetchFailure) -> list[IndexFile]:
    """Return the feed that a page turned out to be, by the content type of its response and its name."""
    if failure.reason != "not-html":
        return []
    media_type = failure.content_type.partition(";")[0].strip().lower()
    is_named = media_type in _XML_TYPES and _FEED_NAME.search(failure.url[8:].lower()) is not None
    return [make_feed_file(failure.url)] if is_named or media_type in FEED_TYPES else []


def make_feed_file(url: str) -> IndexFile:
    """Return a file to read as a feed or, by its extension, as a list of feeds."""
    return IndexFile("opml" if get_extension(url.partition("?")[0]) == "opml" else "feed", url)
