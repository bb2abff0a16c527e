"""Group pages into overlapping clusters: sections, shapes, topics, languages and sources.

There are three passes over the pages, which are not kept in memory: `note` counts them, `count_overlaps` counts the
pages that the clusters chosen by `choose` share, and `get_clusters` returns the clusters of a page. A cluster has at
least two pages, and no two clusters have nearly the same pages. Pages without section, shape or topic are in "Other
pages".
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.languages.language_codes import get_language_name, get_primary_language
from headwater.classify.sampled_counts import SampledCounter, sampling_level
from headwater.classify.sections import Sections
from headwater.classify.shape_clusters import ShapeClusters
from headwater.classify.topics import Topics
from headwater.classify.url_segments import get_host, split_path, strip_language

if TYPE_CHECKING:
    from collections.abc import Callable

MIN_CLUSTER_PAGES = 2
MAX_HOSTS = 20
MAX_LANGUAGES = 30
DUPLICATE_OVERLAP = 0.9
"""Two clusters are duplicates if they have this share of their pages in common."""

KIND_PRECEDENCE = ("rest", "section", "language", "shape", "topic", "source")
"""Of two duplicate clusters, the one whose kind comes first is kept."""


class ClusteringInput(NamedTuple):
    """The facts about a page that clustering uses."""

    url: str
    title: str = ""
    language: str = ""
    sources: tuple[str, ...] = ()


class Cluster(NamedTuple):
    """A group of pages: section, shape, topic, language, source or rest; `name` is stable, `title` is shown."""

    kind: str
    name: str
    title: str


OTHER_PAGES = Cluster("rest", "rest", "Other pages")
_SITEMAPS = frozenset({"sitemap", "sitemap-index"})


def _is_only_in_sitemap(sources: frozenset[str]) -> bool:
    return bool(sources) and sources <= _SITEMAPS


def _is_missing_from_sitemap(sources: frozenset[str]) -> bool:
    return bool(sources) and not sources & _SITEMAPS


SOURCE_RULES: tuple[tuple[str, str, Callable[[frozenset[str]], bool]], ...] = (
    ("navigation", "In the navigation", lambda sources: "navigation" in sources),
    ("header", "In the header", lambda sources: "header" in sources),
    ("footer", "In the footer", lambda sources: "footer" in sources),
    ("feed", "In a feed", lambda sources: "feed" in sources),
    ("redirect", "Reached by a redirect", lambda sources: "redirect" in sources),
    ("render", "Found only in the browser", lambda sources: sources == {"render"}),
    ("only-sitemap", "Only in the sitemap", _is_only_in_sitemap),
    ("no-sitemap", "Missing from the sitemap", _is_missing_from_sitemap),
)
"""Name, title and condition; there is a cluster if some pages meet the condition and others do not."""


class Clustering:
    """Counts pages, chooses up to about two hundred clusters, and returns those of each page."""

    def __init__(self) -> None:
        self._pages = 0
        self._sections = Sections()
        self._shapes = ShapeClusters()
        self._topics = Topics()
        self._hosts: SampledCounter[str] = SampledCounter(10_000)
        self._languages: Counter[str] = Counter()
        self._sources: Counter[str] = Counter()
        self._chosen: dict[tuple[str, str], Cluster] = {}
        self._sizes: Counter[Cluster] = Counter()
        self._shared: Counter[tuple[Cluster, Cluster]] = Counter()
        self._dropped: frozenset[Cluster] = frozenset()

    def note(self, page: ClusteringInput) -> None:
        """Pass 1: count one page."""
        self._pages += 1
        path, level = _get_path(page), sampling_level(page.url)
        self._sections.note(path, level)
        self._shapes.note(page.url, level)
        self._topics.note(path, page.title, level)
        self._hosts.add(get_host(page.url), level)
        self._languages[get_primary_language(page.language)] += 1
        self._sources.update(_get_source_names(page))

    def choose(self) -> None:
        """Between passes 1 and 2: choose the clusters."""
        self._chosen = {}
        self._sizes, self._shared, self._dropped = Counter(), Counter(), frozenset()
        self._sections.choose()
        self._shapes.choose()
        self._topics.choose(self._sections.get_outermost_section)
        for host in _select_frequent(self._hosts.totals(), MAX_HOSTS):
            self._chosen["host", host] = Cluster("section", f"section://{host}", host)
        for language in _select_frequent(self._languages, MAX_LANGUAGES):
            name = get_language_name(language)
            self._chosen["language", language] = Cluster("language", f"language:{language}", name)
        has_sitemap = self._sources["no-sitemap"] < self._pages
        for source, title, _ in SOURCE_RULES:
            if MIN_CLUSTER_PAGES <= self._sources[source] < self._pages and (has_sitemap or source != "no-sitemap"):
                self._chosen["source", source] = Cluster("source", f"source:{source}", title)

    def count_overlaps(self, page: ClusteringInput) -> None:
        """Pass 2: count which clusters share this page."""
        found = sorted(self.get_clusters(page))
        self._sizes.update(found)
        self._shared.update(combinations(found, 2))

    def drop_duplicates(self) -> None:
        """Between passes 2 and 3: keep one of the clusters with nearly the same pages."""
        kept: list[Cluster] = []
        order = sorted(self._sizes, key=lambda one: (KIND_PRECEDENCE.index(one.kind), -self._sizes[one], one.name))
        for cluster in order:
            if not any(self._are_duplicates(cluster, other) for other in kept):
                kept.append(cluster)
        self._dropped = frozenset(order) - frozenset(kept)

    def get_clusters(self, page: ClusteringInput) -> tuple[Cluster, ...]:
        """Pass 3: return the clusters of one page; sections, shapes and topics come first."""
        subjects = [cluster for cluster in self._get_subject_clusters(page) if cluster not in self._dropped]
        keys = [("host", get_host(page.url)), ("language", get_primary_language(page.language))]
        keys += [("source", name) for name in _get_source_names(page)]
        facets = [self._chosen[key] for key in keys if key in self._chosen]
        return (*(subjects or [OTHER_PAGES]), *(cluster for cluster in facets if cluster not in self._dropped))

    def _are_duplicates(self, one: Cluster, other: Cluster) -> bool:
        shared = self._shared[min(one, other), max(one, other)]
        return shared >= DUPLICATE_OVERLAP * (self._sizes[one] + self._sizes[other] - shared)

    def _get_subject_clusters(self, page: ClusteringInput) -> list[Cluster]:
        path = _get_path(page)
        found = [Cluster("section", f"section:{name}", title) for name, title in self._sections.get_sections(path)]
        if shape := self._shapes.get_shape(page.url):
            found.append(Cluster("shape", f"shape:{shape[0]}", shape[1]))
        return found + [Cluster("topic", f"topic:{name}", title) for name, title in self._topics.get_topics(page.title)]


def _get_path(page: ClusteringInput) -> tuple[str, ...]:
    return strip_language(split_path(page.url), page.language)


def _get_source_names(page: ClusteringInput) -> list[str]:
    sources = frozenset(page.sources)
    return [name for name, _, is_met in SOURCE_RULES if is_met(sources)]


def _select_frequent(counts: dict[str, int], limit: int) -> list[str]:
    """Return the most frequent keys with enough pages; empty if there is only one key."""
    known = sorted((-count, key) for key, count in counts.items() if key)
    return [key for count, key in known[:limit] if -count >= MIN_CLUSTER_PAGES] if len(known) > 1 else []
