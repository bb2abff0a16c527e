"""Deep dives: the pages of a cluster read, searched by meaning, and asked questions.

`create_dive` and `run` carry a dive out (`run` again goes on with it; `run_dive_with_events` lets others watch), `list_dives` lists
them, `open_searcher` gives a `Searcher` whose `search_dive` may be called again and again, `ask` answers a question
piece by piece.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.dive.answers.question_answering import Answer, AnswerDelta, Passages, ask
from headwater.dive.content.selection import Selection
from headwater.dive.pipeline import Progress, create_dive, iter_documents, run_dive
from headwater.dive.pipeline import find_dive as find_dive
from headwater.dive.progress_events import run_dive_with_events
from headwater.dive.retrieval.embedder import create_embedder
from headwater.dive.retrieval.searcher import Hit, Results, Searcher, SearchFilters

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.settings import Settings
    from headwater.store import Dive, Store

__all__ = [
    "Answer",
    "AnswerDelta",
    "Hit",
    "Passages",
    "Progress",
    "Results",
    "SearchFilters",
    "Searcher",
    "Selection",
    "ask",
    "create_dive",
    "find_dive",
    "iter_documents",
    "list_dives",
    "open_searcher",
    "run_dive",
    "run_dive_with_events",
]


def list_dives(store: Store) -> list[Dive]:
    """Every dive of a store, the oldest first, each with how far it has come."""
    return store.dives.dives()


@asynccontextmanager
async def open_searcher(store: Store, settings: Settings) -> AsyncIterator[Searcher]:
    """A searcher over the dives of a store; keep it open to keep the vectors in memory."""
    embedder = create_embedder(settings)
    try:
        yield Searcher(store.dives, settings, embedder)
    finally:
        if embedder:
            await embedder.aclose()
