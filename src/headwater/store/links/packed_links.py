"""Reading the links that a store holds packed; both SQL stores read them alike."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from headwater.classify import Node
from headwater.model import LinkPlacement, PreviousLink, StoredLink
from headwater.store.links.link_blocks import (
    StoredBlock,
    build_block_key,
    get_first_number,
    pack_target,
    unpack_ascending,
    unpack_links,
    unpack_lists,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from headwater.model import LinkBlock, PageLinks, UrlKind

_MAX_CACHED_LINKS = 100_000
"""Links in the blocks that stay unpacked, at about 100 bytes each if their texts were read too."""

_BATCH_SIZE = 16


class LinkCounters(NamedTuple):
    """The next free number of a link and of a list of links, and how many links are kept."""

    link: int = 1
    list: int = 1
    kept: int = 0


class PageLink(NamedTuple):
    """A link of one page: the page at its other end, and the link itself by its index in a block."""

    page: int
    block: StoredBlock
    at: int

    @property
    def place(self) -> LinkPlacement:
        """Where it stands."""
        return self.block.place(self.at)

    @property
    def text(self) -> str:
        """Its text."""
        return self.block.texts[self.at]


class LinkQueries(Protocol):
    """What a store gives to those who read its links."""

    def query_links(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""

    def query_pages(self, query: str, scan: int, identities: Iterable[int]) -> list[tuple[Any, ...]]:
        """The rows of a query about the pages with these identities."""


class PackedLinks:
    """The links of the scans of one store."""

    def __init__(self, store: LinkQueries) -> None:
        self._store = store
        self._blocks: OrderedDict[int, StoredBlock] = OrderedDict()

    def numbers(self, scan: int) -> LinkCounters:
        """Return where numbering goes on when a scan is continued."""
        blocks = self._store.query_links("last_link_block", build_block_key(scan, 0), build_block_key(scan + 1, 0))
        lists = self._store.query_links("last_link_list", build_block_key(scan, 0), build_block_key(scan + 1, 0))
        kept = self._store.query_links("count_links", build_block_key(scan, 0), build_block_key(scan + 1, 0))[0][0]
        next_link = get_first_number(blocks[0][0]) + len(blocks[0][1]) // 8 if blocks else 1
        next_list = get_first_number(lists[0][0]) + len(lists[0][1]) // 8 if lists else 1
        return LinkCounters(next_link, next_list, int(kept or 0))

    def nodes(self, scan: int) -> Iterator[Node]:
        """Yield every URL of the scan, by key."""
        for row in self._store.query_links("nodes", scan):
            yield Node(*row)

    def blocks(self, scan: int) -> Iterator[LinkBlock]:
        """Yield the different links of a scan."""
        return map(unpack_links, self._all("link_blocks", scan))

    def lists(self, scan: int) -> Iterator[PageLinks]:
        """Yield the links of each page."""
        for row in self._all("link_lists", scan):
            yield from unpack_lists(row)

    def _all(self, query: str, scan: int) -> Iterator[Any]:
        """Yield rows some at a time, for an open read keeps a log from ending."""
        after, end = build_block_key(scan, 0), build_block_key(scan + 1, 0)
        while rows := self._store.query_links(query, after, end, _BATCH_SIZE):
            yield from rows
            after = rows[-1][0] + 1

    def links_from(self, scan: int, identity: int) -> list[PageLink] | None:
        """Return the links of a page in document order; nothing if they were not kept."""
        rows = self._store.query_links("link_list_of", scan, identity)
        if not rows or rows[0][0] is None:
            return None
        wanted = int(rows[0][0])
        lists = self._store.query_links("link_list_at", build_block_key(scan, wanted), build_block_key(scan, 0))
        links = next((one.links for row in lists for one in unpack_lists(row, (wanted,))), ())
        return self._links(scan, links)

    def links_to(self, scan: int, identity: int, limit: int) -> list[PageLink]:
        """Return the links that lead to a page, one for each page that has any, in the order pages were read."""
        rows = self._store.query_links("inlinks_of", scan, identity)
        wanted = unpack_ascending(bytes(rows[0][0]))[:limit] if rows else []
        leading = self._find_links_by_number(scan, identity) if wanted else {}
        found = []
        while wanted:
            row = self._store.query_links("link_list_at", build_block_key(scan, wanted[0]), build_block_key(scan, 0))[0]
            lists = list(unpack_lists(row, set(wanted)))
            for one in lists:
                link = next(filter(leading.__contains__, one.links), None)
                if link is not None:
                    found.append(leading[link]._replace(page=one.page))
            wanted = wanted[max(1, len(lists)) :]
        return found

    def edges(self, scan: int) -> Iterator[StoredLink]:
        """Yield every link that was kept, by the key of its page, in document order."""
        urls: dict[int, str] = dict(self._store.query_links("urls", scan))
        lists = {one.page: one.links for one in self.lists(scan)}
        places: list[LinkPlacement] = [LinkPlacement("")]
        targets: list[int] = [0]
        texts: list[str] = [""]
        for block in self.blocks(scan):
            targets += block.targets
            places += block.places
            texts += block.texts
        for page, url in urls.items():
            for link in lists.get(page, ()):
                if targets[link] in urls and targets[link] != page:
                    place = places[link]
                    yield StoredLink(url, urls[targets[link]], place.element, texts[link], place.region)

    def children(self, scan: int, identity: int) -> list[PreviousLink]:
        """Return where a page led to: every link, or what was first found there if links were not kept."""
        links = self.links_from(scan, identity)
        if links is None:
            rows = self._store.query_links("first_found_on", scan, identity)
            return [
                PreviousLink(url, kind, LinkPlacement(*place), text, reason) for url, kind, text, reason, *place in rows
            ]
        rows = self._store.query_pages("targets", scan, {link.page for link in links})
        known = {identity: (url, kind, reason) for identity, url, kind, reason in rows}
        return [_child(link, *known[link.page]) for link in links if link.page in known]

    def linked_pairs(self, scan: int, identities: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pages that link to each other, each pair once."""
        wanted = set(identities)
        for source in identities:
            targets = dict.fromkeys(link.page for link in self.links_from(scan, source) or ())
            yield from ((source, target) for target in targets if target in wanted and target != source)

    def _find_links_by_number(self, scan: int, identity: int) -> dict[int, PageLink]:
        """Return the links that lead to a page, by number; blocks without it stay in the store."""
        mark = pack_target(identity)
        rows = self._store.query_links("link_blocks_with", build_block_key(scan, 0), build_block_key(scan + 1, 0), mark)
        blocks = [self._find_block(scan, get_first_number(key)) for (key,) in rows]
        return {block.first + at: PageLink(0, block, at) for block in blocks for at in block.links_to(identity)}

    def _links(self, scan: int, numbers: Sequence[int]) -> list[PageLink]:
        """Return the links with these numbers; each block is looked for once."""
        found: dict[int, PageLink] = {}
        rest = sorted(set(numbers))
        while rest:
            block = self._find_block(scan, rest[0])
            count = bisect_left(rest, block.end)
            for number in rest[:count]:
                at = number - block.first
                found[number] = PageLink(block.targets[at], block, at)
            rest = rest[count:]
        return [found[number] for number in numbers]

    def _find_block(self, scan: int, number: int) -> StoredBlock:
        """Return the block with this link, from those read last if it is there."""
        key = build_block_key(scan, number)
        for first, block in self._blocks.items():
            if first <= key < first + len(block.targets):
                self._blocks.move_to_end(first)
                return block
        row = self._store.query_links("link_block_at", key, build_block_key(scan, 0))[0]
        block = self._blocks[row[0]] = StoredBlock(row)
        while len(self._blocks) > 1 and sum(len(one.targets) for one in self._blocks.values()) > _MAX_CACHED_LINKS:
            self._blocks.popitem(last=False)
        return block


def _child(link: PageLink, url: str, kind: UrlKind, reason: str) -> PreviousLink:
    return PreviousLink(url, kind, link.place, link.text, reason)


def dedupe_by_page(links: Iterable[PageLink]) -> list[PageLink]:
    """Return the first link to each page."""
    first: dict[int, PageLink] = {}
    for link in links:
        first.setdefault(link.page, link)
    return list(first.values())
