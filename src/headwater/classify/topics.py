"""Choose topics: phrases that the titles of pages in different sections share. A single word is never a topic."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from headwater.classify.sampled_counts import SampledCounter
from headwater.classify.title_phrases import extract_phrases, stem

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.classify.sections import Path

MAX_TOPICS = 20
MIN_TOPIC_PAGES = 3
MIN_PAGE_SHARE = 0.004
MAX_PAGE_SHARE = 0.25
MAX_SECTION_SHARE = 0.85
"""A phrase with at least this share of its pages in one section is not a topic."""

MAX_TITLE = 200


class Topics:
    """Counts the pages and folders in which each phrase occurs, then chooses topics."""

    def __init__(self) -> None:
        self._pages = 0
        self._folder_counts: SampledCounter[tuple[str, Path]] = SampledCounter(200_000)
        self._spellings: SampledCounter[tuple[str, str]] = SampledCounter()
        self._titles: dict[str, str] = {}

    def note(self, path: Path, title: str, level: int = 0) -> None:
        """Count one page; `level` is its sampling level."""
        self._pages += 1
        for stemmed, spelling in _extract_stemmed_phrases(title).items():
            self._folder_counts.add((stemmed, path[:-1][:3]), level)
            self._spellings.add((stemmed, spelling), level)

    def choose(self, section_of: Callable[[Path], Path]) -> None:
        """Choose topics; `section_of` returns the section of a folder."""
        spread = self._count_by_section(section_of)
        scores = {phrase: self._score(sections) for phrase, sections in spread.items() if self._is_topic(sections)}
        best = sorted(scores, key=lambda phrase: (-scores[phrase], phrase))[:MAX_TOPICS]
        spellings = self._find_common_spellings(set(best))
        self._titles = {phrase: spellings.get(phrase, phrase) for phrase in best}

    def get_topics(self, title: str) -> list[tuple[str, str]]:
        """Return name and title of every topic of a page with this title."""
        if not self._titles:
            return []
        return [(phrase, self._titles[phrase]) for phrase in _extract_stemmed_phrases(title) if phrase in self._titles]

    def _is_topic(self, sections: Counter[Path]) -> bool:
        count = sections.total()
        if count < max(MIN_TOPIC_PAGES, MIN_PAGE_SHARE * self._pages) or count > max(
            MAX_PAGE_SHARE * self._pages, MIN_TOPIC_PAGES
        ):
            return False
        return len(sections) > 1 and max(sections.values()) < MAX_SECTION_SHARE * count

    def _score(self, sections: Counter[Path]) -> float:
        """Return the score of a phrase: high if it is on many pages, but not on most, and in several sections."""
        count = sections.total()
        return count * log(self._pages / count + 1) * (1 - max(sections.values()) / count)

    def _count_by_section(self, section_of: Callable[[Path], Path]) -> dict[str, Counter[Path]]:
        spread: dict[str, Counter[Path]] = {}
        sections: dict[Path, Path] = {}
        for (phrase, folder), count in self._folder_counts.totals().items():
            if folder not in sections:
                sections[folder] = section_of(folder)
            spread.setdefault(phrase, Counter())[sections[folder]] += count
        return spread

    def _find_common_spellings(self, chosen: set[str]) -> dict[str, str]:
        counts: dict[str, Counter[str]] = {phrase: Counter() for phrase in chosen}
        for (phrase, spelling), count in self._spellings.totals().items():
            if phrase in counts:
                counts[phrase][spelling] += count
        return {
            phrase: max(sorted(spellings), key=spellings.__getitem__)
            for phrase, spellings in counts.items()
            if spellings
        }


def _extract_stemmed_phrases(title: str) -> dict[str, str]:
    """Return the phrases of a title by their stems."""
    return {
        f"{stem(first)} {stem(second)}": f"{first} {second}" for first, second in extract_phrases(title[:MAX_TITLE])
    }
