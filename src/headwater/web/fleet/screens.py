"""The screen of a fleet: what it has to do, who does it, and what is in trouble."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.store.postgres.fleet_view import SITE_STATES
from headwater.web.fleet.handlers import list_sites, overview
from headwater.web.fleet.routes import STATE, TEXT
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.route import CURSOR
from headwater.web.serving.templating import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

PAGE_SIZE = 25
PARAMETERS = (STATE, TEXT, CURSOR)
RESCAN_INTERVALS = ((3600, "every hour"), (21_600, "every 6 hours"), (86_400, "every day"), (604_800, "every week"),
           (2_592_000, "every 30 days"))  # fmt: skip


async def fleet_screen(request: Request, given: dict[str, Any]) -> Response:
    """Sites, queue and workers, where several machines share one database; elsewhere how to get there."""
    values: dict[str, Any] = {"section": "fleet", "title": "Fleet · Headwater", "has_fleet": True}
    desk = get_app_state(request).readers
    if await desk.read(lambda store: store.fleet is None):
        return render("fleet_none.html", **values)
    shown = {name: value for name, value in given.items() if name != "cursor"}
    part = await desk.read(list_sites, {**given, "limit": PAGE_SIZE})
    told = await desk.read(overview)
    total = sum(told["sites"].get(state, 0) for state in SITE_STATES)
    return render(
        "fleet.html", told=told, total=total, part=part, given=shown, states=SITE_STATES, rhythms=RESCAN_INTERVALS, rhythm=_format_interval,
        allow_private=get_app_state(request).allow_private, **values,
    )  # fmt: skip


def _format_interval(every: float | None) -> str:
    """How often, in words."""
    if every is None:
        return "once"
    known = dict(RESCAN_INTERVALS)
    if every in known:
        return known[int(every)]
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if every >= size:
            count = round(every / size, 1)
            return f"every {unit}" if count == 1 else f"every {count:g} {unit}s"
    return f"every {every:g} s"
