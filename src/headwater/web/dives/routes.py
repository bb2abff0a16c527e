"""The part of the API's table that is about dives."""

from __future__ import annotations

from headwater.web.dives import actions, handlers
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES
from headwater.web.serving.parameters import Parameter, enum_schema, integer_schema, string_schema
from headwater.web.serving.route import CURSOR, MAX_INTEGER, Route, limit_parameter

DIVE = Parameter("dive", integer_schema(1, MAX_INTEGER), "The dive's number", "path", is_required=True)
SCAN_FILTER = Parameter("scan", integer_schema(1, MAX_INTEGER), "Only dives of this scan")
STATE = Parameter("state", enum_schema("done", "waiting", "failed", "skipped"), "What has become of the page")
URL = Parameter("url", string_schema("^https?://", 2083), "The page's URL", is_required=True)
SEARCH_FILTERS: tuple[Parameter, ...] = (
    Parameter("cluster", string_schema(longest=300), "Only pages of this cluster, by its name or title"),
    Parameter("language", string_schema("^[A-Za-z0-9-]+$", 35), "Only pages in this language"),
    Parameter("path", string_schema(longest=300), "Only pages whose URL matches, such as /docs/*"),
)
QUERY = Parameter("q", string_schema(longest=500), "What is looked for, in words of any language", is_required=True)

_DIVE_PATH = "/api/v1/dives/{dive}"

DIVE_ROUTES: tuple[Route, ...] = (
    Route(
        "GET", "/api/v1/dives", handlers.dives, "Dives, the newest first", "DiveList",
        (SCAN_FILTER, limit_parameter(50, 200), CURSOR),
    ),
    Route(
        "POST", "/api/v1/dives", actions.start_dive, "Read the pages of clusters, to search and to ask them",
        "BegunDive", body="NewDive", status=201, problems=(403, 404, 409, 413, 415, 422, 429),
    ),
    Route("GET", _DIVE_PATH, handlers.dive, "A dive with its stages", "DiveView", (DIVE,), problems=(404,)),
    Route(
        "POST", f"{_DIVE_PATH}/cancel", actions.cancel_dive, "Stop a dive; what it read is kept", "BegunDive", (DIVE,),
        problems=(404, 409),
    ),
    Route(
        "POST", f"{_DIVE_PATH}/again", actions.rerun_dive, "Run a dive again, or go on with it", "BegunDive", (DIVE,),
        problems=(403, 404, 409, 422, 429),
    ),
    Route(
        "GET", f"{_DIVE_PATH}/events", handlers.dive_events, "How a dive stands, as it changes (server-sent events)",
        parameters=(DIVE,), media_types=("text/event-stream",), problems=(404,),
    ),
    Route(
        "GET", f"{_DIVE_PATH}/documents", handlers.dive_documents, "The pages of a dive, read or not", "DocumentList",
        (DIVE, STATE, CURSOR, limit_parameter(100, 500)), problems=(404,),
    ),
    Route(
        "GET", f"{_DIVE_PATH}/document", handlers.dive_document, "A page that was read, as Markdown", "Document",
        (DIVE, URL), problems=(404,),
    ),
    Route(
        "GET", f"{_DIVE_PATH}/export", handlers.dive_export, "The pages that were read, as a file",
        parameters=(DIVE, Parameter("format", enum_schema(*DIVE_EXPORT_TYPES, default="jsonl"), "The format")),
        media_types=tuple(dict.fromkeys(media for media, _, _ in DIVE_EXPORT_TYPES.values())), problems=(404,),
    ),
    Route(
        "GET", f"{_DIVE_PATH}/search", handlers.dive_search, "The passages that fit, by words and by meaning",
        "SearchResults", (DIVE, QUERY, *SEARCH_FILTERS, limit_parameter(10, 100)), problems=(404, 422, 502),
    ),
    Route(
        "POST", f"{_DIVE_PATH}/ask", actions.ask_dive, "A question answered from a dive, as JSON lines as it is answered",
        parameters=(DIVE,), body="Question", media_types=("application/x-ndjson",),
        problems=(404, 413, 415, 422, 429, 502),
    ),
    Route(
        "GET", f"{_DIVE_PATH}/messages", handlers.dive_messages, "The conversation with a dive", "Conversation", (DIVE,),
        problems=(404,),
    ),
    Route(
        "DELETE", f"{_DIVE_PATH}/messages", actions.clear_messages, "Forget the conversation with a dive", "Forgotten",
        (DIVE,), problems=(404,),
    ),
)  # fmt: skip
