"""What has been seen, as far as memory reaches: resolves each link once a directory, and forgets when it is full.

Forgetting changes no result: the store knows every URL, and is asked for what it knows once memory has forgotten.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.frontier.link_table import CHARACTERS_PER_ENTRY, LinkTable
from headwater.frontier.memory_budget import MemoryBudget
from headwater.frontier.suspects import Suspects
from headwater.model import Spelling
from headwater.urls.identity import compute_identity
from headwater.urls.pagination import get_series
from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.frontier.traps import PageTemplate
    from headwater.model import Candidate, DiscoveredUrl, UrlKind

UNKNOWN_DEPTH = 1 << 30


class CachedUrl:
    """One URL as it was judged, and the best way to it so far.

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
        self.numbers: dict[tuple[str, str], int] = {}  # of anchors that lead here, by region and text
        self.round = -1
        self.trap_template: PageTemplate | None = None
        self.series = get_series(self.key)
        self._shape = ""

    @property
    def shape(self) -> str:
        """The template behind the URL."""
        self._shape = self._shape or shape(self.key)
        return self._shape


def _ignored() -> CachedUrl:
    known = CachedUrl(Spelling("", "", ""), None)
    known.depth, known.identity = -1, 0
    return known


IGNORED_URL = _ignored()
"""Stands for links that are nothing to list, so that each is judged once a directory."""


MAX_MARKUP_KEY = 1000
"""Characters of an element that are remembered as they are."""


class SharedElements:
    """Styles and scripts that pages of a directory share: each counts for the best page that has it.

    An element may hold a script of megabytes, so that long ones are known by a hash.
    """

    def __init__(self, memory: UrlCache) -> None:
        self._memory = memory
        self._seen: dict[str | int, tuple[int, str]] = {}
        self._links: dict[str | int, list[int]] = {}

    def was_seen_on_better_page(self, page: tuple[int, str], markup: str) -> bool:
        """Return whether a page at least as good, by depth and key, was seen to have this element."""
        name = _get_markup_key(markup)
        best = self._seen.get(name)
        if best is not None and best <= page:
            return True
        if best is None:
            self._memory.count(markup[:MAX_MARKUP_KEY])
        self._seen[name] = page
        return False

    def links_of(self, markup: str) -> list[int] | None:
        """Return the numbers of the links that this element has, if it was seen before."""
        return self._links.get(_get_markup_key(markup))

    def add(self, markup: str) -> list[int]:
        """Return the empty list that the numbers of this element's links go into."""
        name = _get_markup_key(markup)
        links = self._links.get(name)
        if links is None:
            links = self._links[name] = []
            self._memory.count(markup[:MAX_MARKUP_KEY])
        return links


def _get_markup_key(markup: str) -> str | int:
    return markup if len(markup) <= MAX_MARKUP_KEY else compute_identity(markup)


class UrlCache:
    """Links by the directory they were written in, and URLs by key."""

    def __init__(self, budget: MemoryBudget | None = None) -> None:
        self._budget = budget or MemoryBudget()
        self._budget.join(self)
        self.size = 0
        self.by_key: dict[tuple[str, str], CachedUrl] = {}
        self.pages: dict[str, CachedUrl] = {}
        self.by_directory: dict[str, dict[str, CachedUrl]] = {}
        self._furniture: dict[str, SharedElements] = {}
        self._settled: dict[tuple[str, int], set[str]] = {}
        self.has_evicted = False
        self.inlinks: Counter[int] = Counter()
        self.links = LinkTable()
        self.suspects = Suspects()
        self.series_links: dict[str, dict[int, CachedUrl]] = {}  # of lists, by list and number of the link
        self.shared_targets: dict[int, CachedUrl] = {}  # targets of styles, scripts and the like, by number of the link
        self.max_visited_depth = 0

    def links_of(self, base: str, kind: str = "page") -> dict[str, CachedUrl]:
        """What links of a kind written on pages of this directory were found to mean."""
        directory = base[: base.rfind("/", 8) + 1] + ("" if kind == "page" else kind)
        links = self.by_directory.get(directory)
        if links is None:
            links = self.by_directory[directory] = {}
        return links

    def get_shared_elements(self, base: str) -> SharedElements:
        """The styles and scripts that pages of this directory were seen to name."""
        directory = base[: base.rfind("/", 8) + 1]
        furniture = self._furniture.get(directory)
        if furniture is None:
            furniture = self._furniture[directory] = SharedElements(self)
        return furniture

    def get_settled_links(self, base: str, depth: int) -> set[str]:
        """Links that say nothing new to pages of this directory and depth: what they lead to is as near already."""
        place = (base[: base.rfind("/", 8) + 1], depth)
        settled = self._settled.get(place)
        if settled is None:
            settled = self._settled[place] = set()
        return settled

    def intern(self, known: CachedUrl, kind: str) -> CachedUrl:
        """The one object for this URL."""
        self.count(known.key)
        return self.by_key.setdefault((known.key, kind), known)

    def note_visit(self, page: Candidate) -> None:
        """A page that is visited is known, however it came about."""
        known = self.by_key.get((page.key, "page"))
        if known is None:
            known = self.intern(CachedUrl(Spelling(page.fetch_url, page.url, page.key), "page"), "page")
        known.depth, known.parent = page.depth, ""
        self.max_visited_depth = max(self.max_visited_depth, page.depth)

    def apply_cleared_suspects(self, found: Sequence[DiscoveredUrl]) -> list[DiscoveredUrl]:
        """Return URLs that were found a while ago; some may be suspect no longer."""
        return [one._replace(is_suspect=False) if one.is_suspect and self._is_cleared(one) else one for one in found]

    def _is_cleared(self, one: DiscoveredUrl) -> bool:
        known = self.by_key.get((one.key, one.kind))
        return known is not None and known.trap_template is None

    def count(self, text: str) -> None:
        """Count an entry for this text."""
        self.size += 1 + len(text) // CHARACTERS_PER_ENTRY

    @property
    def entries(self) -> int:
        """How many entries count towards the budget."""
        return self.size + self.links.size + len(self.inlinks)

    @property
    def is_full(self) -> bool:
        """Whether something has to be forgotten."""
        return self._budget.is_exceeded_by(self)

    def make_room(self) -> None:
        """Forget something: the numbers of links if they take up most of the room, else everything.

        Must be called between pages, once the store knows all that was found.
        """
        if self.links.size > self.size:
            self.clear_link_numbers()
        else:
            self.forget()

    def clear_link_numbers(self) -> None:
        """Forget the numbers of links; those that are met again get another one, which costs space in the store."""
        for known in self.by_key.values():
            known.numbers.clear()
        self.links.forget()
        self.suspects.clear_links()
        self.series_links.clear()
        self.shared_targets.clear()
        self._furniture.clear()

    def forget(self) -> None:
        """Forget every URL."""
        self.by_key.clear()
        self.by_directory.clear()
        self.pages.clear()
        self._furniture.clear()
        self._settled.clear()
        self.links.forget()
        self.suspects.forget()
        self.series_links.clear()
        self.shared_targets.clear()
        self.size = 0
        self.has_evicted = True

    def close(self) -> None:
        """Leave the budget to others; nothing may be remembered after this."""
        self.forget()
        self._budget.leave(self)
