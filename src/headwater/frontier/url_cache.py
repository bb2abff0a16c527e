"""Cache the URLs that were seen, so that each link is resolved once per directory; evicts when memory is full.

Eviction does not change results: the store has every URL, and is queried for URLs that may have been evicted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from headwater.frontier.link_table import CHARACTERS_PER_ENTRY, LinkTable
from headwater.frontier.memory_budget import MemoryBudget
from headwater.frontier.traps.suspects import Suspects
from headwater.model import Spelling
from headwater.urls.identity import compute_identity
from headwater.urls.recognition.pagination import get_series
from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.frontier.traps import PageTemplate
    from headwater.model import Candidate, DiscoveredUrl, UrlKind

UNKNOWN_DEPTH = 1 << 30


class CachedUrl:
    """A URL with its verdict, and the shortest path to it so far.

    `round` is the round in which a page first linked to it. `trap_template` is the kind of page that could have
    generated it, while it is suspect and not decided on. `series` is the URL without the number of the part, if it is
    part of a list.
    """

    __slots__ = (
        "_shape", "depth", "fetch_url", "hops", "identity", "key", "kind", "numbers", "parent",
        "reason", "round", "series", "trap_template", "url",
    )  # fmt: skip

    def __init__(self, spelling: Spelling, kind: UrlKind | None, reason: str = "", hops: int = 0) -> None:
        self.fetch_url, self.url, self.key = spelling
        self.kind = kind
        self.reason = reason
        self.hops = hops
        self.identity = compute_identity(self.key)
        self.depth = UNKNOWN_DEPTH
        self.parent = ""
        self.numbers: dict[tuple[str, str], int] = {}  # of anchors that lead to it, by region and text
        self.round = -1
        self.trap_template: PageTemplate | None = None
        self.series = get_series(self.key)
        self._shape = ""

    @property
    def shape(self) -> str:
        """The shape of the URL, computed when it is needed."""
        self._shape = self._shape or shape(self.key)
        return self._shape


def _create_ignored_url() -> CachedUrl:
    known = CachedUrl(Spelling("", "", ""), None)
    known.depth, known.identity = -1, 0
    return known


IGNORED_URL = _create_ignored_url()
"""The target of links that are not listed, so that each is judged once per directory."""


MAX_MARKUP_KEY = 1000
"""Characters up to which the markup of an element is its own key."""


class SharedElements:
    """Style and script elements that pages of a directory share: each counts for the best page that has it.

    An element may hold a script of megabytes, so long ones are identified by a hash.
    """

    def __init__(self, cache: UrlCache) -> None:
        self._cache = cache
        self._seen: dict[str | int, tuple[int, str]] = {}
        self._links: dict[str | int, list[int]] = {}

    def was_seen_on_better_page(self, page: tuple[int, str], markup: str) -> bool:
        """Return True if a page at least as good, by depth and key, has this element."""
        name = _get_markup_key(markup)
        best = self._seen.get(name)
        if best is not None and best <= page:
            return True
        if best is None:
            self._cache.count(markup[:MAX_MARKUP_KEY])
        self._seen[name] = page
        return False

    def links_of(self, markup: str) -> list[int] | None:
        """Return the numbers of the links of an element, if it was seen before."""
        return self._links.get(_get_markup_key(markup))

    def add(self, markup: str) -> list[int]:
        """Return the list for the numbers of the links of an element; empty for a new element."""
        name = _get_markup_key(markup)
        links = self._links.get(name)
        if links is None:
            links = self._links[name] = []
            self._cache.count(markup[:MAX_MARKUP_KEY])
        return links


def _get_markup_key(markup: str) -> str | int:
    return markup if len(markup) <= MAX_MARKUP_KEY else compute_identity(markup)


def _get_directory(url: str) -> str:
    return url[: url.rfind("/", 8) + 1]


class UrlCache:
    """Links by the directory of their page, and URLs by key."""

    def __init__(self, budget: MemoryBudget | None = None) -> None:
        self._budget = budget or MemoryBudget()
        self._budget.join(self)
        self.size = 0
        self.by_key: dict[tuple[str, str], CachedUrl] = {}
        self.pages: dict[str, CachedUrl] = {}
        self.by_directory: defaultdict[str, dict[str, CachedUrl]] = defaultdict(dict)
        self._shared_elements: dict[str, SharedElements] = {}
        self._settled: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        self.has_evicted = False
        self.inlinks: Counter[int] = Counter()
        self.links = LinkTable()
        self.suspects = Suspects()
        self.series_links: defaultdict[str, dict[int, CachedUrl]] = defaultdict(
            dict
        )  # by series and number of the link
        self.shared_targets: dict[int, CachedUrl] = {}  # targets of shared elements, by number of the link
        self.max_visited_depth = 0

    def links_of(self, base: str, kind: str = "page") -> dict[str, CachedUrl]:
        """Return the known targets of links of a kind on pages of a directory, by the text of the link."""
        return self.by_directory[_get_directory(base) + ("" if kind == "page" else kind)]

    def get_shared_elements(self, base: str) -> SharedElements:
        """Return the style and script elements of pages of a directory."""
        directory = _get_directory(base)
        shared = self._shared_elements.get(directory)
        if shared is None:
            shared = self._shared_elements[directory] = SharedElements(self)
        return shared

    def get_settled_links(self, base: str, depth: int) -> set[str]:
        """Return links that bring nothing new on pages of this directory and depth: their targets are not deeper."""
        return self._settled[_get_directory(base), depth]

    def intern(self, known: CachedUrl, kind: str) -> CachedUrl:
        """Return the one object for a URL, which is `known` if it is new."""
        self.count(known.key)
        return self.by_key.setdefault((known.key, kind), known)

    def note_visit(self, page: Candidate) -> None:
        """Record the depth of a page that is visited."""
        known = self.by_key.get((page.key, "page"))
        if known is None:
            known = self.intern(CachedUrl(Spelling(page.fetch_url, page.url, page.key), "page"), "page")
        known.depth, known.parent = page.depth, ""
        self.max_visited_depth = max(self.max_visited_depth, page.depth)

    def apply_cleared_suspects(self, found: Sequence[DiscoveredUrl]) -> list[DiscoveredUrl]:
        """Return URLs that were found earlier, without the mark of those that are no longer suspect."""
        return [url._replace(is_suspect=False) if url.is_suspect and self._is_cleared(url) else url for url in found]

    def _is_cleared(self, url: DiscoveredUrl) -> bool:
        known = self.by_key.get((url.key, url.kind))
        return known is not None and known.trap_template is None

    def count(self, text: str) -> None:
        """Count an entry for this text."""
        self.size += 1 + len(text) // CHARACTERS_PER_ENTRY

    @property
    def entries(self) -> int:
        """The number of entries that count towards the budget."""
        return self.size + self.links.size + len(self.inlinks)

    @property
    def is_full(self) -> bool:
        """Return True if entries have to be evicted."""
        return self._budget.is_exceeded_by(self)

    def make_room(self) -> None:
        """Evict the numbers of links if they take most of the space, otherwise everything.

        Must be called between pages, after everything that was found is stored.
        """
        if self.links.size > self.size:
            self.clear_link_numbers()
        else:
            self.forget()

    def clear_link_numbers(self) -> None:
        """Evict the numbers of links; links that are seen again get another number, which costs space in the store."""
        for known in self.by_key.values():
            known.numbers.clear()
        self.links.forget()
        self.suspects.clear_links()
        self.series_links.clear()
        self.shared_targets.clear()
        self._shared_elements.clear()

    def forget(self) -> None:
        """Evict every URL."""
        self.by_key.clear()
        self.by_directory.clear()
        self.pages.clear()
        self._shared_elements.clear()
        self._settled.clear()
        self.links.forget()
        self.suspects.forget()
        self.series_links.clear()
        self.shared_targets.clear()
        self.size = 0
        self.has_evicted = True

    def close(self) -> None:
        """Leave the budget to other caches; this one must not be used afterwards."""
        self.forget()
        self._budget.leave(self)
