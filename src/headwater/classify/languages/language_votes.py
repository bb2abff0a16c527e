"""Count the languages detected in some pages of each folder, to find the language of the other pages."""

from __future__ import annotations

from collections import Counter

from headwater.classify.sampled_counts import SampledCounter, sampling_level
from headwater.classify.url_segments import get_host, split_path

Folder = tuple[str, ...]

MAX_FOLDER_DEPTH = 4
MIN_VOTES = 2
"""Number of pages of a folder in which a language must have been detected."""

MIN_AGREEMENT = 0.8
"""Share of these pages that must be in the same language."""

MIN_OUTLIER_VOTES = 20
"""Number of detected pages from which a language that occurs once is regarded as an error."""


class LanguageVotes:
    """Detected languages by folder; the host is the outermost folder."""

    def __init__(self) -> None:
        self._counter: SampledCounter[tuple[Folder, str]] = SampledCounter(50_000)
        self._by_folder: dict[Folder, Counter[str]] | None = None

    def add(self, url: str, language: str) -> None:
        """Count the language that was detected in a page."""
        self._by_folder = None
        level = sampling_level(url)
        for folder in _get_folders(url):
            self._counter.add((folder, language), level)

    def find_folder_language(self, url: str) -> str:
        """Return the language of the innermost folder of a page that has enough votes; empty if they disagree."""
        by_folder = self._count_by_folder()
        votes = next(
            (by_folder[one] for one in _get_folders(url) if one in by_folder and _has_enough_votes(by_folder[one])),
            None,
        )
        if votes is None:
            return ""
        language = max(sorted(votes), key=votes.__getitem__)
        return language if votes[language] >= MIN_AGREEMENT * votes.total() else ""

    def is_outlier(self, url: str, language: str) -> bool:
        """Return True if a language was detected in only one of many pages of the host."""
        votes = self._count_by_folder().get((get_host(url),), Counter())
        return votes.total() >= MIN_OUTLIER_VOTES and votes[language] <= 1

    def _count_by_folder(self) -> dict[Folder, Counter[str]]:
        if self._by_folder is None:
            self._by_folder = {}
            for (folder, language), count in self._counter.totals().items():
                self._by_folder.setdefault(folder, Counter())[language] += count
        return self._by_folder


def _has_enough_votes(votes: Counter[str]) -> bool:
    return votes.total() >= MIN_VOTES


def _get_folders(url: str) -> list[Folder]:
    """Return the folders a page is in, the innermost first."""
    path = (get_host(url), *split_path(url)[:-1])[: MAX_FOLDER_DEPTH + 1]
    return [path[:level] for level in range(len(path), 0, -1)]
