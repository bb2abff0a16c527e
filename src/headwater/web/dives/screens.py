"""The screens of dives: one function each, asking what the API asks, drawn by templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.classify import DEFAULT_CLUSTER_LIMIT
from headwater.settings import SETTINGS
from headwater.web.dives.actions import MAX_QUESTION_LENGTH
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES
from headwater.web.dives.handlers import list_dive_rows, list_documents, read_document, search_dive
from headwater.web.dives.highlight import highlight_words
from headwater.web.dives.routes import DIVE, SEARCH_FILTERS, STATE, URL
from headwater.web.dives.views import MAX_MESSAGES, explain_lexical_search
from headwater.web.scans.screens import Screen, render_scan_screen
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.parameters import Parameter, integer_schema, string_schema
from headwater.web.serving.route import CURSOR, MAX_INTEGER, SCAN
from headwater.web.serving.templating import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from headwater.store import ClusterCount
    from headwater.store.browse_store import BrowseStore

PAGE_SIZE = 100
MAX_HITS = 20


async def dives(request: Request, _: dict[str, Any]) -> Response:
    """Every dive."""
    return render("dives.html", title="Dives · Headwater", section="dives", dives=await list_dive_rows(request))


async def scan_dives(request: Request, given: dict[str, Any]) -> Response:
    """The dives of one scan."""
    found = await get_app_state(request).readers.scan(given["scan"])
    return render_scan_screen("dives.html", found, "dives", dives=await list_dive_rows(request, found.number))


async def new_dive(request: Request, given: dict[str, Any]) -> Response:
    """The few options of a dive, with a cluster or a folder chosen already."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    clusters = await desk.read(lambda store: store.clusters(found.number))
    named = await desk.read(lambda store: store.numbered_clusters(found.number))
    chosen = next((one.name for one in named if one.number == given.get("cluster")), "")
    under = given.get("under", "")
    return render_scan_screen(
        "dive_new.html", found, "dives", clusters=_select_clusters(clusters, chosen), chosen=chosen,
        match=f"{under}*" if under else "", most=SETTINGS["max_dive_pages"].default,
        lexical=explain_lexical_search(get_app_state(request).dive_service.settings),
        language=found.settings.get("language") or "",
    )  # fmt: skip


async def dive(request: Request, given: dict[str, Any]) -> Response:
    """A dive as it happens, or how it went."""
    return await _render_dive_screen(request, given["dive"], "dive.html", "overview", formats=DIVE_EXPORT_TYPES)


async def documents(request: Request, given: dict[str, Any]) -> Response:
    """The pages of a dive."""
    part = await get_app_state(request).readers.read(list_documents, {**given, "limit": PAGE_SIZE})
    shown = {name: value for name, value in given.items() if name == "state"}
    return await _render_dive_screen(
        request, given["dive"], "dive_documents.html", "documents", part=part, given=shown, formats=DIVE_EXPORT_TYPES
    )


async def document(request: Request, given: dict[str, Any]) -> Response:
    """A page that was read, as text."""
    page = await get_app_state(request).readers.read(read_document, given["dive"], given["url"])
    return await _render_dive_screen(request, given["dive"], "dive_document.html", "documents", page=page)


async def search_screen(request: Request, given: dict[str, Any]) -> Response:
    """Search in a dive; what is looked for stands in the address."""
    view = await get_app_state(request).dive_events.view(given["dive"])

    def ask(store: BrowseStore) -> dict[str, Any]:
        languages = store.dives.language_counts(view["number"])
        clusters = _select_clusters(store.clusters(view["scan"]), given.get("cluster", ""))
        return {"languages": list(languages), "clusters": clusters}

    values = await get_app_state(request).readers.read(ask)
    query = given.get("q", "").strip()
    results = None
    if query:
        results = await search_dive(request, view["number"], {**given, "q": query, "limit": MAX_HITS})
    hits = [(hit, highlight_words(hit.passage, query)) for hit in results.hits] if results else []
    note = results.note if results else explain_lexical_search(get_app_state(request).dive_service.settings)
    shown = {name: given.get(name, "") for name in ("q", "cluster", "language", "path")}
    return await _render_dive_screen(
        request,
        given["dive"],
        "dive_search.html",
        "search",
        view,
        asked=query,
        hits=hits,
        note=note,
        given=shown,
        **values,
    )


async def chat(request: Request, given: dict[str, Any]) -> Response:
    """Questions to a dive; the conversation is fetched and added to by a script."""
    settings = get_app_state(request).dive_service.settings
    model = settings.chat_model if settings.openai_base_url else None
    return await _render_dive_screen(
        request, given["dive"], "dive_chat.html", "chat", model=model, longest=MAX_QUESTION_LENGTH, most=MAX_MESSAGES,
        lexical=explain_lexical_search(settings),
    )  # fmt: skip


async def _render_dive_screen(
    request: Request,
    number: int,
    name: str,
    tab: str,
    view: dict[str, Any] | None = None,
    **values: Any,  # noqa: ANN401
) -> Response:
    view = view or await get_app_state(request).dive_events.view(number)
    found = await get_app_state(request).readers.scan(view["scan"])
    return render_scan_screen(name, found, "dives", dive=view, tab=tab, **values)


def _select_clusters(clusters: list[ClusterCount], chosen: str) -> list[ClusterCount]:
    """Return the clusters to choose from: those that say most about the site, and the one that is chosen."""
    rest = clusters[DEFAULT_CLUSTER_LIMIT:]
    return clusters[:DEFAULT_CLUSTER_LIMIT] + [one for one in rest if chosen in {one.name, one.title}]


_CLUSTER = Parameter("cluster", integer_schema(1, MAX_INTEGER), "The number of a cluster")
_UNDER = Parameter("under", string_schema("^https?://", 2083), "Only what lies under this address")

_QUERY = Parameter("q", string_schema(longest=500), "What is looked for")

DIVE_SCREENS: tuple[Screen, ...] = (
    Screen("/dives", dives),
    Screen("/scans/{scan}/dives", scan_dives, (SCAN,)),
    Screen("/scans/{scan}/dive", new_dive, (SCAN, _CLUSTER, _UNDER)),
    Screen("/dives/{dive}", dive, (DIVE,)),
    Screen("/dives/{dive}/documents", documents, (DIVE, STATE, CURSOR)),
    Screen("/dives/{dive}/document", document, (DIVE, URL)),
    Screen("/dives/{dive}/search", search_screen, (DIVE, _QUERY, *SEARCH_FILTERS)),
    Screen("/dives/{dive}/ask", chat, (DIVE,)),
)
