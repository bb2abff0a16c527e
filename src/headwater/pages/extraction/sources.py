"""Find the matches of an expression in a page: by CSS selector, XPath, regular expression or path in JSON-LD.

Matches are read lazily, and callers take only the first ones, so that a page cannot make them expensive.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from turbohtml import Node

from headwater.pages.extraction.expression_limits import MAX_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import re2
    from turbohtml import Document, XPath

    from headwater.model import Response

MAX_MARKUP = 2_000_000
"""Bytes of a page that regular expressions search, which takes linear time."""

MAX_BLOCKS = 50
MAX_JSON = 1_000_000
MAX_NODES = 20_000
MAX_DEPTH = 100
_UTF_8 = frozenset({"", "utf-8", "utf8"})


class Source:
    """A page to extract values from; its other forms are built only if an expression needs them."""

    def __init__(self, document: Document, response: Response) -> None:
        self.document, self._response = document, response

    @cached_property
    def is_small(self) -> bool:
        """True if the page has so few elements that expressions of quadratic cost may run on it."""
        return len(self.document.find_all(limit=MAX_ELEMENTS + 1)) <= MAX_ELEMENTS

    @cached_property
    def markup(self) -> bytes:
        """The first part of the HTML, in UTF-8."""
        body = self._response.body[:MAX_MARKUP]
        encoding = (self.document.encoding or "").lower()
        if encoding in _UTF_8 or body.isascii():
            return body
        try:
            return body.decode(encoding, "replace").encode()
        except LookupError:
            return body

    @cached_property
    def json_ld(self) -> list[object]:
        """The blocks of structured data that are valid JSON."""
        found: list[object] = []
        for script in self.document.find_all("script", limit=1000):
            if (script.attr("type") or "").partition(";")[0].strip().lower() == "application/ld+json":
                text = script.text
                if len(text) <= MAX_JSON and len(found) < MAX_BLOCKS:
                    found.append(_parse_json(text))
        return found


def find_by_css(source: Source, selector: str, attribute: str) -> Iterator[str]:
    """Yield the texts of the elements that a selector matches, or an attribute of them."""
    for element in source.document.select(selector):
        value = element.attr(attribute) if attribute else element.text
        if value is not None:
            yield value


def find_by_xpath(source: Source, compiled: XPath) -> Iterator[str]:
    """Yield the texts of matching nodes; a number, string or boolean is one value."""
    result = compiled(source.document)
    for one in result if isinstance(result, list) else [result]:
        yield one.text if isinstance(one, Node) else _format_scalar(one)


def find_by_expression(source: Source, compiled: re2._Regexp) -> Iterator[str]:
    """Yield the first group of each match in the HTML, or the match itself if there are no groups."""
    group = 1 if compiled.groups else 0
    for match in compiled.finditer(source.markup):
        value = match.group(group)
        if value is not None:
            yield value.decode("utf-8", "replace")


def find_in_json_ld(source: Source, path: Sequence[str]) -> Iterator[str]:
    """Yield the values at a path of names; lists are searched, and a name in upper case selects objects of a type."""
    nodes: list[object] = _flatten(source.json_ld)
    for name in path:
        if name[:1].isupper():
            nodes = [one for one in nodes if isinstance(one, dict) and _has_type(one, name)]
        else:
            nodes = _flatten([one[name] for one in nodes if isinstance(one, dict) and name in one])
    yield from (_format_scalar(one) for one in nodes if isinstance(one, str | int | float | bool))


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _flatten(values: Iterable[object], depth: int = 0) -> list[object]:
    """Return the members of nested lists and graphs, up to a limit."""
    found: list[object] = []
    for value in values:
        if isinstance(value, list) and depth < MAX_DEPTH:
            found += _flatten(value, depth + 1)
        else:
            found.append(value)
            graph = value.get("@graph") if isinstance(value, dict) else None
            if isinstance(graph, list) and depth < MAX_DEPTH:
                found += _flatten(graph, depth + 1)
        if len(found) >= MAX_NODES:
            break
    return found[:MAX_NODES]


def _has_type(value: dict[str, object], name: str) -> bool:
    types = value.get("@type")
    return name in types if isinstance(types, list) else types == name


def _format_scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if is_whole and isinstance(value, float) else str(value)
