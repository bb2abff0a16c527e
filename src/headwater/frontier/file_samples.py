"""Sample files that pages link to, such as `/_sources/index.rst.txt`: their extension does not show if they are pages.

Some hosts send the source of a page as plain text, others show it as a page. A few files of each directory are visited;
if none of them is a page, the others are not visited. Directories beside several such directories need no sample.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.urls.recognition.file_types import get_extension
from headwater.urls.skip_reasons import UNVISITED_FILE

if TYPE_CHECKING:
    from headwater.frontier.traps import SampleResult

SAMPLED_EXTENSIONS = frozenset(
    (
        "txt text md markdown mdx rst adoc asciidoc textile org tex bib log diff patch ipynb yaml yml toml ini cfg conf"
        " properties py rb pl pm c h cc cpp cxx hh hpp cs java kt scala go rs swift ts tsx jsx vue lua r jl m sh bash"
        " bat ps1 f f90 hs ml el clj"
    ).split()
)
"""Extensions of text that a host may send as it is, or show as a page."""

MAX_FILES = 3
"""Files of a directory that are visited; of further directories, one."""

MAX_DIRECTORIES = 3
"""Directories of one parent without pages, after which no file of others beside them is visited."""

CHECK_INTERVAL = 32
"""One of this many files is visited nevertheless."""

UNLIMITED = 1 << 30


def is_sampled_file(url: str) -> bool:
    """Return True if a URL has no query and names a file that may or may not be a page."""
    return "?" not in url and get_extension(url) in SAMPLED_EXTENSIONS


class FileRun:
    """The files of one directory: how many of them were visited, and if one is a page."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._files = 0
        self._skipped = 0
        self._has_page = False
        self.in_progress = 0

    def learn(self, *, is_file: bool) -> None:
        """Add the result of a visit."""
        self._files += is_file
        self._has_page = self._has_page or not is_file

    @property
    def is_barren(self) -> bool:
        """Return True if files were visited and none of them is a page."""
        return self._files > 0 and not self._has_page

    @property
    def is_complete(self) -> bool:
        """Return True if enough files were visited and none of them is a page."""
        return self._files >= self._limit and not self._has_page

    @property
    def must_wait(self) -> bool:
        """Return True if the next decision depends on the files in progress."""
        return not self._has_page and self.in_progress >= max(1, self._limit - self._files)

    def should_skip(self) -> bool:
        """Return True if the next file is not visited; counts those that are skipped."""
        if not self.is_complete:
            return False
        self._skipped += 1
        return self._skipped % CHECK_INTERVAL != 0


class FileFamily:
    """The files of a host with one extension, by directory."""

    skip_reason = UNVISITED_FILE

    def __init__(self) -> None:
        self._runs: dict[str, FileRun] = {}
        self._files = 0
        self._barren: Counter[str] = Counter()  # directories without pages, by their parent

    def learn(self, page_shape: str, _depth: int, result: SampleResult, _round: int) -> None:
        """Add the result of a file."""
        directory = _get_parent(page_shape)
        run = self.get_run(page_shape)
        was_barren = run.is_barren
        run.learn(is_file=result.is_file)
        self._files += result.is_file
        self._barren[_get_parent(directory)] += run.is_barren - was_barren

    def get_run(self, page_shape: str) -> FileRun:
        """Return the run of the directory that a file is in."""
        directory = _get_parent(page_shape)
        if directory not in self._runs:
            is_known = self._barren[_get_parent(directory)] >= MAX_DIRECTORIES
            self._runs[directory] = FileRun(0 if is_known else 1 if self._files >= MAX_FILES else MAX_FILES)
        return self._runs[directory]

    def has_run(self, page_shape: str) -> bool:
        """Return True if files of this directory were decided on before."""
        return _get_parent(page_shape) in self._runs

    def count_remaining_samples(self, _depth: int) -> int:
        """Return how many files without anything new exhaust the family: it has no such limit."""
        return UNLIMITED


def get_file_family_name(url: str) -> str:
    """Return the name of the family of a file: its host and extension."""
    return f"{url[: url.index('/', 8)]}/*.{get_extension(url)}"


def _get_parent(path: str) -> str:
    return path[: path.rstrip("/").rfind("/") + 1]
