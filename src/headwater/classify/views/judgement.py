"""Decide which pages of one path are views of another page, from what they say and contain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.views.additions import Addition
from headwater.classify.views.sketches import adds_nothing, decode_heading, decode_sketch, merge_sketches
from headwater.urls.recognition.pagination import get_series
from headwater.urls.variants import extends_url, iter_smaller_sets, names_page, split_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from headwater.classify.views.additions import CommonAdditions
    from headwater.model import ContentSketch

MAX_COMPARED = 20_000
"""Pages of one path that others are compared with."""

PAGE_VIEW, NOINDEX_VIEW = "page-view", "noindex-view"


class ViewPage(NamedTuple):
    """A visited page that may be a view, or have views.

    `leads_to` is the page that is listed instead of a duplicate. `is_protected` marks seeds and pages of sitemaps,
    which stay listed. `parent` is the key of the page that links to it, or empty if that one asks not to be indexed.
    """

    identity: int
    key: str
    sketch: bytes | None = None
    canonical: str = ""
    noindex: bool = False
    parent: str = ""
    element: str = ""
    leads_to: int | None = None
    is_protected: bool = False


class ViewVerdict(NamedTuple):
    """A page that is a view of another one, and the reason."""

    view: int
    page: str
    reason: str


def find_views(
    pages: Iterable[ViewPage], find: Callable[[str], ViewPage | None], additions: CommonAdditions
) -> Iterator[ViewVerdict]:
    """Yield the views among the pages of one path; `find` returns a visited page of another path by its key.

    Pages that add a few labels to another page are collected in `additions`.
    """
    group = _PathGroup(pages)
    for page in group.pages:
        if page.leads_to is not None or page.is_protected:
            continue
        canonical = _find_canonical(page, group, find)
        base = canonical or group.find_base(page) or group.find_equal(page) or group.find_sibling(page)
        if base is not None and base.leads_to != page.identity:
            yield ViewVerdict(page.identity, base.key, PAGE_VIEW)
        elif named := _find_named_page(page, group):
            yield ViewVerdict(page.identity, named, NOINDEX_VIEW)
        elif addition := group.find_addition(page):
            additions.add(addition)


class _PathGroup:
    """The pages of one path, those with the fewest parameters first."""

    def __init__(self, pages: Iterable[ViewPage]) -> None:
        self.pages = sorted(pages, key=lambda one: (one.key.count("&") + one.key.count("?"), len(one.key), one.key))
        self._by_parameters: dict[frozenset[str], ViewPage] = {}
        self._parts: dict[str, list[ViewPage]] = {}
        self._first_with: dict[bytes, ViewPage] = {}
        self._first_with_heading: dict[int, ViewPage] = {}
        self._parameters_by_heading: dict[int, frozenset[str]] = {}
        self._lists: dict[int, ContentSketch] = {}
        for page in self.pages[:MAX_COMPARED]:
            self._by_parameters.setdefault(frozenset(split_query(page.key)[1]), page)
            if page.sketch is not None:
                self._note_heading(page)
                self._first_with.setdefault(page.sketch, page)
                if series := get_series(page.key):
                    self._parts.setdefault(series, []).append(page)

    def _note_heading(self, page: ViewPage) -> None:
        """Note the parameters that all pages with a heading have in common."""
        heading = decode_heading(page.sketch or b"")
        parameters = frozenset(split_query(page.key)[1])
        self._first_with_heading.setdefault(heading, page)
        self._parameters_by_heading[heading] = parameters & self._parameters_by_heading.get(heading, parameters)

    def find_base(self, page: ViewPage) -> ViewPage | None:
        """Return the page with the fewest of the same parameters that has all the content of a page."""
        return next((base for base in self.iter_bases(page) if self.covers(base, page)), None)

    def iter_bases(self, page: ViewPage) -> Iterator[ViewPage]:
        """Yield the visited pages that have fewer of the parameters of a page."""
        for parameters in iter_smaller_sets(split_query(page.key)[1]):
            base = self._by_parameters.get(parameters)
            if base is not None:
                yield base

    def covers(self, base: ViewPage, page: ViewPage, *, is_declared: bool = False) -> bool:
        """Return True if a page, with the other parts of its list, has all the content of another."""
        if base.sketch is None or page.sketch is None:
            return False
        is_part = get_series(page.key) == base.key
        whole = decode_sketch(base.sketch) if is_part else self._merge_list(base, base.sketch)
        is_specific = not is_part and self._has_specific_heading(frozenset(split_query(base.key)[1]), whole.heading)
        return adds_nothing(decode_sketch(page.sketch), whole, is_declared=is_declared, is_specific=is_specific)

    def _has_specific_heading(self, parameters: frozenset[str], heading: int) -> bool:
        """Return True if all pages with a heading have these parameters, and other headings exist."""
        common = self._parameters_by_heading.get(heading, frozenset())
        return bool(parameters) and parameters <= common and len(self._parameters_by_heading) > 1

    def find_sibling(self, page: ViewPage) -> ViewPage | None:
        """Return the first page with the same heading, if it differs in parameters that do not choose the heading."""
        heading = decode_heading(page.sketch) if page.sketch is not None else 0
        first = self._first_with_heading.get(heading)
        if first is None or page.sketch is None or first.sketch is None or first.identity == page.identity:
            return None
        common = self._parameters_by_heading[heading]
        if get_series(page.key) or not self._has_specific_heading(common, heading):
            return None
        covers = adds_nothing(decode_sketch(page.sketch), decode_sketch(first.sketch), is_specific=True)
        return first if covers else None

    def _merge_list(self, base: ViewPage, sketch: bytes) -> ContentSketch:
        """Return the content of all parts of the list that a page begins."""
        whole = self._lists.get(base.identity)
        if whole is None:
            parts = [one.sketch for one in self._parts.get(base.key, ()) if one.sketch is not None]
            whole = self._lists[base.identity] = merge_sketches(map(decode_sketch, [sketch, *parts]))
        return whole

    def find_addition(self, page: ViewPage) -> Addition | None:
        """Return the labels that a page adds to the page with fewer parameters, if it adds nothing else."""
        for base in self.iter_bases(page):
            if page.sketch is None or base.sketch is None or get_series(page.key):
                continue
            view, whole = decode_sketch(page.sketch), decode_sketch(base.sketch)
            if view.heading == whole.heading and adds_nothing(view, whole, is_declared=True):
                return Addition(page.identity, page.key, base.key, view.masked_labels - whole.masked_labels)
        return None

    def find_equal(self, page: ViewPage) -> ViewPage | None:
        """Return an earlier page of the same path that has the same heading, texts and links."""
        first = self._first_with.get(page.sketch) if page.sketch is not None else None
        return first if first is not None and first.identity != page.identity else None


def _find_canonical(page: ViewPage, group: _PathGroup, find: Callable[[str], ViewPage | None]) -> ViewPage | None:
    """Return the page that a page names as canonical, if its URL is the shorter one and it has the same content."""
    if not page.canonical or not extends_url(page.key, page.canonical):
        return None
    base = find(page.canonical)
    return base if base is not None and group.covers(base, page, is_declared=True) else None


def _find_named_page(page: ViewPage, group: _PathGroup) -> str:
    """Return the page that one which asks not to be indexed is a view of.

    It has the same path and fewer parameters, or it links to the view and is named in its query, or it has the form
    that leads to the view.
    """
    if not page.noindex:
        return ""
    bases: Sequence[ViewPage] = [one for one in group.iter_bases(page) if one.leads_to is None and not one.noindex]
    if bases:
        return bases[0].key
    is_of_parent = page.parent and (names_page(page.key, page.parent) or page.element == "form")
    return page.parent if is_of_parent else ""
