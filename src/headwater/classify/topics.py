"""Topics: words that pages of different sections share, in their paths and titles; the most telling few dozen."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from headwater.classify.counting import BoundedCounter
from headwater.classify.words import STOP_WORDS, phrases, stem, title_of_word, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.classify.sections import Path

MAX_TOPICS = 30
SMALLEST = 2
RARE = 0.004
COMMON = 0.25
ONE_SIDED = 0.85
"""A word with this share of its pages in one section is a matter of that section."""

FAMILY = 4
"""So many pages named `asyncio-…` or `email.…` are a topic even within one section."""

SAME = 0.7
"""A word that mostly stands in one phrase is left to the phrase."""

MAX_TITLE = 200


class Topics:
    """Counts in how many pages, and in which folders, each word stands; then chooses."""

    def __init__(self) -> None:
        self._pages = 0
        self._words: BoundedCounter[str] = BoundedCounter()
        self._where: BoundedCounter[tuple[str, Path]] = BoundedCounter(200_000)
        self._heads: BoundedCounter[str] = BoundedCounter()
        self._spellings: BoundedCounter[tuple[str, str]] = BoundedCounter()
        self._titles: dict[str, str] = {}

    def note(self, path: Path, title: str) -> None:
        self._pages += 1
        spellings = _spellings(path, title)
        folder = path[:-1][:3]
        self._heads.add_all(_heads(path))
        for stemmed, spelling in spellings.items():
            self._words.add(stemmed)
            self._where.add((stemmed, folder))
            self._spellings.add((stemmed, spelling))

    def choose(self, section_of: Callable[[Path], Path], taken: set[str]) -> None:
        """Choose among the words; `section_of` tells the section of a folder, `taken` are words of sections' names."""
        spread = self._spread(section_of)
        reserved = {stem(word) for word in taken}
        scores = {
            word: self._score(word, count, spread[word])
            for word, count in self._words
            if word in spread and word not in reserved and self._is_topic(word, count, spread[word])
        }
        told = self._told_by_phrases(scores)
        best = sorted(scores.keys() - told, key=lambda word: (-scores[word], word))[:MAX_TOPICS]
        usual = self._usual_spellings(set(best))
        self._titles = {word: title_of_word(usual.get(word, word)) for word in best}

    def topics_of(self, path: Path, title: str) -> list[tuple[str, str]]:
        """Name and title of every topic of the page."""
        return [(word, self._titles[word]) for word in _spellings(path, title) if word in self._titles]

    def _is_topic(self, word: str, count: int, sections: Counter[Path]) -> bool:
        commonest = max(self._words[part] for part in word.split(" "))
        if count < max(SMALLEST, RARE * self._pages) or commonest > max(COMMON * self._pages, SMALLEST):
            return False
        if self._heads[word] >= FAMILY:
            return True
        return len(sections) > 1 and max(sections.values()) < ONE_SIDED * sections.total()

    def _score(self, word: str, count: int, sections: Counter[Path]) -> float:
        """How telling: many pages, but not so many that it says nothing; over several sections, or a family."""
        elsewhere = 1 - max(sections.values()) / sections.total()
        family = min(1.0, self._heads[word] / count)
        return count * log(self._pages / count + 1) * max(elsewhere, family) * (1.5 if " " in word else 1)

    def _told_by_phrases(self, scores: dict[str, float]) -> set[str]:
        """Words that seldom stand outside a phrase: `floating` without `point`."""
        pairs = [phrase.split(" ") for phrase in scores if " " in phrase]
        return {word for pair in pairs for word in pair if self._words[" ".join(pair)] >= SAME * self._words[word]}

    def _spread(self, section_of: Callable[[Path], Path]) -> dict[str, Counter[Path]]:
        spread: dict[str, Counter[Path]] = {}
        sections: dict[Path, Path] = {}
        for (word, folder), count in self._where:
            if folder not in sections:
                sections[folder] = section_of(folder)
            spread.setdefault(word, Counter())[sections[folder]] += count
        return spread

    def _usual_spellings(self, chosen: set[str]) -> dict[str, str]:
        counts: dict[str, Counter[str]] = {word: Counter() for word in chosen}
        for (word, spelling), count in self._spellings:
            if word in counts:
                counts[word][spelling] += count
        return {word: max(sorted(spellings), key=spellings.__getitem__) for word, spellings in counts.items()}


def _spellings(path: Path, title: str) -> dict[str, str]:
    """The words and phrases of a page by their stems; the title's spelling wins over the path's."""
    title = title[:MAX_TITLE]
    found = [word for segment in path for word in words(segment[:MAX_TITLE])] + words(title)
    single = {stemmed: word for word in found if (stemmed := stem(word)) not in STOP_WORDS}
    return single | {f"{stem(first)} {stem(second)}": f"{first} {second}" for first, second in phrases(title)}


def _heads(path: Path) -> list[str]:
    """The word before the first break in the name of a page, `asyncio` of `asyncio-dev`."""
    name = path[-1][:MAX_TITLE] if path else ""
    head, mark, _ = name.replace("_", "-").replace(".", "-").partition("-")
    return [stem(word) for word in words(head)] if mark else []
