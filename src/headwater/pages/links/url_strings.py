"""Find strings that look like URLs of pages: in scripts and their data, in comments, and in attributes.

Such a string is no link: nothing says that a click leads there. Only its form is known, so it must be requested before
it is listed. Every search is linear, and most pages are ruled out by a few searches for bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.pages.documents.script_inspection import SCRIPT_TYPES
from headwater.pages.links.link_rules import read_markup
from headwater.urls.parsing import HTTP_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document

ATTRIBUTE_RANK, DATA_RANK, SCRIPT_RANK, COMMENT_RANK, FILE_RANK, SCRIPT_FILE_RANK = range(6)
"""Ranks by the share of such strings that are pages, the best first, and the first rank of script files."""

MAX_TEXT = 500_000
"""Characters of all inline scripts of a page, or of a script file, that are read."""

MAX_STRINGS = 500
"""Strings of a page or file that are returned."""

_MAX_SCRIPTS = 200
_MAX_COMMENTS = 100
_JSON_TYPE = re.compile(r"(?:application|text)/(?:[\w.+-]+\+)?json|speculationrules")
_LITERAL = re.compile(
    r'"((?:[^"\\\n]|\\.)*+)"?(\s{0,5}\+)?'
    r"|'((?:[^'\\\n]|\\.)*+)'?(\s{0,5}\+)?"
    r"|`((?:[^`\\]|\\.)*+)`?(\s{0,5}\+)?"
)
_JOINED_LITERALS = re.compile(r"""(["'])\s{0,5}\+\s{0,5}\1""")
_VALUE = rb"""["']((?:/|https?:|[\w./-]{1,200}\.(?:html?|php))[^"'<>]{0,1000})["']"""
_ATTRIBUTES = (
    (b"data-", re.compile(rb"data-[\w-]{1,60}=" + _VALUE)),
    (b"<option", re.compile(rb"<option\s[^<>]{0,200}?value=" + _VALUE)),
)
_HANDLER = re.compile(rb"""onclick=(?:"([^"<>]{1,1000})"|'([^'<>]{1,1000})')""")
_QUOTED = re.compile(r"[\"']([^\"'\s]{2,300})[\"']")
_LOADED = re.compile(
    r"(?:fetch|get|load|request|ajax|import)\w{0,30}\s{0,5}\(\s{0,5}(?:[\w.]{1,60}\s{0,5}\+\s{0,5})?[\"'`]([^\"'`\s]{1,300})",
    re.IGNORECASE,
)
"""A call that loads data, with the URL that it loads."""

_PATH = re.compile(r"/[A-Za-z0-9][\w./~%+@,;=&?!-]{1,300}")
_FILE = re.compile(r"(?:\.{0,2}/)*[\w./-]{1,200}\.(?:x?html?|shtml|php\d?|aspx?|jsp)(?:\?[\w=&%.-]{0,200})?")
_NOT_PAGES = re.compile(
    r"/(?:api|graphql|rest|ajax|rpc|oembed|xmlrpc|wp-(?:json|admin|includes|content)|cdn-cgi|static|assets?|dist|build"
    r"|node_modules|_next|_nuxt|_app|\.well-known|socket\.io|log-?(?:in|out)|sign-?(?:in|out|up)|cart|checkout|account"
    r"|admin|search)(?:[/.?]|\Z)",
    re.IGNORECASE,
)


def find_url_strings(document: Document, body: bytes) -> list[tuple[int, str]]:
    """Return strings of a page that look like URLs, each once, with their ranks."""
    found: dict[str, int] = {}
    for rank, text in _read_page(document, body):
        if len(found) >= MAX_STRINGS:
            break
        found.setdefault(text, rank)
    return [(rank, text) for text, rank in found.items()]


def find_script_strings(script: str) -> list[str]:
    """Return the strings of a script that look like URLs, each once, without those that it loads as data."""
    strings = dict.fromkeys(filter(looks_like_page, _read_literals(script[:MAX_TEXT])))
    loaded = set(_LOADED.findall(script[:MAX_TEXT])) if strings else ()
    return [text for text in strings if text not in loaded][:MAX_STRINGS]


def looks_like_page(text: str) -> bool:
    """Return True if a string has the form of a URL of a page: an absolute URL or path, or the name of an HTML file."""
    if text.startswith(HTTP_PREFIXES):
        return len(text) <= 500 and not re.search(r"[\s<>{}\"'`\\^|]", text) and not _NOT_PAGES.search(text, 8)
    is_url = (_PATH if text[:1] == "/" else _FILE).fullmatch(text) is not None
    return is_url and _NOT_PAGES.search(text) is None


def _read_page(document: Document, body: bytes) -> Iterator[tuple[int, str]]:
    yield from ((ATTRIBUTE_RANK, text) for text in _read_attributes(body) if looks_like_page(text))
    if b"<script" in body or b"<SCRIPT" in body:
        yield from _read_scripts(document)
    if b"<!--" in body:
        yield from ((COMMENT_RANK, text) for text in _read_comments(body) if looks_like_page(text))


def _read_attributes(body: bytes) -> Iterator[str]:
    """Yield values of attributes that may be URLs; each pattern begins with a word that is searched for first."""
    for word, pattern in _ATTRIBUTES:
        if word in body:
            yield from (value.decode("utf-8", "replace").strip() for value in pattern.findall(body))
    if b"onclick=" in body:
        for double, single in _HANDLER.findall(body):
            yield from _QUOTED.findall((double or single).decode("utf-8", "replace"))


def _read_scripts(document: Document) -> Iterator[tuple[int, str]]:
    room = MAX_TEXT
    for element in document.select("script:not([src])")[:_MAX_SCRIPTS]:
        kind = (element.attr("type") or "").strip().lower()
        if kind in SCRIPT_TYPES or (_JSON_TYPE.fullmatch(kind) and kind != "application/ld+json"):
            rank = SCRIPT_RANK if kind in SCRIPT_TYPES else DATA_RANK
            text = element.text[:room]
            room -= len(text)
            yield from ((rank, string) for string in find_script_strings(text))


def _read_literals(script: str) -> Iterator[str]:
    """Yield string literals, joined if they are added to each other, without those that something else is added to.

    `"/user/" + id` names no page.
    """
    for match in _LITERAL.finditer(_JOINED_LITERALS.sub("", script)):
        double, double_plus, single, single_plus, template, template_plus = match.groups()
        text = double or single or template
        if text and len(text) <= 500 and not (double_plus or single_plus or template_plus):
            yield text.replace("\\/", "/").replace("\\u002F", "/")


def _read_comments(body: bytes) -> Iterator[str]:
    place = body.find(b"<!--")
    for _ in range(_MAX_COMMENTS):
        end = body.find(b"-->", place)
        if place < 0 or end < 0:
            return
        if body.find(b"href", place, end) > 0:
            yield from read_markup(body[place:end].decode("utf-8", "replace"))
        place = body.find(b"<!--", end)
