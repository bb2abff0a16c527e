"""A dive killed with -9 at moments nobody chose, then run again: nothing kept is done twice, nothing is lost."""

from __future__ import annotations

import random
import shutil
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.store import open_store
from tests.commands import headwater, running
from tests.dive.diving import article
from tests.dive.embedding_server import KEY, embedding_server
from tests.sites.paper_site import Answer, paper_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.dive.embedding_server import EmbeddingServer
    from tests.sites.paper_site import PaperSite

PAGES, SECTIONS, PARALLEL, BATCH = 60, 5, 2, 64


def river(_: str) -> dict[str, Answer | str]:
    """Sixty pages of five sections, none of which says what another says."""
    pages: dict[str, Answer | str] = {}
    for page in range(PAGES):
        bends = range(page * SECTIONS, (page + 1) * SECTIONS)
        more = "".join(f"<h2 id=s{n}>Bend {n}</h2><p>At bend number {n} the river turns by {n} fathoms." for n in bends)
        pages[f"/guides/g{page}"] = Answer(article(f"Guide {page}", f"The tale of stretch {page}.", more), delay=0.01)
    return {**pages, "/": "".join(f'<a href="{path}">x</a>' for path in pages)}


class Kept(NamedTuple):
    """What a store holds of its dive."""

    pages: dict[str, str]
    passages: list[tuple[str, str, str, str]]
    vectors: list[bytes]


class Run:
    """A dive that may be killed, and the servers that see what it does."""

    def __init__(self, folder: Path, db: str, site: PaperSite, embeddings: EmbeddingServer) -> None:
        self.folder, self.db, self.site, self.embeddings = folder, db, site, embeddings
        self.environment = {"OPENAI_BASE_URL": embeddings.base_url, "OPENAI_API_KEY": KEY}
        flags = f"--embedder openai --embedding-model letters --max-parallel {PARALLEL} --retries 0 --quiet".split()
        self.command = ("dive", "--match", "/guides/*", "--db", db, *flags)

    def finish(self) -> Kept:
        assert headwater(*self.command, environment=self.environment).code == 0
        return self.kept()

    def read(self) -> int:
        return sum(hits for path, hits in self.site.hits.items() if path.startswith("/guides/"))

    def kill(self, *, reads: int = 0, batches: int = 0, pause: float = 0.0) -> None:
        """Kill it once it has asked for so many pages and batches of vectors, and a moment later."""
        wanted = self.read() + reads, self.embeddings.requests + batches
        with running(self.folder, *self.command, environment=self.environment) as dive:
            while self.read() < wanted[0] or self.embeddings.requests < wanted[1]:
                assert dive.process.poll() is None
                time.sleep(0.002)
            time.sleep(pause)
            dive.kill()

    def kept(self) -> Kept:
        store = open_store(self.db)
        dives, name = store.dives, "openai:letters"
        numbers = [number for number, _, _ in dives.chunk_locations(1)]
        found = [(one.url, one.heading, one.anchor, one.text) for one in dives.passages(numbers)]
        kept = Kept(
            {page.url: page.markdown for page in dives.pages(1)},
            sorted(found),
            sorted(content for _, content in dives.vectors(1, name)),
        )
        store.close()
        return kept

    def embedded(self) -> set[str]:
        """The texts that have vectors."""
        store = open_store(self.db)
        have = [number for number, _ in store.dives.vectors(1, "openai:letters")]
        texts = {f"{one.heading}\n{one.text}" if one.heading else one.text for one in store.dives.passages(have)}
        store.close()
        return texts


class Seen(NamedTuple):
    """What was kept at a death, and how often each page and text had been asked for by then."""

    hits: dict[str, int]
    texts: dict[str, int]

    def holds(self, run: Run) -> bool:
        """Whether none of it was asked for again."""
        return all(run.site.hits[path] == count for path, count in self.hits.items()) and all(
            run.embeddings.texts[text] == count for text, count in self.texts.items()
        )


def killed_and_finished(run: Run, kills: list[dict[str, Any]]) -> Kept:
    run.site.hits.clear()
    run.embeddings.texts.clear()
    deaths: list[Seen] = []
    for kill in kills:
        run.kill(**kill)
        paths = [url.removeprefix(run.site.origin) for url in run.kept().pages]
        hits, texts = run.site.hits, run.embeddings.texts
        deaths.append(Seen({path: hits[path] for path in paths}, {text: texts[text] for text in run.embedded()}))
    assert 0 < len(deaths[0].hits) < PAGES
    assert 0 < len(deaths[-1].texts) < PAGES * SECTIONS
    kept = run.finish()
    assert all(death.holds(run) for death in deaths)
    assert run.read() <= PAGES + PARALLEL * len(deaths)  # no more than what was under way at each death
    assert run.embeddings.texts.total() <= len(run.embeddings.texts) + BATCH * len(deaths)
    return kept


def test_nothing_is_done_twice_and_nothing_is_lost(database: str, tmp_path: Path) -> None:
    chance = random.Random(11)
    with paper_site(river) as site, embedding_server(delay=0.1) as embeddings:
        for db in (str(tmp_path / "killed.db"), database):
            found = headwater("discover", site.origin, "--db", db, "--quiet", "-o", str(tmp_path / "x"))
            assert found.code == 0, found.err
        shutil.copy(tmp_path / "killed.db", tmp_path / "calm.db")
        calm = Run(tmp_path, str(tmp_path / "calm.db"), site, embeddings).finish()
        assert (len(calm.pages), len(calm.passages), len(calm.vectors)) == (PAGES, PAGES * SECTIONS + PAGES, 360)
        file = Run(tmp_path, str(tmp_path / "killed.db"), site, embeddings)
        moments: list[dict[str, Any]] = [
            {"reads": chance.randint(5, 40), "pause": chance.random() / 50},
            {"batches": chance.randint(1, 2), "pause": chance.random() / 10},
            {"batches": 2, "pause": chance.random() / 10},
        ]
        assert killed_and_finished(file, moments) == calm
        server = Run(tmp_path, database, site, embeddings)
        assert killed_and_finished(server, [moments[0], moments[2]]) == calm
