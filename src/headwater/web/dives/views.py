"""What the page and its API tell of dives, as plain values; both ask here, so that they agree."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from headwater.dive.progress import STAGES, kind_of
from headwater.dive.retrieval.embedder import missing_extra, why_lexical
from headwater.urls.skip_reasons import describe_reason
from headwater.web.scans.views import STALLED_AFTER
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.dive import Hit
    from headwater.settings import Settings
    from headwater.store import Dive, DivePage, Document, Message
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Event

MAX_MESSAGES = 200
EXPECTED_REASONS = frozenset({"done", "waiting"})
REASON_SENTENCES = {
    "other-language": "The page is in another language than the dive asks for",
    "no-content": "The page holds no text of its own",
    "same-as-another": "The page says the very same as another one",
    "other-host": "The page leads to another host",
}


def require_dive(store: BrowseStore, number: int) -> Dive:
    """A dive by its number; a problem if there is none."""
    dive = store.dives.dive(number)
    if dive is None:
        raise Problem(404, f"there is no dive {number}")
    return dive


def dive_row(store: BrowseStore, dive: Dive, held: str) -> dict[str, Any]:
    """A dive as lists show it; `held` says whether it runs or waits in this server."""
    titles = {cluster.name: cluster.title for cluster in store.clusters(dive.scan)}
    parts = [titles.get(str(name), str(name)) for name in dive.selection.get("clusters", ())]
    parts += [str(pattern) for pattern in dive.selection.get("include", ())]
    state = _state(store, dive, held)
    return {
        "number": dive.number,
        "scan": dive.scan,
        "name": ", ".join(parts) or "All pages",
        "seeds": list(dive.seeds),
        "clusters": [str(name) for name in dive.selection.get("clusters", ())],
        "match": [str(pattern) for pattern in dive.selection.get("include", ())],
        "all_languages": bool(dive.selection.get("all_languages")),
        "state": state,
        "is_live": state in {"running", "queued"},
        "is_here": bool(held) and state in {"running", "queued"},
        "started": dive.started,
        "finished": dive.finished,
        "pages": dive.pages,
        "read": dive.done,
        "waiting": dive.pending,
        "passages": dive.chunks,
        "vectors": dive.vectors,
        "embedder": dive.embedder,
    }


def dive_view(store: BrowseStore, dive: Dive, held: str) -> dict[str, Any]:
    """A dive with its stages and why pages were not read."""
    row = dive_row(store, dive, held)
    told = _last_progress_event(store, dive)
    reasons = store.dives.reason_counts(dive.number)
    return {
        **row,
        "stages": _stages(dive, row, told),
        "reasons": [
            {"reason": reason, "sentence": REASON_SENTENCES.get(reason) or describe_reason(reason), "count": count}
            for reason, count in reasons.items()
            if reason not in EXPECTED_REASONS
        ],
        "failure": str(told.data.get("failure") or "") if told and not row["is_live"] else "",
    }


def document_row(document: Document) -> dict[str, Any]:
    """A page of a dive as lists show it."""
    row = document._asdict()
    reason = document.reason
    return {**row, "sentence": (REASON_SENTENCES.get(reason) or describe_reason(reason)) if reason else ""}


def document_view(page: DivePage, markdown: str) -> dict[str, Any]:
    """A page that was read, with what it says."""
    return {
        "number": page.number,
        "url": page.url,
        "title": page.title,
        "language": page.language,
        "canonical": page.canonical,
        "published": page.published,
        "modified": page.modified,
        "read_at": page.read_at,
        "headings": [{"level": level, "text": text, "anchor": anchor} for level, text, anchor in page.headings],
        "markdown": markdown,
    }


def hit_row(hit: Hit) -> dict[str, Any]:
    """A passage that was found."""
    return {name: value for name, value in hit._asdict().items() if name != "number"}


def message_row(message: Message) -> dict[str, Any]:
    """A turn of a conversation."""
    citations = [
        {"number": int(one["number"]), **{name: str(one.get(name, "")) for name in CITATION_FIELDS}}
        for one in message.citations
    ]
    return {"role": message.role, "text": message.text, "citations": citations, "at": message.at}


CITATION_FIELDS = ("url", "page_url", "heading", "passage")


def explain_lexical_search(settings: Settings) -> str:
    """Why searches go by words only, if they do."""
    is_lexical = settings.embedder == "none" or (settings.embedder in {"auto", "minilm"} and missing_extra())
    return why_lexical(settings) if is_lexical else ""


def _state(store: BrowseStore, dive: Dive, held: str) -> str:
    """A dive that runs here is over once its last word is written, a moment after its end is."""
    told = _last_progress_event(store, dive)
    if held == "queued" or (held and told and _has_running_stage(told)):
        return held
    if dive.state != "running" or held:
        return dive.state
    return "stalled" if _seconds_since(told.at if told else dive.started) > STALLED_AFTER else "running"


def _has_running_stage(told: Event) -> bool:
    stages: Any = told.data["stages"]
    return any(stage["state"] == "running" for stage in stages)


def _last_progress_event(store: BrowseStore, dive: Dive) -> Event | None:
    """What was last said of the dive, unless it was said before the dive was begun again."""
    event = store.last_event(dive.scan, kind_of(dive.number))
    is_old = event is not None and datetime.fromisoformat(event.at) < datetime.fromisoformat(dive.started)
    return None if is_old else event


def _stage_note(dive: Dive, name: str, stage: Mapping[str, Any]) -> str:
    """A word on a stage that its numbers do not say."""
    if name == "embedding" and stage.get("state") == "skipped":
        return "nothing was new" if dive.vectors else "search goes by words only"
    return ""


def _seconds_since(moment: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()


def _stages(dive: Dive, row: Mapping[str, Any], told: Event | None) -> list[dict[str, Any]]:
    """As the dive told of them; one that told nothing is judged by what it left."""
    stages: Any = told.data["stages"] if told else ()
    known: dict[str, Any] = {str(stage["name"]): stage for stage in stages}
    counts = {"reading": dive.done, "cutting": dive.chunks, "embedding": dive.vectors}
    blank = {"state": "waiting", "done": 0, "total": 0, "seconds": None}
    return [
        {
            **(stage := {**blank, **known.get(name, {})}),
            "name": name,
            "state": stage["state"]
            if row["is_live"]
            else _final_stage_state(str(stage["state"]), dive.state, is_told=bool(known)),
            "count": counts[name],
            "note": _stage_note(dive, name, stage),
        }
        for name in STAGES
    ]


def _final_stage_state(stage: str, dive: str, *, is_told: bool) -> str:
    """How a stage ended: the last word on it is written a moment after the dive's own end, or never."""
    if dive == "done":
        return {"running": "done", "waiting": "skipped" if is_told else "done"}.get(stage, stage)
    return "interrupted" if stage == "running" else stage
