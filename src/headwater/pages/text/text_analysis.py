"""Analyze the main text of a page: the number of words, the language, and hashes to find near duplicates by.

The hashes are of runs of three words. The simhash (Charikar 2002) of texts with most runs in common differs in few
bits; the minhash (one permutation: Li, Owen and Zhang 2012) has as many equal bytes as the texts have runs in common.
Of longer texts only some runs are read, chosen by their first two words, so that similar texts choose the same.
"""

from __future__ import annotations

import re
from struct import unpack
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from turbohtml import PlainText
from xxhash import xxh3_64_digest

from headwater.pages.text.text_language import detect_language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from turbohtml import Document, Element

RUN_LENGTH = 3
MIN_WORDS = 100
"""Words of a text that is compared with others; shorter ones have too few runs."""

ENOUGH_WORDS = 256
"""Words of a text of which every run is read; of twice as many words every second run is read, and so on."""

MAX_WORDS = 2048
"""Words of a text that are compared, from its beginning."""

MAX_CHARACTERS = 200_000
MAX_SEARCHED = 2000
"""Characters at the beginning of a text that show if it has spaces between words."""

BITS = 64
BINS = 128
NO_RUN = 0xFF
_BOILERPLATE = ",".join((
    "nav", "header", "footer", "aside", "noscript", "form",
    "[role=navigation]", "[role=banner]", "[role=contentinfo]", "[role=complementary]", "[role=search]",
))  # fmt: skip
_MAIN_FINDERS: tuple[Callable[[Document], list[Element]], ...] = (
    lambda document: document.find_all("main", limit=2),
    lambda document: document.select("[role=main]"),
    lambda document: document.find_all("article", limit=2),
)
_WITHOUT_BULLETS = PlainText(bullet="")
_UNSPACED = "([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])"  # takes 2 ms to compile
"""Characters of Chinese and Japanese, which have no spaces between words; each counts as a word."""


class TextFacts(NamedTuple):
    """Facts about the main text of a page; a text that is too short has no hashes."""

    word_count: int
    language: str
    simhash: int | None
    minhash: bytes | None


def analyze_text(document: Document) -> TextFacts:
    """Return facts about the main text of a page. Elements around it are removed from the document."""
    text = _read_main_text(document)[:MAX_CHARACTERS]
    words = split_words(text)
    return TextFacts(len(words), detect_language_of(text), *hash_words(words))


def split_words(text: str) -> list[str]:
    """Return the words of a text; each Chinese or Japanese character is a word."""
    is_unspaced = not text.isascii() and re.search(_UNSPACED, text[:MAX_SEARCHED]) is not None
    return (re.sub(_UNSPACED, r" \1 ", text) if is_unspaced else text).split()


def hash_words(words: Sequence[str]) -> tuple[int, bytes] | tuple[None, None]:
    """Return the simhash of a text, signed because databases store signed integers, and its minhash."""
    if len(words) < MIN_WORDS:
        return None, None
    runs = _list_runs("\n".join(words[:MAX_WORDS]).encode("utf-8", "surrogatepass").split(b"\n"))
    digests = b"".join([xxh3_64_digest(run) for run in runs])
    return _compute_simhash(digests, len(runs)), _compute_minhash(unpack(f">{len(runs)}Q", digests))


def _list_runs(words: Sequence[bytes]) -> set[bytes]:
    """Return the runs of words that are compared; one that is repeated counts once."""
    interval = 1 << max(0, (len(words) - 1).bit_length() - (ENOUGH_WORDS - 1).bit_length())
    if interval == 1:
        return set(map(b" ".join, zip(words, words[1:], words[2:], strict=False)))
    hashes = list(map(crc32, words))
    first_interval = min(interval, 4)
    starts = [start for start, value in enumerate(hashes[: 1 - RUN_LENGTH]) if not value % first_interval]
    if interval > first_interval:
        starts = [start for start in starts if not hashes[start + 1] % (interval // first_interval)]
    return {b" ".join(words[start : start + RUN_LENGTH]) for start in starts}


def _compute_simhash(digests: bytes, count: int) -> int:
    """Return a number each bit of which is that of most digests."""
    bits = f"{int.from_bytes(digests):0{count * BITS}b}"
    value = sum([(bits[bit::BITS].count("1") * 2 > count) << (BITS - 1 - bit) for bit in range(BITS)])
    return value - (1 << BITS) if value >> (BITS - 1) else value


def _compute_minhash(values: Iterable[int]) -> bytes:
    """Return one byte of the smallest value in each bin; values are in the bin of their lowest bits."""
    smallest = {value % BINS: value for value in sorted(values, reverse=True)}
    return bytes([smallest[index] // BINS % NO_RUN if index in smallest else NO_RUN for index in range(BINS)])


def _read_main_text(document: Document) -> str:
    return _find_main(document).to_text(_WITHOUT_BULLETS)


def _find_main(document: Document) -> Element | Document:
    """Return the element with the main text: as marked up, or the body without menus and the like."""
    for find in _MAIN_FINDERS:
        found = find(document)
        if len(found) == 1:
            return found[0]
    body = document.select_one("body")
    return document if body is None else body.remove(_BOILERPLATE)
