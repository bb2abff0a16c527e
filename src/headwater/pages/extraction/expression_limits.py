"""Reject expressions that take more than quadratic time on some page, and limit the pages that others run on.

XPath allows expressions that compare every element with every other one, once for each nested predicate. The parser
cannot be interrupted, so such expressions are errors. What remains takes at most about a second on the largest page
that it runs on.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_ELEMENTS = 10_000
"""Elements of a page that XPath and `:has()` are evaluated on."""

_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
_AXIS = re.compile(r"([a-z-]+)\s*::")
_PREDICATE_AXES = frozenset({"child", "attribute", "self", "descendant", "descendant-or-self"})
_STEP_AXES = _PREDICATE_AXES | {"parent", "following-sibling", "preceding-sibling"}
_SIBLINGS = re.compile(r"\b(?:following|preceding)-sibling\s*::(?!\s*[\w.:*-]+\s*(?:\(\s*\))?\s*\[\s*\d+\s*\])")
"""A sibling axis without a position: the parser sorts the siblings of every sibling, in more than cubic time."""

_ABSOLUTE = re.compile(r"(?:^|[(,=<>!|+*]|\b(?:and|or|div|mod)\b)\s*/")
_MARKS = re.compile(r"[\[\]]")


class _Parts(NamedTuple):
    """An XPath expression without literals: the text outside of predicates, and the predicates."""

    steps: str
    predicates: list[str]


def check_xpath(expression: str) -> None:
    """Raise ValueError if an XPath expression could take too long."""
    plain = _LITERAL.sub("''", expression)
    steps, predicates = _split_predicates(plain)
    for axis in _AXIS.findall(steps):
        if axis not in _STEP_AXES:
            raise ValueError(f"the axis {axis}:: takes too long on large pages")
    for predicate in predicates:
        axes = [axis for axis in _AXIS.findall(predicate) if axis not in _PREDICATE_AXES]
        if axes or ".." in predicate or _ABSOLUTE.search(predicate):
            what = f"{axes[0]}::" if axes else ".." if ".." in predicate else "a path from the root"
            raise ValueError(f"{what} inside [ ] takes too long on large pages")
    if _SIBLINGS.search(plain):
        raise ValueError("siblings without a position take too long on large pages; add one, such as [1]")


def _split_predicates(expression: str) -> _Parts:
    parts: list[str] = ["", ""]
    predicates: list[str] = []
    depth = position = 0
    for mark in _MARKS.finditer(expression):
        parts[depth] += expression[position : mark.start()]
        position = mark.end()
        if mark.group() == "[":
            depth += 1
            if depth > 1:
                raise ValueError("[ ] inside [ ] takes too long on large pages")
        elif depth:
            depth -= 1
            predicates.append(parts[1])
            parts[1] = ""
    return _Parts(parts[0] + expression[position:], predicates)


def check_selector(selector: str) -> None:
    """Raise ValueError if a CSS selector could take too long."""
    depth, opened, plain = 0, list[int](), _LITERAL.sub("''", selector).lower()
    for position, character in enumerate(plain):
        if character == "(":
            depth += 1
            if plain[:position].endswith(":has"):
                if opened:
                    raise ValueError(":has() inside :has() takes too long on large pages")
                opened.append(depth)
        elif character == ")":
            if opened and opened[-1] == depth:
                opened.pop()
            depth -= 1
