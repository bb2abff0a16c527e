"""Typed records: JSON, schema and checks from one definition."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import pytest

from headwater.export.records import FIELDS
from headwater.model import Page
from headwater.web.records import (
    UNSET,
    FieldError,
    Meta,
    Record,
    SchemaBuilder,
    Unset,
    decode_record,
    encode_json,
    restore_record,
    to_plain,
)
from headwater.web.scans.records import PageRow


class Point(NamedTuple):
    x: int
    y: int = 0


class Count(TypedDict):
    value: str
    count: int


class Sample(Record):
    name: Annotated[str, Meta("Name of the sample", min_length=1, max_length=5)]
    size: Annotated[int, Meta(minimum=0, maximum=9)] = 3
    ratio: float | None = None
    kind: Literal["a", "b"] = "a"
    tags: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    is_new: bool = False
    extra: str | Unset = UNSET


class Outer(Record):
    point: Point
    points: tuple[Point, ...]
    counts: Mapping[str, tuple[Count, ...]]
    sample: Sample | None


def test_nested_records_become_json() -> None:
    outer = Outer(point=Point(1), points=(Point(2, 3),), counts={"a": (Count(value="x", count=1),)}, sample=None)
    expected = '{"point":{"x":1,"y":0},"points":[{"x":2,"y":3}],"counts":{"a":[{"value":"x","count":1}]},"sample":null}'
    assert encode_json(outer) == expected


def test_an_unset_field_is_left_out() -> None:
    assert "extra" not in to_plain(Sample(name="x"))
    assert to_plain(Sample(name="x", extra="y"))["extra"] == "y"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "x"}, Sample(name="x")),
        ({"name": "x", "size": 4.0}, Sample(name="x", size=4)),
        ({"name": "x", "ratio": None, "tags": ["a", "b"]}, Sample(name="x", tags=("a", "b"))),
        ({"name": "x", "ratio": 2, "kind": "b", "is_new": True}, Sample(name="x", ratio=2, kind="b", is_new=True)),
    ],
)
def test_valid_objects_are_decoded(given: dict[str, Any], expected: Sample) -> None:
    assert decode_record(given, Sample) == expected


@pytest.mark.parametrize(
    ("given", "name", "problem"),
    [
        ({}, "name", "required; expected text of 1 to 5 characters"),
        ({"name": ""}, "name", "expected text of 1 to 5 characters"),
        ({"name": 1}, "name", "expected text of 1 to 5 characters"),
        ({"name": "x", "size": 10}, "size", "expected a whole number from 0 to 9"),
        ({"name": "x", "size": 1.5}, "size", "expected a whole number from 0 to 9"),
        ({"name": "x", "size": True}, "size", "expected a whole number from 0 to 9"),
        ({"name": "x", "size": None}, "size", "expected a whole number from 0 to 9"),
        ({"name": "x", "ratio": "1"}, "ratio", "expected a number, or null"),
        ({"name": "x", "kind": "c"}, "kind", "expected one of a, b"),
        ({"name": "x", "tags": "a"}, "tags", "expected a list of 0 to 2 items, each text"),
        ({"name": "x", "tags": ["a", 1]}, "tags", "expected a list of 0 to 2 items, each text"),
        ({"name": "x", "is_new": 0}, "is_new", "expected true or false"),
        ({"name": "x", "other": 1}, "other", "unknown field"),
    ],
)
def test_invalid_objects_name_the_field(given: dict[str, Any], name: str, problem: str) -> None:
    with pytest.raises(FieldError) as raised:
        decode_record(given, Sample)
    assert (raised.value.name, raised.value.problem) == (name, problem)


def test_the_schema_of_a_request_has_constraints_and_defaults() -> None:
    schemas = SchemaBuilder({})
    assert schemas.reference(Sample, is_request=True) == {"$ref": "#/components/schemas/Sample"}
    schema = schemas.components["Sample"]
    assert (schema["required"], schema["additionalProperties"]) == (["name"], False)
    assert schema["properties"] == {
        "name": {"type": "string", "description": "Name of the sample", "minLength": 1, "maxLength": 5},
        "size": {"type": "integer", "minimum": 0, "maximum": 9, "default": 3},
        "ratio": {"type": ["number", "null"]},
        "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "is_new": {"type": "boolean"},
        "extra": {"type": "string"},
    }


def test_the_schema_of_a_response_requires_every_field_that_is_always_sent() -> None:
    schemas = SchemaBuilder({})
    schemas.reference(Outer)
    assert schemas.components["Sample"]["required"] == ["name", "size", "ratio", "kind", "tags", "is_new"]
    assert schemas.components["Point"]["required"] == ["x", "y"]
    assert schemas.components["Outer"]["properties"]["sample"] == {
        "anyOf": [{"$ref": "#/components/schemas/Sample"}, {"type": "null"}]
    }


def test_records_are_immutable_and_complete() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Sample(name="x").name = "y"  # type: ignore[misc]
    with pytest.raises(TypeError, match="missing or unknown fields: name"):
        Sample()  # type: ignore[call-arg]
    assert restore_record({"name": "x", "unknown": 1}, Sample, size=5) == Sample(name="x", size=5)


def test_a_page_in_json_has_the_exported_fields() -> None:
    schemas = SchemaBuilder({})
    schemas.reference(PageRow)
    assert list(schemas.components["PageRow"]["properties"]) == ["number", *FIELDS]
    assert list(to_plain(PageRow(1, Page("https://e.com/")))) == ["number", *FIELDS]
