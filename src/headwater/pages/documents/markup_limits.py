"""Limit markup for which an HTML parser creates far more elements than there are tags.

A formatting element that is not closed, such as `<b>`, is reopened in every paragraph that follows: 500 of them and
5,000 paragraphs are 24 KB of markup and 2.5 million elements. Where that could take too much memory, formatting
elements are renamed to `<span>`, which changes neither links nor text.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

FEW_TAGS = 6500
"""A tree with at most this many tags is always below the allowance: in the worst case 509 elements that are not closed
are reopened in each of the remaining 5,991 paragraphs."""

TREE_ALLOWANCE_BYTES = 400_000_000
"""Bytes that the tree of a page may take in addition to a multiple of the page's size.

With 50 MB, one page in five of ordinary documentation had to be searched for open elements, and the largest took three
times as long to search as to parse: 20 % of a crawl's CPU. Only one tree is in memory at a time.
"""

MAX_TREE_BYTES = 850_000_000
"""Bytes that the tree of any page may take."""

MAX_TAGS = 1_000_000
"""Opening and closing tags of one page that are read; more than the one-page edition of the HTML standard has."""

_TREE_BYTES_PER_CHARACTER = 40
_NODE_BYTES = 130
_NODES_PER_TAG = 2
_MAX_REOPENED_DUPLICATES = 3
"""Elements of the same name and attributes that parsers reopen; beyond that the earliest are dropped."""

_PASSES = 3
_FORMATTING = "b big code em font i nobr s small strike strong tt u".split()
_INLINE = "a abbr cite del dfn ins kbd mark q samp span sub sup time var".split()
_REGULAR = r"""(?:\s++[^\s"'<>=/]++(?:=(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++))?+)*+\s*+>"""


def _any_case(name: str) -> str:
    """Return a pattern for a name in any case; re.IGNORECASE would make the search three times as slow."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_INITIALS = "".join(sorted({letter for name in _FORMATTING for letter in (name[0], name[0].upper())}))
_OPENING = re.compile(rf"<(?=[{_INITIALS}])(?:{'|'.join(map(_any_case, _FORMATTING))})(?:>|[\s/][^<>]*+>?)")
_REGULAR_TAG = re.compile(rf"<[A-Za-z]+{_REGULAR}")
_WITH_ATTRIBUTES = re.compile(rf"<(?=[{_INITIALS}])(?:{'|'.join(map(_any_case, _FORMATTING))})[\s/]")
_CLOSED = re.compile(rf"<({'|'.join(_FORMATTING + _INLINE)}){_REGULAR}[^<]*+</\1\s*+>", re.IGNORECASE)
_NAME = re.compile(rf"<(/?)(?:{'|'.join(_FORMATTING)})(?=[\s/>])", re.IGNORECASE)


def limit_markup(markup: str, allowance: int = TREE_ALLOWANCE_BYTES) -> str:
    """Return markup whose tree takes at most 40 times its size plus the allowance, up to MAX_TREE_BYTES."""
    tags = markup.count("<")
    if tags > MAX_TAGS:
        place = next(islice(re.finditer("<", markup), MAX_TAGS, None))
        markup, tags = markup[: place.start()], MAX_TAGS
    permitted_bytes = min(_TREE_BYTES_PER_CHARACTER * len(markup) + allowance, MAX_TREE_BYTES)
    permitted = permitted_bytes // (_NODE_BYTES * max(tags, 1)) - _NODES_PER_TAG
    return markup if _has_few_open(markup, permitted) else _NAME.sub(r"<\1span", markup)


def _has_few_open(markup: str, permitted: int) -> bool:
    """Return True if certainly no more formatting elements than permitted are open at once."""
    # Parsers reopen only a few elements without attributes; the others that may be open have attributes.
    remaining = permitted - _MAX_REOPENED_DUPLICATES * len(_FORMATTING)
    if remaining >= 0 and len(_WITH_ATTRIBUTES.findall(markup)) <= remaining:
        return True
    if _count_reopenable(markup) <= permitted:
        return True
    for _ in range(_PASSES):
        markup, closed = _CLOSED.subn("", markup)  # closed elements, innermost first
        if closed and _count_reopenable(markup) <= permitted:
            return True
        if not closed:
            break
    return False


def _count_reopenable(markup: str) -> int:
    """Return the number of formatting elements that can be open at once if none is closed.

    Equal matches count as equal tags only if they are well-formed: the matches for `<b a=">1">` and `<b a=">2">` are
    equal, the tags are not.
    """
    found = Counter(_OPENING.findall(markup))
    return sum(
        min(count, _MAX_REOPENED_DUPLICATES) if _REGULAR_TAG.fullmatch(tag) else count for tag, count in found.items()
    )
