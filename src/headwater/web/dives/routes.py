"""The part of the API's table that is about dives."""

from __future__ import annotations

from headwater.web.dives import actions as dive_acting
from headwater.web.dives import handlers as dive_answers
from headwater.web.dives.exporting import DIVE_TYPES
from headwater.web.serving.parameters import Parameter, choice, text, whole
from headwater.web.serving.route import CURSOR, LARGEST, Route, limit_of

DIVE = Parameter("dive", whole(1, LARGEST), "The dive's number", "path", is_required=True)
OF_SCAN = Parameter("scan", whole(1, LARGEST), "Only dives of this scan")
STATE = Parameter("state", choice("done", "waiting", "failed", "skipped"), "What has become of the page")
URL = Parameter("url", text("^https?://", 2083), "The page's URL", is_required=True)
IN_DIVE: tuple[Parameter, ...] = (
    Parameter("cluster", text(longest=300), "Only pages of this cluster, by its name or title"),
    Parameter("language", text("^[A-Za-z0-9-]+$", 35), "Only pages in this language"),
    Parameter("path", text(longest=300), "Only pages whose URL matches, such as /docs/*"),
)
QUERY = Parameter("q", text(longest=500), "What is looked for, in words of any language", is_required=True)

_ONE = "/api/v1/dives/{dive}"

DIVES: tuple[Route, ...] = (
    Route(
        "GET", "/api/v1/dives", dive_answers.dives, "Dives, the newest first", "DiveList",
        (OF_SCAN, limit_of(50, 200), CURSOR),
    ),
    Route(
        "POST", "/api/v1/dives", dive_acting.start_dive, "Read the pages of clusters, to search and to ask them",
        "BegunDive", body="NewDive", status=201, problems=(403, 404, 409, 413, 415, 422, 429),
    ),
    Route("GET", _ONE, dive_answers.dive, "A dive with its stages", "DiveView", (DIVE,), problems=(404,)),
    Route(
        "POST", f"{_ONE}/cancel", dive_acting.cancel_dive, "Stop a dive; what it read is kept", "BegunDive", (DIVE,),
        problems=(404, 409),
    ),
    Route(
        "POST", f"{_ONE}/again", dive_acting.again_dive, "Run a dive again, or go on with it", "BegunDive", (DIVE,),
        problems=(403, 404, 409, 422, 429),
    ),
    Route(
        "GET", f"{_ONE}/events", dive_answers.dive_events, "How a dive stands, as it changes (server-sent events)",
        parameters=(DIVE,), media=("text/event-stream",), problems=(404,),
    ),
    Route(
        "GET", f"{_ONE}/documents", dive_answers.dive_documents, "The pages of a dive, read or not", "DocumentList",
        (DIVE, STATE, CURSOR, limit_of(100, 500)), problems=(404,),
    ),
    Route(
        "GET", f"{_ONE}/document", dive_answers.dive_document, "A page that was read, as Markdown", "Document",
        (DIVE, URL), problems=(404,),
    ),
    Route(
        "GET", f"{_ONE}/export", dive_answers.dive_export, "The pages that were read, as a file",
        parameters=(DIVE, Parameter("format", choice(*DIVE_TYPES, default="jsonl"), "The format")),
        media=tuple(dict.fromkeys(media for media, _, _ in DIVE_TYPES.values())), problems=(404,),
    ),
    Route(
        "GET", f"{_ONE}/search", dive_answers.dive_search, "The passages that fit, by words and by meaning",
        "SearchResults", (DIVE, QUERY, *IN_DIVE, limit_of(10, 100)), problems=(404, 422, 502),
    ),
    Route(
        "POST", f"{_ONE}/ask", dive_acting.ask_dive, "A question answered from a dive, as JSON lines as it is answered",
        parameters=(DIVE,), body="Question", media=("application/x-ndjson",),
        problems=(404, 413, 415, 422, 429, 502),
    ),
    Route(
        "GET", f"{_ONE}/messages", dive_answers.dive_messages, "The conversation with a dive", "Conversation", (DIVE,),
        problems=(404,),
    ),
    Route(
        "DELETE", f"{_ONE}/messages", dive_acting.forget_messages, "Forget the conversation with a dive", "Forgotten",
        (DIVE,), problems=(404,),
    ),
)  # fmt: skip
