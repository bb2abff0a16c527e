"""Records of the API about scans, pages and sites."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, TypedDict, get_type_hints

from headwater.export.records import FIELDS, make_record
from headwater.model import LIST_NAMES, NO_COUNTS, Evidence, Page
from headwater.store.browse_records import LinkedPage, PageVersion
from headwater.store.provenance import ProvenanceStep
from headwater.store.scan_index.index import ClusterSummary
from headwater.urls.rule_explanation import RuleResult
from headwater.web.records import Meta, Record, SchemaBuilder
from headwater.web.records.fields import parse_type
from headwater.web.records.schema import strict_object

SCAN_STATES = ("queued", "running", "stalled", "paused", "done", "limited", "incomplete", "interrupted", "cancelled")

ScanState = Annotated[str, Meta(options=SCAN_STATES)]


class ScanStatus(Record):
    """State of a scan; `is_live` while it may still find pages."""

    scan: int
    state: ScanState
    is_live: bool
    finished: str | None


class ScanRow(Record):
    """A scan in a list."""

    number: int
    seeds: tuple[str, ...]
    state: ScanState
    is_live: bool
    started: str
    finished: str | None
    pages: int | None
    visited: int | None


class StageRow(Record):
    """A stage of a scan, as its last event describes it."""

    name: str
    state: str = "waiting"
    urls: int = 0
    seconds: float = 0.0
    note: str = ""
    limit: str = ""
    at: str | None = None


class ScanProgress(Record):
    """Counts of a running scan; `named` counts the URLs that sitemaps list, `errors` the failures by reason."""

    named: int = 0
    visited: int = 0
    waiting: int = 0
    failed: int = 0
    depth: int = 0
    errors: Mapping[str, int] = NO_COUNTS
    seconds: float = 0.0


class ScanView(ScanRow):
    """A scan with its stages and counts; `skipped` counts skipped URLs by reason."""

    settings: Mapping[str, object]
    stages: tuple[StageRow, ...]
    progress: ScanProgress | None
    failure: str | None
    last_event: int
    skipped: Mapping[str, int]
    newest: tuple[str, ...]


class ScanList(Record):
    """Scans, newest first."""

    scans: tuple[ScanRow, ...]
    cursor: str | None


class ScanReference(Record):
    """Number of the scan that a request started or changed."""

    scan: int


class PageRow(NamedTuple):
    """A page with its number; JSON has the fields of the page beside the number.

    A named tuple, because lists have hundreds of them and it takes a fifth of the time to build.
    """

    number: int
    page: Page

    def to_plain(self) -> dict[str, object]:
        """Return the number and the exported fields of the page."""
        return {"number": self.number, **make_record(self.page)}

    @classmethod
    def make_schema(cls, schemas: SchemaBuilder) -> dict[str, Any]:
        """Return the JSON Schema, which follows from the types of `Page`."""
        fields = {"number": int, **{name: _page_field_type(name) for name in FIELDS}}
        return strict_object({name: schemas.value(parse_type(hint)) for name, hint in fields.items()}, list(fields))


def _page_field_type(name: str) -> Any:  # noqa: ANN401
    """Return the type of an exported field, which may be a property of the page."""
    if name == "list":
        return Annotated[str, Meta(options=LIST_NAMES)]
    found = getattr(Page, name)
    return get_type_hints(found.fget)["return"] if isinstance(found, property) else get_type_hints(Page)[name]


class PageList(Record):
    """A part of the list of URLs; `as_of` is the time of the index that it was read from."""

    pages: tuple[PageRow, ...]
    total: int
    is_estimate: bool
    cursor: str | None
    as_of: str


class PageView(Record):
    """A page with its provenance, links, response headers, evidence and history."""

    page: PageRow
    chain: tuple[ProvenanceStep, ...]
    outlinks: tuple[LinkedPage, ...]
    inlinks: tuple[LinkedPage, ...]
    headers: Mapping[str, str]
    evidence: tuple[Evidence, ...]
    history: tuple[PageVersion, ...]
    reason: str
    links_kept: str


class FacetCount(TypedDict):
    """Number of URLs that have one value of a facet; a typed dictionary, because there are hundreds of them."""

    value: str
    count: int


class Facets(Record):
    """Number of URLs for each value of each facet, and the most informative clusters."""

    total: int
    is_estimate: bool
    facets: Mapping[str, tuple[FacetCount, ...]]
    clusters: tuple[ClusterSummary, ...]


class Clusters(Record):
    """Clusters of a site, most informative first; `total` counts all of them."""

    clusters: tuple[ClusterSummary, ...]
    total: int


class Explanation(Record):
    """Provenance of a URL, or the rule that skips it; `sentence` describes the reason."""

    url: str
    page: PageRow | None
    chain: tuple[ProvenanceStep, ...]
    allowed: bool
    reason: str
    sentence: str
    shape: str | None
    rules: tuple[RuleResult, ...]


class EvidenceList(Record):
    """A part of the evidence of a scan."""

    evidence: tuple[Evidence, ...]
    cursor: str | None


class FolderRow(Record):
    """A folder of a site; `own` counts the pages that are in no folder below it."""

    name: str
    path: str
    pages: int
    own: int


class Tree(Record):
    """Folders and pages of one folder; `more_folders` and `more_pages` are the positions to continue after."""

    path: str
    folders: tuple[FolderRow, ...]
    pages: tuple[PageRow, ...]
    more_folders: int | None
    more_pages: int | None


class Section(FolderRow):
    """A folder of a site with its parent."""

    number: int
    parent: int | None


class Sections(Record):
    """The largest folders of a site."""

    sections: tuple[Section, ...]
    is_capped: bool


class GraphPage(Record):
    """A page in the link graph; `parent` is the page it was found on."""

    number: int
    url: str
    title: str | None
    parent: int | None
    depth: int | None


class Graph(Record):
    """The pages with the highest priority and the links between them, as pairs of page numbers."""

    pages: tuple[GraphPage, ...]
    links: tuple[tuple[int, int], ...]
    is_capped: bool
    total: int
    links_kept: str


class SkippedExample(Record):
    """A skipped URL; `detail` says what the deciding rule matched."""

    number: int
    url: str
    found_on: str | None
    state: str
    detail: str


class SkippedReason(Record):
    """URLs skipped for one reason: `count` of them, of which `kept` are stored."""

    reason: str
    sentence: str
    count: int
    kept: int
    examples: tuple[SkippedExample, ...]


class Skipped(Record):
    """Skipped URLs by reason, most frequent first."""

    reasons: tuple[SkippedReason, ...]


class PageChange(Record):
    """A page that is new, changed or gone since the earlier scan."""

    change: str
    url: str
    title: str | None
    status: int | None
    state: str


class ChangeCounts(Record):
    """Number of pages by change."""

    new: int
    changed: int
    gone: int


class Changes(Record):
    """Differences between two scans; `is_capped` if there are more changes than the list holds."""

    old: int
    new: int
    counts: ChangeCounts
    is_capped: bool
    changes: tuple[PageChange, ...]
    cursor: str | None


class SettingInfo(Record):
    """A setting that a request may choose."""

    name: str
    help: str
    section: str
    allowed: str
    unit: str
    default: object


class SettingsTable(Record):
    """Settings that a request may choose, and the values of each preset."""

    presets: Mapping[str, Mapping[str, object]]
    settings: tuple[SettingInfo, ...]
