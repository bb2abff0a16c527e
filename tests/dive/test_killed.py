"""A dive that is killed with SIGKILL at random moments continues where it was, without loss or repeated work."""

from __future__ import annotations

import math
import random
import shutil
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.store import open_store
from tests.commands import PATIENCE, headwater, running, until
from tests.dive.canoe_site import article
from tests.dive.embedding_server import KEY, embedding_server
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.dive.embedding_server import EmbeddingServer
    from tests.sites.table_site import TableSite

PAGES, SECTIONS, PARALLEL, BATCH = 60, 5, 2, 64
SPARE_READS = 10


def river(_: str) -> dict[str, Answer | str]:
    """Return sixty pages of five sections, each with its own text."""
    pages: dict[str, Answer | str] = {}
    for page in range(PAGES):
        bends = range(page * SECTIONS, (page + 1) * SECTIONS)
        more = "".join(f"<h2 id=s{n}>Bend {n}</h2><p>At bend number {n} the river turns by {n} fathoms." for n in bends)
        pages[f"/guides/g{page}"] = Answer(article(f"Guide {page}", f"The tale of stretch {page}.", more), delay=0.01)
    return {**pages, "/": "".join(f'<a href="{path}">x</a>' for path in pages)}


class LimitedPages(dict[str, Answer]):
    """Pages of a site, of which only some are answered once a limit is set."""

    def __init__(self, site: TableSite) -> None:
        super().__init__(site.answers)
        self.limit, self._hits = math.inf, site.hits

    @property
    def reads(self) -> int:
        """Number of requests for pages so far."""
        return sum(hits for path, hits in self._hits.items() if path.startswith("/guides/"))

    def get(self, path: str, default: Any = None) -> Any:
        """Return the answer, which comes too late above the limit."""
        answer = super().get(path, default)
        return answer if self.reads <= self.limit else answer._replace(delay=2 * PATIENCE)


class StoredDive(NamedTuple):
    """The pages, passages and vectors of a dive in a store."""

    pages: dict[str, str]
    passages: list[tuple[str, str, str, str]]
    vectors: list[bytes]


class Run:
    """A dive that may be killed, and the servers that record its requests."""

    def __init__(self, folder: Path, db: str, site: TableSite, embeddings: EmbeddingServer) -> None:
        self.pages = LimitedPages(site)
        site.answers = self.pages
        self.folder, self.db, self.site, self.embeddings = folder, db, site, embeddings
        self.environment = {"OPENAI_BASE_URL": embeddings.base_url, "OPENAI_API_KEY": KEY}
        flags = f"--embedder openai --embedding-model letters --max-parallel {PARALLEL} --retries 0 --quiet".split()
        self.command = ("dive", "--match", "/guides/*", "--db", db, *flags)

    def finish(self) -> StoredDive:
        """Run the dive to its end."""
        assert headwater(*self.command, environment=self.environment).code == 0
        return self.load()

    def kill(self, *, reads: int = 0, batches: int = 0, pause: float = 0.0) -> None:
        """Kill the dive after a pause once it has stored some of this many pages or batches of vectors.

        The servers answer few further requests, so that the dive does not end before.
        """
        read, embedded = self.pages.reads + reads, self.embeddings.requests + batches
        self.pages.limit = read + SPARE_READS if reads else math.inf
        self.embeddings.limit = embedded if batches else math.inf
        with running(self.folder, *self.command, environment=self.environment) as dive:
            until(lambda: self.pages.reads >= read and self.embeddings.requests >= embedded)
            until(self.load_embedded_texts if batches else lambda: self.load().pages)
            time.sleep(pause)
            dive.kill()
        self.pages.limit = self.embeddings.limit = math.inf

    def load(self) -> StoredDive:
        """Return what the store holds."""
        store = open_store(self.db)
        dives, name = store.dives, "openai:letters"
        numbers = [number for number, _, _ in dives.chunk_locations(1)]
        passages = [(one.url, one.heading, one.anchor, one.text) for one in dives.passages(numbers)]
        stored = StoredDive(
            {page.url: page.markdown for page in dives.pages(1)},
            sorted(passages),
            sorted(content for _, content in dives.vectors(1, name)),
        )
        store.close()
        return stored

    def load_embedded_texts(self) -> set[str]:
        """Return the texts that have vectors."""
        store = open_store(self.db)
        have = [number for number, _ in store.dives.vectors(1, "openai:letters")]
        texts = {f"{one.heading}\n{one.text}" if one.heading else one.text for one in store.dives.passages(have)}
        store.close()
        return texts


class Snapshot(NamedTuple):
    """The pages and texts in the store when the dive was killed, with their numbers of requests by then."""

    hits: dict[str, int]
    texts: dict[str, int]

    def is_unchanged(self, run: Run) -> bool:
        """Return True if none of them was requested again."""
        return all(run.site.hits[path] == count for path, count in self.hits.items()) and all(
            run.embeddings.texts[text] == count for text, count in self.texts.items()
        )


def kill_and_finish(run: Run, kills: list[dict[str, Any]]) -> StoredDive:
    """Kill the dive at these moments, finish it, and check that nothing was requested again."""
    run.site.hits.clear()
    run.embeddings.texts.clear()
    snapshots: list[Snapshot] = []
    for kill in kills:
        run.kill(**kill)
        paths = [url.removeprefix(run.site.origin) for url in run.load().pages]
        hits, texts = run.site.hits, run.embeddings.texts
        embedded = run.load_embedded_texts()
        snapshots.append(Snapshot({path: hits[path] for path in paths}, {text: texts[text] for text in embedded}))
    assert 0 < len(snapshots[0].hits) < PAGES
    assert 0 < len(snapshots[-1].texts) < PAGES * SECTIONS
    stored = run.finish()
    assert all(snapshot.is_unchanged(run) for snapshot in snapshots)
    assert run.pages.reads <= PAGES + PARALLEL * len(snapshots)  # only running requests are repeated
    assert run.embeddings.texts.total() <= len(run.embeddings.texts) + BATCH * len(snapshots)
    return stored


def test_a_killed_dive_repeats_and_loses_nothing(database: str, tmp_path: Path) -> None:
    chance = random.Random(11)
    with table_site(river) as site, embedding_server(delay=0.1) as embeddings:
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
        assert kill_and_finish(file, moments) == calm
        server = Run(tmp_path, database, site, embeddings)
        assert kill_and_finish(server, [moments[0], moments[2]]) == calm
