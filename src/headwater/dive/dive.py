"""A dive from beginning to end: pages are read, furniture is dropped, passages are cut and embedded."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from headwater.dive.content.blocks import repeated_blocks, without_repeated
from headwater.dive.content.chunks import Chunk, chunks_of, estimated_tokens
from headwater.dive.content.markdown import hash_of
from headwater.dive.content.rendering import Rendering, marked_pages
from headwater.dive.content.scrape import Scrape
from headwater.dive.content.selection import Selection, choose_pages
from headwater.dive.retrieval.embedder import Embedder, embedder_for
from headwater.dive.retrieval.vectors import pack
from headwater.errors import HeadwaterError, StoreError
from headwater.fetch import FetchStack
from headwater.store import ChunkRow
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.settings import Settings
    from headwater.store import Dive, DivePage, DiveStore, Store


BATCH = 64


class Progress(NamedTuple):
    """How far a dive has come, for those who watch: `phase` is reading, cutting or embedding."""

    phase: str
    done: int
    total: int
    note: str = ""


def begin(store: Store, selection: Selection, settings: Settings, scan: int | None = None) -> Dive:
    """The dive into these pages of a scan, the last if none is named: a new one, or the one there is."""
    chosen = store.last_scan() if scan is None else store.scan(scan)
    if chosen is None:
        raise StoreError(
            f"{settings.db} holds no scan{'' if scan is None else f' {scan}'}; `headwater discover` makes one"
        )
    belonging = choose_pages(store.dives.scan_pages(chosen.number), selection)
    if not belonging:
        raise HeadwaterError("no page belongs to this selection; `headwater dive --list` shows the clusters")
    pages = [page for page in belonging if settings.include_noindex or not page.is_noindex][: settings.max_dive_pages]
    if not pages:
        raise HeadwaterError(f"all {len(belonging):,} pages of it ask not to be indexed; --include-noindex reads them")
    number, _ = store.dives.start_dive(chosen.number, chosen.seeds, selection.record(), pages)
    return found(store.dives, number)


async def run(
    store: Store, dive: Dive, settings: Settings, on_progress: Callable[[Progress], None] | None = None
) -> Dive:
    """Carry a dive to its end, from wherever it stands."""
    dives = store.dives
    tell = on_progress or (lambda _: None)
    embedder = None
    try:
        embedder = embedder_for(settings)
        await _read(store, dive, settings, tell)
        cut(dives, dive.number, settings, tell, embedder.count if embedder else estimated_tokens)
        if embedder:
            await embed(dives, dive.number, embedder, tell)
    except BaseException:
        dives.finish_dive(dive.number, "interrupted")
        raise
    finally:
        if embedder:
            await embedder.aclose()
    dives.finish_dive(dive.number, "done")
    return found(dives, dive.number)


async def _read(store: Store, dive: Dive, settings: Settings, tell: Callable[[Progress], None]) -> None:
    language = None if dive.selection.get("all_languages") else settings.language
    done, total = dive.pages - dive.pending, dive.pages

    def told(url: str, state: str) -> None:
        nonlocal done
        done += 1
        tell(Progress("reading", done, total, f"{state}  {url}"))

    seeds = [parse_seed_url(seed) for seed in dive.seeds]
    marked = marked_pages(store.evidence(dive.scan, "render"))
    async with FetchStack(settings, seeds) as stack, aclosing(Rendering(stack, settings, seeds, marked)) as rendering:
        scrape = Scrape(
            store.dives,
            dive.number,
            stack,
            language=language,
            on_page=lambda page, state: told(page.url, state),
            rendering=rendering,
        )
        await scrape.run(settings.max_parallel)


def cut(
    dives: DiveStore, dive: int, settings: Settings, tell: Callable[[Progress], None], count: Callable[[str], int]
) -> None:
    """Passages of every page whose content they do not match yet."""
    repeated = repeated_blocks(page.markdown for page in dives.pages(dive))
    dives.set_repeated_blocks(dive, repeated)
    for number in dives.pages_with_stale_chunks(dive):
        dives.set_chunks(dive, number, None, ())
    total = found(dives, dive).done
    for done, page in enumerate(dives.pages(dive), 1):
        tell(Progress("cutting", done, total))
        text = without_repeated(page.markdown, repeated)
        wanted = hash_of(f"{settings.chunk_tokens}\n{page.title}\n{text}")
        if page.chunked_hash != wanted:
            chunks = chunks_of(page.title, text, count, settings.chunk_tokens)
            dives.set_chunks(dive, page.number, wanted, [_row(chunk) for chunk in chunks])


async def embed(dives: DiveStore, dive: int, embedder: Embedder, tell: Callable[[Progress], None]) -> None:
    """Vectors for every passage that has none; kept batch by batch, so that little is lost."""
    total = dives.count_unembedded(dive, embedder.name)
    done = 0
    while texts := dives.unembedded_texts(dive, embedder.name, BATCH):
        tell(Progress("embedding", done, total))
        vectors = pack(await embedder.embed([text for _, text in texts]))
        dives.add_vectors(dive, embedder.name, zip((one for one, _ in texts), vectors, strict=True))
        if not done:  # only now: a model that cannot be had takes nothing from a dive
            dives.set_embedder(dive, embedder.name)
        done += len(texts)
    if not done:
        dives.set_embedder(dive, embedder.name)


def documents(dives: DiveStore, dive: int) -> Iterator[tuple[DivePage, str]]:
    """Every page that was read, with its Markdown as it is handed on."""
    repeated = dives.repeated_blocks(dive)
    for page in dives.pages(dive):
        yield page, without_repeated(page.markdown, repeated)


def found(dives: DiveStore, number: int | None = None) -> Dive:
    """A dive by its number, or the newest."""
    known = dives.resolve_dive(number) or missing(number)
    return dives.dive(known[0]) or missing(number)


def missing(number: int | None) -> NoReturn:
    """Say that there is no such dive."""
    raise StoreError(f"there is no dive{f' {number}' if number else ''}; `headwater dive CLUSTER` makes one")


def _row(chunk: Chunk) -> ChunkRow:
    return ChunkRow(chunk.heading, chunk.anchor, chunk.text, chunk.tokens, chunk.content_hash)
