"""Dives on Debian's Python documentation: quality of search, Markdown, embedding beside a bare loop, 100,000 passages.

The first run reads and embeds some nine thousand passages, which takes many minutes on a slow machine; they are kept in
.build/dive.db, and every later run goes on from there.
"""

from __future__ import annotations

import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.dive_quality import DOCS, quality
from headwater.dive.content.chunks import chunks_of
from headwater.dive.content.markdown import read_page
from headwater.dive.retrieval.minilm import MiniLm
from headwater.dive.retrieval.vectors import pack
from headwater.pages.documents.html_parser import parse_html
from headwater.store import ChunkRow, SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE = 60
PASSAGES = 100_000


def main() -> None:
    """Everything, or what the command line names: markdown, quality, embedding, size."""
    if not DOCS.is_dir():
        print(f"dive       left out: {DOCS} is missing (Debian's python3.11-doc)")
        return
    parts = {"markdown": markdown, "embedding": embedding, "size": size, "quality": quality}
    for name in [one for one in sys.argv[1:] if one in parts] or parts:
        parts[name]()


def markdown() -> None:
    """Sixty random pages: how fast, and whether any code block is lost."""
    files = random.Random(1).sample(sorted(DOCS.rglob("*.html")), SAMPLE)
    pages = [path.read_bytes() for path in files]
    started = time.process_time()
    readings = [read_page(page, "http://docs.example/library/x.html", "utf-8") for page in pages]
    seconds = time.process_time() - started
    blocks = [
        (_bare(pre.text), _bare(one.markdown))
        for page, one in zip(pages, readings, strict=True)
        for pre in parse_html(page).select("pre")
    ]
    lost = sum(code not in text for code, text in blocks)
    furniture = sum("Quick search" in one.markdown or "Previous topic" in one.markdown for one in readings)
    print(
        f"Markdown   {SAMPLE / seconds:,.0f} pages/s (wanted: 200); {len(blocks)} code blocks, {lost} lost; "
        f"{furniture} pages with navigation"
    )


def embedding() -> None:
    """The product's embedder beside a loop that does nothing but run the model over the same batches."""
    texts = [text for text in _texts() if len(text) > 40][:96]
    model = MiniLm(threads=1)
    batches = [tokens for _, tokens in model.batches(texts)]
    model.session.run(None, batches[0])
    ours, bare = [], []
    for _ in range(3):
        ours.append(_seconds(lambda: model.embed_now(texts)))
        bare.append(_seconds(lambda: [model.session.run(None, tokens) for tokens in batches]))
    ratio = min(ours) / min(bare)
    print(
        f"embedding  {len(texts) / min(ours):,.1f} passages/s on one core, a bare loop {len(texts) / min(bare):,.1f}: "
        f"{ratio:.2f} × its time (wanted: 1.15)"
    )


def size() -> None:
    """A hundred thousand passages with synthetic vectors, searched in a process of their own."""
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
    """Passages of the library, some long and some short."""
    files = random.Random(2).sample(sorted((DOCS / "library").glob("*.html")), 12)
    texts = []
    for path in files:
        reading = read_page(path.read_bytes(), "http://docs.example/", "utf-8")
        texts += [chunk.whole for chunk in chunks_of(reading.title, reading.markdown)]
    return random.Random(3).sample(texts, min(len(texts), 200))


def _fill(db: str) -> None:
    """Passages made of the documentation's words, vectors made of nothing."""
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
        vectors = pack(random_rows.standard_normal((5000, 384)))
        store.dives.add_vectors(number, MiniLm.name, [(start + place, vector) for place, vector in enumerate(vectors)])
    store.dives.set_embedder(number, MiniLm.name)
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
    """Text without white space and without the marks that quoting adds."""
    return re.sub(r"[\s>\\]+", "", text)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
