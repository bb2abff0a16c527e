"""Run a dive: read its pages, remove repeated blocks, split pages into passages, and embed them."""

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
    from collections.abc import Callable, Iterable, Iterator

    from headwater.settings import Settings
    from headwater.store import Dive, DivePage, DiveStore, Store


BATCH = 64


class Progress(NamedTuple):
    """The progress of a dive; `stage` is reading, chunking or embedding."""

    stage: str
    done: int
    total: int
    note: str = ""


def create_dive(store: Store, selection: Selection, settings: Settings, scan: int | None = None) -> Dive:
    """Return the dive into the selected pages of a scan, by default the last one; create it if it does not exist."""
    chosen = store.last_scan() if scan is None else store.scan(scan)
    if chosen is None:
        name = "scan" if scan is None else f"scan {scan}"
        raise StoreError(f"there is no {name} in {settings.db}; run `headwater discover` first")
    selected = select_pages(store.dives.scan_pages(chosen.number), selection)
    if not selected:
        raise HeadwaterError("no page matches this selection; `headwater dive --list` shows the clusters")
    pages = [page for page in selected if settings.include_noindex or not page.is_noindex][: settings.max_dive_pages]
    if not pages:
        raise HeadwaterError(f"all {len(selected):,} selected pages are marked noindex; --include-noindex reads them")
    number, _ = store.dives.start_dive(chosen.number, chosen.seeds, selection.to_record(), pages)
    return find_dive(store.dives, number)


async def run_dive(
    store: Store, dive: Dive, settings: Settings, on_progress: Callable[[Progress], None] | None = None
) -> Dive:
    """Run a dive to its end, from wherever it stopped."""
    dives = store.dives
    report = on_progress or (lambda _: None)
    embedder = None
    try:
        embedder = create_embedder(settings)
        await _read_pages(store, dive, settings, report)
        count_tokens = embedder.count_tokens if embedder else estimate_tokens
        for progress in chunk_pages(dives, dive.number, settings.chunk_tokens, count_tokens):
            report(progress)
        if embedder:
            await embed_chunks(dives, dive.number, embedder, report)
    except BaseException:
        dives.finish_dive(dive.number, "interrupted")
        raise
    finally:
        if embedder:
            await embedder.aclose()
    dives.finish_dive(dive.number, "done")
    return find_dive(dives, dive.number)


async def _read_pages(store: Store, dive: Dive, settings: Settings, report: Callable[[Progress], None]) -> None:
    language = None if dive.selection.get("all_languages") else settings.language
    done, total = dive.pages - dive.pending, dive.pages

    def on_page(url: str, state: str) -> None:
        nonlocal done
        done += 1
        report(Progress("reading", done, total, f"{state}  {url}"))

    seeds = [parse_seed_url(seed) for seed in dive.seeds]
    rendered = find_rendered_urls(store.evidence(dive.scan, "render"))
    async with (
        FetchStack(settings, seeds) as stack,
        aclosing(PageRenderer(stack, settings, seeds, rendered)) as renderer,
    ):
        scraper = PageScraper(store.dives, dive.number, stack, renderer, language)
        await scraper.run(settings.max_parallel, on_page)


def chunk_pages(dives: DiveStore, dive: int, max_tokens: int, count_tokens: Callable[[str], int]) -> Iterator[Progress]:
    """Split every page whose content has changed into passages."""
    repeated = find_repeated_blocks(page.markdown for page in dives.pages(dive))
    dives.set_repeated_blocks(dive, repeated)
    for number in dives.pages_with_stale_chunks(dive):
        dives.set_chunks(dive, number, None, ())
    total = find_dive(dives, dive).done
    for done, page in enumerate(dives.pages(dive), 1):
        yield Progress("chunking", done, total)
        text = remove_repeated_blocks(page.markdown, repeated)
        text_hash = hash_text(f"{max_tokens}\n{page.title}\n{text}")
        if page.chunked_hash != text_hash:
            chunks = split_into_chunks(page.title, text, count_tokens, max_tokens)
            dives.set_chunks(dive, page.number, text_hash, build_rows(chunks))


async def embed_chunks(
    dives: DiveStore, dive: int, embedder: Embedder, on_progress: Callable[[Progress], None]
) -> None:
    """Embed every passage that has no vector, and store vectors in batches so that an interruption loses little."""
    total = dives.count_unembedded(dive, embedder.name)
    done = 0
    while texts := dives.unembedded_texts(dive, embedder.name, BATCH):
        on_progress(Progress("embedding", done, total))
        vectors = pack_vectors(await embedder.embed([text for _, text in texts]))
        dives.add_vectors(dive, embedder.name, zip((one for one, _ in texts), vectors, strict=True))
        if not done:  # only now, so that the old vectors stay in use if the model fails
            dives.set_embedder(dive, embedder.name)
        done += len(texts)
    if not done:
        dives.set_embedder(dive, embedder.name)


def iter_documents(dives: DiveStore, dive: int) -> Iterator[tuple[DivePage, str]]:
    """Yield every page that was read, with its Markdown without repeated blocks."""
    repeated = dives.repeated_blocks(dive)
    for page in dives.pages(dive):
        yield page, remove_repeated_blocks(page.markdown, repeated)


def find_dive(dives: DiveStore, number: int | None = None) -> Dive:
    """Return a dive by its number, by default the newest."""
    known = dives.resolve_dive(number) or raise_dive_not_found(number)
    return dives.dive(known[0]) or raise_dive_not_found(number)


def raise_dive_not_found(number: int | None) -> NoReturn:
    """Raise an error that says that there is no such dive."""
    raise StoreError(f"there is no dive{f' {number}' if number else ''}; `headwater dive CLUSTER` creates one")


def build_rows(chunks: Iterable[Chunk]) -> list[ChunkRow]:
    """Return chunks as a store keeps them."""
    return [ChunkRow(one.heading, one.anchor, one.text, one.tokens, one.content_hash) for one in chunks]
