"""The OpenAPI document, made from the table of routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from headwater.version import VERSION
from headwater.web.jobs.allowed_settings import make_settings_schema
from headwater.web.records import SchemaBuilder, fields_of
from headwater.web.serving.problems import PROBLEM_MEDIA_TYPE, PROBLEM_TITLES, ProblemDetails

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.web.records import Field
    from headwater.web.serving.route import Route

_TEXT = {"type": "string"}
_EVENT = {"type": "object", "required": ["event", "data"], "properties": {"id": _TEXT, "event": _TEXT, "data": _TEXT}}
_MEDIA_SCHEMAS: dict[str, dict[str, Any]] = {
    "application/json": {},
    "application/x-ndjson": {},
    "text/event-stream": _EVENT,
}
"""Schemas of responses that are not records; for streams, the schema of one event or line."""


def make_openapi_document(routes: Sequence[Route], cookie_name: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    schemas = SchemaBuilder({"Settings": make_settings_schema()})
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _make_operation(route, schemas)
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
            "schemas": schemas.components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": cookie_name},
            },
        },
    }


def _make_operation(route: Route, schemas: SchemaBuilder) -> dict[str, Any]:
    statuses = {400, *route.problems, *(() if route.is_public else (401,))}
    fields = fields_of(route.input_type)
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": [_make_parameter(field, route, schemas) for field in fields if field.name != "body"],
        "responses": {
            str(route.status): {"description": route.summary, "content": _make_content(route, schemas)},
            **{str(status): _make_problem(status, schemas) for status in sorted(statuses)},
        },
    }
    for body in (field for field in fields if field.name == "body"):
        schema = schemas.reference(body.type.kind, is_request=True)
        operation["requestBody"] = {"required": body.is_required, "content": {"application/json": {"schema": schema}}}
    if route.is_public:
        operation["security"] = []
    return operation


def _make_parameter(field: Field, route: Route, schemas: SchemaBuilder) -> dict[str, Any]:
    schema = schemas.field(field)
    return {
        "name": field.name,
        "in": "path" if f"{{{field.name}}}" in route.path else "query",
        "required": field.is_required,
        "description": schema.pop("description", ""),
        "schema": schema,
    }


def _make_content(route: Route, schemas: SchemaBuilder) -> dict[str, Any]:
    if not issubclass(route.result_type, Response):
        return {"application/json": {"schema": schemas.reference(route.result_type)}}
    return {media.partition(";")[0]: {"schema": _MEDIA_SCHEMAS.get(media, _TEXT)} for media in route.media_types}


def _make_problem(status: int, schemas: SchemaBuilder) -> dict[str, Any]:
    content = {PROBLEM_MEDIA_TYPE: {"schema": schemas.reference(ProblemDetails)}}
    return {"description": PROBLEM_TITLES[status], "content": content}
