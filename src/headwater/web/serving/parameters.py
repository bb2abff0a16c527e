"""Path parameters, query parameters and JSON bodies of requests, decoded into typed records.

The fields of the record say where each value comes from: the field `body` is the JSON body, a name in the path
template is a path parameter, everything else is a query parameter.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, TypeVar

from msgspec import Meta

from headwater.web.records import MAX_INTEGER, FieldError, Record, decode_record, fields_of, text_of
from headwater.web.serving.cursors import CURSOR_PATTERN
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

Input = TypeVar("Input", bound=Record)

_SURROGATE = re.compile("[\ud800-\udfff]")

ScanNumber = Annotated[int, Meta(description="Number of the scan", ge=1, le=MAX_INTEGER)]
Cursor = Annotated[str, text_of(400, "`cursor` of the previous answer", CURSOR_PATTERN)]


class NoParameters(Record):
    """Input of a route that takes none."""


class ScanPath(Record):
    """Path parameter of routes about one scan."""

    scan: ScanNumber


def page_size(maximum: int) -> Meta:
    """Return the constraints of `limit` in a list that comes in parts."""
    return Meta(description="Maximum number of results", ge=1, le=maximum)


async def read_input(request: Request, cls: type[Input]) -> Input:
    """Return the parameters and the body of a request; raise Problem if a value is not allowed."""
    values = _read_parameters(request, cls.__struct_fields__)
    if body := fields_of(cls).get("body"):
        raw = await request.body()
        if raw or body.required:
            values["body"] = _decode_body(request, raw, body.type)
    try:
        return decode_record(values, cls, is_text=True)
    except FieldError as error:
        status = 404 if error.name in request.path_params else 400
        raise Problem(status, f"{error.name} is invalid: {error.problem}", error.name) from None


def _read_parameters(request: Request, names: Sequence[str]) -> dict[str, object]:
    """Return the parameters as text; forms send their empty fields, which count as absent."""
    for name in request.query_params:
        if name not in names or name in request.path_params or name == "body":
            raise Problem(400, "Unknown parameter", name[:80])
        if len(request.query_params.getlist(name)) > 1:
            raise Problem(400, "Parameter given more than once", name)
    return {name: value for name, value in request.query_params.items() if value} | request.path_params


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
