"""How the links of a scan lie in a store: packed, a block of many at a time.

A *link block* holds different links (target, place, text), numbered. A *list block* holds, for the pages of one batch,
the numbers of each page's links. An *inlink list* holds, for one page, the numbers of the lists that name it. Blocks
are found by the first number they hold.
"""

from __future__ import annotations

import json
from array import array
from functools import cached_property
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING
from zlib import compress, decompress

from headwater.model import LinkBlock, LinkPlacement, PageLinks

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from headwater.store.store import VisitResult

_COMPRESSION_LEVEL = 1
_SEPARATOR = "\n"
_WIDTHS = (("B", 1 << 8), ("H", 1 << 16), ("I", 1 << 32))
_NUMBER_BITS = 32


def build_block_key(scan: int, number: int) -> int:
    """Return the key of a block: the scan, and the first number in it."""
    return scan << _NUMBER_BITS | number


def get_first_number(row: int) -> int:
    """Return the first number of a block from its key."""
    return row & ((1 << _NUMBER_BITS) - 1)


def pack_links(scan: int, block: LinkBlock) -> tuple[int, bytes, str, bytes, bytes]:
    """Return a row of `link_block`: key, targets, different places, the place of each, texts."""
    places = {place: number for number, place in enumerate(dict.fromkeys(block.places))}
    texts = _SEPARATOR.join(block.texts).encode("utf-8", "surrogatepass")
    return (
        build_block_key(scan, block.first),
        array("q", block.targets).tobytes(),
        json.dumps(list(places)),
        array("I", map(places.__getitem__, block.places)).tobytes(),
        compress(texts, _COMPRESSION_LEVEL),
    )


def unpack_links(row: tuple[int, bytes, str, bytes, bytes]) -> LinkBlock:
    """Return the links of a row of `link_block`."""
    key, targets, places, place_of, texts = row
    different = [LinkPlacement(*place) for place in json.loads(places)]
    return LinkBlock(
        get_first_number(key),
        array("q", targets),
        [different[number] for number in array("I", place_of)],
        _unpack_texts(texts),
    )


class StoredBlock:
    """A row of `link_block` that is kept for reading single links; texts are unpacked when one is asked for."""

    def __init__(self, row: tuple[int, bytes, str, bytes, bytes]) -> None:
        key, targets, places, place_of, self._texts = row
        self.first, self._packed = get_first_number(key), bytes(targets)
        self.targets = memoryview(self._packed).cast("q")
        self._places = [LinkPlacement(*place) for place in json.loads(places)]
        self._place_of = array("I", place_of)

    @property
    def end(self) -> int:
        """The number behind that of the last link."""
        return self.first + len(self.targets)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each link."""
        return _unpack_texts(self._texts)

    def place(self, index: int) -> LinkPlacement:
        """Return where a link stands."""
        return self._places[self._place_of[index]]

    def links_to(self, target: int) -> Iterator[int]:
        """Yield the indexes of the links that lead to a page."""
        mark = pack_target(target)
        place = self._packed.find(mark)
        while place >= 0:
            if place % len(mark) == 0:
                yield place // len(mark)
            place = self._packed.find(mark, place + 1)


def pack_target(target: int) -> bytes:
    """Return the identity of a page as it stands among the targets of a block."""
    return array("q", (target,)).tobytes()


def _unpack_texts(texts: bytes) -> list[str]:
    return decompress(texts).decode("utf-8", "surrogatepass").split(_SEPARATOR)


def pack_lists(scan: int, first: int, batch: Sequence[VisitResult]) -> tuple[int, int, bytes, bytes, bytes] | None:
    """Return a row of `link_list`: key, how many links, pages, how many links each has, their numbers."""
    kept = [(settled.candidate.identity, settled.links) for settled in batch if settled.links is not None]
    if not kept:
        return None
    numbers = array("I")
    for _, links in kept:
        numbers.extend(links)
    lengths = array("I", [len(links) for _, links in kept])
    pages = array("q", [page for page, _ in kept])
    return (
        build_block_key(scan, first), len(numbers), pages.tobytes(), compress(lengths.tobytes(), _COMPRESSION_LEVEL),
        compress(numbers.tobytes(), _COMPRESSION_LEVEL),
    )  # fmt: skip


def unpack_lists(row: tuple[int, bytes, bytes, bytes], wanted: Container[int] | None = None) -> Iterator[PageLinks]:
    """Yield the lists of a row of `link_list`, or those of them whose numbers are wanted."""
    key, pages, lengths, numbers = row
    first, links = get_first_number(key), array("I", decompress(numbers))
    ends = list(accumulate(array("I", decompress(lengths))))
    for place, (page, start, end) in enumerate(zip(array("q", pages), [0, *ends], ends, strict=False)):
        if wanted is None or first + place in wanted:
            yield PageLinks(first + place, page, links[start:end])


def pack_ascending(numbers: Sequence[int]) -> bytes:
    """Return ascending numbers as their differences, in as few bytes each as the largest of them needs."""
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
