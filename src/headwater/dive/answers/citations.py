"""Check the citations of an answer, sentence by sentence: the cited passage must exist and support the sentence. Pure.

Citations without support are dropped. Links and images, which could leak data, are replaced by their text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from headwater.relevance.query_terms import measure_coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_SUPPORT = 0.3
"""The share of a sentence's words that the cited passage must contain."""

MAX_SENTENCE_CHARS = 600
"""A longer sentence is checked in parts."""

_CITATION = re.compile(r"\s*[\[【［]\s*\^?([\d０-９]{1,4}(?:\s*[,;–-]\s*[\d０-９]{1,4})*)[^\]】］\n]{0,20}[\]】］]")
_END = re.compile(r"(?:[.!?:]+[\"')*_]*(?:\s*[\[【［][^\]】］\n]{1,24}[\]】］])*\s+|\n+)(?=[^\s\[【［])")
_LINK = re.compile(
    r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[\"'][^\"']*[\"'])?\)|!?\[([^\[\]]+)\]\[[^\[\]]*\]"
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)
_ADDRESS = re.compile(
    r"\b(?:https?|ftp|data|javascript|file):[^\s<>()\[\]\"']+|\bwww\.[^\s<>()\[\]\"']+", re.IGNORECASE
)
_BRACKETED = re.compile(r"[\[【［](\s*\^?[\d０-９]{1,4}(?:\s*[,;–-]\s*[\d０-９]{1,4})*[^\]】］\n]{0,20})[\]】］]")


class CheckedSentence(NamedTuple):
    """A part of an answer with its supported citations, and the number of dropped ones."""

    text: str
    cited: tuple[int, ...] = ()
    dropped: int = 0


def escape_citations(text: str) -> str:
    """Replace text of a page that looks like a citation: [1] becomes (1)."""
    return _BRACKETED.sub(lambda match: f"({match.group(1).strip()})", text)


class CitationChecker:
    """Takes an answer as it arrives, and returns checked sentences."""

    def __init__(self, passages: Sequence[str], addresses: Sequence[str] = ()) -> None:
        self._passages = passages
        self._allowed_urls = frozenset(addresses)
        self._buffer = ""
        self._previous_claim = ""

    def feed(self, piece: str) -> list[CheckedSentence]:
        """Add a part of the answer and return the sentences that are complete."""
        self._buffer += piece
        ready = []
        while end := self._next_end():
            sentence, self._buffer = self._buffer[:end], self._buffer[end:]
            ready.append(self._check_sentence(sentence))
        return ready

    def finish(self) -> list[CheckedSentence]:
        """Return the rest of the answer."""
        rest, self._buffer = self._buffer, ""
        return [self._check_sentence(rest)] if rest.strip() else []

    def _next_end(self) -> int:
        match = _END.search(self._buffer)
        if match:
            return match.end()
        if len(self._buffer) <= MAX_SENTENCE_CHARS:
            return 0
        return self._buffer.rfind(" ", 1, MAX_SENTENCE_CHARS - 50) + 1 or MAX_SENTENCE_CHARS

    def _check_sentence(self, sentence: str) -> CheckedSentence:
        text = _TAG.sub("", _LINK.sub(lambda match: match.group(1) or match.group(2) or "", sentence))
        text = _ADDRESS.sub(lambda match: match.group() if match.group() in self._allowed_urls else "", text)
        words = _CITATION.sub("", text).strip()
        claim = words if len(words) > 3 else self._previous_claim
        self._previous_claim = claim
        cited: list[int] = []
        dropped = 0

        def judge(match: re.Match[str]) -> str:
            nonlocal dropped
            numbers = [int(number) for number in re.findall(r"\d+", match.group(1))]
            supported = [number for number in numbers if self._is_supported(claim, number)]
            dropped += len(numbers) - len(supported)
            cited.extend(supported)
            return "".join(f" [{number}]" for number in supported)

        return CheckedSentence(_CITATION.sub(judge, text), tuple(dict.fromkeys(cited)), dropped)

    def _is_supported(self, claim: str, number: int) -> bool:
        """Return True if the passage exists and contains enough words of the claim."""
        return 1 <= number <= len(self._passages) and measure_coverage(claim, self._passages[number - 1]) >= MIN_SUPPORT
