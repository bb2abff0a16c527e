"""Limits on markup of which an HTML parser makes far more elements than there are tags.

A formatting element that is not closed, such as `<b>`, is opened again in every paragraph that follows: 500 of them and
5,000 paragraphs are 24 KB and 2.5 million elements. Where that could take too much memory, formatting elements are
renamed to `<span>`, which changes no link and no text.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

FEW_TAGS = 6500
"""Up to this many tags, whatever they are, a tree takes less than the allowance: of 509 elements that are not closed,
each is opened again in the 5,991 paragraphs that are left."""

TREE_ALLOWANCE_BYTES = 400_000_000
"""Bytes that the tree of a page may take besides a multiple of the page's size.

With 50 MB, one page in five of ordinary documentation had to be searched for open elements, and the largest took three
times as long to search as to parse: 20 % of a crawl's CPU. Only one tree is in memory at a time.
"""

MAX_TREE_BYTES = 850_000_000
"""Bytes that the tree of a page may take, however large the page is."""

MAX_TAGS = 1_000_000
"""Tags of one page that are read, opening and closing ones; more than the HTML standard has on one page."""

_TIMES_THE_SIZE = 40
_NODE_BYTES = 130
_NODES_OF_A_TAG = 2
_MAX_REOPENED_DUPLICATES = 3
"""Elements of the same name and attributes that parsers open again; of more, they forget the earliest."""

_PASSES = 3
_FORMATTING = "b big code em font i nobr s small strike strong tt u".split()
_INLINE = "a abbr cite del dfn ins kbd mark q samp span sub sup time var".split()
_REGULAR = r"""(?:\s++[^\s"'<>=/]++(?:=(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++))?+)*+\s*+>"""


def _any_case(name: str) -> str:
    """Return a pattern for a name; the flag that ignores case would make the search three times as slow."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_INITIALS = "".join(sorted({letter for name in _FORMATTING for letter in (name[0], name[0].upper())}))
_OPENING = re.compile(rf"<(?=[{_INITIALS}])(?:{'|'.join(map(_any_case, _FORMATTING))})(?:>|[\s/][^<>]*+>?)")
_REGULAR_TAG = re.compile(rf"<[A-Za-z]+{_REGULAR}")
_WITH_ATTRIBUTES = re.compile(rf"<(?=[{_INITIALS}])(?:{'|'.join(map(_any_case, _FORMATTING))})[\s/]")
_CLOSED = re.compile(rf"<({'|'.join(_FORMATTING + _INLINE)}){_REGULAR}[^<]*+</\1\s*+>", re.IGNORECASE)
_NAME = re.compile(rf"<(/?)(?:{'|'.join(_FORMATTING)})(?=[\s/>])", re.IGNORECASE)


def limit_markup(markup: str, allowance: int = TREE_ALLOWANCE_BYTES) -> str:
    """Return markup whose tree takes at most 40 times its size and the allowance, and never more than MOST."""
    tags = markup.count("<")
    if tags > MAX_TAGS:
        place = next(islice(re.finditer("<", markup), MAX_TAGS, None))
        markup, tags = markup[: place.start()], MAX_TAGS
    permitted_bytes = min(_TIMES_THE_SIZE * len(markup) + allowance, MAX_TREE_BYTES)
    permitted = permitted_bytes // (_NODE_BYTES * max(tags, 1)) - _NODES_OF_A_TAG
    return markup if _has_few_open(markup, permitted) else _NAME.sub(r"<\1span", markup)


def _has_few_open(markup: str, permitted: int) -> bool:
    """Return whether no more formatting elements than permitted can be open at once, in doubt that it is not so."""
    room = permitted - _MAX_REOPENED_DUPLICATES * len(
        _FORMATTING
    )  # for elements with attributes: of those without, few are opened again
    if room >= 0 and len(_WITH_ATTRIBUTES.findall(markup)) <= room:
        return True
    if _most_open(markup) <= permitted:
        return True
    for _ in range(_PASSES):
        markup, closed = _CLOSED.subn("", markup)  # elements that are closed again, innermost first
        if closed and _most_open(markup) <= permitted:
            return True
        if not closed:
            break
    return False


def _most_open(markup: str) -> int:
    """Return how many formatting elements can be open at once if none is closed.

    Tags that look alike count as alike only if they are well-formed: `<b a=">1">` and `<b a=">2">` do look alike.
    """
    found = Counter(_OPENING.findall(markup))
    return sum(
        min(count, _MAX_REOPENED_DUPLICATES) if _REGULAR_TAG.fullmatch(tag) else count for tag, count in found.items()
    )
