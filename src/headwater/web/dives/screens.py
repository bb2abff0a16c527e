"""The screens of dives: one function each, asking what the API asks, drawn by templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.classify import SHOWN_CLUSTERS
from headwater.settings import SETTINGS
from headwater.web.dives.actions import MAX_QUESTION
from headwater.web.dives.exporting import DIVE_TYPES
from headwater.web.dives.handlers import all_dives, list_documents, read_document, search
from headwater.web.dives.highlight import mark
from headwater.web.dives.routes import DIVE, IN_DIVE, STATE, URL
from headwater.web.dives.views import MAX_MESSAGES, how_searched
from headwater.web.scans.screens import Screen, screen_of
from headwater.web.serving.app_state import office
from headwater.web.serving.parameters import Parameter, text, whole
from headwater.web.serving.route import CURSOR, LARGEST, SCAN
from headwater.web.serving.templating import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from headwater.store import ClusterCount
    from headwater.store.browse import Browse

ROWS = 100
HITS = 20


async def dives(request: Request, _: dict[str, Any]) -> Response:
    """Every dive."""
    return render("dives.html", title="Dives · Headwater", section="dives", dives=await all_dives(request))


async def scan_dives(request: Request, given: dict[str, Any]) -> Response:
    """The dives of one scan."""
    found = await office(request).desk.scan(given["scan"])
    return screen_of("dives.html", found, "dives", dives=await all_dives(request, found.number))


async def new_dive(request: Request, given: dict[str, Any]) -> Response:
    """The few options of a dive, with a cluster or a folder chosen already."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    clusters = await desk.read(lambda store: store.clusters(found.number))
    named = await desk.read(lambda store: store.numbered_clusters(found.number))
    chosen = next((one.name for one in named if one.number == given.get("cluster")), "")
    under = given.get("under", "")
    return screen_of(
        "dive_new.html", found, "dives", clusters=_offered(clusters, chosen), chosen=chosen,
        match=f"{under}*" if under else "", most=SETTINGS["max_dive_pages"].default,
        lexical=how_searched(office(request).librarian.settings),
        language=found.settings.get("language") or "",
    )  # fmt: skip


async def dive(request: Request, given: dict[str, Any]) -> Response:
    """A dive as it happens, or how it went."""
    return await _screen(request, given["dive"], "dive.html", "overview", formats=DIVE_TYPES)


async def documents(request: Request, given: dict[str, Any]) -> Response:
    """The pages of a dive."""
    part = await office(request).desk.read(list_documents, {**given, "limit": ROWS})
    shown = {name: value for name, value in given.items() if name == "state"}
    return await _screen(
        request, given["dive"], "dive_documents.html", "documents", part=part, given=shown, formats=DIVE_TYPES
    )


async def document(request: Request, given: dict[str, Any]) -> Response:
    """A page that was read, as text."""
    page = await office(request).desk.read(read_document, given["dive"], given["url"])
    return await _screen(request, given["dive"], "dive_document.html", "documents", page=page)


async def search_screen(request: Request, given: dict[str, Any]) -> Response:
    """Search in a dive; what is looked for stands in the address."""
    view = await office(request).dive_live.view(given["dive"])

    def ask(store: Browse) -> dict[str, Any]:
        languages = store.dives.languages(view["number"])
        clusters = _offered(store.clusters(view["scan"]), given.get("cluster", ""))
        return {"languages": list(languages), "clusters": clusters}

    values = await office(request).desk.read(ask)
    query = given.get("q", "").strip()
    results = None
    if query:
        results = await search(request, view["number"], {**given, "q": query, "limit": HITS})
    hits = [(hit, mark(hit.passage, query)) for hit in results.hits] if results else []
    note = results.note if results else how_searched(office(request).librarian.settings)
    shown = {name: given.get(name, "") for name in ("q", "cluster", "language", "path")}
    return await _screen(
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
    settings = office(request).librarian.settings
    model = settings.chat_model if settings.openai_base_url else None
    return await _screen(
        request, given["dive"], "dive_chat.html", "chat", model=model, longest=MAX_QUESTION, most=MAX_MESSAGES,
        lexical=how_searched(settings),
    )  # fmt: skip


async def _screen(
    request: Request,
    number: int,
    name: str,
    tab: str,
    view: dict[str, Any] | None = None,
    **values: Any,  # noqa: ANN401
) -> Response:
    view = view or await office(request).dive_live.view(number)
    found = await office(request).desk.scan(view["scan"])
    return screen_of(name, found, "dives", dive=view, tab=tab, **values)


def _offered(clusters: list[ClusterCount], chosen: str) -> list[ClusterCount]:
    """Return the clusters to choose from: those that say most about the site, and the one that is chosen."""
    rest = clusters[SHOWN_CLUSTERS:]
    return clusters[:SHOWN_CLUSTERS] + [one for one in rest if chosen in {one.name, one.title}]


_CLUSTER = Parameter("cluster", whole(1, LARGEST), "The number of a cluster")
_UNDER = Parameter("under", text("^https?://", 2083), "Only what lies under this address")

_QUERY = Parameter("q", text(longest=500), "What is looked for")

DIVE_SCREENS: tuple[Screen, ...] = (
    Screen("/dives", dives),
    Screen("/scans/{scan}/dives", scan_dives, (SCAN,)),
    Screen("/scans/{scan}/dive", new_dive, (SCAN, _CLUSTER, _UNDER)),
    Screen("/dives/{dive}", dive, (DIVE,)),
    Screen("/dives/{dive}/documents", documents, (DIVE, STATE, CURSOR)),
    Screen("/dives/{dive}/document", document, (DIVE, URL)),
    Screen("/dives/{dive}/search", search_screen, (DIVE, _QUERY, *IN_DIVE)),
    Screen("/dives/{dive}/ask", chat, (DIVE,)),
)
