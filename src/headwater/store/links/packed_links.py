"""Read the packed links of a store."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from headwater.classify import Node
from headwater.model import LinkPlacement, PreviousLink, StoredLink
from headwater.store.links.link_blocks import (
    LinkBlockRow,
    LinkListRow,
    StoredBlock,
    build_block_key,
    get_first_number,
    pack_target,
    unpack_ascending,
    unpack_links,
    unpack_lists,
)
from headwater.store.links.link_counts import count_links

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from headwater.model import LinkBlock, LinkCounts, PageLinks, Region, UrlKind
    from headwater.store.common.database import Session
    from headwater.store.common.readers import Record

_MAX_CACHED_LINKS = 100_000
"""Links in cached blocks, at about 100 bytes each with their texts."""

_BATCH_SIZE = 16


class LinkCounters(NamedTuple):
    """Next free number of a link and of a link list, and the number of stored links."""

    next_link: int = 1
    next_list: int = 1
    kept_links: int = 0


class PageLink(NamedTuple):
    """Link of one page: the page at its other end, and the position of the link in a block."""

    page: int
    block: StoredBlock
    position: int

    @property
    def place(self) -> LinkPlacement:
        """Place of the link."""
        return self.block.place(self.position)

    @property
    def text(self) -> str:
        """Text of the link."""
        return self.block.texts[self.position]


class _LinkTarget(NamedTuple):
    """URL that a link leads to."""

    identity: int
    fetch_url: str
    kind: UrlKind
    reason: str


class _FoundUrl(NamedTuple):
    """URL that was first found on a page, with the place of its link there."""

    fetch_url: str
    kind: UrlKind
    text: str
    reason: str
    source: str
    region: Region
    element: str
    attribute: str

    def to_link(self) -> PreviousLink:
        """Return it as a link of the page."""
        place = LinkPlacement(source=self.source, region=self.region, element=self.element, attribute=self.attribute)
        return PreviousLink(fetch_url=self.fetch_url, kind=self.kind, place=place, text=self.text, reason=self.reason)


class PackedLinks:
    """Links of all scans of one store."""

    def __init__(self, db: Session) -> None:
        self._db = db
        self._blocks: OrderedDict[int, StoredBlock] = OrderedDict()

    def next_numbers(self, scan: int) -> LinkCounters:
        """Return the numbers that follow those of a scan, to continue it."""
        blocks = self._db.rows("last_link_block", **get_block_range(scan))
        lists = self._db.rows("last_link_list", **get_block_range(scan))
        return LinkCounters(
            next_link=_get_next_number(*blocks[0]) if blocks else 1,
            next_list=_get_next_number(*lists[0]) if lists else 1,
            kept_links=int(self._db.value("count_links", **get_block_range(scan)) or 0),
        )

    def nodes(self, scan: int) -> Iterator[Node]:
        """Yield every URL of a scan by key."""
        yield from self._db.select(Node, "nodes", scan=scan)

    def blocks(self, scan: int) -> Iterator[LinkBlock]:
        """Yield the distinct links of a scan."""
        return map(unpack_links, self._read_all(LinkBlockRow, "link_blocks", scan))

    def lists(self, scan: int) -> Iterator[PageLinks]:
        """Yield the links of each page."""
        for row in self._read_all(LinkListRow, "link_lists", scan):
            yield from unpack_lists(row)

    def _read_all(self, record: type[Record], query: str, scan: int) -> Iterator[Record]:
        """Yield rows in batches: a long read would keep SQLite's log growing."""
        wanted = get_block_range(scan)
        while rows := self._db.select_keyed(record, "id", query, limit=_BATCH_SIZE, **wanted):
            yield from (row for _, row in rows)
            wanted["start"] = rows[-1][0] + 1

    def links_from(self, scan: int, identity: int) -> list[PageLink] | None:
        """Return the links of a page in document order; None if they were not stored."""
        wanted = self._db.value("link_list_number", scan=scan, identity=identity)
        if wanted is None:
            return None
        links = next((one.links for one in self._read_lists_at(scan, wanted, (wanted,))), ())
        return self._find_links(scan, links)

    def links_to(self, scan: int, identity: int, limit: int) -> list[PageLink]:
        """Return one link to a page for each page that has any, in the order the pages were read."""
        packed = self._db.value("inlink_lists", scan=scan, identity=identity)
        wanted = unpack_ascending(bytes(packed or b""))[:limit]
        links_by_number = self._find_links_by_number(scan, identity) if wanted else {}
        found = []
        while wanted:
            lists = self._read_lists_at(scan, wanted[0], set(wanted))
            for one in lists:
                link = next(filter(links_by_number.__contains__, one.links), None)
                if link is not None:
                    found.append(links_by_number[link]._replace(page=one.page))
            wanted = wanted[max(1, len(lists)) :]
        return found

    def _read_lists_at(self, scan: int, number: int, wanted: Container[int]) -> list[PageLinks]:
        """Return the wanted lists of the block that holds this list."""
        key = {"id": build_block_key(scan, number), "after": build_block_key(scan, 0)}
        row = self._db.find(LinkListRow, "link_list_at", **key)
        return [] if row is None else list(unpack_lists(row, wanted))

    def edges(self, scan: int) -> Iterator[StoredLink]:
        """Yield every stored link between two pages of a scan, by the key of its page, in document order."""
        urls: dict[int, str] = dict(self._db.rows("urls", scan=scan))
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
                    yield StoredLink(
                        source=url, target=urls[targets[link]], element=place.element, text=texts[link],
                        region=place.region,
                    )  # fmt: skip

    def counts(self, scan: int) -> dict[int, LinkCounts]:
        """Return the number of hyperlinks to and from each page of a scan, by its identity."""
        kinds: dict[int, str] = dict(self._db.rows("kinds", scan=scan))
        internal = {identity for identity, kind in kinds.items() if kind == "page"}
        external = {identity for identity, kind in kinds.items() if kind == "external"}
        return count_links(self.blocks(scan), self.lists(scan), internal, external)

    def children(self, scan: int, identity: int) -> list[PreviousLink]:
        """Return the links of a page; if they were not stored, the URLs that were first found on it."""
        links = self.links_from(scan, identity)
        if links is None:
            rows = self._db.select(_FoundUrl, "first_found_on", scan=scan, identity=identity)
            return [row.to_link() for row in rows]
        targets = self._db.select(
            _LinkTarget, "link_targets", scan=scan, identities=list({link.page for link in links})
        )
        known = {target.identity: target for target in targets}
        return [
            PreviousLink(
                fetch_url=target.fetch_url, kind=target.kind, place=link.place, text=link.text, reason=target.reason
            )
            for link in links
            if (target := known.get(link.page)) is not None
        ]

    def linked_pairs(self, scan: int, identities: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield each pair of these pages of which the first links to the second."""
        wanted = set(identities)
        for source in identities:
            targets = dict.fromkeys(link.page for link in self.links_from(scan, source) or ())
            yield from ((source, target) for target in targets if target in wanted and target != source)

    def _find_links_by_number(self, scan: int, identity: int) -> dict[int, PageLink]:
        """Return the links to a page by number; only blocks with such a link are read."""
        keys = self._db.column("link_blocks_with_target", target=pack_target(identity), **get_block_range(scan))
        blocks = [self._find_block(scan, get_first_number(key)) for key in keys]
        return {
            block.first + position: PageLink(page=0, block=block, position=position)
            for block in blocks
            for position in block.find_links_to(identity)
        }

    def _find_links(self, scan: int, numbers: Sequence[int]) -> list[PageLink]:
        """Return the links with these numbers; each block is looked up once."""
        found: dict[int, PageLink] = {}
        rest = sorted(set(numbers))
        while rest:
            block = self._find_block(scan, rest[0])
            count = bisect_left(rest, block.end)
            for number in rest[:count]:
                position = number - block.first
                found[number] = PageLink(page=block.targets[position], block=block, position=position)
            rest = rest[count:]
        return [found[number] for number in numbers]

    def _find_block(self, scan: int, number: int) -> StoredBlock:
        """Return the block with this link, from the cache if it is there."""
        key = build_block_key(scan, number)
        for first, block in self._blocks.items():
            if first <= key < first + len(block.targets):
                self._blocks.move_to_end(first)
                return block
        (row,) = self._db.select(LinkBlockRow, "link_block_at", id=key, after=build_block_key(scan, 0))
        block = self._blocks[row.id] = StoredBlock(row)
        while len(self._blocks) > 1 and sum(len(one.targets) for one in self._blocks.values()) > _MAX_CACHED_LINKS:
            self._blocks.popitem(last=False)
        return block


def get_block_range(scan: int) -> dict[str, int]:
    """Return the keys between which the blocks of a scan are."""
    return {"start": build_block_key(scan, 0), "stop": build_block_key(scan + 1, 0)}


def _get_next_number(key: int, packed: bytes) -> int:
    """Return the number after the last one of a block, whose entries have eight bytes each."""
    return get_first_number(key) + len(packed) // 8


def dedupe_by_page(links: Iterable[PageLink]) -> list[PageLink]:
    """Return the first link to each page."""
    first: dict[int, PageLink] = {}
    for link in links:
        first.setdefault(link.page, link)
    return list(first.values())
