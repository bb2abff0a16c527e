"""Rules for finding links in a document, as a table. To find more links, add a row.

A row names elements and the attributes that hold URLs, the kind of URL, and the function that reads the attribute.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.model import UrlKind

_LOCATION = re.compile(
    r"(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\(|window\.open\s*\(|navigate(?:To)?\s*\()"
    r"\s*[\"'`]([^\"'`]{1,2000})[\"'`]"
)
_SRCSET = re.compile(r"([^\s,](?:\S*[^\s,])?)(?:\s[^,]*)?(?:,|\Z)")
_REFRESH = re.compile(r"[\s\d.]*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'\s>]+)", re.IGNORECASE)
_CSS = re.compile(r"url\(\s*[\"']?([^\"')\s]+)|@import\s+[\"']([^\"']+)", re.IGNORECASE)
_MARKUP = re.compile(
    r"""<(?:a|area)\s(?:[^<>]{0,1000}?\s)?href\s*=\s*(?:"([^"<>]{1,2083})"|'([^'<>]{1,2083})'|([^\s"'<>]{1,2083}))""",
    re.IGNORECASE,
)
_MENU_HANDLER = re.compile(r"\blocation\b|\.open\s*\(|\bnavigate(?:To)?\s*\(|\bjumpMenu\b", re.IGNORECASE)
_MENU_URL = re.compile(r"(?:\.{0,2}/(?!/)|https?://)\S*\Z")
_MAX_TEXT = 1 << 20
_MAX_SCRIPT_LINK = 4096


def read_url(value: str) -> list[str]:
    """Return the value as a single URL."""
    return [value]


def read_url_list(value: str) -> list[str]:
    """Return URLs separated by whitespace."""
    return value.split()


def read_srcset(value: str) -> list[str]:
    """Return the URLs of a `srcset`: images in several sizes, separated by commas."""
    return [url for url in _SRCSET.findall(value[:_MAX_TEXT]) if url]


def read_refresh(value: str) -> list[str]:
    """Return the URL of a refresh such as `5; url=/next`; a number alone has none."""
    match = _REFRESH.match(value[:_MAX_TEXT])
    return [match.group(1)] if match else []


def read_css(value: str) -> list[str]:
    """Return the URLs in CSS."""
    return [url or imported for url, imported in _CSS.findall(value[:_MAX_TEXT])]


def read_script_location(value: str) -> list[str]:
    """Return the URLs that an event handler opens: `location.href='…'`, `window.open('…')` and similar calls."""
    return _LOCATION.findall(value[:_MAX_TEXT])


def read_javascript_url(value: str) -> str:
    """Return the URL that a link such as `javascript:window.open('/x')` opens; empty if it opens none."""
    if value[:11].lower() != "javascript:":
        return ""
    script = unquote(value[11 : 11 + _MAX_SCRIPT_LINK])
    return next(iter(read_script_location(script)), "")


def is_navigation_handler(value: str) -> bool:
    """Return True if the handler of a `<select>` opens the chosen value, as `location = this.value` does."""
    return _MENU_HANDLER.search(value[:_MAX_SCRIPT_LINK]) is not None


def is_menu_of_pages(values: Sequence[str]) -> bool:
    """Return True if a `<select>` offers different values and all of them are URLs, as in a menu of languages."""
    chosen = set(values) - {""}
    return len(chosen) > 1 and all(map(_MENU_URL.match, chosen))


def read_markup(value: str) -> list[str]:
    """Return the links in markup that is the text of a script, such as a template."""
    return [double or single or bare for double, single, bare in _MARKUP.findall(value[:_MAX_TEXT])]


class LinkRule(NamedTuple):
    """A rule: elements by name (`*` for any), attributes, kind, and an optional condition on another attribute.

    `name` is the kind of link, one of LINK_KINDS, if it leads to a page.
    """

    elements: str
    attributes: str
    kind: UrlKind
    read: Callable[[str], list[str]] = read_url
    condition: tuple[str, frozenset[str]] | None = None
    method: str = "GET"
    name: str = ""


