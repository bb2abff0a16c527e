"""Routes of the API and of the screens: a path, its handler, and what the OpenAPI document says about them.

The annotations of a handler are its contract: the record it takes and the record it returns. Request decoding,
response encoding and the OpenAPI document follow from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from starlette.responses import Response

from headwater.web.records import encode_json
from headwater.web.serving.parameters import read_input

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from headwater.web.records import Record

    Handler = Callable[[Request, Any], Awaitable[Any]]
    Endpoint = Callable[[Request], Awaitable[Response]]


class Route(NamedTuple):
    """One operation of the API.

    `media_types` lists the content types of handlers that return a `Response`, `problems` the error statuses besides
    400 and 401, `location` the Location header, formatted with the returned record.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    status: int = 200
    media_types: tuple[str, ...] = ()
    problems: tuple[int, ...] = ()
    location: str = ""
    is_public: bool = False

    @property
    def input_type(self) -> type[Record]:
        """Record of parameters and body."""
        return _input_type(self.handler)

    @property
    def result_type(self) -> type[Record] | type[Response]:
        """Record that the handler returns, or a class of responses."""
        result: type[Record] | type[Response] = get_type_hints(self.handler)["return"]
        return result


class Screen(NamedTuple):
    """One HTML page."""

    path: str
    handler: Handler


def make_endpoint(route: Route | Screen) -> Endpoint:
    """Return the function that Starlette calls: decode the request, run the handler, encode its result."""
    input_type = _input_type(route.handler)

    async def handle(request: Request) -> Response:
        result = await route.handler(request, await read_input(request, input_type))
        if isinstance(result, Response):
            return result
        assert isinstance(route, Route)
        headers = {"Location": route.location.format(result)} if route.location else None
        return Response(encode_json(result), route.status, headers, "application/json")

    return handle


def _input_type(handler: Handler) -> type[Record]:
    given: type[Record] = get_type_hints(handler)["given"]
    return given
