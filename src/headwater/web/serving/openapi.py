"""The OpenAPI document, made from the table of routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.json import schema_components
from starlette.responses import Response

from headwater.version import VERSION
from headwater.web.jobs.allowed_settings import make_settings_schema
from headwater.web.records import fields_of
from headwater.web.serving.problems import PROBLEM_MEDIA_TYPE, PROBLEM_TITLES, ProblemDetails

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msgspec.structs import FieldInfo

    from headwater.web.records import Record
    from headwater.web.serving.route import Route

_REFERENCE = "#/components/schemas/{name}"
_TEXT = {"type": "string"}
_ANY_VALUE = {"description": "Any JSON value"}
"""Schema of the type `object`."""

_EVENT = {"type": "object", "required": ["event", "data"], "properties": {"id": _TEXT, "event": _TEXT, "data": _TEXT}}
_MEDIA_SCHEMAS: dict[str, dict[str, Any]] = {
    "application/json": {},
    "application/x-ndjson": {},
    "text/event-stream": _EVENT,
}
"""Schemas of responses that are not records; for streams, the schema of one event or line."""


def make_openapi_document(routes: Sequence[Route], cookie_name: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _make_operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Headwater",
            "version": VERSION,
            "description": "Start scans, follow their progress, browse and export the results, search and ask dives.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": {"Settings": make_settings_schema(), **_make_components(routes)},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": cookie_name},
            },
        },
    }


def _make_components(routes: Sequence[Route]) -> dict[str, Any]:
    """Return the schemas of all records that requests and responses hold, by name."""
    bodies = [body.type for route in routes if (body := fields_of(route.input_type).get("body"))]
    results = [route.result_type for route in routes if not issubclass(route.result_type, Response)]
    requests, sent = _make_schemas(bodies), _make_schemas([ProblemDetails, *results])
    for body in bodies:
        requests[body.__name__] |= body.extra_schema
    for schema in sent.values():
        required = set(schema["required"])
        schema["required"] = [
            name for name, value in schema["properties"].items() if name in required or "default" in value
        ]
    return {**requests, **sent}


def _make_schemas(records: Sequence[type[Record]]) -> dict[str, Any]:
    """Return the schemas of records and of those they hold."""
    return schema_components(records, schema_hook=lambda _: _ANY_VALUE, ref_template=_REFERENCE)[1]


def _refer_to(record: type[Record]) -> dict[str, str]:
    return {"$ref": _REFERENCE.format(name=record.__name__)}


def _make_operation(route: Route) -> dict[str, Any]:
    statuses = {400, *route.problems, *(() if route.is_public else (401,))}
    fields = dict(fields_of(route.input_type))
    body = fields.pop("body", None)
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": [_make_parameter(field, route) for field in fields.values()],
        "responses": {
            str(route.status): {"description": route.summary, "content": _make_content(route)},
            **{str(status): _make_problem(status) for status in sorted(statuses)},
        },
    }
    if body:
        content = {"application/json": {"schema": _refer_to(body.type)}}
        operation["requestBody"] = {"required": body.required, "content": content}
    if route.is_public:
        operation["security"] = []
    return operation


def _make_parameter(field: FieldInfo, route: Route) -> dict[str, Any]:
    (schema,), _ = schema_components([field.type])
    return {
        "name": field.name,
        "in": "path" if f"{{{field.name}}}" in route.path else "query",
        "required": field.required,
        "description": schema.pop("description", ""),
        "schema": schema if field.required or not field.default else {**schema, "default": field.default},
    }


def _make_content(route: Route) -> dict[str, Any]:
    if not issubclass(route.result_type, Response):
        return {"application/json": {"schema": _refer_to(route.result_type)}}
    return {media.partition(";")[0]: {"schema": _MEDIA_SCHEMAS.get(media, _TEXT)} for media in route.media_types}


def _make_problem(status: int) -> dict[str, Any]:
    return {
        "description": PROBLEM_TITLES[status],
        "content": {PROBLEM_MEDIA_TYPE: {"schema": _refer_to(ProblemDetails)}},
    }
