"""API routes about a fleet."""

from __future__ import annotations

from headwater.web.fleet import handlers
from headwater.web.serving.route import Route

_FLEET = "/api/v1/fleet"
_SITES = f"{_FLEET}/sites"
_SITE = f"{_SITES}/{{site}}"
_CHANGE_PROBLEMS = (403, 404, 409, 503)
_BODY_PROBLEMS = (403, 404, 413, 415, 422, 503)

FLEET_ROUTES: tuple[Route, ...] = (
    Route(
        "GET", _FLEET, handlers.fleet, "Get the state of the fleet: sites, queue, workers, failing sites",
        problems=(404, 503),
    ),
    Route("GET", _SITES, handlers.sites, "List the sites of the fleet, newest first", problems=(404, 503)),
    Route("POST", _SITES, handlers.submit_sites, "Submit sites to the fleet", status=201, problems=_BODY_PROBLEMS),
    Route("GET", _SITE, handlers.site, "Get a site of the fleet", problems=(404, 503)),
    Route(
        "PATCH", _SITE, handlers.update_site, "Change the priority of a site, or how often it is scanned",
        problems=_BODY_PROBLEMS,
    ),
    Route(
        "POST", f"{_SITE}/pause", handlers.pause_site, "Pause a site; requests in progress are finished",
        problems=_CHANGE_PROBLEMS,
    ),
    Route("POST", f"{_SITE}/resume", handlers.resume_site, "Resume a paused site", problems=_CHANGE_PROBLEMS),
    Route(
        "POST", f"{_SITE}/cancel", handlers.cancel_site, "Cancel a site; the pages found are kept",
        problems=_CHANGE_PROBLEMS,
    ),
)  # fmt: skip
