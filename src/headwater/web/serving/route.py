"""One line of the API's table, and the parameters that several lines share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.web.serving.cursors import CURSOR_PATTERN
from headwater.web.serving.parameters import Parameter, integer_schema, string_schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    Handler = Callable[[Request, dict[str, Any]], Awaitable[Response]]

MAX_INTEGER = (1 << 53) - 1


class Route(NamedTuple):
    """One line of the API; `answer` names a schema, `media_types` the types of answers that are no JSON."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: str = ""
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    status: int = 200
    media_types: tuple[str, ...] = ()
    problems: tuple[int, ...] = ()
    is_public: bool = False


def limit_parameter(default: int, most: int) -> Parameter:
    """How long a list may be."""
    return Parameter("limit", integer_schema(1, most, default=default), "How many at most")


SCAN = Parameter("scan", integer_schema(1, MAX_INTEGER), "The scan's number", "path", is_required=True)
PAGE = Parameter("page", integer_schema(1, MAX_INTEGER), "The page's number", "path", is_required=True)
CURSOR = Parameter("cursor", string_schema(CURSOR_PATTERN, 400), "Where to go on, as the answer before said")
