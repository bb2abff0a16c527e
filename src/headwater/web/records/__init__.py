"""Typed records of the API: one definition gives the JSON, its schema and the checks of a request.

A record is a subclass of `Record`, a named tuple of another layer, or a typed dictionary where there are many. Its
field types are plain Python (`str`, `int`, `float`, `bool`, `object`, `X | None`, `Literal`, `tuple[X, ...]`,
`Mapping[str, X]`, other records); `Annotated[int, Meta(minimum=1)]` adds constraints.
"""

from headwater.web.records.decoder import FieldError, decode_record, decode_value, restore_record
from headwater.web.records.encoder import encode_json, to_plain
from headwater.web.records.fields import MAX_INTEGER, UNSET, Field, Meta, Record, Unset, fields_of
from headwater.web.records.schema import SchemaBuilder

__all__ = [
    "MAX_INTEGER",
    "UNSET",
    "Field",
    "FieldError",
    "Meta",
    "Record",
    "SchemaBuilder",
    "Unset",
    "decode_record",
    "decode_value",
    "encode_json",
    "fields_of",
    "restore_record",
    "to_plain",
]
