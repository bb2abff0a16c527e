"""Write the pages of scans to a file or to standard output, filtered by list and kind."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.export import EXPORTERS, Output
from headwater.export.records import FIELDS
from headwater.model import SCORE_FIELD
from headwater.output_stream import STANDARD_OUTPUT, open_output, reporting_failures
from headwater.pages.extraction import list_extracted_names
from headwater.store import is_selected, select_pages
from headwater.store.records import read_extract_setting
from headwater.urls.parsing import get_origin, parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from headwater.model import LinkCounts, Page, StoredLink
    from headwater.settings import Settings
    from headwater.store import Scan, Store


def write_scan(store: Store, scan: Scan, settings: Settings) -> None:
    """Write a scan's pages in the chosen format; a feed has only those that are new or changed."""
    links = LinkReaders(store, lambda: [scan.number])
    select = _select_changes if settings.format == "atom" else _select_scan
    names = list_extracted_names(read_extract_setting(scan))
    write_pages(select(store, scan, settings), scan.seeds, settings, links=links, extracted=names)


def _select_scan(store: Store, scan: Scan, settings: Settings) -> Iterator[Page]:
    return select_pages(store, lambda: [scan.number], settings)


def _select_changes(store: Store, scan: Scan, settings: Settings) -> Iterator[Page]:
    """Yield the pages that differ from the previous scan; without one, every page is new."""
    previous = store.previous_scan(scan.number)
    if previous is None:
        return (page._replace(change="new") for page in _select_scan(store, scan, settings))
    return (page for page in store.changes(previous, scan.number) if page.change != "gone")


def make_truncation_note(store: Store, scan: int, settings: Settings) -> list[str]:
    """Return a line that says how many pages --max-urls left out, if any."""
    if settings.max_urls is None:
        return []
    listed = store.count_listed(scan)
    if listed <= settings.max_urls:
        return []
    return [f"Wrote {settings.max_urls:,} of {listed:,} pages because of --max-urls; raise it to write more"]


def write_list(store: Store, number: int, settings: Settings) -> None:
    """Write the pages of every site of a list, one site after another."""

    def find_scans() -> Iterator[int]:
        return (site.scan for site in store.site_lists.sites(number) if site.scan is not None)

    pages = select_pages(store, find_scans, settings)
    first = next(iter(store.site_lists.sites(number)))
    total = sum(count.sites for count in store.site_lists.counts(number).values())
    title = f"{first.seeds[0]} and {total - 1:,} more" if total > 1 else ""
    links, names = LinkReaders(store, find_scans), list_extracted_names(settings.extract)
    write_pages(pages, first.seeds[:1], settings, title, links=links, extracted=names)


class LinkReaders:
    """Reads the links of scans, for the formats that need them."""

    def __init__(self, store: Store, find_scans: Callable[[], Iterable[int]]) -> None:
        self._store, self._find_scans = store, find_scans

    def read(self) -> Iterator[StoredLink]:
        """Yield the links between the pages of each scan, sorted by page."""
        for scan in self._find_scans():
            yield from self._store.links.edges(scan)

    def count(self) -> dict[int, LinkCounts]:
        """Return the number of links of each page by its identity."""
        counts: dict[int, LinkCounts] = {}
        for scan in self._find_scans():
            counts |= self._store.links.counts(scan)
        return counts


def write_pages(
    pages: Iterable[Page],
    seeds: Sequence[str],
    settings: Settings,
    title: str = "",
    *,
    links: LinkReaders | None = None,
    extracted: tuple[str, ...] = (),
) -> None:
    """Write these pages in the chosen format; `extracted` are the names of extracted values."""
    pages = (_truncate_text(page, settings.text_length) for page in pages)
    output = Output(
        sys.stdout,
        title=title or ", ".join(seeds),
        fields=_choose_fields(settings),
        columns=settings.columns,
        extracted=extracted,
        read_links=links.read if links else None,
        count_links=links.count if links else None,
    )
    if settings.output is None:
        with reporting_failures(STANDARD_OUTPUT):
            EXPORTERS[settings.format](pages, output)
        return
    path = Path(settings.output)
    origin = get_origin(parse_seed_url(seeds[0]))
    with open_output(path) as main, reporting_failures(str(path)):
        parts = output._replace(main=main, origin=origin, open_part=lambda name: open_output(path.parent / name))
        EXPORTERS[settings.format](pages, parts)


def _choose_fields(settings: Settings) -> tuple[str, ...]:
    """Return the fields that were chosen; a ranked list has the score as well, except as text."""
    if settings.fields or not settings.search or settings.format == "text":
        return settings.fields
    return (*FIELDS, SCORE_FIELD)


def needs_whole_list(settings: Settings) -> bool:
    """Return True if pages cannot be written before all of them are known."""
    return settings.sort != "url" or settings.search is not None


def writes_list(settings: Settings) -> bool:
    """Return True if the settings ask for a list rather than for URLs as they are found."""
    return bool(settings.fields) or needs_whole_list(settings)


class StreamingPageWriter:
    """Writes each page once it is saved, as text or JSON lines; pages that were not visited follow at the end."""

    def __init__(self, store: Store, scan: Scan, settings: Settings) -> None:
        self._store, self._scan, self._settings = store, scan, settings
        if settings.format not in {"text", "jsonl"}:
            raise SettingError("format", f"{settings.format} cannot be written page by page; use text or jsonl")
        if needs_whole_list(settings):
            name = "search" if settings.search else "sort"
            raise SettingError(name, "pages that are written as they load cannot be sorted; leave out --stream")
        self._stream: TextIO = sys.stdout if settings.output is None else open_output(Path(settings.output))

    def write_saved(self, identities: Sequence[int]) -> None:
        """Write pages that were visited and saved."""
        pages = (self._store.page(self._scan.number, identity) for identity in identities)
        self._write(page for page in pages if page is not None)

    def finish(self) -> None:
        """Write the pages that were found but not visited, and close the file."""
        self._write(page for page in self._store.pages(self._scan.number) if page.last_seen is None)
        if self._stream is not sys.stdout:
            self._stream.close()

    def _write(self, pages: Iterable[Page]) -> None:
        EXPORTERS[self._settings.format](
            (_truncate_text(page, self._settings.text_length) for page in pages if is_selected(page, self._settings)),
            Output(self._stream, fields=self._settings.fields),
        )
        self._stream.flush()


def _truncate_text(page: Page, length: int) -> Page:
    """Truncate the link text of a page; titles are written in full."""
    return page if page.text is None or len(page.text) <= length else page._replace(text=page.text[:length])
