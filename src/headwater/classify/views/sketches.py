"""Compare sketches of pages, and pack them for the store."""

from __future__ import annotations

import struct
import sys
from array import array
from typing import TYPE_CHECKING

from headwater.model import ContentSketch

if TYPE_CHECKING:
    from collections.abc import Iterable

NEW_LABELS_OF_VIEW = 1 / 20
"""Share of new labels in a view that nothing but its content marks as one; they may differ in digits only."""

NEW_LABELS_OF_DECLARED_VIEW = 1 / 5
MIN_NEW_LABELS = 3
"""Labels that a page may add, such as "Cancel reply", if it names the other page as canonical."""

_HEADER = struct.Struct("<IqIIII")


def adds_nothing(
    view: ContentSketch, page: ContentSketch, *, is_declared: bool = False, is_specific: bool = False
) -> bool:
    """Return True if a page has no sentence, link or image that the other page lacks, and hardly any new label.

    `is_declared` means that the page itself names the other one as canonical. Otherwise both must have the same title
    and heading: a part of a list with a title of its own is a page. New labels may then differ in digits only, unless
    the heading `is_specific`, that is, no page about anything else has it.
    """
    if not (view.links <= page.links and view.texts <= page.texts):
        return False
    size = len(view.links) + len(view.texts) + len(view.labels)
    new_labels = len(view.labels - page.labels)
    if is_declared:
        return new_labels <= max(MIN_NEW_LABELS, size * NEW_LABELS_OF_DECLARED_VIEW)
    is_only_digits = view.masked_labels <= page.masked_labels
    if view.heading != page.heading or not (is_only_digits or is_specific):
        return False
    return new_labels <= max(int(is_specific), size * NEW_LABELS_OF_VIEW)


def merge_sketches(sketches: Iterable[ContentSketch]) -> ContentSketch:
    """Return the content of several pages together, with the heading of the first."""
    first, *others = sketches
    if not others:
        return first
    return first._replace(
        links=first.links.union(*(one.links for one in others)),
        texts=first.texts.union(*(one.texts for one in others)),
        labels=first.labels.union(*(one.labels for one in others)),
        masked_labels=first.masked_labels.union(*(one.masked_labels for one in others)),
    )


def encode_sketch(sketch: ContentSketch) -> bytes:
    """Pack a sketch; equal sketches give equal bytes."""
    sets = (sketch.links, sketch.texts, sketch.labels, sketch.masked_labels)
    numbers = array("I", [number for one in sets for number in sorted(one)])
    if sys.byteorder == "big":
        numbers.byteswap()
    return _HEADER.pack(sketch.heading, sketch.template, *map(len, sets)) + numbers.tobytes()


def decode_heading(packed: bytes) -> int:
    """Return the heading of a packed sketch."""
    heading: int = _HEADER.unpack_from(packed)[0]
    return heading


def decode_sketch(packed: bytes) -> ContentSketch:
    """Unpack a sketch."""
    heading, template, *sizes = _HEADER.unpack_from(packed)
    numbers = array("I", packed[_HEADER.size :])
    if sys.byteorder == "big":
        numbers.byteswap()
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    links, texts, labels, masked = (frozenset(numbers[end - size : end]) for end, size in zip(ends, sizes, strict=True))
    return ContentSketch(heading, links, texts, labels, masked, template)
