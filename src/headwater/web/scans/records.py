"""Records of the API about scans, pages and sites."""

from collections.abc import Mapping
from typing import Annotated, get_type_hints

from msgspec import UNSET, UnsetType

from headwater.export.records import FIELDS, get_values, make_record
from headwater.model import LIST_NAMES, Evidence, Page
from headwater.store.history.page_events import PageEvent
from headwater.store.provenance import ProvenanceStep
from headwater.store.records.browse_records import LinkedPage, PageVersion
from headwater.urls.rule_explanation import RuleResult
from headwater.web.records import Record, one_of

SCAN_STATES = ("queued", "running", "stalled", "paused", "done", "limited", "incomplete", "interrupted", "cancelled")

ScanState = Annotated[str, one_of(SCAN_STATES)]

_EXPORTED_TYPES = get_type_hints(Page) | {
    "list": Annotated[str, one_of(LIST_NAMES)], "redirect_to": str | None, "duplicate_of": str | None,
}  # fmt: skip


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
    errors: Mapping[str, int] = {}
    seconds: float = 0.0


class ScanView(ScanRow):
    """A scan with its stages and counts; `skipped` counts skipped URLs by reason.

    `diagnosis` explains why a scan found few pages.
    """

    settings: Mapping[str, object]
    stages: tuple[StageRow, ...]
    progress: ScanProgress | None
    failure: str | None
    last_event: int
    skipped: Mapping[str, int]
    newest: tuple[str, ...]
    diagnosis: tuple[str, ...]


class ScanList(Record):
    """Scans, newest first."""

    scans: tuple[ScanRow, ...]
    cursor: str | None


class ScanReference(Record):
    """Number of the scan that a request started or changed."""

    scan: int


class PageRow(Record):
    """A page with its number; the other fields are those of exports, in the same order."""

    number: int
    __annotations__ |= {name: _EXPORTED_TYPES[name] for name in FIELDS}

    @staticmethod
    def make(number: int, page: Page) -> "PageRow":
        """Return the exported fields of a page with its number."""
        return PageRow(number, *get_values(page))


class SelectedPage(Record, kw_only=True):
    """A page with its number and the chosen fields of exports, or all of them; `score` is its rank for `search`."""

    number: int
    __annotations__ |= {name: _EXPORTED_TYPES[name] | UnsetType for name in FIELDS} | {
        "score": float | None | UnsetType
    }
    locals().update(dict.fromkeys((*FIELDS, "score"), UNSET))  # the defaults of fields that only exports name

    @staticmethod
    def make(number: int, page: Page, fields: tuple[str, ...]) -> "SelectedPage":
        """Return these fields of a page with its number."""
        return SelectedPage(number=number, **make_record(page, fields))


class ProvenanceStepRow(Record):
    """One page or file of the chain to a URL, and how it was found."""

    __annotations__ = get_type_hints(ProvenanceStep)


class LinkedPageRow(Record):
    """A page at the other end of a link."""

    __annotations__ = get_type_hints(LinkedPage)


class PageVersionRow(Record):
    """A page in one of several scans of its site."""

    __annotations__ = get_type_hints(PageVersion)


class PageEventRow(Record):
    """A change of a page that a scan saw, such as that it is gone."""

    __annotations__ = get_type_hints(PageEvent)


class EvidenceRow(Record):
    """A step of a scan and its outcome."""

    __annotations__ = get_type_hints(Evidence)


class ClusterRow(Record):
    """A cluster with its number and the number of its listed pages."""

    number: int
    name: str
    kind: str
    title: str
    pages: int


class RuleRow(Record):
    """The result of one rule: if it applies (null: not reached), if it decides, and why."""

    __annotations__ = get_type_hints(RuleResult)


class PageList(Record):
    """A part of the list of URLs; `as_of` is the time of the index that it was read from."""

    pages: tuple[PageRow, ...]
    total: int
    is_estimate: bool
    cursor: str | None
    as_of: str


class SelectedPages(Record):
    """A part of the list of URLs, with the chosen fields; `as_of` is the time of the index that it was read from."""

    pages: tuple[SelectedPage, ...]
    total: int
    is_estimate: bool
    cursor: str | None
    as_of: str


class PageView(Record):
    """A page with its provenance, links, response headers, evidence and history.

    `history` has the page in each scan, the newest first, and `events` its changes, the oldest first.
    """

    page: PageRow
    chain: tuple[ProvenanceStepRow, ...]
    outlinks: tuple[LinkedPageRow, ...]
    inlinks: tuple[LinkedPageRow, ...]
    headers: Mapping[str, str]
    evidence: tuple[EvidenceRow, ...]
    history: tuple[PageVersionRow, ...]
    events: tuple[PageEventRow, ...]
    reason: str
    links_kept: str


class FacetCount(Record):
    """Number of URLs that have one value of a facet."""

    value: str
    count: int


class Facets(Record):
    """Number of URLs for each value of each facet, and the most informative clusters."""

    total: int
    is_estimate: bool
    facets: Mapping[str, tuple[FacetCount, ...]]
    clusters: tuple[ClusterRow, ...]


class Clusters(Record):
    """Clusters of a site, most informative first; `total` counts all of them."""

    clusters: tuple[ClusterRow, ...]
    total: int


class Explanation(Record):
    """Provenance of a URL, or the rule that skips it; `sentence` describes the reason."""

    url: str
    page: PageRow | None
    chain: tuple[ProvenanceStepRow, ...]
    allowed: bool
    reason: str
    sentence: str
    shape: str | None
    rules: tuple[RuleRow, ...]


class EvidenceList(Record):
    """A part of the evidence of a scan."""

    evidence: tuple[EvidenceRow, ...]
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
