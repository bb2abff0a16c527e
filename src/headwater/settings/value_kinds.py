"""The kinds of value a setting can have; each one parses text, validates a value and describes what is allowed.

`read` takes what people type on a command line or in the environment; `validate` takes what TOML or Python gives.
Both return the value to use or raise ValueError without a text; error messages show `allowed`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

NONE_WORDS = frozenset({"none", "unlimited"})
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([A-Za-z]*)")
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Python's stand-ins for bytes of a command line or variable that are not UTF-8."""

_SECONDS: dict[str, float] = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES: dict[str, float] = {"": 1, "b": 1, "k": 1000, "kb": 1000, "m": 10**6, "mb": 10**6, "g": 10**9, "gb": 10**9}
_BYTES |= {"kib": 1024, "mib": 1024**2, "gib": 1024**3}
_SEPARATOR_NAMES = {None: "whitespace", ",": "commas", "\n": "line breaks"}


class ValueKind(Protocol):
    """A kind of value."""

    @property
    def allowed(self) -> str:
        """Return a description of the allowed values that completes "expected …"."""

    @property
    def unit(self) -> str:
        """Return the unit of a bare number; empty if there is none."""

    def read(self, text: str) -> object:
        """Parse text and validate the result."""

    def validate(self, value: object) -> object:
        """Return the value if it is allowed."""


@dataclass(frozen=True, slots=True)
class Flag:
    """On or off."""

    allowed: str = "true or false"
    unit: str = ""

    def read(self, text: str) -> bool:
        """Parse yes or no in their usual spellings."""
        if text.lower() in _YES | _NO:
            return text.lower() in _YES
        raise ValueError

    def validate(self, value: object) -> bool:
        """Return a boolean."""
        if isinstance(value, bool):
            return value
        raise ValueError


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds, possibly with a unit; `none` if it is optional."""

    minimum: float
    maximum: float | None = None
    optional: bool = False
    whole: bool = True
    unit: str = ""

    @property
    def allowed(self) -> str:
        """Return for example "a whole number from 1 to 64, or none"."""
        name = {"s": "a number of seconds (also 500ms, 2m, 1h)", "bytes": "a number of bytes (also 64KB, 10MB)"}
        number = name.get(self.unit, "a whole number" if self.whole else "a number")
        bounds = (
            f"of at least {self.minimum:g}" if self.maximum is None else f"from {self.minimum:g} to {self.maximum:g}"
        )
        return f"{number} {bounds}{', or none' if self.optional else ''}"

    def read(self, text: str) -> int | float | None:
        """Parse a number, including units as in `500ms` and `10MB`."""
        if text.lower() in NONE_WORDS:
            return self.validate(None)
        match = _AMOUNT.fullmatch(text)
        if match is None:
            raise ValueError
        return self.validate(self._scale(float(match.group(1)), match.group(2)))

    def validate(self, value: object) -> int | float | None:
        """Return a number within the bounds."""
        if isinstance(value, str):
            return self.read(value)
        if value is None and self.optional:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not self._is_within(value):
            raise ValueError
        return int(value) if self.whole else float(value)

    def _is_within(self, value: float) -> bool:
        if self.whole and value != int(value):
            return False
        return value >= self.minimum and (self.maximum is None or value <= self.maximum)

    def _scale(self, number: float, suffix: str) -> float:
        scales: dict[str, dict[str, float]] = {"s": _SECONDS, "bytes": _BYTES}
        scale = scales.get(self.unit, {"": 1.0}).get(suffix.lower())
        if scale is None:
            raise ValueError
        return number * scale


def integer(minimum: int, maximum: int | None = None, *, optional: bool = False, unit: str = "") -> Number:
    """Return the kind of a count."""
    return Number(minimum, maximum, optional, whole=True, unit=unit)


def seconds(minimum: float, maximum: float = 86400.0, *, optional: bool = False) -> Number:
    """Return the kind of a time span."""
    return Number(minimum, maximum, optional, whole=False, unit="s")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    options: tuple[str, ...]
    unit: str = ""

    @property
    def allowed(self) -> str:
        """Return the words."""
        return "one of " + ", ".join(self.options)

    def read(self, text: str) -> str:
        """Parse one of the words, in any case."""
        return self.validate(text.lower())

    def validate(self, value: object) -> str:
        """Return one of the words."""
        if value in self.options:
            return str(value)
        raise ValueError


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `none` if it is optional."""

    optional: bool = False
    allowed: str = "one line of text"
    unit: str = ""
    secret: bool = False

    def read(self, text: str) -> str | None:
        """Return the text, or None for `none`."""
        return None if self.optional and text.lower() in NONE_WORDS else self.validate(text)

    def validate(self, value: object) -> str | None:
        """Return a string without line breaks."""
        if value is None and self.optional:
            return None
        if isinstance(value, str) and value and value.isprintable():
            return value
        raise ValueError


@dataclass(frozen=True, slots=True)
class TextList:
    """A list of texts, restricted to `options` if there are any; in one text they are separated by `separator`.

    With a `base`, a list of `+name` and `-name` adds to it and removes from it.
    """

    options: tuple[str, ...] = ()
    separator: str | None = None
    secret: bool = False
    unit: str = ""
    base: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """Return the allowed texts and how to separate them."""
        texts = f" of {', '.join(self.options)}" if self.options else ""
        texts += ", each with + or - to change the default" if self.base else ""
        return f"a list{texts} (in the environment separated by {_SEPARATOR_NAMES[self.separator]})"

    def read(self, text: str) -> tuple[str, ...]:
        """Split one text into a list; `none` is the empty list."""
        if text.lower() in NONE_WORDS:
            return ()
        return self.validate([part.strip() for part in text.split(self.separator) if part.strip()])

    def validate(self, value: object) -> tuple[str, ...]:
        """Return a list of allowed texts."""
        if not isinstance(value, list | tuple) or not all(isinstance(word, str) and word for word in value):
            raise ValueError
        if _SURROGATE.search("".join(value)):
            raise ValueError
        if self.base and value and all(word[0] in "+-" for word in value):
            changes = {word[1:]: word[0] == "+" for word in value}
            value = [*(word for word in self.base if changes.pop(word, True)), *(word for word in changes)]
        if self.options and not set(value) <= set(self.options):
            raise ValueError
        return tuple(value)
