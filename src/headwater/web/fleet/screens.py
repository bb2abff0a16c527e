"""Screen of a fleet: its sites, queue, workers and failing sites."""

from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from headwater.store.postgres.fleet_view import SITE_STATES
from headwater.web.fleet.inputs import FleetQuery
from headwater.web.fleet.views import list_sites, make_fleet_summary
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.route import Screen
from headwater.web.serving.templating import render

PAGE_SIZE = 25
RESCAN_INTERVALS = (
    (3600, "every hour"),
    (21_600, "every 6 hours"),
    (86_400, "every day"),
    (604_800, "every week"),
    (2_592_000, "every 30 days"),
)
_UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"))


async def fleet_screen(request: Request, given: FleetQuery) -> Response:
    """Render the fleet; for a SQLite store, how to set one up."""
    app = get_app_state(request)
    page = {"section": "fleet", "title": "Fleet · Headwater", "has_fleet": True}
    if await app.readers.read(lambda store: store.fleet is None):
        return render("fleet/no_fleet.html", **page)
    summary = await app.readers.read(make_fleet_summary)
    return render(
        "fleet/fleet.html", summary=summary, total=sum(summary.sites.get(state, 0) for state in SITE_STATES),
        part=await app.readers.read(list_sites, given, PAGE_SIZE), states=SITE_STATES, intervals=RESCAN_INTERVALS,
        given={name: value for name, value in asdict(given).items() if name != "cursor" and value},
        format_interval=_format_interval, allow_private=app.allow_private, **page,
    )  # fmt: skip


def _format_interval(every: float | None) -> str:
    """Return an interval in words."""
    if every is None:
        return "once"
    known = dict(RESCAN_INTERVALS)
    if every in known:
        return known[int(every)]
    for size, unit in _UNITS:
        if every >= size:
            count = round(every / size, 1)
            return f"every {unit}" if count == 1 else f"every {count:g} {unit}s"
    return f"every {every:g} s"


FLEET_SCREENS: tuple[Screen, ...] = (Screen("/fleet", fleet_screen),)
