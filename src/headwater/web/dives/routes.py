"""API routes about dives."""

from __future__ import annotations

from headwater.web.dives import actions, handlers
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES
from headwater.web.serving.route import Route

_DIVES = "/api/v1/dives"
_DIVE = f"{_DIVES}/{{dive}}"
_EXPORT_MEDIA_TYPES = tuple(dict.fromkeys(media for media, _, _ in DIVE_EXPORT_TYPES.values()))

DIVE_ROUTES: tuple[Route, ...] = (
    Route("GET", _DIVES, handlers.dives, "List dives, newest first"),
    Route(
        "POST", _DIVES, actions.start_dive, "Read the pages of clusters, to search them and ask questions", status=201,
        location=f"{_DIVES}/{{0.dive}}", problems=(403, 404, 409, 413, 415, 422, 429),
    ),
    Route("GET", _DIVE, handlers.dive, "Get a dive with its stages", problems=(404,)),
    Route(
        "POST", f"{_DIVE}/cancel", actions.cancel_dive, "Stop a dive; the pages read are kept", problems=(404, 409)
    ),
    Route(
        "POST", f"{_DIVE}/again", actions.rerun_dive, "Run a dive again, or continue a stopped one",
        problems=(403, 404, 409, 422, 429),
    ),
    Route(
        "GET", f"{_DIVE}/events", handlers.dive_events, "Stream the state of a dive (server-sent events)",
        media_types=("text/event-stream",), problems=(404,),
    ),
    Route("GET", f"{_DIVE}/documents", handlers.dive_documents, "List the pages of a dive", problems=(404,)),
    Route("GET", f"{_DIVE}/document", handlers.dive_document, "Get a page of a dive as Markdown", problems=(404,)),
    Route(
        "GET", f"{_DIVE}/export", handlers.dive_export, "Export the pages of a dive as a file",
        media_types=_EXPORT_MEDIA_TYPES, problems=(404,),
    ),
    Route(
        "GET", f"{_DIVE}/search", handlers.dive_search, "Search a dive by words and by meaning",
        problems=(404, 422, 502),
    ),
    Route(
        "POST", f"{_DIVE}/ask", actions.ask_dive, "Ask a dive a question; stream the answer as JSON lines",
        media_types=("application/x-ndjson",), problems=(404, 413, 415, 422, 429, 502),
    ),
    Route("GET", f"{_DIVE}/messages", handlers.dive_messages, "Get the conversation with a dive", problems=(404,)),
    Route(
        "DELETE", f"{_DIVE}/messages", actions.clear_messages, "Delete the conversation with a dive", problems=(404,)
    ),
)  # fmt: skip
