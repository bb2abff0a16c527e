"""The part of the API's table that is about a fleet."""

from __future__ import annotations

from headwater.store.postgres.fleet_view import STATES
from headwater.web.fleet import handlers as fleet_answers
from headwater.web.serving.parameters import Parameter, choice, text, whole
from headwater.web.serving.route import CURSOR, LARGEST, Route, limit_of

SITE = Parameter("site", whole(1, LARGEST), "The site's number", "path", is_required=True)
STATE = Parameter("state", choice(*STATES), "Only sites in this state")
TEXT = Parameter("text", text(longest=100), "Only sites whose address holds this")
NUMBERS = Parameter("numbers", text("^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,99}$", 1600), "Exactly these sites")

_ALL = "/api/v1/fleet/sites"
_ONE = f"{_ALL}/{{site}}"

FLEET: tuple[Route, ...] = (
    Route(
        "GET", "/api/v1/fleet", fleet_answers.fleet, "How the fleet is doing: sites, queue, workers, trouble", "Fleet",
        problems=(404, 503),
    ),
    Route(
        "GET", _ALL, fleet_answers.sites, "Sites of the fleet, the newest first", "SiteList",
        (STATE, TEXT, NUMBERS, CURSOR, limit_of(50, 200)), problems=(404, 503),
    ),
    Route(
        "POST", _ALL, fleet_answers.submit, "Give sites to the fleet", "Submitted", body="NewSites", status=201,
        problems=(403, 404, 413, 415, 422, 503),
    ),
    Route("GET", _ONE, fleet_answers.site, "One site of the fleet", "Site", (SITE,), problems=(404, 503)),
    Route(
        "PATCH", _ONE, fleet_answers.change_site, "How urgent a site is, and how often it is scanned", "Site", (SITE,),
        body="SiteWish", problems=(403, 404, 413, 415, 422, 503),
    ),
    Route(
        "POST", f"{_ONE}/pause", fleet_answers.pause_site, "Let a site rest; what is under way is finished", "Site",
        (SITE,), problems=(403, 404, 409, 503),
    ),
    Route(
        "POST", f"{_ONE}/resume", fleet_answers.resume_site, "Let a site go on that rests", "Site", (SITE,),
        problems=(403, 404, 409, 503),
    ),
    Route(
        "POST", f"{_ONE}/cancel", fleet_answers.cancel_site, "Give a site up; what was found is kept", "Site", (SITE,),
        problems=(403, 404, 409, 503),
    ),
)  # fmt: skip
