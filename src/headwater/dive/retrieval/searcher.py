"""Search a dive with a full-text index and with vectors, and merge both rankings."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.languages.language import is_other_language
from headwater.dive.content.selection import Selection, select_pages
from headwater.dive.pipeline import raise_dive_not_found
from headwater.dive.retrieval.embedder import explain_keyword_only
from headwater.dive.retrieval.fusion import fuse_rankings
from headwater.dive.retrieval.vector_index import VectorIndex
from headwater.relevance.query_terms import build_search_terms, split_words

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from headwater.dive.retrieval.embedder import Embedder
    from headwater.dive.retrieval.vector_index import FloatArray
    from headwater.settings import Settings
    from headwater.store import DiveStore, Passage

VECTOR_DEPTH = 200
"""The number of vector hits that are merged with the keyword hits."""

KEYWORD_DEPTH = 300
TRUSTED_KEYWORD_HITS = 3
"""Keyword hits below this rank count only if they are vector hits too."""

FILTERED_DEPTH = 5000
HEADING_WEIGHT = 2.0
VECTOR_WEIGHT = 6.0
"""The weight of vector hits for a question, compared to 1 for keyword hits; both are 1 for one or two words."""

MAX_LOOKUP_WORDS = 2
MAX_QUERY = 2000


class Hit(NamedTuple):
    """A passage that was found; `url` includes the anchor, and a rank is None if that ranking does not contain it."""

    number: int
    url: str
    page_url: str
    title: str
    heading: str
    language: str
    passage: str
    word_rank: int | None
    meaning_rank: int | None
    similarity: float | None


class Results(NamedTuple):
    """The hits of a search; `note` is the reason why only keywords were used, if any."""

    hits: tuple[Hit, ...]
    note: str = ""


class SearchFilters(NamedTuple):
    """Restricts a search to pages of a cluster, in a language, or with a URL that matches a pattern."""

    cluster: str = ""
    language: str = ""
    path: str = ""


class Searcher:
    """Searches the dives of one store, and keeps their vectors in memory."""

    def __init__(self, dives: DiveStore, settings: Settings, embedder: Embedder | None) -> None:
        self._dives, self._settings, self._embedder = dives, settings, embedder
        self._vectors: dict[int, tuple[tuple[int, str], VectorIndex]] = {}
        self._queried_dives: set[int] = set()

    async def search(
        self, query: str, dive: int | None = None, *, limit: int = 10, filters: SearchFilters | None = None
    ) -> Results:
        """Return the best passages for a question, by default in the newest dive."""
        query = query[:MAX_QUERY]
        number, scan, embedder = self._dives.resolve_dive(dive) or raise_dive_not_found(dive)
        among = self._select_passages(number, scan, filters) if filters and any(filters) else None
        embedding = asyncio.create_task(self._embed_query(embedder, query))
        try:
            await asyncio.sleep(0)  # starts the model's thread before the keyword search
            by_words = self._search_keywords(number, query, among)
        except BaseException:
            embedding.cancel()
            raise
        by_meaning, note = self._search_vectors(number, await embedding, among)
        order = merge_rankings(query, by_words, [number for number, _ in by_meaning])
        ranks = (
            {number: rank for rank, number in enumerate(by_words, 1)},
            {number: (rank, score) for rank, (number, score) in enumerate(by_meaning, 1)},
        )
        return Results(tuple(_build_hit(passage, *ranks) for passage in self._dives.passages(order[:limit])), note)

    def _search_keywords(self, dive: int, query: str, among: Set[int] | None) -> list[int]:
        depth = KEYWORD_DEPTH if among is None else FILTERED_DEPTH
        numbers = self._dives.match_words(dive, build_search_terms(query), depth, HEADING_WEIGHT)
        return [number for number in numbers if among is None or number in among][:KEYWORD_DEPTH]

    async def _embed_query(self, embedder: str, query: str) -> tuple[FloatArray | None, str]:
        """Return the query's vector and an empty string, or None and the reason."""
        if self._embedder is None:
            return None, explain_keyword_only(self._settings)
        if embedder != self._embedder.name:
            return None, _explain_no_vectors(self._embedder)
        if not query.strip():
            return None, ""
        (embedded,) = await self._embedder.embed([query])
        return embedded, ""

    def _search_vectors(
        self, dive: int, embedded: tuple[FloatArray | None, str], among: Set[int] | None
    ) -> tuple[list[tuple[int, float]], str]:
        query, note = embedded
        if query is None or self._embedder is None:
            return [], note
        nearest = self._find_nearest(dive, self._embedder.name, query, among)
        return nearest, "" if nearest or among is not None else _explain_no_vectors(self._embedder)

    def _find_nearest(
        self, dive: int, embedder: str, query: FloatArray, among: Set[int] | None
    ) -> list[tuple[int, float]]:
        """Let the store answer the first query of a dive if it can; later ones use vectors in memory."""
        is_first, found = dive not in self._queried_dives, None
        self._queried_dives.add(dive)
        if is_first:
            found = self._dives.nearest(dive, embedder, query.tolist(), VECTOR_DEPTH, among)
        return self._load_vectors(dive).nearest(query, VECTOR_DEPTH, among) if found is None else found

    def _load_vectors(self, dive: int) -> VectorIndex:
        """Return the vectors of a dive, and reload them if they have changed."""
        version = self._dives.version(dive)
        kept = self._vectors.get(dive)
        if kept is None or kept[0] != version:
            kept = self._vectors[dive] = (version, VectorIndex(self._dives.vectors(dive, version[1])))
        return kept[1]

    def _select_passages(self, dive: int, scan: int, filters: SearchFilters) -> set[int]:
        """Return the numbers of the passages that pass the filters."""
        urls: set[str] | None = None
        if filters.cluster or filters.path:
            selection = Selection(
                (filters.cluster,) if filters.cluster else (), (filters.path,) if filters.path else (), True
            )
            urls = {page.url for page in select_pages(self._dives.scan_pages(scan), selection)}
        return {
            number
            for number, url, language in self._dives.chunk_locations(dive)
            if (urls is None or url in urls)
            and (not filters.language or (language and not is_other_language(language, filters.language)))
        }