def _only(attribute: str, values: str) -> tuple[str, frozenset[str]]:
    return attribute, frozenset(values.split())


RESOURCE_REL_VALUES = (
    "stylesheet icon preload modulepreload prefetch manifest apple-touch-icon apple-touch-icon-precomposed mask-icon "
    "dns-prefetch preconnect pingback edituri wlwmanifest webmention shortcut"
)

LINK_RULES: tuple[LinkRule, ...] = (
    LinkRule("a", "href", "page", name="a"),
    LinkRule("area", "href", "page", name="area"),
    LinkRule("a", "xlink:href", "page", name="a"),
    LinkRule("link", "href", "page", condition=_only("as", "document"), name="link"),
    LinkRule("link", "href", "resource", condition=_only("rel", RESOURCE_REL_VALUES)),
    LinkRule("link", "href", "page", name="link"),
    LinkRule("link", "imagesrcset", "resource", read_srcset),
    LinkRule("form", "action", "endpoint", condition=_only("method", "post dialog"), method="POST"),
    LinkRule("form", "action", "page", name="form"),
    LinkRule("button input", "formaction", "endpoint", condition=_only("formmethod", "post"), method="POST"),
    LinkRule("button input", "formaction", "page", name="form"),
    LinkRule("iframe frame portal", "src", "page", name="frame"),
    LinkRule("iframe frame img", "longdesc", "page", name="cite"),
    LinkRule("blockquote q ins del", "cite", "page", name="cite"),
    LinkRule("object", "data", "page", condition=_only("type", "text/html application/xhtml+xml"), name="frame"),
    LinkRule("object", "data", "resource"),
    LinkRule("object applet", "codebase classid", "resource"),
    LinkRule("object applet", "archive", "resource", read_url_list),
    LinkRule("embed", "src", "page", condition=_only("type", "text/html application/xhtml+xml"), name="frame"),
    LinkRule("embed img source track audio video input script bgsound", "src", "resource"),
    LinkRule("img", "lowsrc dynsrc data-src", "resource"),
    LinkRule("img source", "srcset", "resource", read_srcset),
    LinkRule("video", "poster", "resource"),
    LinkRule("body table tr td th thead tbody tfoot", "background", "resource"),
    LinkRule("image use feimage script", "href xlink:href", "resource"),
    LinkRule("base", "href", "resource"),
    LinkRule("html", "manifest", "resource"),
    LinkRule("head", "profile", "resource", read_url_list),
    LinkRule("a area", "ping", "endpoint", read_url_list, method="POST"),
    LinkRule("meta", "content", "page", read_refresh, condition=_only("http-equiv", "refresh"), name="meta"),
    LinkRule("meta", "content", "page", condition=_only("property", "og:url al:web:url"), name="meta"),
    LinkRule("meta", "content", "resource", condition=_only("property", "og:image og:image:url og:video og:audio")),
    LinkRule("meta", "content", "page", condition=_only("name", "twitter:url twitter:player"), name="meta"),
    LinkRule("meta", "content", "resource", condition=_only("name", "twitter:image msapplication-config")),
    LinkRule("*", "data-href", "page", name="data"),
    LinkRule("*", "data-url", "page", name="data"),
    LinkRule("*", "data-link", "page", name="data"),
    LinkRule("button", "data-navigate", "page", name="button"),
    LinkRule("*", "data-next-link", "page", name="router"),
    LinkRule("*", "data-router-link", "page", name="router"),
    LinkRule("*", "href", "page", condition=_only("role", "link"), name="button"),
    LinkRule("*", "onclick", "page", read_script_location, name="onclick"),
    LinkRule("*", "style", "resource", read_css),
)
"""In order: the first row that matches an element and attribute decides the kind."""
