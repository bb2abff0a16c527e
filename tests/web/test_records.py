"""Typed records: JSON and checks from one definition."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

import pytest
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from headwater.export.records import FIELDS
from headwater.model import Page
from headwater.store.records.browse_records import LinkedPage
from headwater.store.scan_index.index import ClusterSummary
from headwater.web.records import FieldError, Record, decode_record, encode_json, one_of, restore_record, text_of
from headwater.web.routes import API_ROUTES
from headwater.web.scans.records import ClusterRow, LinkedPageRow, PageRow
from headwater.web.serving.openapi import make_openapi_document

SCHEMAS = make_openapi_document(API_ROUTES, "headwater")["components"]["schemas"]


class Sample(Record):
    name: Annotated[str, text_of(5, "Name of the sample")]
    size: Annotated[int, Meta(ge=0, le=9)] = 3
    ratio: float | None = None
    kind: Annotated[str, one_of(("a", "b"))] = "a"
    tags: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    is_new: bool = False
    extra: str | UnsetType = UNSET


class Outer(Record):
    samples: tuple[Sample, ...]
    counts: Mapping[str, int]
    sample: Sample | None


def test_nested_records_become_json() -> None:
    outer = Outer(samples=(Sample("ä"),), counts=MappingProxyType({"a": 1}), sample=None)
    sample = '{"name":"ä","size":3,"ratio":null,"kind":"a","tags":[],"is_new":false}'
    assert encode_json(outer).decode() == f'{{"samples":[{sample}],"counts":{{"a":1}},"sample":null}}'


def test_an_unset_field_is_left_out() -> None:
    assert b"extra" not in encode_json(Sample("x"))
    assert b'"extra":"y"' in encode_json(Sample("x", extra="y"))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "x"}, Sample("x")),
        ({"name": "x", "size": 4.0}, Sample("x", size=4)),
        ({"name": "x", "ratio": None, "tags": ["a", "b"]}, Sample("x", tags=("a", "b"))),
        ({"name": "x", "ratio": 2, "kind": "b", "is_new": True}, Sample("x", ratio=2, kind="b", is_new=True)),
    ],
)
def test_valid_objects_are_decoded(given: dict[str, Any], expected: Sample) -> None:
    assert decode_record(given, Sample) == expected


def test_numbers_are_decoded_from_text_if_allowed() -> None:
    assert decode_record({"name": "1", "size": "4"}, Sample, is_text=True) == Sample("1", size=4)
    with pytest.raises(FieldError):
        decode_record({"name": "1", "size": "4"}, Sample)


@pytest.mark.parametrize(
    ("given", "name", "problem"),
    [
        ({}, "name", "a value is required"),
        ({"name": ""}, "name", "expected text of length >= 1"),
        ({"name": "too long"}, "name", "expected text of length <= 5"),
        ({"name": 1}, "name", "expected text, got a whole number"),
        ({"name": "x", "size": 10}, "size", "expected a whole number <= 9"),
        ({"name": "x", "size": 1.5}, "size", "expected a whole number, got a number"),
        ({"name": "x", "size": True}, "size", "expected a whole number, got true or false"),
        ({"name": "x", "size": None}, "size", "expected a whole number, got null"),
        ({"name": "x", "ratio": "1"}, "ratio", "expected a number or null, got text"),
        ({"name": "x", "kind": "c"}, "kind", "expected one of a, b"),
        ({"name": "x", "kind": "a\n"}, "kind", "expected one of a, b"),
        ({"name": "x", "kind": "ab"}, "kind", "expected one of a, b"),
        ({"name": "x", "tags": "a"}, "tags", "expected a list, got text"),
        ({"name": "x", "tags": ["a", 1]}, "tags", "expected text, got a whole number"),
        ({"name": "x", "tags": ["a", "b", "c"]}, "tags", "expected a list of length <= 2"),
        ({"name": "x", "is_new": 0}, "is_new", "expected true or false, got a whole number"),
        ({"name": "x", "other": 1}, "other", "unknown field"),
        ({"name": "x", "`odd`\n": 1}, "`odd`\n", "unknown field"),
    ],
)
def test_invalid_objects_name_the_field(given: dict[str, Any], name: str, problem: str) -> None:
    with pytest.raises(FieldError) as raised:
        decode_record(given, Sample)
    assert (raised.value.name, raised.value.problem) == (name, problem)


def test_records_are_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Sample("x").name = "y"  # type: ignore[misc]


def test_stored_data_may_have_other_names() -> None:
    assert restore_record({"name": "x", "unknown": 1}, Sample, size=5) == Sample("x", size=5)


def test_the_schema_of_a_request_has_constraints_and_defaults() -> None:
    schema = SCHEMAS["SiteUpdate"]
    assert (schema["required"], schema["additionalProperties"]) == ([], False)
    assert schema["anyOf"] == [{"required": ["priority"]}, {"required": ["every"]}]
    assert schema["properties"]["priority"] == {
        "type": "integer", "description": "Higher priorities go first", "minimum": -1000, "maximum": 1000,
    }  # fmt: skip
    assert schema["properties"]["fixed"]["default"] is False


def test_the_schema_of_a_response_requires_every_field_that_is_always_sent() -> None:
    assert SCHEMAS["StageRow"]["required"] == ["name", "state", "urls", "seconds", "note", "limit", "at"]
    assert SCHEMAS["ProblemDetails"]["required"] == ["type", "title", "status", "detail"]
    assert {"$ref": "#/components/schemas/PageRow"} in SCHEMAS["Explanation"]["properties"]["page"]["anyOf"]


def test_a_page_in_json_has_the_exported_fields() -> None:
    assert PageRow.__struct_fields__ == ("number", *FIELDS)
    row = asdict(PageRow.make(1, Page("https://e.com/", list_name="redirects", leads_to="https://e.com/b")))
    assert (row["number"], row["url"], row["list"]) == (1, "https://e.com/", "redirects")
    assert row["redirect_to"] == "https://e.com/b"
    assert SCHEMAS["PageRow"]["properties"]["depth"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]


def test_a_record_takes_fields_and_types_from_a_named_tuple() -> None:
    row = LinkedPageRow(*LinkedPage(7, "https://e.com/", "page", "fetched", "Home", "a"))
    assert encode_json(row) == (
        b'{"page":7,"url":"https://e.com/","kind":"page","state":"fetched","title":"Home","element":"a"}'
    )
    assert SCHEMAS["LinkedPageRow"]["properties"]["page"] == {"type": "integer"}
    assert ClusterRow.__struct_fields__ == ClusterSummary._fields
