"""Screens about dives: one function per screen, showing the same records as the API."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from headwater.classify import DEFAULT_CLUSTER_LIMIT
from headwater.settings import SETTINGS
from headwater.store import ClusterCount
from headwater.store.browse_store import BrowseStore
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES
from headwater.web.dives.handlers import list_dive_rows, search_dive
from headwater.web.dives.highlight import highlight_words
from headwater.web.dives.inputs import (
    MAX_QUESTION_LENGTH,
    DivePath,
    DocumentQuery,
    DocumentsQuery,
    NewDiveQuery,
    SearchScreenQuery,
)
from headwater.web.dives.views import explain_lexical_search, list_documents, make_document_view
from headwater.web.scans.screens import render_scan_screen
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.parameters import NoParameters, ScanPath
from headwater.web.serving.route import Screen
from headwater.web.serving.templating import render

PAGE_SIZE = 100
MAX_HITS = 20


async def dives(request: Request, given: NoParameters) -> Response:
    """Render all dives."""
    return render("dives/dives.html", title="Dives · Headwater", section="dives", dives=await list_dive_rows(request))


async def scan_dives(request: Request, given: ScanPath) -> Response:
    """Render the dives into one scan."""
    found = await get_app_state(request).readers.scan(given.scan)
    rows = await list_dive_rows(request, found.number)
    return render_scan_screen("dives/dives.html", found, "dives", dives=rows)


async def new_dive(request: Request, given: NewDiveQuery) -> Response:
    """Render the form that starts a dive, with a cluster or folder selected."""
    app = get_app_state(request)
    found = await app.readers.scan(given.scan)
    clusters = await app.readers.read(lambda store: store.clusters(found.number))
    numbered = await app.readers.read(lambda store: store.numbered_clusters(found.number))
    chosen = next((cluster.name for cluster in numbered if cluster.number == given.cluster), "")
    return render_scan_screen(
        "dives/new_dive.html", found, "dives", clusters=_select_clusters(clusters, chosen), chosen=chosen,
        match=f"{given.under}*" if given.under else "", max_pages=SETTINGS["max_dive_pages"].default,
        lexical=explain_lexical_search(app.dive_service.settings), language=found.settings.get("language") or "",
    )  # fmt: skip


async def dive(request: Request, given: DivePath) -> Response:
    """Render a dive, live while it runs."""
    return await _render_dive_screen(request, given.dive, "dives/dive.html", "overview", formats=DIVE_EXPORT_TYPES)


async def documents(request: Request, given: DocumentsQuery) -> Response:
    """Render the pages of a dive."""
    part = await get_app_state(request).readers.read(list_documents, given, PAGE_SIZE)
    return await _render_dive_screen(
        request, given.dive, "dives/documents.html", "documents", part=part, state=given.state,
        formats=DIVE_EXPORT_TYPES,
    )  # fmt: skip


async def document(request: Request, given: DocumentQuery) -> Response:
    """Render a page that was read, as Markdown text."""
    page = await get_app_state(request).readers.read(make_document_view, given.dive, given.url)
    return await _render_dive_screen(request, given.dive, "dives/document.html", "documents", page=page)


async def search_screen(request: Request, given: SearchScreenQuery) -> Response:
    """Render a search in a dive; the address holds the query."""
    app = get_app_state(request)
    scan = (await app.dive_events.view(given.dive)).scan

    def query_choices(store: BrowseStore) -> dict[str, object]:
        clusters = _select_clusters(store.clusters(scan), given.cluster)
        return {"languages": list(store.dives.language_counts(given.dive)), "clusters": clusters}

    choices = await app.readers.read(query_choices)
    query = given.q.strip()
    results = await search_dive(request, given.dive, query, given.filters, MAX_HITS) if query else None
    hits = [(hit, highlight_words(hit.passage, query)) for hit in results.hits] if results else []
    note = results.note if results else explain_lexical_search(app.dive_service.settings)
    return await _render_dive_screen(
        request,
        given.dive,
        "dives/search.html",
        "search",
        query_text=query,
        hits=hits,
        note=note,
        given=given,
        **choices,
    )


async def chat(request: Request, given: DivePath) -> Response:
    """Render the conversation with a dive, which a script loads and extends."""
    settings = get_app_state(request).dive_service.settings
    model = settings.chat_model if settings.openai_base_url else None
    return await _render_dive_screen(
        request, given.dive, "dives/chat.html", "chat", model=model, max_length=MAX_QUESTION_LENGTH,
        lexical=explain_lexical_search(settings),
    )  # fmt: skip


async def _render_dive_screen(request: Request, number: int, name: str, tab: str, **values: object) -> Response:
    app = get_app_state(request)
    view = await app.dive_events.view(number)
    found = await app.readers.scan(view.scan)
    return render_scan_screen(name, found, "dives", dive=view, tab=tab, **values)


def _select_clusters(clusters: Sequence[ClusterCount], chosen: str) -> list[ClusterCount]:
    """Return the clusters to choose from: the most informative ones, and the chosen one."""
    rest = clusters[DEFAULT_CLUSTER_LIMIT:]
    return [
        *clusters[:DEFAULT_CLUSTER_LIMIT],
        *(cluster for cluster in rest if chosen in {cluster.name, cluster.title}),
    ]


DIVE_SCREENS: tuple[Screen, ...] = (
    Screen("/dives", dives),
    Screen("/scans/{scan}/dives", scan_dives),
    Screen("/scans/{scan}/dive", new_dive),
    Screen("/dives/{dive}", dive),
    Screen("/dives/{dive}/documents", documents),
    Screen("/dives/{dive}/document", document),
    Screen("/dives/{dive}/search", search_screen),
    Screen("/dives/{dive}/ask", chat),
)
