"""Records that are passed between packages; they hold data and no logic."""

from headwater.model.discovered_url import Candidate, DiscoveredUrl, SourceMetadata
from headwater.model.evidence import NO_CONTENT, Evidence
from headwater.model.exchange import (
    NO_HEADERS,
    REDIRECT_STATUSES,
    FetchFailure,
    Redirect,
    Request,
    RequestPurpose,
    Response,
    Timings,
)
from headwater.model.findings import NO_COUNTS, ContentSketch, Findings, Hint, IndexFile, PageFacts, ScriptRoute
from headwater.model.link import (
    LINK_KINDS,
    REGIONS,
    Link,
    LinkBlock,
    LinkPlacement,
    PageLinks,
    PreviousLink,
    Region,
    StoredLink,
)
from headwater.model.page import DETECTED_SUFFIX, EXPORTED_FIELDS, LIST_NAMES, SCORE_FIELD, Page
from headwater.model.url import NO_DEPTH, NOT_FOLLOWED, OVER_SOURCE_LIMIT, SOURCES, Spelling, UrlKind, UrlState, Verdict

__all__ = [
    "DETECTED_SUFFIX",
    "EXPORTED_FIELDS",
    "LINK_KINDS",
    "LIST_NAMES",
    "NOT_FOLLOWED",
    "NO_CONTENT",
    "NO_COUNTS",
    "NO_DEPTH",
    "NO_HEADERS",
    "OVER_SOURCE_LIMIT",
    "REDIRECT_STATUSES",
    "REGIONS",
    "SCORE_FIELD",
    "SOURCES",
    "Candidate",
    "ContentSketch",
    "DiscoveredUrl",
    "Evidence",
    "FetchFailure",
    "Findings",
    "Hint",
    "IndexFile",
    "Link",
    "LinkBlock",
    "LinkPlacement",
    "Page",
    "PageFacts",
    "PageLinks",
    "PreviousLink",
    "Redirect",
    "Region",
    "Request",
    "RequestPurpose",
    "Response",
    "ScriptRoute",
    "SourceMetadata",
    "Spelling",
    "StoredLink",
    "Timings",
    "UrlKind",
    "UrlState",
    "Verdict",
]
