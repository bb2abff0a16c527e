"""Path parameters, query parameters and JSON bodies of requests, decoded into typed records.

The fields of the record say where each value comes from: the field `body` is the JSON body, a name in the path
template is a path parameter, everything else is a query parameter.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from headwater.web.records import MAX_INTEGER, FieldError, Meta, Record, decode_record, decode_value, fields_of
from headwater.web.serving.cursors import CURSOR_PATTERN
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from starlette.requests import Request

    from headwater.web.records import Field

Input = TypeVar("Input")

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")

ScanNumber = Annotated[int, Meta("Number of the scan", minimum=1, maximum=MAX_INTEGER)]
Cursor = Annotated[str, Meta("`cursor` of the previous answer", pattern=CURSOR_PATTERN, min_length=1, max_length=400)]


class NoParameters(Record):
    """Input of a route that takes none."""


class ScanPath(Record):
    """Path parameter of routes about one scan."""

    scan: ScanNumber


def page_size(maximum: int) -> Meta:
    """Return the constraints of `limit` in a list that comes in parts."""
    return Meta("Maximum number of results", minimum=1, maximum=maximum)


async def read_input(request: Request, cls: type[Input]) -> Input:
    """Return the parameters and the body of a request; raise Problem if a value is not allowed."""
    fields = {field.name: field for field in fields_of(cls)}
    values = _read_parameters(request, fields)
    if "body" in fields:
        raw = await request.body()
        if raw or fields["body"].is_required:
            values["body"] = _decode_body(request, raw, fields["body"].type.kind)
    return cls(**values)


def _read_parameters(request: Request, fields: dict[str, Field]) -> dict[str, Any]:
    for name in request.query_params:
        if name not in fields or name in request.path_params or name == "body":
            raise Problem(400, "Unknown parameter", name[:80])
        if len(request.query_params.getlist(name)) > 1:
            raise Problem(400, "Parameter given more than once", name)
    values = {}
    for name, field in fields.items():
        is_in_path = name in request.path_params
        given = (request.path_params if is_in_path else request.query_params).get(name)
        if given is not None and (given != "" or field.is_required):
            values[name] = _decode_text(str(given), field, 404 if is_in_path else 400)
        elif field.is_required and name != "body":
            raise Problem(400, "Required parameter is missing", name)
    return values


def _decode_text(given: str, field: Field, status: int) -> object:
    """Return the value of a parameter; numbers are written as text in an address."""
    is_number = field.type.kind is int and _WHOLE_NUMBER.fullmatch(given)
    try:
        return decode_value(int(given) if is_number else given, field.type, field.name)
    except FieldError as error:
        raise Problem(status, f"{field.name} is invalid: {error.problem}", field.name) from None


def _decode_body(request: Request, raw: bytes, cls: type[Input]) -> Input:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "The body must be application/json")
    try:
        body = json.loads(raw)
        text = json.dumps(body, ensure_ascii=False)
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not valid JSON") from None
    if _SURROGATE.search(text):
        raise Problem(422, "The body contains half of a surrogate pair")  # stores reject such text
    if not isinstance(body, dict):
        raise Problem(422, "The body must be a JSON object")
    try:
        return decode_record(body, cls)
    except FieldError as error:
        raise Problem(422, error.problem, error.name) from None
