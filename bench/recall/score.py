"""Comparison of a list of URLs with the true pages of a site."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.recall.site import LiveSite


@dataclass(frozen=True, slots=True)
class Score:
    """Pages found and missed, and URLs that should not have been listed."""

    pages: int
    found: int
    missed: list[str] = field(repr=False)
    wrong: list[str] = field(repr=False)
    """URLs of no true page."""
    repeated: list[str] = field(repr=False)
    """Further URLs of a page that was listed already."""
    search_only: int = 0
    """Pages found that only typing into a search box should reveal."""

    @property
    def recall(self) -> float:
        """Return the share of the true pages that was found."""
        return self.found / self.pages

    @property
    def precision(self) -> float:
        """Return the share of the listed URLs that are true pages, each counted once."""
        listed = self.found + len(self.wrong) + len(self.repeated)
        return self.found / listed if listed else 1.0


def score(site: LiveSite, origin: str, urls: Iterable[str]) -> Score:
    """Compare the URLs with the pages of a site."""
    seen: set[str] = set()
    wrong, repeated = [], []
    known = site.pages | site.search_only | site.optional
    for url in urls:
        name = site.page_of(url) if url.startswith(origin) else url
        if name not in known:
            wrong.append(url)
        elif name in seen:
            repeated.append(url)
        seen.add(name)
    missed = sorted(site.pages - seen)
    hidden = len(site.search_only & seen)
    return Score(len(site.pages), len(site.pages) - len(missed), missed, wrong, repeated, hidden)


def without_origin(url: str) -> str:
    """Return a URL without scheme, host and port."""
    return urlsplit(url)._replace(scheme="", netloc="").geturl()
