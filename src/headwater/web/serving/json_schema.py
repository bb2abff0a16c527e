"""The words that shapes of answers are written in: JSON Schema, as the OpenAPI document has it."""

from __future__ import annotations

from typing import Any

STRING: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}
NUMBER: dict[str, Any] = {"type": "number"}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
ANY_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """The same, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def array_of(items: dict[str, Any]) -> dict[str, Any]:
    """Any number of these."""
    return {"type": "array", "items": items}


def array_of_urls(most: int, longest: int) -> dict[str, Any]:
    """URLs as people type them: one at least, so many at most, none longer than that."""
    return {**array_of({"type": "string", "minLength": 1, "maxLength": longest}), "minItems": 1, "maxItems": most}


def ref(name: str) -> dict[str, Any]:
    """A shape that has a name."""
    return {"$ref": f"#/components/schemas/{name}"}


def strict_object(**properties: dict[str, Any]) -> dict[str, Any]:
    """An object with all of these fields and no other."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}
