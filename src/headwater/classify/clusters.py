"""Overlapping clusters with names people would give: sections, shapes, topics, languages and sources.

Two passes over the pages, nothing kept of a single one: `note` counts, `choose` decides which clusters there are,
`clusters_of` tells those of a page. A cluster has two pages or more; what fits in none is in Other pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.codes import language_name, primary_of
from headwater.classify.counting import BoundedCounter
from headwater.classify.sections import Sections
from headwater.classify.segments import host_of, segments, without_language
from headwater.classify.templates import Templates
from headwater.classify.topics import Topics

if TYPE_CHECKING:
    from collections.abc import Callable

SMALLEST = 2
MAX_HOSTS = 20
MAX_LANGUAGES = 30


class Facts(NamedTuple):
    """What clustering needs to know of a page."""

    url: str
    title: str = ""
    language: str = ""
    sources: tuple[str, ...] = ()


class Cluster(NamedTuple):
    """A group of pages: section, shape, topic, language, source or rest; `name` is stable, `title` for people."""

    kind: str
    name: str
    title: str


REST = Cluster("rest", "rest", "Other pages")
_SITEMAPS = frozenset({"sitemap", "sitemap-index"})


def _is_only_in_the_sitemap(sources: frozenset[str]) -> bool:
    return bool(sources) and sources <= _SITEMAPS


def _is_missing_from_the_sitemap(sources: frozenset[str]) -> bool:
    return bool(sources) and not sources & _SITEMAPS


SOURCE_RULES: tuple[tuple[str, str, Callable[[frozenset[str]], bool]], ...] = (
    ("navigation", "In the navigation", lambda sources: "navigation" in sources),
    ("header", "In the header", lambda sources: "header" in sources),
    ("footer", "In the footer", lambda sources: "footer" in sources),
    ("feed", "In a feed", lambda sources: "feed" in sources),
    ("redirect", "Reached by a redirect", lambda sources: "redirect" in sources),
    ("render", "Found only in the browser", lambda sources: sources == {"render"}),
    ("only-sitemap", "Only in the sitemap", _is_only_in_the_sitemap),
    ("no-sitemap", "Missing from the sitemap", _is_missing_from_the_sitemap),
)
"""Name, title and condition; a cluster arises where some pages meet it and others do not."""


class Clustering:
    """Counts pages, chooses at most about two hundred clusters, and tells which a page is in."""

    def __init__(self) -> None:
        self._pages = 0
        self._sections = Sections()
        self._templates = Templates()
        self._topics = Topics()
        self._hosts: BoundedCounter[str] = BoundedCounter(10_000)
        self._languages: BoundedCounter[str] = BoundedCounter(1000)
        self._sources: BoundedCounter[str] = BoundedCounter(1000)
        self._chosen: dict[tuple[str, str], Cluster] = {}

    def note(self, page: Facts) -> None:
        """Pass 1: count one page."""
        self._pages += 1
        path = _path(page)
        self._sections.note(path)
        self._templates.note(page.url)
        self._topics.note(path, page.title)
        self._hosts.add(host_of(page.url))
        self._languages.add(primary_of(page.language))
        self._sources.add_all(_source_names(page))

    def choose(self) -> None:
        """Between the passes: decide which clusters there are."""
        self._chosen = {}
        self._sections.choose()
        self._templates.choose()
        self._topics.choose(self._sections.section_of, self._sections.words())
        for host in _frequent(self._hosts, MAX_HOSTS):
            self._chosen["host", host] = Cluster("section", f"section://{host}", host)
        for language in _frequent(self._languages, MAX_LANGUAGES):
            name = language_name(language)
            self._chosen["language", language] = Cluster("language", f"language:{language}", name)
        has_sitemap = self._sources["no-sitemap"] < self._pages
        for source, title, _ in SOURCE_RULES:
            if SMALLEST <= self._sources[source] < self._pages and (has_sitemap or source != "no-sitemap"):
                self._chosen["source", source] = Cluster("source", f"source:{source}", title)

    def clusters_of(self, page: Facts) -> tuple[Cluster, ...]:
        """Pass 2: the clusters of one page, what it is about first."""
        subjects = self._subjects_of(page)
        keys = [("host", host_of(page.url)), ("language", primary_of(page.language))]
        keys += [("source", name) for name in _source_names(page)]
        facets = [self._chosen[key] for key in keys if key in self._chosen]
        return (*(subjects or [REST]), *facets)

    def _subjects_of(self, page: Facts) -> list[Cluster]:
        path = _path(page)
        found = [Cluster("section", f"section:{name}", title) for name, title in self._sections.sections_of(path)]
        if template := self._templates.template_of(page.url):
            found.append(Cluster("shape", f"shape:{template[0]}", template[1]))
        topics = self._topics.topics_of(path, page.title)
        return found + [Cluster("topic", f"topic:{name}", title) for name, title in topics]


def _path(page: Facts) -> tuple[str, ...]:
    return without_language(segments(page.url), page.language)


def _source_names(page: Facts) -> list[str]:
    sources = frozenset(page.sources)
    return [name for name, _, is_met in SOURCE_RULES if is_met(sources)]


def _frequent(counter: BoundedCounter[str], most: int) -> list[str]:
    """The known keys with pages enough, if there are two at least to tell apart."""
    known = sorted((-count, key) for key, count in counter if key)
    return [key for count, key in known[:most] if -count >= SMALLEST] if len(known) > 1 else []
