"""What feeds name: the pages of RSS, Atom and JSON Feed; relative links are resolved where it is known against what."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from headwater.pages.files.sitemap_entries import LINK_TAG, MAX_LOC_LENGTH, Entry, get_element_text, parse_attributes
from headwater.urls.parsing import HTTP_PREFIXES, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEED_KINDS = frozenset({"rss", "atom", "json"})
_LONGEST_JSON = 4_000_000
"""JSON is parsed into objects, which take many times its size; feeds are far smaller."""

_VERSION = "https://jsonfeed.org/version/1"
_GUID = re.compile(r"<guid(\s[^<>]*)?>", re.IGNORECASE)


def resolve_base(tag: str, base: str) -> str:
    """Against what an element's links are resolved: its `xml:base`, else what holds around it."""
    return make_absolute(parse_attributes(tag).get("xml:base", ""), base) or base


def make_absolute(url: str, base: str) -> str:
    """Feeds may write relative references (RFC 4287); without a base they stay as they are."""
    if not url or not base or url.startswith(HTTP_PREFIXES):
        return url
    return resolve(url, base) or url


def create_rss_reader(_: str, base: str) -> Callable[[str], Entry | None]:
    """RSS: the link, or a guid that is a URL."""

    def read(block: str) -> Entry | None:
        url = make_absolute(get_element_text(block, "<link>"), base) or _permanent_link(block)
        date = get_element_text(block, "<pubDate>") or get_element_text(block, "<dc:date>")
        return Entry(url, date, title=get_element_text(block, "<title>")) if url else None

    return read


def _permanent_link(block: str) -> str:
    """A guid is a page's URL unless it says that it is none."""
    guid = _GUID.search(block)
    if guid is None or parse_attributes(guid.group()).get("ispermalink", "").lower() == "false":
        return ""
    url = get_element_text(block, "<guid>")
    return url if url.startswith(HTTP_PREFIXES) else ""


def create_atom_reader(prefix: str, base: str) -> Callable[[str], Entry | None]:
    """Atom: the link to the page itself, not to comments or to the edit form."""

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


def is_json_feed(text: str, start: int) -> bool:
    """Whether the text that begins there is a JSON Feed; the version in it says so."""
    return text.startswith("{", start) and "jsonfeed.org" in text and bool(_json_feed(text))


def read_json_feed(text: str, base: str) -> Iterator[Entry]:
    """The pages of a JSON Feed; what an item only points to (`external_url`) is not one of them."""
    items = _json_feed(text).get("items")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and (url := _line(item, "url")):
            date = _line(item, "date_modified") or _line(item, "date_published")
            yield Entry(make_absolute(url, base), date, title=_line(item, "title"))


def _json_feed(text: str) -> dict[str, Any]:
    """The feed, or nothing if it is none."""
    if len(text) > _LONGEST_JSON:
        return {}
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return feed if isinstance(feed, dict) and str(feed.get("version")).startswith(_VERSION) else {}


def _line(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    return value.strip()[:MAX_LOC_LENGTH] if isinstance(value, str) else ""
