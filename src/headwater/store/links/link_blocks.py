"""Pack the links of a scan into blocks, many links in each row.

A *link block* holds distinct links (target, place, text) with consecutive numbers. A *list block* holds the numbers of
the links of each page of a batch. An *inlink list* holds, for one page, the numbers of the lists that contain a link to
it. Blocks are found by the first number they hold.
"""

from __future__ import annotations

import json
from array import array
from functools import cached_property
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, NamedTuple
from zlib import compress, decompress

from headwater.model import LinkBlock, LinkPlacement, PageLinks

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from headwater.store.records import VisitResult

_COMPRESSION_LEVEL = 1
_SEPARATOR = "\n"
_WIDTHS = (("B", 1 << 8), ("H", 1 << 16), ("I", 1 << 32))
_NUMBER_BITS = 32


class LinkBlockRow(NamedTuple):
    """Row of `link_block`: `places` are the distinct places, `place_of` is the place of each link."""

    id: int
    targets: bytes
    places: str
    place_of: bytes
    texts: bytes


class LinkListRow(NamedTuple):
    """Row of `link_list`: `lengths` are the numbers of links of each page, `numbers` the links of all pages."""

    id: int
    links: int
    pages: bytes
    lengths: bytes
    numbers: bytes


def build_block_key(scan: int, number: int) -> int:
    """Return the key of a block: the scan, and the first number in it."""
    return scan << _NUMBER_BITS | number


def get_first_number(key: int) -> int:
    """Return the first number of a block from its key."""
    return key & ((1 << _NUMBER_BITS) - 1)


def pack_links(scan: int, block: LinkBlock) -> LinkBlockRow:
    """Pack links into a row."""
    places = {place: number for number, place in enumerate(dict.fromkeys(block.places))}
    texts = _SEPARATOR.join(block.texts).encode("utf-8", "surrogatepass")
    return LinkBlockRow(
        id=build_block_key(scan, block.first),
        targets=array("q", block.targets).tobytes(),
        places=json.dumps(list(places)),
        place_of=array("I", map(places.__getitem__, block.places)).tobytes(),
        texts=compress(texts, _COMPRESSION_LEVEL),
    )


def unpack_links(row: LinkBlockRow) -> LinkBlock:
    """Return the links of a row."""
    places = [LinkPlacement(*place) for place in json.loads(row.places)]
    return LinkBlock(
        first=get_first_number(row.id),
        targets=array("q", row.targets),
        places=[places[number] for number in array("I", row.place_of)],
        texts=_unpack_texts(row.texts),
    )


class StoredBlock:
    """Link block in memory for reading single links; the texts are unpacked with the first one that is read."""

    def __init__(self, row: LinkBlockRow) -> None:
        self.first, self._packed, self._texts = get_first_number(row.id), bytes(row.targets), row.texts
        self.targets = memoryview(self._packed).cast("q")
        self._places = [LinkPlacement(*place) for place in json.loads(row.places)]
        self._place_of = array("I", row.place_of)

    @property
    def end(self) -> int:
        """Number after that of the last link."""
        return self.first + len(self.targets)

    @cached_property
    def texts(self) -> list[str]:
        """Text of each link."""
        return _unpack_texts(self._texts)

    def place(self, index: int) -> LinkPlacement:
        """Return the place of a link."""
        return self._places[self._place_of[index]]

    def find_links_to(self, target: int) -> Iterator[int]:
        """Yield the indexes of the links to a page."""
        packed = pack_target(target)
        offset = self._packed.find(packed)
        while offset >= 0:
            if offset % len(packed) == 0:
                yield offset // len(packed)
            offset = self._packed.find(packed, offset + 1)


def pack_target(target: int) -> bytes:
    """Return the identity of a page as the targets of a block contain it."""
    return array("q", (target,)).tobytes()


def _unpack_texts(texts: bytes) -> list[str]:
    return decompress(texts).decode("utf-8", "surrogatepass").split(_SEPARATOR)


def pack_lists(scan: int, first: int, batch: Sequence[VisitResult]) -> LinkListRow | None:
    """Pack the link lists of the pages of a batch into a row; None if no page has one."""
    kept = [(visit.candidate.identity, visit.links) for visit in batch if visit.links is not None]
    if not kept:
        return None
    numbers = array("I")
    for _, links in kept:
        numbers.extend(links)
    lengths = array("I", [len(links) for _, links in kept])
    pages = array("q", [page for page, _ in kept])
    return LinkListRow(
        id=build_block_key(scan, first),
        links=len(numbers),
        pages=pages.tobytes(),
        lengths=compress(lengths.tobytes(), _COMPRESSION_LEVEL),
        numbers=compress(numbers.tobytes(), _COMPRESSION_LEVEL),
    )


def unpack_lists(row: LinkListRow, wanted: Container[int] | None = None) -> Iterator[PageLinks]:
    """Yield the link lists of a row, all of them or those with the wanted numbers."""
    links = array("I", decompress(row.numbers))
    ends = list(accumulate(array("I", decompress(row.lengths))))
    parts = zip(array("q", row.pages), [0, *ends], ends, strict=False)
    for number, (page, start, end) in enumerate(parts, get_first_number(row.id)):
        if wanted is None or number in wanted:
            yield PageLinks(number, page, links[start:end])


def pack_ascending(numbers: Sequence[int]) -> bytes:
    """Pack ascending numbers as differences, each in as few bytes as the largest one needs."""
    if not numbers:
        return b""
    differences = [numbers[0], *map(sub, numbers[1:], numbers)]
    largest = max(differences)
    code = next(code for code, limit in _WIDTHS if largest < limit)
    return code.encode() + array(code, differences).tobytes()


def unpack_ascending(content: bytes) -> list[int]:
    """Return the numbers that `pack_ascending` packed."""
    if not content:
        return []
    return list(accumulate(array(chr(content[0]), content[1:])))
