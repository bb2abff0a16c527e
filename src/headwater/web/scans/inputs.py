"""Parameters and bodies of requests about scans."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, field

from headwater.classify import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS
from headwater.model import EXPORTED_FIELDS, SCORE_FIELD
from headwater.settings import PRESETS
from headwater.store.scan_index.filters import FACETS, KINDS, Filter
from headwater.store.scan_index.index import SORTS
from headwater.web.jobs.allowed_settings import MAX_SEED_LENGTH, MAX_SEEDS
from headwater.web.records import MAX_INTEGER, Record, one_of, text_of
from headwater.web.serving.parameters import Cursor, ScanPath, page_size
from headwater.web.serving.streaming import EXPORT_TYPES

Preset = Annotated[str, one_of(tuple(PRESETS), "Preset that the other settings start from")]
SettingValues = Annotated[Mapping[str, object], Meta(extra_json_schema={"$ref": "#/components/schemas/Settings"})]
SeedUrl = Annotated[str, Meta(min_length=1, max_length=MAX_SEED_LENGTH)]
Address = Annotated[str, text_of(2083, "Only URLs below this address", "^https?://")]
ClusterNumber = Annotated[int, Meta(description="Number of a cluster", ge=1, le=MAX_INTEGER)]
Position = Annotated[int, Meta(description="Position to continue after", ge=0, le=MAX_INTEGER)]


def _facet(name: str, description: str) -> Meta:
    return one_of(FACETS[name].options, description)


def _list_of(options: Sequence[str], description: str) -> Meta:
    """Return the constraints of words that are separated by commas."""
    word = f"({'|'.join(options)})"
    expected = {"expected": f"one or more of {', '.join(options)}, separated by commas"}
    return Meta(description=description, pattern=rf"^{word}(,{word})*(?!\n)$", max_length=2000, extra=expected)


class NewScan(Record):
    """Body of a request that starts a scan."""

    urls: Annotated[
        tuple[SeedUrl, ...],
        Meta(min_length=1, max_length=MAX_SEEDS, extra={"expected": f"a list of 1 to {MAX_SEEDS} URLs"}),
    ]
    preset: Preset | None = None
    settings: SettingValues = field(default_factory=dict)


class ResumeOptions(Record):
    """Body of a request that resumes a scan; these settings override the settings of the scan."""

    settings: SettingValues = field(default_factory=dict)


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

    after: Annotated[int, Meta(description="Number of the last known event", ge=0, le=MAX_INTEGER)] = 0


class PagePath(ScanPath):
    """Path parameters of routes about one page."""

    page: Annotated[int, Meta(description="Number of the page", ge=1, le=MAX_INTEGER)]


class FilterQuery(ScanPath):
    """Parameters that filter URLs; an empty value does not filter."""

    kind: Annotated[str, one_of(KINDS, "Kind of URL")] = "page"
    list: Annotated[
        str, _facet("list", "List; the default is pages, or every list if a state, status or reason is given")
    ] = ""
    source: Annotated[str, _facet("source", "Source that names the URL")] = ""
    region: Annotated[str, _facet("region", "Region of the page that contains the link; `none` without a link")] = ""
    status: Annotated[str, text_of(4, "HTTP status; `none` if not requested", "^(none|[1-5][0-9][0-9])$")] = ""
    language: Annotated[str, text_of(35, "Language; `none` if unknown", "^[A-Za-z0-9-]+$")] = ""
    depth: Annotated[str, text_of(6, "Clicks from the seed; `none` if not linked", "^(none|[0-9]{1,6})$")] = ""
    state: Annotated[str, _facet("state", "State of the URL")] = ""
    verified: Annotated[str, _facet("verified", "Confirmed by a request")] = ""
    reason: Annotated[str, text_of(60, "Reason why it was skipped or failed", "^[a-z0-9-]+$")] = ""
    gap: Annotated[str, _facet("gap", "Only in sitemaps (orphans), only linked (gaps), or both")] = ""
    cluster: ClusterNumber = 0
    text: Annotated[str, text_of(200, "Words that the URL or title contains, all of them")] = ""
    under: Address = ""
    words: Annotated[str, _facet("words", "Number of words in the main text; `none` if not analyzed")] = ""
    near_duplicate: Annotated[str, _facet("near_duplicate", "Has most of its text in common with another page")] = ""
    extracted: Annotated[
        str,
        text_of(
            200, "Name of an extracted value that pages have, `-NAME` for pages without it, or `NAME=TEXT` it contains",
            "^-?[A-Za-z][A-Za-z0-9_-]{0,39}(=.*)?$",
        ),
    ] = ""  # fmt: skip

    @property
    def filter(self) -> Filter:
        """The filter of the scan index."""
        return Filter(**{name: getattr(self, name) for name in Filter._fields})


class SortedQuery(FilterQuery):
    """Parameters that filter and sort URLs."""

    sort: Annotated[str, one_of((*SORTS, *(f"-{name}" for name in SORTS)), "Order; a minus reverses it")] = "url"

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


class SelectionQuery(SortedQuery):
    """Parameters that choose fields and rank URLs, as the flags of these names do."""

    search: Annotated[str, text_of(500, "Question whose words rank the URLs, instead of `sort`")] = ""
    fields: Annotated[str, _list_of((*EXPORTED_FIELDS, SCORE_FIELD), "Fields to return, separated by commas")] = ""

    @property
    def chosen_fields(self) -> tuple[str, ...]:
        """The fields that were named, if any."""
        return tuple(dict.fromkeys(self.fields.split(","))) if self.fields else ()

    @property
    def returned_fields(self) -> tuple[str, ...]:
        """The fields that were named, or else all; a ranked list has the score as well."""
        return self.chosen_fields or (*EXPORTED_FIELDS, *([SCORE_FIELD] if self.search else []))


class PageListQuery(SelectionQuery):
    """Parameters of the list of URLs."""

    limit: Annotated[int, page_size(500)] = 100
    cursor: Cursor = ""


class ExportQuery(SelectionQuery):
    """Parameters of an export."""

    format: Annotated[str, one_of(tuple(EXPORT_TYPES), "Format of the file")] = "jsonl"


class ExplainQuery(ScanPath):
    """Parameters of an explanation."""

    url: Annotated[str, text_of(2083, "URL to explain")]


class EvidenceQuery(ScanPath):
    """Parameters of the list of evidence."""

    kind: Annotated[str, text_of(40, "Only this kind", "^[a-z0-9_]+$")] = ""
    cursor: Cursor = ""
    limit: Annotated[int, page_size(500)] = 100


class TreeQuery(ScanPath):
    """Parameters of the folder tree."""

    path: Annotated[str, text_of(2083, "Folder; without it, the hosts", "^https?://")] = ""
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

    against: Annotated[int, Meta(description="Number of the earlier scan", ge=1, le=MAX_INTEGER)] = 0
    cursor: Cursor = ""


class ChangesQuery(ComparisonQuery):
    """Parameters of the list of changes between two scans."""

    limit: Annotated[int, page_size(500)] = 100


class MapQuery(ScanPath):
    """Parameters of the map of a site."""

    view: Annotated[str, one_of(("tree", "treemap", "graph"), "Type of map")] = "tree"
