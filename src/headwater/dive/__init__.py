"""Dive into a topic of a site: read the pages of a cluster, search them by meaning, and answer questions about them.

`create_dive` and `run_dive` read the pages; running a dive again continues it. `run_dive_with_events` also records its
progress for other processes. `open_searcher` returns a `Searcher` for any number of searches, and `ask` streams the
answer to a question.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.dive.answers.question_answering import Answer, AnswerDelta, Passages, ask
from headwater.dive.content.selection import Selection
from headwater.dive.pipeline import Progress, create_dive, find_dive, iter_documents, run_dive
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
    """Return every dive of a store with its progress, the oldest first."""
    return store.dives.dives()


@asynccontextmanager
async def open_searcher(store: Store, settings: Settings) -> AsyncIterator[Searcher]:
    """Yield a searcher over the dives of a store; it keeps vectors in memory while it is open."""
    embedder = create_embedder(settings)
    try:
        yield Searcher(store.dives, settings, embedder)
    finally:
        if embedder:
            await embedder.aclose()
