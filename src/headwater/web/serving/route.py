"""One line of the API's table, and the parameters that several lines share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.web.serving.cursors import PATTERN
from headwater.web.serving.parameters import Parameter, text, whole

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    Handler = Callable[[Request, dict[str, Any]], Awaitable[Response]]

LARGEST = (1 << 53) - 1


class Route(NamedTuple):
    """One line of the API; `answer` names a schema, `media` the types of answers that are no JSON."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: str = ""
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    status: int = 200
    media: tuple[str, ...] = ()
    problems: tuple[int, ...] = ()
    is_open: bool = False


def limit_of(default: int, most: int) -> Parameter:
    """How long a list may be."""
    return Parameter("limit", whole(1, most, default=default), "How many at most")


SCAN = Parameter("scan", whole(1, LARGEST), "The scan's number", "path", is_required=True)
PAGE = Parameter("page", whole(1, LARGEST), "The page's number", "path", is_required=True)
CURSOR = Parameter("cursor", text(PATTERN, 400), "Where to go on, as the answer before said")
