"""The fields of record types: names, types, constraints and defaults."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    NoReturn,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_NAMES = {"Mapping": Mapping, "Sequence": Sequence, "Any": Any}
"""Names that annotations use and that their modules import for type checking only."""

MAX_INTEGER = (1 << 53) - 1
"""Largest integer that every JSON parser reads exactly."""


class Unset(enum.Enum):
    """Type of `UNSET`, the default of a field whose absence differs from null."""

    UNSET = "unset"


UNSET = Unset.UNSET


class Meta(NamedTuple):
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


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record:
    """Base of records: immutable, built by field names, equal if their fields are.

    Frozen dataclasses would do the same, but compile code for each class, which takes a millisecond each when the
    server starts, and are slower to build.
    """

    extra_schema: ClassVar[Mapping[str, Any]] = {}
    """JSON Schema of rules that concern several fields."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _field_defaults: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = [name for name in vars(cls).get("__annotations__", ()) if name not in Record.__annotations__]
        inherited = [name for base in reversed(cls.__mro__[1:]) for name in getattr(base, "_fields", ())]
        cls._fields = tuple(dict.fromkeys([*inherited, *own]))
        cls._field_defaults = {name: getattr(cls, name) for name in cls._fields if hasattr(cls, name)}

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        own = self.__dict__
        own.update(self._field_defaults)
        own.update(values)
        if len(own) != len(self._fields):
            wrong = set(self._fields) ^ set(own)
            raise TypeError(f"{type(self).__name__}: missing or unknown fields: {', '.join(sorted(wrong))}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


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
    """Return True if this is a class of records, named tuples or typed dictionaries."""
    return isinstance(kind, type) and (issubclass(kind, Record) or hasattr(kind, "_fields") or is_typeddict(kind))


def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the fields of a class of records, named tuples or typed dictionaries, in order."""
    if cls not in _FIELDS:
        _FIELDS[cls] = _read_fields(cls)
    return _FIELDS[cls]


def _read_fields(cls: Any) -> tuple[Field, ...]:  # noqa: ANN401
    hints = get_type_hints(cls, localns=_NAMES, include_extras=True)
    names, defaults = (hints, {}) if is_typeddict(cls) else (cls._fields, cls._field_defaults)
    return tuple(
        Field(name, parse_type(hints[name]), defaults.get(name, UNSET), name not in defaults) for name in names
    )


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
