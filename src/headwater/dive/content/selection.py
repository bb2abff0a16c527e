"""Which pages of a scan a dive reads: those of clusters, those that match patterns, in the wanted language. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.errors import HeadwaterError
from headwater.urls.parsing import get_authority
from headwater.urls.patterns import compile_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from headwater.store import ScanPage


class Selection(NamedTuple):
    """Clusters by name or title, patterns of URLs; a page belongs if a cluster has it and a pattern matches it."""

    clusters: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    all_languages: bool = False

    def to_record(self) -> dict[str, Any]:
        """As a store keeps it; one selection is one dive."""
        return {"clusters": sorted(self.clusters), "include": sorted(self.include), "all_languages": self.all_languages}


def select_pages(pages: Iterable[ScanPage], selection: Selection, limit: int | None = None) -> list[ScanPage]:
    """The pages that belong; a cluster that nobody has is the caller's mistake."""
    listed = list(pages)
    names = [_find_cluster(cluster, listed) for cluster in selection.clusters]
    patterns = compile_patterns(selection.include, "include")
    chosen = [
        page
        for page in listed
        if (selection.all_languages or not page.is_skipped)
        and (not names or any(name == have for name in names for have, _ in page.clusters))
        and (not patterns or any(pattern.matches(page.url, get_path(page.url)) for pattern in patterns))
    ]
    return chosen[:limit]


def get_path(url: str) -> str:
    """The path and query of a listed URL."""
    return url[url.index("://") + 3 + len(get_authority(url)) :] or "/"


def _find_cluster(wanted: str, pages: Sequence[ScanPage]) -> str:
    """The name of the cluster that a person means by its name, its title or the last part of its name."""
    clusters = {name: title for page in pages for name, title in page.clusters}
    folded = wanted.strip().lower()
    for is_meant in (
        lambda name, title: folded in {name.lower(), title.lower()},
        lambda name, _: folded == name.lower().rstrip("/").rpartition("/")[2].rpartition(":")[2],
    ):
        for name, title in clusters.items():
            if is_meant(name, title):
                return name
    known = ", ".join(sorted(set(clusters.values()))[:20]) or "none; `headwater discover` makes them"
    raise HeadwaterError(f"no cluster is called {wanted!r}; there are: {known}")
