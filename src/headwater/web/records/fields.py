"""The fields of record types: names, types, constraints and defaults."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

RecordType = TypeVar("RecordType")
_NAMES = {"Mapping": Mapping, "Sequence": Sequence, "Any": Any}
"""Names that annotations use and that their modules import for type checking only."""


MAX_INTEGER = (1 << 53) - 1
"""Largest integer that every JSON parser reads exactly."""


class Unset(enum.Enum):
    """Type of `UNSET`, the default of a field whose absence differs from null."""

    UNSET = "unset"


UNSET = Unset.UNSET


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def record(cls: type[RecordType]) -> type[RecordType]:
    """Make a class a record: immutable, built by field names."""
    return dataclasses.dataclass(frozen=True, kw_only=True)(cls)


@dataclasses.dataclass(frozen=True, slots=True)
class Meta:
    """Constraints of a value. `min_length` and `max_length` count characters of a text and items of a list.

    `component` names a schema of the OpenAPI document that stands for the whole value. `expected` replaces the
    generated words of an error message.
    """

    description: str = ""
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str = ""
    options: tuple[str, ...] = ()
    component: str = ""
    expected: str = ""


NO_META = Meta()


class ValueType(NamedTuple):
    """A field type in parts: `kind` is the plain type or generic origin, `args` its parameters."""

    kind: Any
    args: tuple[Any, ...] = ()
    meta: Meta = NO_META
    is_nullable: bool = False


class Field(NamedTuple):
    """One field of a record; `default` is `UNSET` if there is none or if absence matters."""

    name: str
    type: ValueType
    default: Any = UNSET
    is_required: bool = True

    @property
    def may_be_absent(self) -> bool:
        """True if JSON leaves the field out where it is `UNSET`."""
        return not self.is_required and self.default is UNSET


_FIELDS: dict[type, tuple[Field, ...]] = {}


def is_record(kind: object) -> bool:
    """Return True if this is a record class or a class of named tuples."""
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the fields of a record class or of a class of named tuples, in order."""
    if cls not in _FIELDS:
        _FIELDS[cls] = _read_fields(cls)
    return _FIELDS[cls]


def _read_fields(cls: type) -> tuple[Field, ...]:
    hints = get_type_hints(cls, localns=_NAMES, include_extras=True)
    defaults = _defaults_of(cls)
    return tuple(
        Field(name, parse_type(hints[name]), defaults.get(name, UNSET), name not in defaults) for name in _names_of(cls)
    )


def _names_of(cls: Any) -> tuple[str, ...]:  # noqa: ANN401
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls))
    return tuple(cls._fields)


def _defaults_of(cls: Any) -> dict[str, Any]:  # noqa: ANN401
    if not dataclasses.is_dataclass(cls):
        return dict(cls._field_defaults)
    defaults = {}
    for field in dataclasses.fields(cls):
        if field.default_factory is not dataclasses.MISSING:
            defaults[field.name] = field.default_factory()
        elif field.default is not dataclasses.MISSING:
            defaults[field.name] = field.default
    return defaults


@cache
def parse_type(hint: Any) -> ValueType:  # noqa: ANN401
    """Take a type hint apart: constraints, null, and the type itself."""
    if get_origin(hint) is Annotated:
        plain, *extras = get_args(hint)
        meta = next((extra for extra in extras if isinstance(extra, Meta)), NO_META)
        return parse_type(plain)._replace(meta=meta)
    if get_origin(hint) in {Union, UnionType}:
        members = [member for member in get_args(hint) if member not in {NoneType, Unset}]
        assert len(members) == 1, f"a union of several types: {hint}"
        inner = parse_type(members[0])
        return inner._replace(is_nullable=inner.is_nullable or NoneType in get_args(hint))
    if get_origin(hint) is Literal:
        return ValueType(str, meta=Meta(options=get_args(hint)))
    return ValueType(get_origin(hint) or hint, get_args(hint))
