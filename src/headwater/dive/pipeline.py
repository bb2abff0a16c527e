"""A dive from beginning to end: pages are read, furniture is dropped, passages are cut and embedded."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from headwater.dive.content.chunks import Chunk, estimate_tokens, split_into_chunks
from headwater.dive.content.markdown import hash_text
from headwater.dive.content.markdown_blocks import find_repeated_blocks, remove_repeated_blocks
from headwater.dive.content.page_renderer import PageRenderer, find_rendered_urls
from headwater.dive.content.page_scraper import PageScraper
from headwater.dive.content.selection import Selection, select_pages
from headwater.dive.retrieval.embedder import Embedder, create_embedder
from headwater.dive.retrieval.vector_index import pack_vectors
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
    """How far a dive has come, for those who watch: `stage` is reading, cutting or embedding."""

    stage: str
    done: int
    total: int
    note: str = ""


def create_dive(store: Store, selection: Selection, settings: Settings, scan: int | None = None) -> Dive:
    """The dive into these pages of a scan, the last if none is named: a new one, or the one there is."""
    chosen = store.last() if scan is None else store.scan(scan)
    if chosen is None:
        raise StoreError(
            f"{settings.db} holds no scan{'' if scan is None else f' {scan}'}; `headwater discover` makes one"
        )
    belonging = select_pages(store.dives.listed(chosen.number), selection)
    if not belonging:
        raise HeadwaterError("no page belongs to this selection; `headwater dive --list` shows the clusters")
    pages = [page for page in belonging if settings.include_noindex or not page.is_noindex][: settings.max_dive_pages]
    if not pages:
        raise HeadwaterError(f"all {len(belonging):,} pages of it ask not to be indexed; --include-noindex reads them")
    number, _ = store.dives.begin(chosen.number, chosen.seeds, selection.to_record(), pages)
    return find_dive(store.dives, number)


async def run_dive(
    store: Store, dive: Dive, settings: Settings, on_progress: Callable[[Progress], None] | None = None
) -> Dive:
    """Carry a dive to its end, from wherever it stands."""
    dives = store.dives
    tell = on_progress or (lambda _: None)
    embedder = None
    try:
        embedder = create_embedder(settings)
        await _read(store, dive, settings, tell)
        chunk_pages(dives, dive.number, settings, tell, embedder.count_tokens if embedder else estimate_tokens)
        if embedder:
            await embed_chunks(dives, dive.number, embedder, tell)
    except BaseException:
        dives.end(dive.number, "interrupted")
        raise
    finally:
        if embedder:
            await embedder.aclose()
    dives.end(dive.number, "done")
    return find_dive(dives, dive.number)


async def _read(store: Store, dive: Dive, settings: Settings, tell: Callable[[Progress], None]) -> None:
    language = None if dive.selection.get("all_languages") else settings.language
    done, total = dive.pages - dive.waiting, dive.pages

    def told(url: str, state: str) -> None:
        nonlocal done
        done += 1
        tell(Progress("reading", done, total, f"{state}  {url}"))

    seeds = [parse_seed_url(seed) for seed in dive.seeds]
    marked = find_rendered_urls(store.evidence(dive.scan, "render"))
    async with FetchStack(settings, seeds) as stack, aclosing(PageRenderer(stack, settings, seeds, marked)) as rendering:
        scrape = PageScraper(
            store.dives,
            dive.number,
            stack,
            language=language,
            on_page=lambda page, state: told(page.url, state),
            rendering=rendering,
        )
        await scrape.run(settings.max_parallel)


def chunk_pages(
    dives: DiveStore, dive: int, settings: Settings, tell: Callable[[Progress], None], count: Callable[[str], int]
) -> None:
    """Passages of every page whose content they do not match yet."""
    repeated = find_repeated_blocks(page.markdown for page in dives.pages(dive))
    dives.set_repeated_blocks(dive, repeated)
    for number in dives.pages_with_stale_chunks(dive):
        dives.set_chunks(dive, number, None, ())
    total = find_dive(dives, dive).done
    for done, page in enumerate(dives.pages(dive), 1):
        tell(Progress("cutting", done, total))
        text = remove_repeated_blocks(page.markdown, repeated)
        wanted = hash_text(f"{settings.chunk_tokens}\n{page.title}\n{text}")
        if page.chunked_hash != wanted:
            chunks = split_into_chunks(page.title, text, count, settings.chunk_tokens)
            dives.set_chunks(dive, page.number, wanted, [_row(chunk) for chunk in chunks])


async def embed_chunks(dives: DiveStore, dive: int, embedder: Embedder, tell: Callable[[Progress], None]) -> None:
    """Vectors for every passage that has none; kept batch by batch, so that little is lost."""
    total = dives.count_unembedded(dive, embedder.name)
    done = 0
    while texts := dives.unembedded_texts(dive, embedder.name, BATCH):
        tell(Progress("embedding", done, total))
        vectors = pack_vectors(await embedder.embed([text for _, text in texts]))
        dives.add_vectors(dive, embedder.name, zip((one for one, _ in texts), vectors, strict=True))
        if not done:  # only now: a model that cannot be had takes nothing from a dive
            dives.set_embedder(dive, embedder.name)
        done += len(texts)
    if not done:
        dives.set_embedder(dive, embedder.name)


def iter_documents(dives: DiveStore, dive: int) -> Iterator[tuple[DivePage, str]]:
    """Every page that was read, with its Markdown as it is handed on."""
    repeated = dives.repeated_blocks(dive)
    for page in dives.pages(dive):
        yield page, remove_repeated_blocks(page.markdown, repeated)


def find_dive(dives: DiveStore, number: int | None = None) -> Dive:
    """A dive by its number, or the newest."""
    known = dives.known(number) or raise_dive_not_found(number)
    return dives.dive(known[0]) or raise_dive_not_found(number)


def raise_dive_not_found(number: int | None) -> NoReturn:
    """Say that there is no such dive."""
    raise StoreError(f"there is no dive{f' {number}' if number else ''}; `headwater dive CLUSTER` makes one")


def _row(chunk: Chunk) -> ChunkRow:
    return ChunkRow(chunk.heading, chunk.anchor, chunk.text, chunk.tokens, chunk.content_hash)
