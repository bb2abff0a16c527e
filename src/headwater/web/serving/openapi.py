"""The OpenAPI document, made from the table of routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.version import VERSION
from headwater.web.dives.schemas import DIVE_SCHEMAS
from headwater.web.fleet.schemas import FLEET_SCHEMAS
from headwater.web.scans.schemas import SCHEMAS
from headwater.web.serving.problems import PROBLEM_MEDIA_TYPE as PROBLEM
from headwater.web.serving.problems import PROBLEM_TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.web.routes import Route
    from headwater.web.serving.parameters import Parameter

_TEXT = {"type": "string"}
_EVENT = {"type": "object", "required": ["event", "data"], "properties": {"id": _TEXT, "event": _TEXT, "data": _TEXT}}
_MEDIA_SCHEMAS: dict[str, dict[str, Any]] = {
    "application/json": {},
    "application/x-ndjson": {},
    "text/event-stream": _EVENT,
}
"""What answers that have no schema of their own are made of: of events and lines, each single one."""


def make_openapi_document(routes: Sequence[Route], cookie: str) -> dict[str, Any]:
    """OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Headwater",
            "version": VERSION,
            "description": "Start scans, watch them, look through what they found, search and ask it, take it along.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": {**SCHEMAS, **DIVE_SCHEMAS, **FLEET_SCHEMAS},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": cookie},
            },
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    statuses = {400, *route.problems, *(() if route.is_public else (401,))}
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": [_parameter(parameter) for parameter in route.parameters],
        "responses": {
            str(route.status): {"description": route.summary, "content": _content(route)},
            **{str(status): _problem(status) for status in sorted(statuses)},
        },
    }
    if route.body:
        operation["requestBody"] = {
            "required": route.body != "GoOn",
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{route.body}"}}},
        }
    if route.is_public:
        operation["security"] = []
    return operation


def _content(route: Route) -> dict[str, Any]:
    if route.answer:
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{route.answer}"}}}
    return {media.partition(";")[0]: {"schema": _MEDIA_SCHEMAS.get(media, _TEXT)} for media in route.media_types}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.is_required,
        "description": parameter.description,
        "schema": dict(parameter.schema),
    }


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": PROBLEM_TITLES[status], "content": {PROBLEM: {"schema": schema}}}
