"""Dives as the API and the screens show them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from headwater.dive.content.markdown_blocks import remove_repeated_blocks
from headwater.dive.progress_events import STAGES, format_event_kind
from headwater.dive.retrieval.embedder import explain_keyword_only, find_missing_package
from headwater.urls.skip_reasons import describe_reason
from headwater.web.dives.records import (
    CitedPassage,
    DiveRow,
    DiveStage,
    DiveView,
    DocumentList,
    DocumentRow,
    DocumentView,
    Heading,
    HitRow,
    MessageRow,
    UnreadReason,
)
from headwater.web.records import restore_record
from headwater.web.scans.views import STALLED_AFTER, seconds_since
from headwater.web.serving.cursors import cut_page, decode_offset
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from headwater.dive import Hit
    from headwater.settings import Settings
    from headwater.store import Dive, Message
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Event
    from headwater.web.dives.inputs import DocumentsQuery

MAX_MESSAGES = 200
EXPECTED_REASONS = frozenset({"done", "waiting"})
REASON_SENTENCES = {
    "other-language": "The page is in a language that the dive does not include",
    "no-content": "The page has no text of its own",
    "same-as-another": "The page has the same text as another one",
    "other-host": "The page redirects to another host",
}


def require_dive(store: BrowseStore, number: int) -> Dive:
    """Return a dive by its number; raise Problem if it does not exist."""
    dive = store.dives.dive(number)
    if dive is None:
        raise Problem(404, f"There is no dive {number}")
    return dive


def make_dive_row(store: BrowseStore, dive: Dive, job_state: str = "") -> DiveRow:
    """Return a dive for a list; `job_state` is its state in the queue of this server, if it is there."""
    titles = {cluster.name: cluster.title for cluster in store.clusters(dive.scan)}
    clusters = tuple(str(name) for name in dive.selection.get("clusters", ()))
    match = tuple(str(pattern) for pattern in dive.selection.get("include", ()))
    state = _get_state(store, dive, job_state)
    is_live = state in {"running", "queued"}
    return DiveRow(
        number=dive.number,
        scan=dive.scan,
        name=", ".join([*(titles.get(name, name) for name in clusters), *match]) or "All pages",
        seeds=dive.seeds,
        clusters=clusters,
        match=match,
        all_languages=bool(dive.selection.get("all_languages")),
        state=state,
        is_live=is_live,
        is_here=bool(job_state) and is_live,
        started=dive.started,
        finished=dive.finished,
        pages=dive.pages,
        read=dive.done,
        waiting=dive.pending,
        passages=dive.chunks,
        vectors=dive.vectors,
        embedder=dive.embedder,
    )


def make_dive_view(store: BrowseStore, dive: Dive, job_state: str) -> DiveView:
    """Return a dive with its stages, and why pages were not read."""
    row = make_dive_row(store, dive, job_state)
    progress = _last_progress_event(store, dive)
    reasons = store.dives.reason_counts(dive.number)
    return DiveView(
        **asdict(row),
        stages=make_stages(dive, progress, is_live=row.is_live),
        reasons=tuple(
            UnreadReason(reason=reason, sentence=describe_unread(reason), count=count)
            for reason, count in reasons.items()
            if reason not in EXPECTED_REASONS
        ),
        failure=str(progress.data.get("failure") or "") if progress and not row.is_live else "",
    )


def describe_unread(reason: str) -> str:
    """Return a sentence for the reason why a page was not read."""
    return REASON_SENTENCES.get(reason) or describe_reason(reason)


def list_documents(store: BrowseStore, query: DocumentsQuery, limit: int) -> DocumentList:
    """Return a part of the pages of a dive."""
    after = decode_offset(query.cursor) or 0
    rows = store.dives.documents(query.dive, after, limit + 1, query.state)
    shown, cursor = cut_page(rows, limit, lambda row: row.number)
    documents = tuple(
        DocumentRow(**row._asdict(), sentence=describe_unread(row.reason) if row.reason else "") for row in shown
    )
    return DocumentList(documents=documents, cursor=cursor)


def make_document_view(store: BrowseStore, dive: int, url: str) -> DocumentView:
    """Return a page with its Markdown, without the blocks that all pages of the dive share."""
    page = store.dives.page(url, dive)
    if page is None:
        raise Problem(404, f"Dive {dive} has not read {url[:200]}", "url")
    headings = tuple(Heading(level=level, text=text, anchor=anchor) for level, text, anchor in page.headings)
    markdown = remove_repeated_blocks(page.markdown, store.dives.repeated_blocks(dive))
    return restore_record(page._asdict() | {"headings": headings, "markdown": markdown}, DocumentView)


def make_hit_row(hit: Hit) -> HitRow:
    """Return a passage that a search found."""
    return restore_record(hit._asdict(), HitRow)


def make_message_row(message: Message) -> MessageRow:
    """Return a message of a conversation."""
    citations = tuple(restore_record(citation, CitedPassage) for citation in message.citations)
    return MessageRow(role=message.role, text=message.text, citations=citations, at=message.at)


def explain_lexical_search(settings: Settings) -> str:
    """Return why searches use words only, or an empty text if they also go by meaning."""
    is_lexical = settings.embedder == "none" or (settings.embedder in {"auto", "minilm"} and find_missing_package())
    return explain_keyword_only(settings) if is_lexical else ""


def _get_state(store: BrowseStore, dive: Dive, job_state: str) -> str:
    """Return the state of a dive; one that runs here is over once its last event, written after its end, is there."""
    progress = _last_progress_event(store, dive)
    if job_state == "queued" or (job_state and progress and _has_running_stage(progress)):
        return job_state
    if dive.state != "running" or job_state:
        return dive.state
    return "stalled" if seconds_since(progress.at if progress else dive.started) > STALLED_AFTER else "running"


def _has_running_stage(progress: Event) -> bool:
    stages: Any = progress.data["stages"]
    return any(stage["state"] == "running" for stage in stages)


def _last_progress_event(store: BrowseStore, dive: Dive) -> Event | None:
    """Return the last event of a dive, unless it is older than the current run."""
    event = store.last_event(dive.scan, format_event_kind(dive.number))
    is_old = event is not None and datetime.fromisoformat(event.at) < datetime.fromisoformat(dive.started)
    return None if is_old else event


def make_stages(dive: Dive, progress: Event | None, *, is_live: bool) -> tuple[DiveStage, ...]:
    """Return the stages as the last event describes them; without an event, as the results suggest."""
    events: Any = progress.data["stages"] if progress else ()
    known: dict[str, dict[str, Any]] = dict(zip(STAGES, events, strict=False))  # older events have other names
    counts = {"reading": dive.done, "chunking": dive.chunks, "embedding": dive.vectors}
    stages = []
    for name in STAGES:
        stored = {"state": "waiting", **known.get(name, {}), "name": name}
        note = _make_note(dive, name, stored["state"])
        if not is_live:
            stored["state"] = _get_final_state(stored["state"], dive.state, has_events=bool(known))
        stages.append(restore_record(stored, DiveStage, count=counts[name], note=note))
    return tuple(stages)


def _make_note(dive: Dive, name: str, state: str) -> str:
    """Return why the embedding stage was skipped, if it was."""
    if name == "embedding" and state == "skipped":
        return "no new passages" if dive.vectors else "search uses words only"
    return ""


def _get_final_state(stage: str, dive: str, *, has_events: bool) -> str:
    """Return how a stage ended; its last event may be written after the end of the dive, or never."""
    if dive == "done":
        return {"running": "done", "waiting": "skipped" if has_events else "done"}.get(stage, stage)
    return "interrupted" if stage == "running" else stage
