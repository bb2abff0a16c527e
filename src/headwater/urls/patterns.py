"""Match URLs against the user's patterns: globs, or regular expressions after `re:`; both match in linear time.

In a glob only `*` is special, because `?` begins a query. A glob that starts with `/` is matched against path and
query, any other glob against the whole URL; a regular expression is searched for in the whole URL.
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
    """A pattern as the user wrote it, compiled."""

    text: str
    is_path_pattern: bool
    compiled: re2._Regexp = field(repr=False, compare=False)

    def matches(self, url: str, path_and_query: str) -> bool:
        """Return True if the pattern matches this URL."""
        return self.compiled.search(path_and_query if self.is_path_pattern else url) is not None


def compile_patterns(texts: Iterable[str], setting: str) -> tuple[UrlPattern, ...]:
    """Compile patterns; an invalid one raises a SettingError for `setting`."""
    return tuple(_compile(text, setting) for text in texts)


def _compile(text: str, setting: str) -> UrlPattern:
    if text.startswith("re:"):
        return UrlPattern(text, False, _compile_expression(text[3:], text, setting))
    if "*" not in text and "/" not in text:
        raise SettingError(setting, f"{text!r} cannot match a URL; write {'*' + text + '*'!r} for URLs that contain it")
    expression = ".*".join(re2.escape(part) for part in text.split("*"))
    return UrlPattern(text, text.startswith("/"), _compile_expression(f"(?s)^{expression}$", text, setting))


def _compile_expression(expression: str, text: str, setting: str) -> re2._Regexp:
    try:
        return re2.compile(expression, _OPTIONS)
    except re2.error as error:
        why = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise SettingError(setting, f"{text!r} is not a valid RE2 regular expression: {why}") from None
