"""Values of requests checked against record types; a value that does not fit is a `FieldError`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from headwater.web.records.fields import MAX_INTEGER, fields_of, parse_type

if TYPE_CHECKING:
    from headwater.web.records.fields import Meta, ValueType

RecordType = TypeVar("RecordType")
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


class FieldError(ValueError):
    """A value that a field does not accept; `name` is the field."""

    def __init__(self, name: str, problem: str) -> None:
        self.name, self.problem = name, problem
        super().__init__(problem)


def decode_record(given: Mapping[str, object], cls: type[RecordType]) -> RecordType:
    """Return a record made from an object of JSON; raise FieldError for a missing, unknown or invalid field."""
    fields = {field.name: field for field in fields_of(cls)}
    for name in given:
        if name not in fields:
            raise FieldError(name[:80], "unknown field")
    for name, field in fields.items():
        if field.is_required and name not in given:
            raise FieldError(name, f"required; expected {describe(field.type)}")
    return cls(**{name: decode_value(value, fields[name].type, name) for name, value in given.items()})


def restore_record(stored: Mapping[str, Any], cls: type[RecordType], **values: object) -> RecordType:
    """Return a record made from trusted data of the store, whose other names are left out."""
    known = {field.name: stored[field.name] for field in fields_of(cls) if field.name in stored}
    return cls(**known, **values)


def decode_value(value: object, value_type: ValueType, name: str) -> Any:  # noqa: ANN401
    """Return a value of JSON as its field has it; raise FieldError if the type or a constraint is not met."""
    if value is None and value_type.is_nullable:
        return None
    try:
        decoded = _convert(value, value_type)
        _check(decoded, value_type.meta)
    except ValueError:
        raise FieldError(name, f"expected {describe(value_type)}") from None
    return decoded


def describe(value_type: ValueType) -> str:
    """Return what a field accepts, as the end of a sentence that begins with "expected"."""
    meta = value_type.meta
    ending = ", or null" if value_type.is_nullable else ""
    if meta.expected:
        return meta.expected + ending
    if meta.options:
        return f"one of {', '.join(meta.options)}{ending}"
    return _describe_kind(value_type) + ending


def _describe_kind(value_type: ValueType) -> str:
    kind, meta = value_type.kind, value_type.meta
    if kind in {int, float} and meta.minimum is not None and meta.maximum is not None:
        is_bounded = meta.maximum < MAX_INTEGER
        return f"{_NAMES[kind]} {_describe_range(meta.minimum, meta.maximum if is_bounded else None)}"
    if kind is str and meta.pattern:
        return f"text that matches {meta.pattern}"
    if kind is str and meta.max_length is not None:
        return f"text of {meta.min_length or 0} to {meta.max_length:,} characters"
    if kind in {tuple, list, Sequence}:
        most = "" if meta.max_length is None else f" of {meta.min_length or 0} to {meta.max_length:,} items"
        return f"a list{most}, each {describe(parse_type(value_type.args[0]))}"
    return _NAMES.get(kind, "an object")


def _describe_range(minimum: float, maximum: float | None) -> str:
    return f"of at least {minimum:,.12g}" if maximum is None else f"from {minimum:,.12g} to {maximum:,.12g}"


def _convert(value: object, value_type: ValueType) -> object:
    kind = value_type.kind
    if kind is object:
        return value
    if kind in {tuple, list, Sequence}:
        if not isinstance(value, list):
            raise ValueError
        return tuple(decode_value(item, parse_type(value_type.args[0]), "") for item in value)
    if kind is Mapping:
        if not isinstance(value, dict):
            raise ValueError
        return value
    if kind in {int, float}:
        return _convert_number(value, is_whole=kind is int)
    if not isinstance(value, kind):
        raise ValueError
    return cast("object", value)


def _convert_number(value: object, *, is_whole: bool) -> float:
    """Return a number; JSON may write a whole number as 1.0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    if not is_whole:
        return value
    if value % 1:
        raise ValueError
    return int(value)


def _check(value: Any, meta: Meta) -> None:  # noqa: ANN401
    if meta.options and value not in meta.options:
        raise ValueError
    if meta.minimum is not None and value < meta.minimum:
        raise ValueError
    if meta.maximum is not None and value > meta.maximum:
        raise ValueError
    if meta.min_length is not None and len(value) < meta.min_length:
        raise ValueError
    if meta.max_length is not None and len(value) > meta.max_length:
        raise ValueError
    if meta.pattern and not re.search(meta.pattern, value, re.ASCII):
        raise ValueError
