"""Typed records of the API: one definition gives the JSON, its schema and the checks of a request.

Field types are those of msgspec; `Annotated[int, Meta(ge=1)]` adds constraints. Named tuples of other layers need a
record, because msgspec writes them as arrays; `__annotations__ = get_type_hints(NAMED_TUPLE)` gives it their fields.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import FieldInfo

RecordType = TypeVar("RecordType", bound="Record")

MAX_INTEGER = (1 << 53) - 1
"""Largest integer that every JSON parser reads exactly."""

_ENCODER = msgspec.json.Encoder(enc_hook=dict)  # empty mappings of other layers are mapping proxies
_FIELD_PRESENCE = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_TYPE_NAMES = {
    "array": "a list", "bool": "true or false", "float": "a number", "int": "a whole number", "object": "an object",
    "str": "text",
}  # fmt: skip


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of records. The decorator tells mypy that subclasses are frozen too."""

    extra_schema: ClassVar[Mapping[str, Any]] = {}
    """JSON Schema of rules that concern several fields."""


class FieldError(ValueError):
    """A value that a field does not accept; `name` is the field."""

    def __init__(self, name: str, problem: str) -> None:
        self.name, self.problem = name, problem
        super().__init__(problem)


def one_of(options: Sequence[str], description: str | None = None) -> Meta:
    """Return the constraints of a text that is one of several words; `Literal` cannot hold computed options."""
    return Meta(
        description=description,
        pattern=rf"^({'|'.join(options)})(?!\n)$",  # `$` alone allows a line break at the end
        extra_json_schema={"enum": list(options)},
        extra={"expected": f"one of {', '.join(options)}"},
    )


def text_of(max_length: int, description: str, pattern: str | None = None) -> Meta:
    """Return the constraints of a text that is not empty."""
    return Meta(description=description, pattern=pattern, min_length=1, max_length=max_length)


@cache
def fields_of(cls: type[Record]) -> dict[str, FieldInfo]:
    """Return the fields of a class of records by name."""
    return {field.name: field for field in msgspec.structs.fields(cls)}


def encode_json(value: object) -> bytes:
    """Return records, or plain values that contain records, as JSON."""
    return _ENCODER.encode(value)


def decode_record(given: Mapping[str, object], cls: type[RecordType], *, is_text: bool = False) -> RecordType:
    """Return a record made from values by field name; raise FieldError for a missing, unknown or invalid field.

    The values are those of a JSON object; with `is_text`, those of an address, where numbers are text.
    """
    try:
        return msgspec.convert({name: _simplify(value) for name, value in given.items()}, cls, strict=not is_text)
    except msgspec.ValidationError as error:
        raise _make_field_error(str(error), cls) from None


def restore_record(stored: Mapping[str, Any], cls: type[RecordType], **values: object) -> RecordType:
    """Return a record made from trusted data of the store, whose other names are left out."""
    known = {name: stored[name] for name in cls.__struct_fields__ if name in stored}
    return cls(**{**known, **values})


def _simplify(value: object) -> object:
    """Return 1 for 1.0, because JSON may write a whole number like that."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _make_field_error(message: str, cls: type[Record]) -> FieldError:
    """Return the error of msgspec with the field apart from the problem: "Expected `int` >= 1 - at `$.limit`"."""
    if presence := _FIELD_PRESENCE.fullmatch(message):
        is_missing = presence[1] == "missing required"
        return FieldError(presence[2][:80], "a value is required" if is_missing else "unknown field")
    problem, _, path = message.partition(" - at `$.")
    name = re.split(r"\W", path, maxsplit=1)[0]
    expected = next(_find_expected(fields_of(cls)[name].type), "")
    return FieldError(name, f"expected {expected}" if expected else _replace_type_names(problem))


def _find_expected(hint: object) -> Iterator[str]:
    """Yield the words for what a type accepts, where its constraints have them."""
    for part in (*getattr(hint, "__metadata__", ()), *get_args(hint)):
        if isinstance(part, Meta) and part.extra:
            yield part.extra["expected"]
        yield from _find_expected(part)


def _replace_type_names(problem: str) -> str:
    def replace(match: re.Match[str]) -> str:
        return " or ".join(_TYPE_NAMES.get(name, name) for name in match[1].split(" | "))

    return re.sub("`([^`]*)`", replace, problem.replace("Expected", "expected"))
