"""Reading the links that a store holds packed; both SQL stores read them alike."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from headwater.classify import Node
from headwater.model import Child, KeptLink, Place
from headwater.store.links.blocks import (
    StoredBlock,
    number_in_scan,
    packed_target,
    row_number,
    unpack_ascending,
    unpack_links,
    unpack_lists,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from headwater.model import Kind, LinkBlock, LinkList

_LINKS_KEPT = 100_000
"""Links in the blocks that stay unpacked, at about 100 bytes each if their texts were read too."""

_ROWS = 16


class LinkNumbers(NamedTuple):
    """The next free number of a link and of a list of links, and how many links are kept."""

    link: int = 1
    list: int = 1
    kept: int = 0


class LinkOf(NamedTuple):
    """A link of one page: the page at its other end, and the link itself by its index in a block."""

    page: int
    block: StoredBlock
    at: int

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.block.place(self.at)

    @property
    def text(self) -> str:
        """Its text."""
        return self.block.texts[self.at]


class LinkRows(Protocol):
    """What a store gives to those who read its links."""

    def link_rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""

    def page_rows(self, query: str, scan: int, identities: Iterable[int]) -> list[tuple[Any, ...]]:
        """The rows of a query about the pages with these identities."""


class PackedLinks:
    """The links of the scans of one store."""

    def __init__(self, store: LinkRows) -> None:
        self._store = store
        self._blocks: OrderedDict[int, StoredBlock] = OrderedDict()

    def numbers(self, scan: int) -> LinkNumbers:
        """Return where numbering goes on when a scan is continued."""
        blocks = self._store.link_rows("last_link_block", row_number(scan, 0), row_number(scan + 1, 0))
        lists = self._store.link_rows("last_link_list", row_number(scan, 0), row_number(scan + 1, 0))
        kept = self._store.link_rows("count_links", row_number(scan, 0), row_number(scan + 1, 0))[0][0]
        next_link = number_in_scan(blocks[0][0]) + len(blocks[0][1]) // 8 if blocks else 1
        next_list = number_in_scan(lists[0][0]) + len(lists[0][1]) // 8 if lists else 1
        return LinkNumbers(next_link, next_list, int(kept or 0))

    def nodes(self, scan: int) -> Iterator[Node]:
        """Yield every URL of the scan, by key."""
        for row in self._store.link_rows("nodes", scan):
            yield Node(*row)

    def blocks(self, scan: int) -> Iterator[LinkBlock]:
        """Yield the different links of a scan."""
        return map(unpack_links, self._all("link_blocks", scan))

    def lists(self, scan: int) -> Iterator[LinkList]:
        """Yield the links of each page."""
        for row in self._all("link_lists", scan):
            yield from unpack_lists(row)

    def _all(self, query: str, scan: int) -> Iterator[Any]:
        """Yield rows some at a time, for an open read keeps a log from ending."""
        after, end = row_number(scan, 0), row_number(scan + 1, 0)
        while rows := self._store.link_rows(query, after, end, _ROWS):
            yield from rows
            after = rows[-1][0] + 1

    def links_from(self, scan: int, identity: int) -> list[LinkOf] | None:
        """Return the links of a page in document order; nothing if they were not kept."""
        rows = self._store.link_rows("link_list_of", scan, identity)
        if not rows or rows[0][0] is None:
            return None
        wanted = int(rows[0][0])
        lists = self._store.link_rows("link_list_at", row_number(scan, wanted), row_number(scan, 0))
        links = next((one.links for row in lists for one in unpack_lists(row, (wanted,))), ())
        return self._links(scan, links)

    def links_to(self, scan: int, identity: int, limit: int) -> list[LinkOf]:
        """Return the links that lead to a page, one for each page that has any, in the order pages were read."""
        rows = self._store.link_rows("inlinks_of", scan, identity)
        wanted = unpack_ascending(bytes(rows[0][0]))[:limit] if rows else []
        leading = self._numbers_of_target(scan, identity) if wanted else {}
        found = []
        while wanted:
            row = self._store.link_rows("link_list_at", row_number(scan, wanted[0]), row_number(scan, 0))[0]
            lists = list(unpack_lists(row, set(wanted)))
            for one in lists:
                link = next(filter(leading.__contains__, one.links), None)
                if link is not None:
                    found.append(leading[link]._replace(page=one.page))
            wanted = wanted[max(1, len(lists)) :]
        return found

    def edges(self, scan: int) -> Iterator[KeptLink]:
        """Yield every link that was kept, by the key of its page, in document order."""
        urls: dict[int, str] = dict(self._store.link_rows("urls", scan))
        lists = {one.page: one.links for one in self.lists(scan)}
        places: list[Place] = [Place("")]
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
                    yield KeptLink(url, urls[targets[link]], place.element, texts[link], place.region)

    def children(self, scan: int, identity: int) -> list[Child]:
        """Return where a page led to: every link, or what was first found there if links were not kept."""
        links = self.links_from(scan, identity)
        if links is None:
            rows = self._store.link_rows("first_found_on", scan, identity)
            return [Child(url, kind, Place(*place), text, reason) for url, kind, text, reason, *place in rows]
        rows = self._store.page_rows("targets", scan, {link.page for link in links})
        known = {identity: (url, kind, reason) for identity, url, kind, reason in rows}
        return [_child(link, *known[link.page]) for link in links if link.page in known]

    def pairs_among(self, scan: int, identities: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pages that link to each other, each pair once."""
        wanted = set(identities)
        for source in identities:
            targets = dict.fromkeys(link.page for link in self.links_from(scan, source) or ())
            yield from ((source, target) for target in targets if target in wanted and target != source)

    def _numbers_of_target(self, scan: int, identity: int) -> dict[int, LinkOf]:
        """Return the links that lead to a page, by number; blocks without it stay in the store."""
        mark = packed_target(identity)
        rows = self._store.link_rows("link_blocks_with", row_number(scan, 0), row_number(scan + 1, 0), mark)
        blocks = [self._block_at(scan, number_in_scan(key)) for (key,) in rows]
        return {block.first + at: LinkOf(0, block, at) for block in blocks for at in block.links_to(identity)}

    def _links(self, scan: int, numbers: Sequence[int]) -> list[LinkOf]:
        """Return the links with these numbers; each block is looked for once."""
        found: dict[int, LinkOf] = {}
        rest = sorted(set(numbers))
        while rest:
            block = self._block_at(scan, rest[0])
            count = bisect_left(rest, block.end)
            for number in rest[:count]:
                at = number - block.first
                found[number] = LinkOf(block.targets[at], block, at)
            rest = rest[count:]
        return [found[number] for number in numbers]

    def _block_at(self, scan: int, number: int) -> StoredBlock:
        """Return the block with this link, from those read last if it is there."""
        key = row_number(scan, number)
        for first, block in self._blocks.items():
            if first <= key < first + len(block.targets):
                self._blocks.move_to_end(first)
                return block
        row = self._store.link_rows("link_block_at", key, row_number(scan, 0))[0]
        block = self._blocks[row[0]] = StoredBlock(row)
        while len(self._blocks) > 1 and sum(len(one.targets) for one in self._blocks.values()) > _LINKS_KEPT:
            self._blocks.popitem(last=False)
        return block


def _child(link: LinkOf, url: str, kind: Kind, reason: str) -> Child:
    return Child(url, kind, link.place, link.text, reason)


def one_a_page(links: Iterable[LinkOf]) -> list[LinkOf]:
    """Return the first link to each page."""
    first: dict[int, LinkOf] = {}
    for link in links:
        first.setdefault(link.page, link)
    return list(first.values())
