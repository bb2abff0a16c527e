"""Find sections: the folders of a site with enough pages, below the prefix that all pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.classify.sampled_counts import SampledCounter
from headwater.classify.url_segments import classify_segment

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str, ...]

MAX_LEVELS = 4
DOMINANT_SHARE = 0.9
"""A folder with at least this share of its parent's pages is not a section of its own."""

MAX_SECTIONS = 60
MAX_SUBSECTIONS = 50
MIN_SECTION_PAGES = 2
MIN_SUBSECTION_PAGES = 4
SUBSECTION_SHARE = 0.02
_VALUES = frozenset({"{n}", "{uuid}", "{hash}", "{id}", "{date}"})


class Sections:
    """Counts the pages of every folder, then chooses sections."""

    def __init__(self) -> None:
        self._pages = 0
        self._folders: SampledCounter[Path] = SampledCounter()
        self._leaves: SampledCounter[Path] = SampledCounter(50_000)
        self._direct: SampledCounter[Path] = SampledCounter(50_000)
        self._root: Path = ()
        self._titles: dict[Path, str] = {}
        self._has_top_level = False

    def note(self, path: Path, level: int = 0) -> None:
        """Count one page; `level` is its sampling level."""
        self._pages += 1
        self._folders.add_all(iterate_folders(path), level)
        if len(path) <= MAX_LEVELS:
            self._leaves.add(path, level)
            self._direct.add(path[:-1], level)

    def choose(self) -> None:
        """Choose the sections among the folders that were counted."""
        folders, leaves, direct = self._folders.totals(), self._leaves.totals(), self._direct.totals()
        self._root = self._find_shared_root(folders)
        chain = {self._root[:level] for level in range(len(self._root) + 1)}
        sizes = {path: count + leaves.get(path, 0) for path, count in folders.items() if path not in chain}
        sections = _select_largest(
            {path: size for path, size in sizes.items() if path[:-1] in chain}, MIN_SECTION_PAGES, MAX_SECTIONS
        )
        inner = _find_subsections(sizes, sections)
        chosen = [*sections, *_select_largest(inner, MIN_SUBSECTION_PAGES, MAX_SUBSECTIONS)]
        self._titles = {path: _build_title(path, self._root) for path in chosen}
        at_top = sum(direct.get(prefix, 0) for prefix in chain) - sum(leaves.get(path, 0) for path in sections)
        self._has_top_level = at_top - sum(leaves.get(prefix, 0) for prefix in chain if prefix) >= MIN_SECTION_PAGES

    def get_sections(self, path: Path) -> list[tuple[str, str]]:
        """Return name and title of every section that a page is in, the outermost first."""
        prefixes = (path[:level] for level in range(1, min(len(path), MAX_LEVELS) + 1))
        found = [("/" + "/".join(prefix), self._titles[prefix]) for prefix in prefixes if prefix in self._titles]
        return found or ([("/", "Top level")] if self._has_top_level and self._is_at_top(path) else [])

    def get_outermost_section(self, path: Path) -> Path:
        """Return the outermost section of a page; empty for the top level."""
        prefixes = (path[:level] for level in range(1, len(path) + 1))
        return next((prefix for prefix in prefixes if prefix in self._titles), ())

    def _find_shared_root(self, folders: dict[Path, int]) -> Path:
        """Return the longest prefix that nearly all pages share, such as `/3.11` or `/docs/en`."""
        root: Path = ()
        inner = [
            path
            for path, count in folders.items()
            if count >= MIN_SECTION_PAGES and count >= DOMINANT_SHARE * self._pages
        ]
        for path in sorted(inner, key=len):
            if len(path) <= MAX_LEVELS - 2 and path[:-1] == root:
                root = path
        return root

    def _is_at_top(self, path: Path) -> bool:
        return len(path) - _count_shared_segments(path, self._root) <= 1


def iterate_folders(path: Path) -> Iterator[Path]:
    """Yield the folders that a page is in, the outermost first, up to the first that is a value such as a date."""
    for level in range(1, min(len(path) - 1, MAX_LEVELS) + 1):
        segment = path[level - 1]
        if classify_segment(segment) in _VALUES and len(segment) > 2:
            return
        yield path[:level]


def _find_subsections(sizes: dict[Path, int], sections: dict[Path, int]) -> dict[Path, int]:
    """Return the folders within sections, at any level, that have enough pages of their section.

    If a folder has nearly all pages of its section, as `/core/arch` in `/core`, its folders count as the section's.
    """
    section_of = {path: path for path in sections}
    chosen: dict[Path, int] = {}
    for path in sorted(sizes, key=len):
        section = section_of.get(path[:-1])
        if section is None or path in section_of:
            continue
        if sizes[path] >= DOMINANT_SHARE * sizes[section]:
            section_of[path] = section
        elif sizes[path] >= SUBSECTION_SHARE * sizes[section]:
            section_of[path] = path
            chosen[path] = sizes[path]
    return chosen


def _select_largest(sizes: dict[Path, int], min_pages: int, limit: int) -> dict[Path, int]:
    ordered = sorted((path for path, size in sizes.items() if size >= min_pages), key=lambda path: (-sizes[path], path))
    return {path: sizes[path] for path in ordered[:limit]}


def _build_title(path: Path, root: Path) -> str:
    """Return the path of a section below the shared root."""
    return "/".join(path[min(_count_shared_segments(path, root), len(path) - 1) :])


def _count_shared_segments(path: Path, root: Path) -> int:
    shared = 0
    while shared < min(len(path), len(root)) and path[shared] == root[shared]:
        shared += 1
    return shared
