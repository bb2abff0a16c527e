"""Parameters and bodies of requests about a fleet."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from headwater.store.postgres.fleet_view import SITE_STATES
from headwater.web.records import MAX_INTEGER, UNSET, Meta, Record, Unset
from headwater.web.scans.inputs import NO_SETTINGS, Preset, SeedUrl, SettingValues
from headwater.web.serving.parameters import Cursor, page_size

MAX_SITES = 500
MAX_PRIORITY = 1000
MIN_INTERVAL, MAX_INTERVAL = 1.0, 10 * 365 * 86_400.0

Priority = Annotated[int, Meta("Higher priorities go first", minimum=-MAX_PRIORITY, maximum=MAX_PRIORITY)]
Interval = Annotated[
    float | None, Meta("Seconds between scans; null to scan once", minimum=MIN_INTERVAL, maximum=MAX_INTERVAL)
]
IsFixed = Annotated[bool, Meta("Keep the interval even if the site rarely changes")]


class NewSites(Record):
    """Body of a request that submits sites."""

    urls: Annotated[
        tuple[SeedUrl, ...], Meta(min_length=1, max_length=MAX_SITES, expected=f"a list of 1 to {MAX_SITES} URLs")
    ]
    preset: Preset | None = None
    settings: SettingValues = NO_SETTINGS
    priority: Priority = 0
    every: Interval = None
    fixed: IsFixed = False


class SiteUpdate(Record):
    """Body of a request that changes the schedule of a site."""

    extra_schema: ClassVar[Mapping[str, Any]] = {"anyOf": [{"required": ["priority"]}, {"required": ["every"]}]}

    priority: Priority | Unset = UNSET
    every: Interval | Unset = UNSET
    fixed: IsFixed = False


class SubmitSites(Record):
    """Input of the route that submits sites."""

    body: NewSites


class SitePath(Record):
    """Path parameter of routes about one site."""

    site: Annotated[int, Meta("Number of the site", minimum=1, maximum=MAX_INTEGER)]


class UpdateSite(SitePath):
    """Input of the route that changes the schedule of a site."""

    body: SiteUpdate


class FleetQuery(Record):
    """Parameters of the fleet screen."""

    state: Annotated[str, Meta("Only sites in this state", options=SITE_STATES)] = ""
    text: Annotated[str, Meta("Only sites whose address contains this", min_length=1, max_length=100)] = ""
    cursor: Cursor = ""


class SiteListQuery(FleetQuery):
    """Parameters of the list of sites."""

    numbers: Annotated[
        str,
        Meta(
            "Only these sites, separated by commas",
            pattern="^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,99}$",
            min_length=1,
            max_length=1600,
        ),
    ] = ""
    limit: Annotated[int, page_size(200)] = 50
