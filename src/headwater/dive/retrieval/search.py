"""Search in a dive: by words in a full-text index, by meaning among vectors, both made one ranking."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.language import is_other_language
from headwater.dive.content.selection import Selection, choose_pages
from headwater.dive.dive import missing
from headwater.dive.retrieval.embedder import why_lexical
from headwater.dive.retrieval.fusion import fuse
from headwater.dive.retrieval.vectors import Vectors
from headwater.dive.retrieval.words import sought_words, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from headwater.dive.retrieval.embedder import Embedder
    from headwater.dive.retrieval.vectors import Floats
    from headwater.settings import Settings
    from headwater.store import DiveStore, Passage

DEPTH = 200
"""How far down the ranking by meaning is read before the two are made one."""

WORDS_DEPTH = 300
SURE = 3
"""The first so many by words count in any case; those below only if they are near in meaning too."""

FILTERED_DEPTH = 5000
HEADING_WEIGHT = 2.0
MEANING_WEIGHT = 6.0
"""Against 1 for words, for a question; a query of one or two words is looked up rather than understood."""

LOOKED_UP = 2
MAX_QUERY = 2000


class Hit(NamedTuple):
    """A passage that was found: `url` leads to its heading; a rank is None where that ranking does not have it."""

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
    """What a search found; `note` says why it went by words only, if it did."""

    hits: tuple[Hit, ...]
    note: str = ""


class Filters(NamedTuple):
    """Only passages of pages in a cluster, in a language, whose URL matches a pattern."""

    cluster: str = ""
    language: str = ""
    path: str = ""


class Searcher:
    """Searches the dives of one store; keeps the vectors of the dives it searched in memory."""

    def __init__(self, dives: DiveStore, settings: Settings, embedder: Embedder | None) -> None:
        self._dives, self._settings, self._embedder = dives, settings, embedder
        self._vectors: dict[int, tuple[tuple[int, str], Vectors]] = {}
        self._asked: set[int] = set()

    async def search(
        self, query: str, dive: int | None = None, *, limit: int = 10, filters: Filters | None = None
    ) -> Results:
        """The passages that fit a question best, in a dive or in the newest."""
        query = query[:MAX_QUERY]
        number, scan, embedder = self._dives.resolve_dive(dive) or missing(dive)
        among = self._among(number, scan, filters) if filters and any(filters) else None
        embedding = asyncio.create_task(self._embedded(embedder, query))
        try:
            await asyncio.sleep(0)  # the model works in a thread of its own while the words are looked up
            by_words = self._by_words(number, query, among)
        except BaseException:
            embedding.cancel()
            raise
        by_meaning, note = self._by_meaning(number, await embedding, among)
        order = merged(query, by_words, [number for number, _ in by_meaning])
        ranks = (
            {number: rank for rank, number in enumerate(by_words, 1)},
            {number: (rank, score) for rank, (number, score) in enumerate(by_meaning, 1)},
        )
        return Results(tuple(_hit(passage, *ranks) for passage in self._dives.passages(order[:limit])), note)

    def _by_words(self, dive: int, query: str, among: Set[int] | None) -> list[int]:
        depth = WORDS_DEPTH if among is None else FILTERED_DEPTH
        numbers = self._dives.match_words(dive, sought_words(query), depth, HEADING_WEIGHT)
        return [number for number in numbers if among is None or number in among][:WORDS_DEPTH]

    async def _embedded(self, embedder: str, query: str) -> tuple[Floats | None, str]:
        """The query's vector, or why there is none."""
        if self._embedder is None:
            return None, why_lexical(self._settings)
        if embedder != self._embedder.name:
            return None, _no_vectors(self._embedder)
        if not query.strip():
            return None, ""
        (embedded,) = await self._embedder.embed([query])
        return embedded, ""

    def _by_meaning(
        self, dive: int, embedded: tuple[Floats | None, str], among: Set[int] | None
    ) -> tuple[list[tuple[int, float]], str]:
        query, note = embedded
        if query is None or self._embedder is None:
            return [], note
        nearest = self._nearest(dive, self._embedder.name, query, among)
        return nearest, "" if nearest or among is not None else _no_vectors(self._embedder)

    def _nearest(self, dive: int, embedder: str, query: Floats, among: Set[int] | None) -> list[tuple[int, float]]:
        """A first query is left to the store where it can; for more, the vectors in memory are many times as fast."""
        is_first, found = dive not in self._asked, None
        self._asked.add(dive)
        if is_first:
            found = self._dives.nearest(dive, embedder, query.tolist(), DEPTH, among)
        return self._loaded(dive).nearest(query, DEPTH, among) if found is None else found

    def _loaded(self, dive: int) -> Vectors:
        """The vectors of a dive, read again when they have changed."""
        version = self._dives.version(dive)
        kept = self._vectors.get(dive)
        if kept is None or kept[0] != version:
            kept = self._vectors[dive] = (version, Vectors(self._dives.vectors(dive, version[1])))
        return kept[1]

    def _among(self, dive: int, scan: int, filters: Filters) -> set[int]:
        """The passages that pass the filters."""
        urls: set[str] | None = None
        if filters.cluster or filters.path:
            selection = Selection(
                (filters.cluster,) if filters.cluster else (), (filters.path,) if filters.path else (), True
            )
            urls = {page.url for page in choose_pages(self._dives.scan_pages(scan), selection)}
        return {
            number
            for number, url, language in self._dives.chunk_locations(dive)
            if (urls is None or url in urls)
            and (not filters.language or (language and not is_other_language(language, filters.language)))
        }


def merged(
    query: str, by_words: Sequence[int], by_meaning: Sequence[int], meaning_weight: float = MEANING_WEIGHT
) -> list[int]:
    """Both rankings as one."""
    if not by_meaning:
        return list(by_words)
    if len(words_of(query)) <= LOOKED_UP:
        return fuse([(by_words, 1.0), (by_meaning, 1.0)])
    near = set(by_meaning)
    borne_out = [number for place, number in enumerate(by_words) if place < SURE or number in near]
    return fuse([(borne_out, 1.0), (by_meaning, meaning_weight)])


def _no_vectors(embedder: Embedder) -> str:
    return f"by words only: this dive has no vectors of {embedder.name}; `headwater dive` makes them"


def _hit(passage: Passage, words: dict[int, int], meanings: dict[int, tuple[int, float]]) -> Hit:
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


def best_similarity(hits: Sequence[Hit]) -> float | None:
    """The cosine of the passage most alike; None where no meaning was compared."""
    return max((hit.similarity for hit in hits if hit.similarity is not None), default=None)
