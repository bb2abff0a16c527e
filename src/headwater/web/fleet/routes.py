"""The part of the API's table that is about a fleet."""

from __future__ import annotations

from headwater.store.postgres.fleet_view import SITE_STATES
from headwater.web.fleet import handlers
from headwater.web.serving.parameters import Parameter, enum_schema, integer_schema, string_schema
from headwater.web.serving.route import CURSOR, MAX_INTEGER, Route, limit_parameter

SITE = Parameter("site", integer_schema(1, MAX_INTEGER), "The site's number", "path", is_required=True)
STATE = Parameter("state", enum_schema(*SITE_STATES), "Only sites in this state")
TEXT = Parameter("text", string_schema(longest=100), "Only sites whose address holds this")
NUMBERS = Parameter(
    "numbers", string_schema("^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,99}$", 1600), "Exactly these sites"
)

_SITES_PATH = "/api/v1/fleet/sites"
_SITE_PATH = f"{_SITES_PATH}/{{site}}"

FLEET_ROUTES: tuple[Route, ...] = (
    Route(
        "GET", "/api/v1/fleet", handlers.fleet, "How the fleet is doing: sites, queue, workers, trouble", "Fleet",
        problems=(404, 503),
    ),
    Route(
        "GET", _SITES_PATH, handlers.sites, "Sites of the fleet, the newest first", "SiteList",
        (STATE, TEXT, NUMBERS, CURSOR, limit_parameter(50, 200)), problems=(404, 503),
    ),
    Route(
        "POST", _SITES_PATH, handlers.submit_sites, "Give sites to the fleet", "Submitted", body="NewSites", status=201,
        problems=(403, 404, 413, 415, 422, 503),
    ),
    Route("GET", _SITE_PATH, handlers.site, "One site of the fleet", "Site", (SITE,), problems=(404, 503)),
    Route(
        "PATCH", _SITE_PATH, handlers.update_site, "How urgent a site is, and how often it is scanned", "Site", (SITE,),
        body="SiteWish", problems=(403, 404, 413, 415, 422, 503),
    ),
    Route(
        "POST", f"{_SITE_PATH}/pause", handlers.pause_site, "Let a site rest; what is under way is finished", "Site",
        (SITE,), problems=(403, 404, 409, 503),
    ),
    Route(
        "POST", f"{_SITE_PATH}/resume", handlers.resume_site, "Let a site go on that rests", "Site", (SITE,),
        problems=(403, 404, 409, 503),
    ),
    Route(
        "POST", f"{_SITE_PATH}/cancel", handlers.cancel_site, "Give a site up; what was found is kept", "Site", (SITE,),
        problems=(403, 404, 409, 503),
    ),
)  # fmt: skip
