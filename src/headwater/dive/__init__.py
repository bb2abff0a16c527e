"""Deep dives: the pages of a cluster read, searched by meaning, and asked questions.

`begin` and `run` carry a dive out (`run` again goes on with it; `run_told` lets others watch), `list_dives` lists
them, `open_searcher` gives a `Searcher` whose `search_dive` may be called again and again, `ask` answers a question
piece by piece.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.dive.answers.ask import Answer, Passages, Piece, ask
from headwater.dive.content.selection import Selection
from headwater.dive.dive import Progress, begin, documents, run
from headwater.dive.dive import found as find_dive
from headwater.dive.progress import run_told
from headwater.dive.retrieval.embedder import embedder_for
from headwater.dive.retrieval.search import Filters, Hit, Results, Searcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.settings import Settings
    from headwater.store import Dive, Store

__all__ = [
    "Answer",
    "Filters",
    "Hit",
    "Passages",
    "Piece",
    "Progress",
    "Results",
    "Searcher",
    "Selection",
    "ask",
    "begin",
    "documents",
    "find_dive",
    "list_dives",
    "open_searcher",
    "run",
    "run_told",
]


def list_dives(store: Store) -> list[Dive]:
    """Every dive of a store, the oldest first, each with how far it has come."""
    return store.dives.dives()


@asynccontextmanager
async def open_searcher(store: Store, settings: Settings) -> AsyncIterator[Searcher]:
    """A searcher over the dives of a store; keep it open to keep the vectors in memory."""
    embedder = embedder_for(settings)
    try:
        yield Searcher(store.dives, settings, embedder)
    finally:
        if embedder:
            await embedder.aclose()
