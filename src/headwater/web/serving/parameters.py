"""What may stand in a request's address: each parameter is described once, for the check and for the document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request


class Parameter(NamedTuple):
    """One parameter: its schema is JSON Schema's, of which `type`, `enum`, `pattern` and the bounds are checked."""

    name: str
    schema: Mapping[str, Any]
    description: str
    place: str = "query"
    is_required: bool = False


def integer_schema(minimum: int, maximum: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The schema of a whole number."""
    return {"type": "integer", "minimum": minimum, "maximum": maximum, **more}


def string_schema(pattern: str = "", longest: int = 200, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The schema of a text."""
    return {"type": "string", "minLength": 1, "maxLength": longest, **({"pattern": pattern} if pattern else {}), **more}


def enum_schema(*options: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The schema of one of a few words."""
    return {"type": "string", "enum": list(options), **more}


def read_parameters(request: Request, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The values of a request's parameters, checked; those that are not given have their defaults, if any."""
    known = {parameter.name: parameter for parameter in parameters if parameter.place == "query"}
    for name in request.query_params:
        if name not in known:
            raise Problem(400, f"there is no parameter {name[:80]!r}", name[:80])
        if len(request.query_params.getlist(name)) > 1:
            raise Problem(400, "it is given twice", name)
    values: dict[str, Any] = {}
    for parameter in parameters:
        source = request.path_params if parameter.place == "path" else request.query_params
        given = source.get(parameter.name)
        if given is not None and (given != "" or parameter.is_required):
            values[parameter.name] = _parse_value(parameter, str(given))
        elif parameter.is_required:
            raise Problem(400, "it is missing", parameter.name)
        elif "default" in parameter.schema:
            values[parameter.name] = parameter.schema["default"]
    return values


def _parse_value(parameter: Parameter, given: str) -> object:
    schema = parameter.schema
    value: Any = given
    if schema["type"] == "integer":
        if not re.fullmatch(r"-?[0-9]{1,18}", given, re.ASCII):
            raise _parameter_problem(parameter, "expected a whole number")
        value = int(given)
        if not schema["minimum"] <= value <= schema["maximum"]:
            raise _parameter_problem(parameter, f"expected a number from {schema['minimum']} to {schema['maximum']}")
        return value
    if "enum" in schema and value not in schema["enum"]:
        raise _parameter_problem(parameter, f"expected one of {', '.join(schema['enum'])}")
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 1 << 20):
        raise _parameter_problem(parameter, f"expected at most {schema.get('maxLength')} characters")
    if "pattern" in schema and not re.search(schema["pattern"], value, re.ASCII):
        raise _parameter_problem(parameter, f"expected {schema['pattern']}")
    return value


def _parameter_problem(parameter: Parameter, expected: str) -> Problem:
    status = 404 if parameter.place == "path" else 400
    return Problem(status, f"{parameter.name} is not allowed; {expected}", parameter.name)
