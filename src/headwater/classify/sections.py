"""Sections: the folders of a site that hold enough pages, found below whatever prefix all its pages share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.classify.counting import BoundedCounter
from headwater.classify.segments import class_of
from headwater.classify.words import title_of_segment, words

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str, ...]

LEVELS = 4
MOST = 0.9
"""A folder with this share of its parent's pages says no more than its parent."""

MAX_SECTIONS = 60
MAX_SUBSECTIONS = 50
SMALLEST = 2
SMALLEST_SUBSECTION = 4
SUBSECTION_SHARE = 0.02
_VALUES = frozenset({"{n}", "{uuid}", "{hash}", "{id}", "{date}"})


class Sections:
    """Counts the pages of every folder, then chooses those that are sections."""

    def __init__(self) -> None:
        self._pages = 0
        self._folders: BoundedCounter[Path] = BoundedCounter()
        self._leaves: BoundedCounter[Path] = BoundedCounter(50_000)
        self._direct: BoundedCounter[Path] = BoundedCounter(50_000)
        self._root: Path = ()
        self._titles: dict[Path, str] = {}
        self._has_top_level = False

    def note(self, path: Path) -> None:
        self._pages += 1
        self._folders.add_all(folders_of(path))
        if len(path) <= LEVELS:
            self._leaves.add(path)
            self._direct.add(path[:-1])

    def choose(self) -> None:
        self._root = self._shared_root()
        chain = {self._root[:level] for level in range(len(self._root) + 1)}
        sizes = {path: count + self._leaves[path] for path, count in self._folders if path not in chain}
        sections = _largest({path: size for path, size in sizes.items() if path[:-1] in chain}, SMALLEST, MAX_SECTIONS)
        inner = {path: size for path, size in sizes.items() if _is_subsection(size, sections.get(path[:-1], 0))}
        chosen = {**sections, **_largest(inner, SMALLEST_SUBSECTION, MAX_SUBSECTIONS)}
        self._titles = _titles(chosen)
        at_top = sum(self._direct[prefix] for prefix in chain) - sum(self._leaves[path] for path in sections)
        self._has_top_level = at_top - sum(self._leaves[prefix] for prefix in chain if prefix) >= SMALLEST

    def sections_of(self, path: Path) -> list[tuple[str, str]]:
        """Name and title of every section the page stands in, the outermost first."""
        prefixes = (path[:level] for level in range(1, min(len(path), LEVELS) + 1))
        found = [("/" + "/".join(prefix), self._titles[prefix]) for prefix in prefixes if prefix in self._titles]
        return found or ([("/", "Top level")] if self._has_top_level and self._is_at_top(path) else [])

    def section_of(self, path: Path) -> Path:
        """The outermost section of a page, empty for the top level."""
        prefixes = (path[:level] for level in range(1, len(path) + 1))
        return next((prefix for prefix in prefixes if prefix in self._titles), ())

    def words(self) -> set[str]:
        """The words that name sections, in the path or as a heading; no topic repeats them."""
        return {word for path, title in self._titles.items() for text in (path[-1], title) for word in words(text)}

    def _shared_root(self) -> Path:
        """The longest prefix that nearly all pages share, such as `/3.11` or `/docs/en`."""
        root: Path = ()
        inner = {path: count for path, count in self._folders if count >= SMALLEST and count >= MOST * self._pages}
        for path in sorted(inner, key=len):
            if len(path) <= LEVELS - 2 and path[:-1] == root:
                root = path
        return root

    def _is_at_top(self, path: Path) -> bool:
        shared = 0
        while shared < min(len(path), len(self._root)) and path[shared] == self._root[shared]:
            shared += 1
        return len(path) - shared <= 1


def folders_of(path: Path) -> Iterator[Path]:
    """The folders a page stands in, from outside, as long as they are names and not values."""
    for level in range(1, min(len(path) - 1, LEVELS) + 1):
        segment = path[level - 1]
        if class_of(segment) in _VALUES and len(segment) > 2:
            return
        yield path[:level]


def _is_subsection(size: int, parent: int) -> bool:
    return SUBSECTION_SHARE * parent <= size < MOST * parent


def _largest(sizes: dict[Path, int], smallest: int, most: int) -> dict[Path, int]:
    ordered = sorted((path for path, size in sizes.items() if size >= smallest), key=lambda path: (-sizes[path], path))
    return {path: sizes[path] for path in ordered[:most]}


def _titles(chosen: dict[Path, int]) -> dict[Path, str]:
    """Each section by its last segment, with its parent's where that alone does not say which."""
    alone = {path: title_of_segment(path[-1]) for path in chosen}
    frequency = Counter(alone.values())
    unclear = {path for path, title in alone.items() if frequency[title] > 1 or not _has_name(path[-1])}
    return {path: _full_title(path) if path in unclear else title for path, title in alone.items()}


def _full_title(path: Path) -> str:
    return ": ".join(title_of_segment(segment) for segment in path[-2:])


def _has_name(segment: str) -> bool:
    return any(character.isalpha() for character in segment) and not class_of(segment).startswith("{")