def merge_rankings(
    query: str, by_words: Sequence[int], by_meaning: Sequence[int], meaning_weight: float = VECTOR_WEIGHT
) -> list[int]:
    """Merge the keyword ranking and the vector ranking of a query."""
    if not by_meaning:
        return list(by_words)
    if len(split_words(query)) <= MAX_LOOKUP_WORDS:
        return fuse_rankings([(by_words, 1.0), (by_meaning, 1.0)])
    near = set(by_meaning)
    supported = [
        number for position, number in enumerate(by_words) if position < TRUSTED_KEYWORD_HITS or number in near
    ]
    return fuse_rankings([(supported, 1.0), (by_meaning, meaning_weight)])


def _explain_no_vectors(embedder: Embedder) -> str:
    return f"by words only: this dive has no vectors of {embedder.name}; `headwater dive` creates them"


def _build_hit(passage: Passage, words: dict[int, int], meanings: dict[int, tuple[int, float]]) -> Hit:
    rank, similarity = meanings.get(passage.number, (None, None))
    return Hit(
        passage.number,
        f"{passage.url}#{passage.anchor}" if passage.anchor else passage.url,
        passage.url,
        passage.title,
        passage.heading,
        passage.language,
        passage.text,
        words.get(passage.number),
        rank,
        similarity,
    )


def get_best_similarity(hits: Sequence[Hit]) -> float | None:
    """Return the highest cosine similarity; None if vectors were not searched."""
    return max((hit.similarity for hit in hits if hit.similarity is not None), default=None)
