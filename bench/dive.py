"""Measure dives into Debian's Python documentation: Markdown, search quality, embedding, and 100,000 passages.

The first run reads and embeds about nine thousand passages, which takes many minutes on a slow machine; later runs
reuse them from .build/dive.db.
"""

from __future__ import annotations

import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.dive_quality import DOCS, quality
from bench.measure import measure_cpu
from headwater.dive.content.chunks import split_into_chunks
from headwater.dive.content.markdown import ExtractedPage, extract_page
from headwater.dive.retrieval.minilm import MiniLmEmbedder
from headwater.dive.retrieval.vector_index import pack_vectors
from headwater.pages.documents.html_parser import parse_html
from headwater.store import ChunkRow, SqliteStore

SAMPLE = 60
PASSAGES = 100_000


def main() -> None:
    """Run all parts, or those given on the command line: markdown, quality, embedding, size."""
    if not DOCS.is_dir():
        print(f"dive       left out: {DOCS} is missing (Debian's python3.11-doc)")
        return
    parts = {"markdown": markdown, "embedding": embedding, "size": size, "quality": quality}
    for name in [one for one in sys.argv[1:] if one in parts] or parts:
        parts[name]()


def markdown() -> None:
    """Convert sixty random pages; print the speed and the number of lost code blocks."""
    files = random.Random(1).sample(sorted(DOCS.rglob("*.html")), SAMPLE)
    pages = [path.read_bytes() for path in files]
    readings: list[ExtractedPage] = []
    url = "http://docs.example/library/x.html"
    seconds = measure_cpu(lambda: readings.extend(extract_page(page, url, "utf-8") for page in pages))
    blocks = [
        (_bare(pre.text), _bare(one.markdown))
        for page, one in zip(pages, readings, strict=True)
        for pre in parse_html(page).select("pre")
    ]
    lost = sum(code not in text for code, text in blocks)
    with_navigation = sum("Quick search" in one.markdown or "Previous topic" in one.markdown for one in readings)
    print(
        f"Markdown   {SAMPLE / seconds:,.0f} pages/s (wanted: 200); {len(blocks)} code blocks, {lost} lost; "
        f"{with_navigation} pages with navigation"
    )


def embedding() -> None:
    """Compare our embedder to a loop that only runs the model on the same batches."""
    texts = [text for text in _texts() if len(text) > 40][:96]
    model = MiniLmEmbedder(threads=1)
    batches = [tokens for _, tokens in model.iter_batches(texts)]
    model.session.run(None, batches[0])
    ours, bare = [], []
    for _ in range(3):
        ours.append(measure_cpu(lambda: model.embed_sync(texts)))
        bare.append(measure_cpu(lambda: [model.session.run(None, tokens) for tokens in batches]))
    ratio = min(ours) / min(bare)
    print(
        f"embedding  {len(texts) / min(ours):,.1f} passages/s on one core, a bare loop {len(texts) / min(bare):,.1f}: "
        f"{ratio:.2f} × its time (wanted: 1.15)"
    )


def size() -> None:
    """Search a hundred thousand passages with synthetic vectors in a child process."""
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "large.db")
        _fill(db)
        output = subprocess.check_output([sys.executable, "-m", "bench.dive_size", db], text=True)
    median, cpu, rss = (float(word) for word in output.split())
    print(
        f"size       {PASSAGES:,} passages: search p50 {median:.0f} ms warm (wanted: 60), {cpu:.0f} ms of CPU,", end=" "
    )
    print(f"{rss:.0f} MB (wanted: 500)")


def _texts() -> list[str]:
    """Return long and short passages of the library documentation."""
    files = random.Random(2).sample(sorted((DOCS / "library").glob("*.html")), 12)
    texts = []
    for path in files:
        reading = extract_page(path.read_bytes(), "http://docs.example/", "utf-8")
        texts += [chunk.full_text for chunk in split_into_chunks(reading.title, reading.markdown)]
    return random.Random(3).sample(texts, min(len(texts), 200))


def _fill(db: str) -> None:
    """Create passages from the documentation's words, with random vectors."""
    store = SqliteStore(db)
    chance = random.Random(4)
    words = sorted(set(re.findall(r"[a-z]{3,}", " ".join(_texts()))))
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    number, _ = store.dives.start_dive(1, ["http://docs.example/"], {}, [])
    random_rows = np.random.default_rng(5)
    for start in range(0, PASSAGES, 5000):
        rows = [
            ChunkRow(
                " ".join(chance.choices(words, weights, k=4)),
                "",
                " ".join(chance.choices(words, weights, k=90)),
                120,
                start + place,
            )
            for place in range(5000)
        ]
        _append(store, db, number, start, rows)
        vectors = pack_vectors(random_rows.standard_normal((5000, 384)))
        store.dives.add_vectors(
            number, MiniLmEmbedder.name, [(start + place, vector) for place, vector in enumerate(vectors)]
        )
    store.dives.set_embedder(number, MiniLmEmbedder.name)
    store.close()


def _append(store: SqliteStore, db: str, dive: int, start: int, rows: list[ChunkRow]) -> None:
    page = start + 1
    with sqlite3.connect(db) as raw:
        raw.execute(
            "INSERT INTO dive_page (number, dive, identity, url, fetch_url, state) VALUES (?, ?, ?, ?, '', 'done')",
            (page, dive, page, f"http://docs.example/p{page}"),
        )
    store.dives.set_chunks(dive, page, 1, rows)


def _bare(text: str) -> str:
    """Return text without whitespace and without the characters that Markdown adds."""
    return re.sub(r"[\s>\\]+", "", text)


if __name__ == "__main__":
    main()
