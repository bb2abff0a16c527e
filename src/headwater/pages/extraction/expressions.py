"""Compile expressions of the form `name=kind:expression`, so that a mistake is reported before a scan begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import re2
import turbohtml

from headwater.errors import SettingError
from headwater.model import EXPORTED_FIELDS, SCORE_FIELD
from headwater.pages.extraction.expression_limits import check_selector, check_xpath
from headwater.pages.extraction.sources import find_by_css, find_by_expression, find_by_xpath, find_in_json_ld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from headwater.pages.extraction.sources import Source

SETTING = "extract"
KINDS = ("css", "xpath", "re", "json-ld")
MAX_EXTRACTORS = 50
MAX_LENGTH = 1000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_ATTRIBUTE = re.compile(r"(?P<selector>.+?)(?:::attr\((?P<function>[\w:.-]+)\)|@(?P<name>[\w:.-]+))", re.DOTALL)
_RE2_OPTIONS = re2.Options()
_RE2_OPTIONS.log_errors = False
_RE2_OPTIONS.max_mem = 8 << 20


class Extractor(NamedTuple):
    """A named value of a page; `find` yields its matches in document order."""

    name: str
    find: Callable[[Source], Iterable[str]]


def compile_extractors(texts: Iterable[str]) -> tuple[Extractor, ...]:
    """Compile the values of the setting `extract`; raise SettingError for a mistake."""
    extractors = tuple(map(_compile, texts))
    if len(extractors) > MAX_EXTRACTORS:
        raise SettingError(SETTING, f"{len(extractors)} values are too many; at most {MAX_EXTRACTORS} are extracted")
    seen = set[str]()
    for name in (one.name for one in extractors):
        if name in seen:
            raise SettingError(SETTING, f"the name {name!r} is used twice; give each value a name of its own")
        seen.add(name)
    return extractors


def list_extracted_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names of extracted values, without compiling their expressions."""
    return tuple(text.partition("=")[0].strip() for text in texts)


def _compile(text: str) -> Extractor:
    name, equals, rest = (part.strip() for part in text.partition("="))
    kind, colon, expression = (part.strip() for part in rest.partition(":"))
    if not equals or not colon or kind not in KINDS or not expression:
        allowed = ", ".join(f"{one}:" for one in KINDS)
        raise _error(text, f"expected NAME=KIND:EXPRESSION, in which KIND: is one of {allowed}")
    if len(text) > MAX_LENGTH:
        raise _error(text, f"it is longer than {MAX_LENGTH:,} characters")
    _check_name(name, text)
    try:
        return Extractor(name, _COMPILERS[kind](expression))
    except ValueError as error:
        raise _error(text, f"{expression!r} is not valid after {kind}: ({error})") from None


def _check_name(name: str, text: str) -> None:
    if not _NAME.fullmatch(name):
        raise _error(text, f"the name {name!r} must begin with a letter and have only letters, digits, _ and -")
    if name in EXPORTED_FIELDS or name == SCORE_FIELD:
        raise _error(text, f"{name!r} is already the name of a field; choose another name")


def _error(text: str, problem: str) -> SettingError:
    return SettingError(SETTING, f"{text[:80]!r} is not allowed; {problem}")


def _compile_css(expression: str) -> Callable[[Source], Iterable[str]]:
    match = _ATTRIBUTE.fullmatch(expression)
    selector = match["selector"] if match else expression.removesuffix("::text")
    attribute = (match["function"] or match["name"]).lower() if match else ""
    check_selector(selector)
    turbohtml.parse("").select(selector)
    if ":has(" in selector.lower():
        return lambda source: find_by_css(source, selector, attribute) if source.is_small else ()
    return lambda source: find_by_css(source, selector, attribute)


def _compile_xpath(expression: str) -> Callable[[Source], Iterable[str]]:
    check_xpath(expression)
    compiled = turbohtml.XPath(expression)
    compiled(turbohtml.parse("<p>"))  # unknown functions, variables and prefixes are noticed only here
    return lambda source: find_by_xpath(source, compiled) if source.is_small else ()


def _compile_expression(expression: str) -> Callable[[Source], Iterable[str]]:
    try:
        compiled = re2.compile(expression.encode(), _RE2_OPTIONS)
    except re2.error as error:
        why = error.args[0] if error.args else error
        raise ValueError(why.decode("utf-8", "replace") if isinstance(why, bytes) else why) from None
    return lambda source: find_by_expression(source, compiled)


def _compile_json_path(expression: str) -> Callable[[Source], Iterable[str]]:
    path = tuple(part.strip() for part in expression.split("."))
    if not all(path):
        raise ValueError("a name between two dots is missing")
    return lambda source: find_in_json_ld(source, path)


_COMPILERS = {"css": _compile_css, "xpath": _compile_xpath, "re": _compile_expression, "json-ld": _compile_json_path}
