"""JSON Schema of record types, as the OpenAPI document has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headwater.web.records.fields import fields_of, is_record, parse_type

if TYPE_CHECKING:
    from headwater.web.records.fields import Field, Meta, ValueType

    Schema = dict[str, Any]

_TYPE_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean"}


class SchemaBuilder:
    """Collects the schema of every record class that it is asked for, by class name."""

    def __init__(self, components: Mapping[str, Schema]) -> None:
        self.components: dict[str, Schema] = dict(components)

    def reference(self, cls: type, *, is_request: bool = False) -> Schema:
        """Return a reference to a record class, whose schema is added to the components."""
        if cls.__name__ not in self.components:
            self.components[cls.__name__] = {}  # a record that holds itself ends here
            self.components[cls.__name__] = self._object(cls, is_request=is_request)
        return {"$ref": f"#/components/schemas/{cls.__name__}"}

    def field(self, field: Field) -> Schema:
        """Return the schema of one field, with its default unless that is empty."""
        schema = self.value(field.type)
        return {**schema, "default": field.default} if _is_value(field.default) else schema

    def value(self, value_type: ValueType) -> Schema:
        """Return the schema of a type."""
        meta = value_type.meta
        if meta.component:
            return {"$ref": f"#/components/schemas/{meta.component}"}
        if is_record(value_type.kind):
            return self._nullable_reference(value_type)
        schema = {**self._bare(value_type), **_constraints(meta, is_list=value_type.kind in {tuple, list, Sequence})}
        if not value_type.is_nullable or "type" not in schema:
            return schema
        options = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [schema["type"], "null"], **options}

    def _object(self, cls: type, *, is_request: bool) -> Schema:
        if hasattr(cls, "make_schema"):
            schema: Schema = cls.make_schema(self)
            return schema
        fields = fields_of(cls)
        required = [field.name for field in fields if field.is_required or not (is_request or field.may_be_absent)]
        properties = {field.name: self.field(field) if is_request else self.value(field.type) for field in fields}
        return {**strict_object(properties, required), **getattr(cls, "extra_schema", {})}

    def _nullable_reference(self, value_type: ValueType) -> Schema:
        reference = self.reference(value_type.kind)
        return {"anyOf": [reference, {"type": "null"}]} if value_type.is_nullable else reference

    def _bare(self, value_type: ValueType) -> Schema:
        kind, args = value_type.kind, value_type.args
        if kind is object:
            return {}
        if kind in {Mapping, dict}:
            inner = self.value(parse_type(args[1]))
            return {"type": "object", "additionalProperties": inner or True}
        if kind is tuple and args[-1] is not Ellipsis:
            return {**self._list(args[0]), "minItems": len(args), "maxItems": len(args)}
        if kind in {tuple, list, Sequence}:
            return self._list(args[0])
        return {"type": _TYPE_NAMES[kind]}

    def _list(self, item: Any) -> Schema:  # noqa: ANN401
        return {"type": "array", "items": self.value(parse_type(item))}


def strict_object(properties: Mapping[str, Schema], required: Sequence[str]) -> Schema:
    """Return the schema of an object with these fields and no others."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", **needed, "properties": dict(properties), "additionalProperties": False}


def _is_value(default: object) -> bool:
    return isinstance(default, str | int) and bool(default)


def _constraints(meta: Meta, *, is_list: bool) -> Schema:
    counted = "Items" if is_list else "Length"
    given = {
        "description": meta.description or None,
        "minimum": meta.minimum,
        "maximum": meta.maximum,
        f"min{counted}": meta.min_length,
        f"max{counted}": meta.max_length,
        "pattern": meta.pattern or None,
        "enum": list(meta.options) or None,
    }
    return {name: value for name, value in given.items() if value is not None}
