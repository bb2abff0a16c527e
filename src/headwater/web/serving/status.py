"""Routes about the server itself: its health and the OpenAPI document."""

from typing import Annotated

from starlette.requests import Request
from starlette.responses import JSONResponse

from headwater.web.records import Record, one_of
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.parameters import NoParameters
from headwater.web.serving.route import Route


class Health(Record):
    """Answer of a server that runs."""

    state: Annotated[str, one_of(("alive",))]


async def health(request: Request, given: NoParameters) -> Health:
    """Report that the server runs."""
    return Health(state="alive")


async def document(request: Request, given: NoParameters) -> JSONResponse:
    """Return the OpenAPI document."""
    return JSONResponse(get_app_state(request).get_openapi_document())


STATUS_ROUTES: tuple[Route, ...] = (
    Route("GET", "/health", health, "Check that the server runs", is_public=True),
    Route("GET", "/api/v1/openapi.json", document, "This document", media_types=("application/json",)),
)
