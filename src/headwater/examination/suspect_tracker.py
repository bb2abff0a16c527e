"""Track facts about crawler traps on one page: new suspects, cleared suspects, and links that count as new."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from headwater.frontier.traps import FILE_TEMPLATE, get_page_template, get_view_template, is_suspect, may_be_view

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from headwater.frontier.traps import PageTemplate, TrapDetector
    from headwater.frontier.traps.suspects import Suspects
    from headwater.frontier.url_cache import CachedUrl
    from headwater.model import Candidate


class SuspectTracker:
    """Collects these facts; they do not depend on the order in which pages are read.

    `is_sample` marks a page whose links are compared with those of earlier rounds: a suspect, or a page whose gain from
    a browser is measured. With `finds_views`, links to possible views of the page are suspects too.
    """

    def __init__(
        self, page: Candidate, traps: TrapDetector, suspects: Suspects, *, is_sample: bool, finds_views: bool = False
    ) -> None:
        self._page, self._traps, self._suspects = page, traps, suspects
        self._finds_views = finds_views
        self.is_sample = page.is_suspect or is_sample
        self._targets: list[CachedUrl] = []
        self.cleared: list[int] = []

    @cached_property
    def _page_template(self) -> PageTemplate:
        return get_page_template(self._page.key)

    def add_found(self, known: CachedUrl, *, is_new: bool) -> bool:
        """Add a URL that is reported; return True if it is suspect."""
        if is_new:
            known.round = self._traps.round
            if known.kind == "page" and not known.reason:
                self._add_suspect(known)
        elif known.trap_template is not None:
            self._suspects.add(known, known.trap_template)
        return known.trap_template is not None

    def _add_suspect(self, known: CachedUrl) -> None:
        """Add a new URL to the suspects if this page could have generated it, or if it is a file that is sampled."""
        if self._traps.is_file(known.key):
            self._suspects.add(known, FILE_TEMPLATE)
        elif is_suspect(known.key, self._page.key):
            self._suspects.add(known, self._page_template)
        elif self._may_have_view(known):
            self._suspects.add(known, get_view_template(self._page.key))

    def _may_have_view(self, known: CachedUrl) -> bool:
        return self._finds_views and not known.hops and may_be_view(known.key, self._page.key)

    def _clear_unless_generated(self, known: CachedUrl) -> None:
        """Clear a suspect of pages of another template, unless this page could have generated it too."""
        if known.trap_template in {None, FILE_TEMPLATE} or self._may_have_view(known):
            return
        if not (self._finds_views and is_suspect(known.key, self._page.key)):
            known.trap_template = None
            self.cleared.append(known.identity)

    def add_target(self, known: CachedUrl) -> None:
        """Add a URL that the page links to."""
        if known.trap_template is not None and known.trap_template != self._page_template:
            self._clear_unless_generated(known)
        if self.is_sample:
            self._targets.append(known)

    def add_targets(self, targets: Iterable[CachedUrl]) -> None:
        """Add URLs whose links have numbers; `add_links` clears those that are suspect."""
        self._targets += targets

    def add_links(self, numbers: Collection[int]) -> None:
        """Clear the suspects among all links of the page, given by their numbers."""
        if not self._suspects.has_linked_suspects(numbers):  # few pages have such a link; a template takes 10 µs
            return
        for known in self._suspects.find_linked_suspects(numbers, self._page_template):
            self._clear_unless_generated(known)  # a page may link to it several times

    @property
    def new_links(self) -> list[tuple[int, str]]:
        """The links of a suspect page that no page of an earlier round had, by identity and shape."""
        if not self._page.is_suspect:
            return []
        number = self._traps.round
        return [(known.identity, known.shape) for known in dict.fromkeys(self._targets) if known.round == number]

    @property
    def new_pages(self) -> frozenset[int]:
        """The pages that this page links to and no page of an earlier round did, if it is a sample."""
        if not self.is_sample:
            return frozenset()
        number = self._traps.round
        return frozenset(
            known.identity
            for known in self._targets
            if known.round == number and known.kind == "page" and not known.reason
        )
