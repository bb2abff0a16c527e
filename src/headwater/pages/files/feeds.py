"""Read the pages that RSS, Atom and JSON feeds list; relative links are resolved if the base is known."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from headwater.pages.files.sitemap_entries import LINK_TAG, MAX_LOC_LENGTH, Entry, get_element_text, parse_attributes
from headwater.urls.parsing import HTTP_PREFIXES, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEED_KINDS = frozenset({"rss", "atom", "json"})
_MAX_JSON_LENGTH = 4_000_000
"""Parsed JSON takes many times the memory of its text; feeds are far smaller than this."""

_MAX_HEAD = 100_000
"""Characters in which the link to the next page is searched for; it stands before the entries or right after them."""

_VERSION = "https://jsonfeed.org/version/1"
_GUID = re.compile(r"<guid(\s[^<>]*)?>", re.IGNORECASE)


def resolve_base(tag: str, base: str) -> str:
    """Return the base URL for the links of an element: its `xml:base`, otherwise the base of its parent."""
    return make_absolute(parse_attributes(tag).get("xml:base", ""), base) or base


def make_absolute(url: str, base: str) -> str:
    """Resolve a relative reference, which feeds may contain (RFC 4287); without a base it is returned as it is."""
    if not url or not base or url.startswith(HTTP_PREFIXES):
        return url
    return resolve(url, base) or url


def create_rss_reader(_: str, base: str) -> Callable[[str], Entry | None]:
    """Return a reader of RSS items: the page is the link, or a guid that is a URL."""

    def read(block: str) -> Entry | None:
        url = make_absolute(get_element_text(block, "<link>"), base) or _find_permanent_link(block)
        date = get_element_text(block, "<pubDate>") or get_element_text(block, "<dc:date>")
        return Entry(url, date, title=get_element_text(block, "<title>")) if url else None

    return read


def _find_permanent_link(block: str) -> str:
    """Return the guid of an item if it is a URL and not marked `isPermaLink="false"`."""
    guid = _GUID.search(block)
    if guid is None or parse_attributes(guid.group()).get("ispermalink", "").lower() == "false":
        return ""
    url = get_element_text(block, "<guid>")
    return url if url.startswith(HTTP_PREFIXES) else ""


def create_atom_reader(prefix: str, base: str) -> Callable[[str], Entry | None]:
    """Return a reader of Atom entries: the page is the alternate link, not comments or the edit form."""

    def read(block: str) -> Entry | None:
        for match in LINK_TAG.finditer(block):
            tag = match.group()
            link = parse_attributes(tag)
            if link.get("href") and link.get("rel", "alternate") == "alternate":
                url = make_absolute(link["href"], resolve_base(tag, resolve_base(block[: block.find(">")], base)))
                return Entry(
                    url,
                    get_element_text(block, f"<{prefix}updated>"),
                    title=get_element_text(block, f"<{prefix}title>"),
                )
        return None

    return read


def find_next_feed(text: str, base: str) -> str:
    """Return the URL of the next page of an Atom or RSS feed (RFC 5005), or an empty string."""
    for match in LINK_TAG.finditer(text[:_MAX_HEAD]):
        link = parse_attributes(match.group())
        if link.get("rel") == "next" and link.get("href"):
            return make_absolute(link["href"], base)
    return ""


def find_next_json_feed(text: str, base: str) -> str:
    """Return the URL of the next page of a JSON Feed, or an empty string."""
    return make_absolute(_get_text(_parse_json_feed(text), "next_url"), base)


def is_json_feed(text: str, start: int) -> bool:
    """Return True if the text from `start` on is a JSON Feed, by its version."""
    return text.startswith("{", start) and "jsonfeed.org" in text and bool(_parse_json_feed(text))


def read_json_feed(text: str, base: str) -> Iterator[Entry]:
    """Yield the pages of a JSON Feed; `external_url` of an item is not one of them."""
    items = _parse_json_feed(text).get("items")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and (url := _get_text(item, "url")):
            date = _get_text(item, "date_modified") or _get_text(item, "date_published")
            yield Entry(make_absolute(url, base), date, title=_get_text(item, "title"))


def _parse_json_feed(text: str) -> dict[str, Any]:
    """Return the feed, or an empty dict if the text is not a JSON Feed."""
    if len(text) > _MAX_JSON_LENGTH:
        return {}
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return feed if isinstance(feed, dict) and str(feed.get("version")).startswith(_VERSION) else {}


def _get_text(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    return value.strip()[:MAX_LOC_LENGTH] if isinstance(value, str) else ""
