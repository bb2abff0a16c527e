"""Detect the language of a page from its paragraphs, for pages that do not declare one."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from zlib import crc32

from turbohtml.detect import LanguageDetection, detect_language

from headwater.model import DETECTED_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Document

SAMPLING_INTERVAL = 8
"""One of this many pages is sampled. Detection takes about 100 µs, and should add no more than 20 µs per page."""

MIN_PARAGRAPH_BYTES = 40
"""Shorter paragraphs are labels and links. Bytes are counted, because one Chinese character can be a word."""

MIN_BYTES, ENOUGH_BYTES = 80, 400
ENOUGH_SENTENCE_BYTES = 240
"""Bytes that are enough if only lines that look like sentences are read, as for every page that is analyzed."""

MAX_READ, MAX_LINES, MIN_LINE = 20_000, 200, 10
MIN_WORD_LENGTH = 4
"""Characters of a word, with the space after it, on average."""

MAX_PARAGRAPHS = 1000

ISO_639_1_BY_ISO_639_3 = {
    "afr": "af", "amh": "am", "ara": "ar", "aze": "az", "bel": "be", "ben": "bn", "bul": "bg", "cat": "ca", "ces": "cs",
    "cmn": "zh", "cym": "cy", "dan": "da", "deu": "de", "ell": "el", "eng": "en", "est": "et", "fas": "fa", "fin": "fi",
    "fra": "fr", "guj": "gu", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "hye": "hy", "ind": "id", "ita": "it",
    "jpn": "ja", "kan": "kn", "kat": "ka", "khm": "km", "kor": "ko", "lav": "lv", "lit": "lt", "mal": "ml", "mar": "mr",
    "mkd": "mk", "mya": "my", "nep": "ne", "nld": "nl", "nob": "no", "pan": "pa", "pes": "fa", "pol": "pl", "por": "pt",
    "ron": "ro", "rus": "ru", "sin": "si", "slk": "sk", "slv": "sl", "spa": "es", "srp": "sr", "swe": "sv", "tam": "ta",
    "tel": "te", "tha": "th", "tur": "tr", "ukr": "uk", "urd": "ur", "uzb": "uz", "vie": "vi",
}  # fmt: skip
"""Without Latin and Esperanto, which are wrongly detected in lists of identifiers."""

_CODE = re.compile(r"[{}=;<>_|\\]|::|\(\)")
_OPTIONS = LanguageDetection(threshold=0.3, allowed=frozenset(ISO_639_1_BY_ISO_639_3))


def is_sampled(key: str) -> bool:
    """Return True if the language of a page is detected; depends only on the key, not on the order of visits."""
    return crc32(key.encode("utf-8", "surrogatepass")) % SAMPLING_INTERVAL == 0


def detect_text_language(document: Document, key: str) -> str:
    """Return a language tag marked as detected, such as `fr-x-detected`; empty for most pages and if unsure."""
    if not is_sampled(key):
        return ""
    code = _detect(_join_prose(element.text for element in document.find_all("p", limit=MAX_PARAGRAPHS)))
    return code + DETECTED_SUFFIX if code else ""


def detect_language_of(text: str) -> str:
    """Return the language of a text with one paragraph on each line; empty if unsure.

    Indexes and code are left out: lines of very short words, and lines with signs that sentences do not have.
    """
    lines = islice((line for line in text[:MAX_READ].split("\n") if len(line) >= MIN_LINE), MAX_LINES)
    sentences = (line for line in lines if len(line) > MIN_WORD_LENGTH * line.count(" ") and not _CODE.search(line))
    return _detect(_join_prose(sentences, ENOUGH_SENTENCE_BYTES))


def _detect(text: str) -> str:
    if len(text.encode("utf-8", "surrogatepass")) < MIN_BYTES:
        return ""
    return ISO_639_1_BY_ISO_639_3.get(detect_language(text, _OPTIONS).language or "", "")


def _join_prose(paragraphs: Iterable[str], enough: int = ENOUGH_BYTES) -> str:
    """Return the first long paragraphs; other text is mostly menus and code, which are misleading."""
    found: list[str] = []
    size = 0
    for paragraph in paragraphs:
        text = " ".join(paragraph.split())
        length = len(text.encode("utf-8", "surrogatepass"))
        if length >= MIN_PARAGRAPH_BYTES:
            found.append(text[:enough])
            size += length
        if size >= enough:
            break
    return " ".join(found)[:enough]
