"""Records of the API about dives."""

from typing import Annotated, get_type_hints

from headwater.dive.progress_events import STAGES
from headwater.dive.retrieval.searcher import Hit
from headwater.web.records import Record, one_of

DIVE_STATES = ("queued", "running", "stalled", "done", "interrupted")
STAGE_STATES = ("waiting", "running", "done", "interrupted", "skipped")


class DiveRow(Record):
    """A dive in a list; `is_here` if this server runs it or has queued it."""

    number: int
    scan: int
    name: str
    seeds: tuple[str, ...]
    clusters: tuple[str, ...]
    match: tuple[str, ...]
    all_languages: bool
    state: Annotated[str, one_of(DIVE_STATES)]
    is_live: bool
    is_here: bool
    started: str
    finished: str | None
    pages: int
    read: int
    waiting: int
    passages: int
    vectors: int
    embedder: str


class DiveStage(Record):
    """A stage of a dive: `done` of `total` in this run, `count` in all."""

    name: Annotated[str, one_of(STAGES)]
    state: Annotated[str, one_of(STAGE_STATES)] = "waiting"
    done: int = 0
    total: int = 0
    count: int = 0
    note: str = ""
    seconds: float | None = None


class UnreadReason(Record):
    """Number of pages that were not read for one reason."""

    reason: str
    sentence: str
    count: int


class DiveView(DiveRow):
    """A dive with its stages, and why pages were not read."""

    stages: tuple[DiveStage, ...]
    reasons: tuple[UnreadReason, ...]
    failure: str


class DiveList(Record):
    """Dives, newest first."""

    dives: tuple[DiveRow, ...]
    cursor: str | None


class DiveReference(Record):
    """Number of the dive that a request started or changed."""

    dive: int


class DocumentFields(Record):
    """Fields of a page in lists and in its own view."""

    number: int
    url: str
    title: str
    language: str
    published: str
    modified: str
    read_at: str | None


class DocumentRow(DocumentFields):
    """A page of a dive in a list; `sentence` describes the reason why it was not read."""

    state: str
    reason: str
    sentence: str


class DocumentList(Record):
    """A part of the pages of a dive."""

    documents: tuple[DocumentRow, ...]
    cursor: str | None


class Heading(Record):
    """A heading of a page, with its anchor in the page."""

    level: int
    text: str
    anchor: str


class DocumentView(DocumentFields):
    """A page that was read, as Markdown."""

    canonical: str
    headings: tuple[Heading, ...]
    markdown: str


class HitRow(Record):
    """A passage that a search found; a rank is null if that ranking does not contain it."""

    __annotations__ = {name: hint for name, hint in get_type_hints(Hit).items() if name != "number"}


class SearchResults(Record):
    """Passages that match a query; `note` says why the search used words only, if it did."""

    note: str
    hits: tuple[HitRow, ...]


class CitedPassage(Record):
    """A passage that an answer cites."""

    number: int
    url: str = ""
    page_url: str = ""
    heading: str = ""
    passage: str = ""


class MessageRow(Record):
    """A message of a conversation."""

    role: Annotated[str, one_of(("user", "assistant"))]
    text: str
    citations: tuple[CitedPassage, ...]
    at: str


class Conversation(Record):
    """The conversation with a dive, oldest message first."""

    messages: tuple[MessageRow, ...]


class DeletedMessages(Record):
    """Number of messages that were deleted."""

    forgotten: int
