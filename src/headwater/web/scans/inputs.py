"""Parameters and bodies of requests about scans."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from headwater.classify import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS
from headwater.settings import PRESETS
from headwater.store.scan_index.filters import FACETS, KINDS, Filter
from headwater.store.scan_index.index import SORTS
from headwater.web.jobs.allowed_settings import MAX_SEED_LENGTH, MAX_SEEDS
from headwater.web.records import MAX_INTEGER, Meta, Record
from headwater.web.serving.parameters import Cursor, ScanPath, page_size
from headwater.web.serving.streaming import EXPORT_TYPES

NO_SETTINGS: Mapping[str, object] = MappingProxyType({})

Preset = Annotated[str, Meta("Preset that the other settings start from", options=tuple(PRESETS))]
SettingValues = Annotated[Mapping[str, object], Meta(component="Settings")]
SeedUrl = Annotated[str, Meta(min_length=1, max_length=MAX_SEED_LENGTH, expected="a URL")]
Address = Annotated[str, Meta("Only URLs below this address", pattern="^https?://", min_length=1, max_length=2083)]
ClusterNumber = Annotated[int, Meta("Number of a cluster", minimum=1, maximum=MAX_INTEGER)]
Position = Annotated[int, Meta("Position to continue after", minimum=0, maximum=MAX_INTEGER)]


def _facet(name: str, description: str) -> Meta:
    return Meta(description, options=FACETS[name].options)


class NewScan(Record):
    """Body of a request that starts a scan."""

    urls: Annotated[
        tuple[SeedUrl, ...], Meta(min_length=1, max_length=MAX_SEEDS, expected=f"a list of 1 to {MAX_SEEDS} URLs")
    ]
    preset: Preset | None = None
    settings: SettingValues = NO_SETTINGS


class ResumeOptions(Record):
    """Body of a request that resumes a scan; these settings override the settings of the scan."""

    settings: SettingValues = NO_SETTINGS


class StartScan(Record):
    """Input of the route that starts a scan."""

    body: NewScan


class ResumeScan(ScanPath):
    """Input of the route that resumes a scan."""

    body: ResumeOptions = ResumeOptions()


class ScanListQuery(Record):
    """Parameters of the list of scans."""

    limit: Annotated[int, page_size(200)] = 50
    cursor: Cursor = ""


class EventsQuery(ScanPath):
    """Parameters of the event stream of a scan."""

    after: Annotated[int, Meta("Number of the last known event", minimum=0, maximum=MAX_INTEGER)] = 0


class PagePath(ScanPath):
    """Path parameters of routes about one page."""

    page: Annotated[int, Meta("Number of the page", minimum=1, maximum=MAX_INTEGER)]


class FilterQuery(ScanPath):
    """Parameters that filter URLs; an empty value does not filter."""

    kind: Annotated[str, Meta("Kind of URL", options=KINDS)] = "page"
    list: Annotated[
        str, _facet("list", "List; the default is pages, or every list if a state, status or reason is given")
    ] = ""
    source: Annotated[str, _facet("source", "Source that names the URL")] = ""
    region: Annotated[str, _facet("region", "Region of the page that contains the link; `none` without a link")] = ""
    status: Annotated[
        str,
        Meta("HTTP status; `none` if not requested", pattern="^(none|[1-5][0-9][0-9])$", min_length=1, max_length=4),
    ] = ""
    language: Annotated[
        str, Meta("Language; `none` if unknown", pattern="^[A-Za-z0-9-]+$", min_length=1, max_length=35)
    ] = ""
    depth: Annotated[
        str,
        Meta("Clicks from the seed; `none` if not linked", pattern="^(none|[0-9]{1,6})$", min_length=1, max_length=6),
    ] = ""
    state: Annotated[str, _facet("state", "State of the URL")] = ""
    verified: Annotated[str, _facet("verified", "Confirmed by a request")] = ""
    reason: Annotated[
        str, Meta("Reason why it was skipped or failed", pattern="^[a-z0-9-]+$", min_length=1, max_length=60)
    ] = ""
    gap: Annotated[str, _facet("gap", "Only in sitemaps (orphans), only linked (gaps), or both")] = ""
    cluster: ClusterNumber = 0
    text: Annotated[str, Meta("Words that the URL or title contains, all of them", min_length=1, max_length=200)] = ""
    under: Address = ""

    @property
    def filter(self) -> Filter:
        """The filter of the scan index."""
        return Filter(**{name: getattr(self, name) for name in Filter._fields})


class SortedQuery(FilterQuery):
    """Parameters that filter and sort URLs."""

    sort: Annotated[str, Meta("Order; a minus reverses it", options=(*SORTS, *(f"-{name}" for name in SORTS)))] = "url"

    @property
    def column(self) -> str:
        """The column to sort by."""
        return self.sort.removeprefix("-")

    @property
    def is_descending(self) -> bool:
        """True if the order is reversed."""
        return self.sort.startswith("-")


class UrlsQuery(SortedQuery):
    """Parameters of the screen with the table of URLs."""

    cursor: Cursor = ""


class PageListQuery(UrlsQuery):
    """Parameters of the list of URLs."""

    limit: Annotated[int, page_size(500)] = 100


class ExportQuery(SortedQuery):
    """Parameters of an export."""

    format: Annotated[str, Meta("Format of the file", options=tuple(EXPORT_TYPES))] = "jsonl"


class ExplainQuery(ScanPath):
    """Parameters of an explanation."""

    url: Annotated[str, Meta("URL to explain", min_length=1, max_length=2083)]


class EvidenceQuery(ScanPath):
    """Parameters of the list of evidence."""

    kind: Annotated[str, Meta("Only this kind", pattern="^[a-z0-9_]+$", min_length=1, max_length=40)] = ""
    cursor: Cursor = ""
    limit: Annotated[int, page_size(500)] = 100


class TreeQuery(ScanPath):
    """Parameters of the folder tree."""

    path: Annotated[str, Meta("Folder; without it, the hosts", pattern="^https?://", min_length=1, max_length=2083)] = (
        ""
    )
    after_folder: Position = 0
    after_page: Position = 0


class SectionsQuery(ScanPath):
    """Parameters of the list of sections."""

    limit: Annotated[int, page_size(2000)] = 500


class GraphQuery(ScanPath):
    """Parameters of the link graph."""

    limit: Annotated[int, page_size(500)] = 150


class ClustersQuery(ScanPath):
    """Parameters of the list of clusters."""

    limit: Annotated[int, page_size(MAX_CLUSTERS)] = DEFAULT_CLUSTER_LIMIT


class ComparisonQuery(ScanPath):
    """Parameters of the screen that compares two scans."""

    against: Annotated[int, Meta("Number of the earlier scan", minimum=1, maximum=MAX_INTEGER)] = 0
    cursor: Cursor = ""


class ChangesQuery(ComparisonQuery):
    """Parameters of the list of changes between two scans."""

    limit: Annotated[int, page_size(500)] = 100


class MapQuery(ScanPath):
    """Parameters of the map of a site."""

    view: Annotated[str, Meta("Type of map", options=("tree", "treemap", "graph"))] = "tree"
