"""Parameters and bodies of requests about a fleet."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType, field

from headwater.store.postgres.fleet_view import SITE_STATES
from headwater.web.records import MAX_INTEGER, Record, one_of, text_of
from headwater.web.scans.inputs import Preset, SeedUrl, SettingValues
from headwater.web.serving.parameters import Cursor, page_size

MAX_SITES = 500
MAX_PRIORITY = 1000
MIN_INTERVAL, MAX_INTERVAL = 1.0, 10 * 365 * 86_400.0

Priority = Annotated[int, Meta(description="Higher priorities go first", ge=-MAX_PRIORITY, le=MAX_PRIORITY)]
Interval = (
    Annotated[float, Meta(description="Seconds between scans; null to scan once", ge=MIN_INTERVAL, le=MAX_INTERVAL)]
    | None
)
IsFixed = Annotated[bool, Meta(description="Keep the interval even if the site rarely changes")]


class NewSites(Record):
    """Body of a request that submits sites."""

    urls: Annotated[
        tuple[SeedUrl, ...],
        Meta(min_length=1, max_length=MAX_SITES, extra={"expected": f"a list of 1 to {MAX_SITES} URLs"}),
    ]
    preset: Preset | None = None
    settings: SettingValues = field(default_factory=dict)
    priority: Priority = 0
    every: Interval = None
    fixed: IsFixed = False


class SiteUpdate(Record):
    """Body of a request that changes the schedule of a site."""

    extra_schema: ClassVar[Mapping[str, Any]] = {"anyOf": [{"required": ["priority"]}, {"required": ["every"]}]}

    priority: Priority | UnsetType = UNSET
    every: Interval | UnsetType = UNSET
    fixed: IsFixed = False


class SubmitSites(Record):
    """Input of the route that submits sites."""

    body: NewSites


class SitePath(Record):
    """Path parameter of routes about one site."""

    site: Annotated[int, Meta(description="Number of the site", ge=1, le=MAX_INTEGER)]


class UpdateSite(SitePath):
    """Input of the route that changes the schedule of a site."""

    body: SiteUpdate


class FleetQuery(Record):
    """Parameters of the fleet screen."""

    state: Annotated[str, one_of(SITE_STATES, "Only sites in this state")] = ""
    text: Annotated[str, text_of(100, "Only sites whose address contains this")] = ""
    cursor: Cursor = ""


class SiteListQuery(FleetQuery):
    """Parameters of the list of sites."""

    numbers: Annotated[
        str, text_of(1600, "Only these sites, separated by commas", "^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,99}$")
    ] = ""
    limit: Annotated[int, page_size(200)] = 50
