"""Records as JSON. The conversion of a record class is worked out once and then reused for every value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, is_typeddict

from headwater.web.records.fields import UNSET, Record, fields_of, is_record, parse_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.web.records.fields import ValueType

    Converter = Callable[[Any], Any]

_CONVERTERS: dict[type, Converter] = {}
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode_json(value: object) -> str:
    """Return a record as JSON."""
    return _ENCODER.encode(to_plain(value))


def to_plain(value: object) -> Any:  # noqa: ANN401
    """Return a record as an object that `json` can write."""
    return _record_converter(type(value))(value)


def _record_converter(cls: type) -> Converter:
    """Return the function that turns records of a class into dictionaries."""
    if cls not in _CONVERTERS:
        _CONVERTERS[cls] = getattr(cls, "to_plain", None) or _make_converter(cls)
    return _CONVERTERS[cls]


def _make_converter(cls: type) -> Converter:
    read = _make_reader(cls)
    nested = [(field.name, made) for field in fields_of(cls) if (made := _converter(field.type))]
    optional = [field.name for field in fields_of(cls) if field.may_be_absent]
    if not nested and not optional:
        return read

    def convert(value: object) -> dict[str, Any]:
        plain: dict[str, Any] = read(value)
        for name, made in nested:
            plain[name] = made(plain[name])
        for name in optional:
            if plain[name] is UNSET:
                del plain[name]
        return plain

    return convert


def _make_reader(cls: type) -> Converter:
    """Return a function that gives the fields of a record, not converted yet."""
    if issubclass(cls, Record):
        return lambda value: vars(value).copy()
    names = tuple(field.name for field in fields_of(cls))
    return lambda value: dict(zip(names, value, strict=True))


def _converter(value_type: ValueType) -> Converter | None:
    """Return the conversion of a field, or None if `json` takes its values as they are."""
    made = _bare_converter(value_type)
    if made is None or not value_type.is_nullable:
        return made
    return lambda value: None if value is None else made(value)


def _bare_converter(value_type: ValueType) -> Converter | None:
    kind, args = value_type.kind, value_type.args
    if is_typeddict(kind):
        return None
    if is_record(kind):
        return _record_converter(kind)
    if kind is Mapping or kind is dict:
        return _mapping_converter(_arg_converter(args, 1))
    if kind in {tuple, list, Sequence}:
        return _list_converter(_arg_converter(args, 0))
    return None


def _mapping_converter(inner: Converter | None) -> Converter:
    return dict if inner is None else lambda value: {name: inner(one) for name, one in value.items()}


def _list_converter(inner: Converter | None) -> Converter | None:
    return None if inner is None else lambda value: [inner(one) for one in value]


def _arg_converter(args: tuple[Any, ...], place: int) -> Converter | None:
    return _converter(parse_type(args[place])) if len(args) > place else None
