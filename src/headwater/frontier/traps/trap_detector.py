"""Detect crawler traps: paths that repeat themselves, and families of pages that lead only to more pages of the family.

A URL that a page of its own shape links to (or, if it has a query, a page with a query) is suspect: a calendar, a
session id or a filter could continue forever. Suspects are sampled; a family whose last pages had nothing new is
exhausted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from headwater.frontier.file_samples import FileFamily, get_file_family_name, is_sampled_file
from headwater.frontier.traps.content_memory import ContentMemory
from headwater.frontier.traps.view_runs import ViewRun
from headwater.urls.recognition.pagination import get_series
from headwater.urls.shapes import shape
from headwater.urls.skip_reasons import UNVISITED_VIEW
from headwater.urls.variants import names_page, strip_view_segment

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_PATH_DEPTH = 32
_VALUE = re.compile(r"/[^/]*[0-9_%+;-]|/[A-Za-z]{2}(?=/|\Z)|/(?:latest|stable)(?=/|\Z)")
MAX_REPEATS = 3
MAX_BARREN_SAMPLES = 40
"""Consecutive suspects without anything new after which their family is exhausted."""

MIN_TRAP_DEPTHS = 20
MIN_TRAP_PAGES = 150
"""Families other than filters and calendars must also span this many depths or, with a query, have this many pages."""

NEVER_EXHAUSTED = 1 << 30
MAX_FAMILIES = 10_000
MAX_CACHED_SHAPES = 100_000
"""Limits for the families, shapes and fingerprints in memory; forgetting them only makes a trap last longer."""

PageTemplate = tuple[int, str]
"""The kind of page that could have generated a suspect; equal for all pages of a kind."""

_HAS_QUERY: PageTemplate = (0, "?")
FILE_TEMPLATE: PageTemplate = (-2, "")
"""The template of files that are sampled; no page has it."""


def has_repeating_path(url: str) -> bool:
    """Return True if the path repeats its segments, as `/a/b/a/b/a/b` does, or has more than MAX_PATH_DEPTH of them."""
    segments = url[url.index("/", 8) + 1 :].partition("?")[0].split("/")
    if len(segments) > MAX_PATH_DEPTH:
        return True
    if len(segments) < MAX_REPEATS or len(set(segments)) > len(segments) - (MAX_REPEATS - 1):
        return False
    return any(_has_run(segments, length) for length in range(1, len(segments) // MAX_REPEATS + 1))


def _has_run(segments: list[str], length: int) -> bool:
    """Return True if a run of `length` segments occurs MAX_REPEATS times in succession."""
    for start in range(len(segments) - length * MAX_REPEATS + 1):
        block = segments[start : start + length]
        if all(segments[start + length * n : start + length * (n + 1)] == block for n in range(1, MAX_REPEATS)):
            return True
    return False


def get_page_template(url: str) -> PageTemplate:
    """Return the kind of page that a URL is, which decides what suspects the page could have generated."""
    return _HAS_QUERY if "?" in url else (url.count("/"), shape(url))


def get_view_template(page_url: str) -> PageTemplate:
    """Return the template of views of a page; no page has it, so that every link to a view is checked."""
    return (-1, page_url)


def is_suspect(url: str, parent_url: str) -> bool:
    """Return True if a trap could have generated a URL, given a page that links to it."""
    if "?" in url:
        return "?" in parent_url
    if url.count("/") != parent_url.count("/") or _VALUE.search(url, 8) is None:
        return False  # most URLs have no values, and therefore a shape of their own
    return get_page_template(url) == get_page_template(parent_url)


def get_suspect_shape(url: str) -> str:
    """Return the shape by which suspects are compared; hash routes of a page only by the names of their parameters."""
    page, mark, route = url.partition("#")
    if not mark:
        return shape(url)
    names = {one.partition("=")[0] for one in route.partition("?")[2].split("&")}
    return f"{shape(page)}#{'&'.join(sorted(names))}"


def may_be_view(url: str, parent_url: str) -> bool:
    """Return True if a URL could be a view of the page that links to it.

    It is the page's own URL with a query or with a segment such as `print`, or an edit form.
    """
    if "?" not in url:
        return strip_view_segment(url) == parent_url
    if get_series(url):
        return False
    return url.partition("?")[0] == parent_url.partition("?")[0] or names_page(url, parent_url)


class SampleResult(NamedTuple):
    """The content of a suspect page: its fingerprint, and its links and texts that no page of an earlier round had.

    Links are given by the identity and the shape of their targets. `is_view` means that the page says or shows that it
    is a view of another one, `is_copy` that it names another URL of the same path as canonical, `is_file` that it
    is not HTML.
    """

    fingerprint: int
    new_links: Sequence[tuple[int, str]] = ()
    new_texts: frozenset[int] = frozenset()
    is_view: bool = False
    is_copy: bool = False
    is_file: bool = False


class TrapDetector:
    """The results of suspects by family; a family is a shape, all filters of one path, or files with one extension.

    A round is a set of pages that are visited together: the pages of one depth that earlier rounds led to.
    """

    def __init__(self, *, samples_files: bool = False) -> None:
        self.round = 0
        self.samples_files = samples_files
        self._families: dict[str, UrlFamily | FileFamily] = {}
        self._seen_shapes: dict[str, int] = {}
        self.contents = ContentMemory()

    def begin_round(self) -> None:
        """Start a round; memory is freed only here, so that results do not depend on the order of responses."""
        self.round += 1
        self.contents.begin_round()
        if len(self._families) > MAX_FAMILIES:
            self._families.clear()
        if len(self._seen_shapes) > MAX_CACHED_SHAPES:
            self._seen_shapes.clear()

    def get_family(self, url: str) -> UrlFamily | FileFamily:
        """Return the family of a suspect."""
        is_file = self.is_file(url)
        name = get_file_family_name(url) if is_file else _get_family_name(get_suspect_shape(url))
        family = self._families.get(name)
        if family is None:
            family = self._families[name] = FileFamily() if is_file else UrlFamily(name, self._seen_shapes)
        return family

    def is_file(self, url: str) -> bool:
        """Return True if a URL names a file that is visited only if files beside it proved to be pages."""
        return self.samples_files and is_sampled_file(url)

    def learn(self, url: str, depth: int, result: SampleResult) -> None:
        """Add the result of a suspect to its family; a file says nothing about pages."""
        if result.is_file and not self.is_file(url):
            return
        self.get_family(url).learn(get_suspect_shape(url), depth, result, self.round)


class UrlFamily:
    """Pages of one template: the number of consecutive pages without anything new, and their depths."""

    skip_reason = UNVISITED_VIEW

    def __init__(self, name: str, seen_shapes: dict[str, int]) -> None:
        self._is_filter = name.endswith("?*")
        self._is_calendar = "{date}" in name or "{year}" in name
        self._has_query = "?" in name
        self._fingerprints: set[int] = set()
        self._depths: set[int] = set()
        self._barren = 0
        self._seen_shapes = seen_shapes
        self._round = 0
        self._counted: set[int | str] = set()  # links and shapes that counted as new in this round
        self._texts: set[int] = set()
        self._view_runs: dict[str, ViewRun] = {}

    def learn(self, page_shape: str, depth: int, result: SampleResult, round_number: int) -> None:
        """Add the result of a page in a round."""
        if round_number != self._round:
            self._round = round_number
            self._counted.clear()
        has_new_links = self._has_new_links(page_shape, result.new_links)
        new_texts = result.new_texts - self._texts
        is_new_content = bool(new_texts) if self._is_filter else result.fingerprint not in self._fingerprints
        is_view = (result.is_view or result.is_copy) and not has_new_links and not new_texts
        if is_view or not result.is_copy:  # what is new in a copy belongs to a page that is visited too
            self.get_run(page_shape).learn(is_view=is_view)
        if len(self._texts) >= MAX_CACHED_SHAPES:
            self._texts.clear()
        self._texts |= new_texts
        if len(self._fingerprints) >= MAX_CACHED_SHAPES:
            self._fingerprints.clear()
        self._fingerprints.add(result.fingerprint)
        if has_new_links or is_new_content:
            self._barren = 0
            self._depths.clear()
        else:
            self._barren += 1
            self._depths.add(depth)

    def get_run(self, page_shape: str) -> ViewRun:
        """Return the run of views among the pages of one shape."""
        run = self._view_runs.get(page_shape)
        if run is None:
            names = _get_parameter_names(page_shape)
            is_view_of_views = any(
                run.is_complete and _get_parameter_names(other) < names for other, run in self._view_runs.items()
            )
            run = self._view_runs[page_shape] = ViewRun(is_view_of_views=is_view_of_views)
        return run

    def has_run(self, page_shape: str) -> bool:
        """Return True if pages of this shape were decided on before."""
        return page_shape in self._view_runs

    def _has_new_links(self, page_shape: str, links: Sequence[tuple[int, str]]) -> bool:
        """Return True if a link leads to another shape; with a query, to a new one, because filters have many shapes.

        A link counts for the first page of the family that has it, a shape for the first round that has it.
        """
        is_any_new = False
        for identity, target_shape in links:
            if identity in self._counted:
                continue
            self._counted.add(identity)
            is_new = target_shape != page_shape
            if "?" in target_shape:
                first_round = self._seen_shapes.setdefault(target_shape, self._round)
                is_new &= target_shape not in self._counted and first_round == self._round
                self._counted.add(target_shape)
            is_any_new |= is_new
        return is_any_new

    def count_remaining_samples(self, depth: int) -> int:
        """Return how many more pages of this depth without anything new exhaust the family; 0 if it is exhausted.

        Filters and calendars need a sample; other families must also span many depths or, with a query, many pages.
        """
        sample = MAX_BARREN_SAMPLES - self._barren
        if self._is_filter or self._is_calendar or len(self._depths) >= MIN_TRAP_DEPTHS:
            return max(0, sample)
        remaining = MIN_TRAP_PAGES - self._barren if self._has_query else NEVER_EXHAUSTED
        if len(self._depths | {depth}) >= MIN_TRAP_DEPTHS:
            remaining = min(remaining, max(1, sample))
        return max(0, remaining)


def _get_family_name(page_shape: str) -> str:
    path, mark, query = page_shape.partition("?")
    return f"{path}?*" if mark and "&" in query else page_shape


def _get_parameter_names(page_shape: str) -> frozenset[str]:
    return frozenset(page_shape.partition("?")[2].split("&"))
