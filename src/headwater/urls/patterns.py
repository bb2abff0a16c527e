"""The user's own patterns for URLs: globs, or regular expressions after `re:`; both match in linear time.

In a glob only `*` is special, since `?` begins a query. A glob that starts with `/` is held against path and query,
any other against the whole URL; a regular expression is searched for in the whole URL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import re2

from headwater.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """One pattern as the user wrote it, ready to match."""

    text: str
    is_path_pattern: bool
    compiled: re2._Regexp = field(repr=False, compare=False)

    def matches(self, url: str, path_and_query: str) -> bool:
        """Whether the pattern speaks of this URL."""
        return self.compiled.search(path_and_query if self.is_path_pattern else url) is not None


def compile_patterns(texts: Iterable[str], setting: str) -> tuple[UrlPattern, ...]:
    """Patterns ready to match; a mistake in one is a mistake in `setting`."""
    return tuple(_compile(text, setting) for text in texts)


def _compile(text: str, setting: str) -> UrlPattern:
    if text.startswith("re:"):
        return UrlPattern(text, False, _compile_expression(text[3:], text, setting))
    if "*" not in text and "/" not in text:
        raise SettingError(setting, f"{text!r} can match no URL; write {'*' + text + '*'!r} for URLs that contain it")
    expression = ".*".join(re2.escape(part) for part in text.split("*"))
    return UrlPattern(text, text.startswith("/"), _compile_expression(f"(?s)^{expression}$", text, setting))


def _compile_expression(expression: str, text: str, setting: str) -> re2._Regexp:
    try:
        return re2.compile(expression, _OPTIONS)
    except re2.error as error:
        why = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise SettingError(setting, f"{text!r} is not a regular expression RE2 knows: {why}") from None
