"""Measure the search quality of a dive into Python's documentation, with the questions of the FAQ as queries.

Titles and headings are removed from the passages. The weight of vector hits is also chosen on one half of the questions
and measured on the other, many times; the constant of the fusion was chosen on all questions. The same passages are
searched in PostgreSQL too.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from tests import postgres
from tests.commands import HEADWATER
from tests.sites.nginx import nginx

from headwater.dive.content.chunks import split_into_chunks
from headwater.dive.content.markdown import extract_page, hash_text
from headwater.dive.pipeline import build_rows, embed_chunks, iter_documents
from headwater.dive.retrieval.minilm import MiniLmEmbedder
from headwater.dive.retrieval.searcher import HEADING_WEIGHT, KEYWORD_DEPTH, VECTOR_DEPTH, VECTOR_WEIGHT, merge_rankings
from headwater.dive.retrieval.vector_index import VectorIndex
from headwater.relevance.query_terms import build_search_terms
from headwater.store import ChunkRow, ScanPage, SqliteStore, open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.store import DiveStore

DOCS = Path("/usr/share/doc/python3.11/html")
KEPT = Path(__file__).parent.parent / ".build" / "dive.db"
WEIGHTS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
SPLITS = 200


class Question(NamedTuple):
    """A heading of the FAQ, and the page and anchor of its answer."""

    text: str
    page: str
    anchor: str


class Gains(NamedTuple):
    """nDCG@10 of every question: with keywords only, and with both rankings for each weight of vector hits."""

    words: np.ndarray
    fused: dict[float, np.ndarray]


def quality() -> None:
    """Search the text of library and FAQ, without titles and headings, for the questions of the FAQ."""
    with nginx(DOCS) as origin:
        _scan(origin)
    store = SqliteStore(str(KEPT))
    dive = store.dives.dives()[-1].number
    _drop_titles(store, dive)
    model = MiniLmEmbedder()
    asyncio.run(
        embed_chunks(
            store.dives, dive, model, lambda step: print(f"\r{step.done} of {step.total}", end="", file=sys.stderr)
        )
    )
    questions = _questions()
    vectors = model.embed_sync([question.text for question in questions])
    passages = store.dives.dives()[-1].chunks
    print(f"quality    {len(questions)} questions, {passages:,} passages, nDCG@10:")
    _print("SQLite", _gains(store.dives, dive, questions, vectors))
    server = postgres.start()
    try:
        with server.database() as url:
            copy = open_store(url)
            _print("PostgreSQL", _gains(copy.dives, _copied(store, dive, copy.dives), questions, vectors))
            copy.close()
    finally:
        server.stop()
    store.close()


def _print(name: str, gains: Gains) -> None:
    words, fused = float(gains.words.mean()), float(gains.fused[VECTOR_WEIGHT].mean())
    print(
        f"  {name:<11}fused {fused:.3f} (wanted: 0.72), by words {words:.3f}, gain {fused - words:.3f} (wanted: 0.12)"
    )
    apart, gain, best = _held_out(gains)
    print(f"  {'':<11}weight chosen on other questions: fused {apart:.3f}, gain {gain:.3f}; weights chosen: {best}")


def _held_out(gains: Gains) -> tuple[float, float, str]:
    """Choose the weight on one half of the questions and measure it on the other, for many random halves."""
    table = np.array([gains.fused[weight] for weight in WEIGHTS])
    chance = np.random.default_rng(6)
    count = table.shape[1]
    measured, gained, chosen = [], [], []
    for _ in range(SPLITS):
        order = chance.permutation(count)
        for mine, theirs in ((order[: count // 2], order[count // 2 :]), (order[count // 2 :], order[: count // 2])):
            best = int(table[:, mine].mean(axis=1).argmax())
            chosen.append(WEIGHTS[best])
            measured.append(table[best, theirs].mean())
            gained.append(table[best, theirs].mean() - gains.words[theirs].mean())
    often = ", ".join(f"{weight:g} × {chosen.count(weight)}" for weight in WEIGHTS if weight in chosen)
    return statistics.fmean(measured), statistics.fmean(gained), often


def _gains(dives: DiveStore, dive: int, questions: Sequence[Question], vectors: np.ndarray) -> Gains:
    known = VectorIndex(dives.vectors(dive, MiniLmEmbedder.name))
    words: list[float] = []
    fused: dict[float, list[float]] = {weight: [] for weight in WEIGHTS}
    for question, vector in zip(questions, vectors, strict=True):
        by_words = dives.match_words(dive, build_search_terms(question.text), KEYWORD_DEPTH, HEADING_WEIGHT)
        by_meaning = [number for number, _ in known.nearest(vector, VECTOR_DEPTH)]
        words.append(_gain(dives, by_words, question))
        for weight in WEIGHTS:
            fused[weight].append(_gain(dives, merge_rankings(question.text, by_words, by_meaning, weight), question))
    return Gains(np.array(words), {weight: np.array(values) for weight, values in fused.items()})


def _gain(dives: DiveStore, numbers: Sequence[int], question: Question) -> float:
    """Return nDCG@10 with one correct section; each section counts once, even if several of its passages are found."""
    sections = list(dict.fromkeys((one.url, one.anchor) for one in dives.passages(numbers[:30])))[:10]
    for rank, (url, anchor) in enumerate(sections, 1):
        if url.endswith(question.page) and anchor == question.anchor:
            return 1 / math.log2(rank + 1)
    return 0.0


def _copied(store: SqliteStore, dive: int, dives: DiveStore) -> int:
    """Copy the passages and vectors to another store."""
    with sqlite3.connect(KEPT) as db:
        pages = db.execute("SELECT number, identity, url, language FROM dive_page WHERE dive = ?", (dive,)).fetchall()
        listed = [ScanPage(identity, url, url, "", language, False, ()) for _, identity, url, language in pages]
        number, _ = dives.start_dive(1, ["http://docs.example/"], {}, listed)
        places = {page.identity: page.number for page in dives.pending_pages(number, 0, len(pages))}
        for page, identity, _, _ in pages:
            query = "SELECT heading, anchor, text, tokens, hash FROM chunk WHERE page = ? ORDER BY place"
            dives.set_chunks(number, places[identity], 1, [ChunkRow(*row) for row in db.execute(query, (page,))])
        query = "SELECT hash, content FROM vector WHERE embedder = ?"
        dives.add_vectors(number, MiniLmEmbedder.name, db.execute(query, (MiniLmEmbedder.name,)).fetchall())
    return number


def _scan(origin: str) -> None:
    """Scan and dive once, and keep the store; it contains the origin of the first run."""
    if KEPT.exists():
        return
    KEPT.parent.mkdir(exist_ok=True)
    fresh = str(KEPT) + ".new"
    for suffix in ("", "-wal", "-shm"):
        Path(fresh + suffix).unlink(missing_ok=True)
    subprocess.run([HEADWATER, "discover", origin, "--db", fresh, "--quiet", "-o", "/dev/null"], check=True)
    subprocess.run([HEADWATER, "dive", "library", "faq", "--db", fresh, "--embedder", "none", "--quiet"], check=True)
    store = SqliteStore(fresh)
    _cut_by_tokens(store, store.dives.dives()[-1].number)
    with sqlite3.connect(fresh) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    Path(fresh).rename(KEPT)


def _cut_by_tokens(store: SqliteStore, dive: int) -> None:
    """Split pages as a dive with the model does."""
    model = MiniLmEmbedder()
    for page, text in iter_documents(store.dives, dive):
        chunks = split_into_chunks(page.title, text, model.count_tokens)
        store.dives.set_chunks(dive, page.number, page.chunked_hash, build_rows(chunks))


def _drop_titles(store: SqliteStore, dive: int) -> None:
    with sqlite3.connect(KEPT) as db:
        pages = [
            number
            for (number,) in db.execute("SELECT DISTINCT page FROM chunk WHERE dive = ? AND heading <> ''", (dive,))
        ]
        for page in pages:
            rows = db.execute(
                "SELECT anchor, text, tokens FROM chunk WHERE page = ? ORDER BY place", (page,)
            ).fetchall()
            bare = [ChunkRow("", anchor, text, tokens, hash_text(text)) for anchor, text, tokens in rows]
            store.dives.set_chunks(dive, page, None, bare)


def _questions() -> list[Question]:
    """Return every h3 of the FAQ, and every h2 that is a question."""
    return [
        Question(heading.text, f"/faq/{path.name}", heading.anchor)
        for path in sorted((DOCS / "faq").glob("*.html"))
        for heading in extract_page(path.read_bytes(), f"http://docs.example/faq/{path.name}", "utf-8").headings
        if heading.anchor and (heading.level == 3 or (heading.level == 2 and heading.text.endswith("?")))
    ]
