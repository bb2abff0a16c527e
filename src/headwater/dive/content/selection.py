"""Select the pages of a dive by cluster, URL pattern and language. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.errors import HeadwaterError
from headwater.urls.parsing import get_authority
from headwater.urls.patterns import compile_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from headwater.store import ScanPage


class Selection(NamedTuple):
    """Clusters by name or title, and URL patterns; pages must be in one of the clusters and match a pattern."""

    clusters: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    all_languages: bool = False

    def to_record(self) -> dict[str, Any]:
        """Return the selection as a store keeps it; it identifies the dive."""
        return {"clusters": sorted(self.clusters), "include": sorted(self.include), "all_languages": self.all_languages}


def select_pages(pages: Iterable[ScanPage], selection: Selection, limit: int | None = None) -> list[ScanPage]:
    """Return the selected pages; raise an error for an unknown cluster."""
    listed = list(pages)
    names = [_find_cluster(cluster, listed) for cluster in selection.clusters]
    patterns = compile_patterns(selection.include, "include")
    chosen = [
        page
        for page in listed
        if (selection.all_languages or not page.is_skipped)
        and (not names or any(name == cluster for name in names for cluster, _ in page.clusters))
        and (not patterns or any(pattern.matches(page.url, get_path(page.url)) for pattern in patterns))
    ]
    return chosen[:limit]


def get_path(url: str) -> str:
    """Return path and query of a URL."""
    return url[url.index("://") + 3 + len(get_authority(url)) :] or "/"


def _find_cluster(wanted: str, pages: Sequence[ScanPage]) -> str:
    """Return the cluster with this name, title or last part of its name."""
    clusters = {name: title for page in pages for name, title in page.clusters}
    folded = wanted.strip().lower()
    for matches in (
        lambda name, title: folded in {name.lower(), title.lower()},
        lambda name, _: folded == name.lower().rstrip("/").rpartition("/")[2].rpartition(":")[2],
    ):
        for name, title in clusters.items():
            if matches(name, title):
                return name
    known = ", ".join(sorted(set(clusters.values()))[:20]) or "none; run `headwater discover` first"
    raise HeadwaterError(f"there is no cluster {wanted!r}; clusters: {known}")
