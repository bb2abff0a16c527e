"""Parameters and bodies of requests about dives."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from headwater.dive import SearchFilters
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES
from headwater.web.records import MAX_INTEGER, Record, one_of, text_of
from headwater.web.scans.inputs import Address, ClusterNumber, SettingValues
from headwater.web.serving.parameters import Cursor, ScanPath, page_size

MAX_SELECTORS = 20
MAX_SELECTOR_LENGTH = 500
MAX_QUESTION_LENGTH = 2000

Selector = Annotated[str, Meta(min_length=1, max_length=MAX_SELECTOR_LENGTH)]
Query = Annotated[str, text_of(500, "Words or a question, in any language")]


class NewDive(Record):
    """Body of a request that starts a dive; it selects pages by cluster, by pattern, or by both."""

    extra_schema: ClassVar[Mapping[str, Any]] = {
        "anyOf": [{"required": [name], "properties": {name: {"minItems": 1}}} for name in ("clusters", "match")]
    }

    scan: Annotated[int, Meta(ge=1, le=MAX_INTEGER, extra={"expected": "the number of a scan"})]
    clusters: Annotated[
        tuple[Selector, ...],
        Meta(
            description="Clusters by name or title; if match is given too, pages must meet both",
            max_length=MAX_SELECTORS,
        ),
    ] = ()
    match: Annotated[
        tuple[Selector, ...],
        Meta(description="URL patterns: /docs/*, or re: and an expression", max_length=MAX_SELECTORS),
    ] = ()
    all_languages: Annotated[bool, Meta(description="Also read pages in other languages")] = False
    settings: SettingValues = field(default_factory=dict)


class Question(Record):
    """Body of a request that asks a question."""

    question: Annotated[str, Meta(min_length=1, max_length=MAX_QUESTION_LENGTH)]
    keep: Annotated[bool, Meta(description="Keep question and answer in the conversation of the dive")] = True


class StartDive(Record):
    """Input of the route that starts a dive."""

    body: NewDive


class DivePath(Record):
    """Path parameter of routes about one dive."""

    dive: Annotated[int, Meta(description="Number of the dive", ge=1, le=MAX_INTEGER)]


class AskDive(DivePath):
    """Input of the route that asks a question."""

    body: Question


class DiveListQuery(Record):
    """Parameters of the list of dives."""

    scan: Annotated[int, Meta(description="Only dives into this scan", ge=1, le=MAX_INTEGER)] = 0
    limit: Annotated[int, page_size(200)] = 50
    cursor: Cursor = ""


class DocumentsQuery(DivePath):
    """Parameters of the screen with the pages of a dive."""

    state: Annotated[str, one_of(("done", "waiting", "failed", "skipped"), "State of the page")] = ""
    cursor: Cursor = ""


class DocumentListQuery(DocumentsQuery):
    """Parameters of the list of pages of a dive."""

    limit: Annotated[int, page_size(500)] = 100


class DocumentQuery(DivePath):
    """Parameters of one page of a dive."""

    url: Annotated[str, text_of(2083, "URL of the page", "^https?://")]


class DiveExportQuery(DivePath):
    """Parameters of the export of a dive."""

    format: Annotated[str, one_of(tuple(DIVE_EXPORT_TYPES), "Format of the file")] = "jsonl"


class FilterQuery(DivePath):
    """Parameters that narrow a search."""

    cluster: Annotated[str, text_of(300, "Only pages of this cluster, by name or title")] = ""
    language: Annotated[str, text_of(35, "Only pages in this language", "^[A-Za-z0-9-]+$")] = ""
    path: Annotated[str, text_of(300, "Only pages whose URL matches, such as /docs/*")] = ""

    @property
    def filters(self) -> SearchFilters:
        """The filters of the searcher."""
        return SearchFilters(self.cluster, self.language, self.path)


class SearchQuery(FilterQuery, kw_only=True):
    """Parameters of a search."""

    q: Query
    limit: Annotated[int, page_size(100)] = 10


class SearchScreenQuery(FilterQuery):
    """Parameters of the search screen, which may be opened without a query."""

    q: Query = ""


class NewDiveQuery(ScanPath):
    """Parameters of the form that starts a dive."""

    cluster: ClusterNumber = 0
    under: Address = ""
