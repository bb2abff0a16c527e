"""Facts about a whole site that rules compare a page with, gathered in two passes over its pages."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from headwater.model import Page

MAX_CHAIN = 20
SITEMAP_SOURCES = frozenset({"sitemap", "sitemap-index"})


class RelatedPage(NamedTuple):
    """The facts about a page that matter to pages which name it."""

    list_name: str
    status: int | None
    reason: str | None
    noindex: bool
    canonical: str | None
    leads_to: str | None
    alternates: tuple[str, ...]


@dataclass(slots=True)
class SiteFacts:
    """Texts that several pages share, and the pages that others name as target, canonical page or translation.

    `external` are the results of checks of other sites by identity, `find_robots_rule` is that of the input.
    """

    has_sitemap: bool = False
    titles: Counter[int] = field(default_factory=Counter)
    descriptions: Counter[int] = field(default_factory=Counter)
    headings: Counter[int] = field(default_factory=Counter)
    median_response_ms: float = 0.0
    related: dict[str, RelatedPage] = field(default_factory=dict)
    external: Mapping[int, tuple[int | None, str]] = field(default_factory=dict)
    find_robots_rule: Callable[[str], str] = lambda _: ""

    def follow(self, url: str) -> list[str]:
        """Return the URLs that a redirect leads to in turn; in a loop, the last one is a repetition."""
        chain: list[str] = []
        page = self.related.get(url)
        while page is not None and page.leads_to and page.list_name == "redirects" and len(chain) < MAX_CHAIN:
            is_loop = page.leads_to in chain or page.leads_to == url
            chain.append(page.leads_to)
            if is_loop:
                break
            page = self.related.get(page.leads_to)
        return chain


def gather_site_facts(read_pages: Callable[[], Iterable[Page]]) -> SiteFacts:
    """Read all pages of a scan twice: to see what they share and which URLs they name, then facts about those."""
    facts, named, times = SiteFacts(), set[str](), array("L")
    for page in read_pages():
        if page.list_name == "pages" and page.response_ms is not None:
            times.append(page.response_ms)
        facts.has_sitemap = facts.has_sitemap or is_in_sitemap(page)
        named.update(_list_named_urls(page))
        if is_audited(page):
            _count_texts(facts, page)
    facts.median_response_ms = median(times) if times else 0.0
    for page in read_pages():
        if page.url in named:
            facts.related[page.url] = RelatedPage(
                page.list_name, page.status, page.reason, page.noindex, page.canonical, page.leads_to,
                tuple((page.alternates or {}).values()),
            )  # fmt: skip
    return facts


def is_audited(page: Page) -> bool:
    """Return True for a page that answered, is listed, and may be indexed by search engines."""
    return page.list_name == "pages" and page.verified and not page.noindex


def is_in_sitemap(page: Page) -> bool:
    """Return True if a sitemap lists the page."""
    return not SITEMAP_SOURCES.isdisjoint(page.sources)


def hash_text(text: str) -> int:
    """Return a number for a text; texts that differ only in case or spaces have the same one."""
    return hash(" ".join(text.casefold().split()))


def _count_texts(facts: SiteFacts, page: Page) -> None:
    canonical = page.canonical or page.url
    if canonical != page.url:
        return  # a page that names another one as canonical may share its texts
    pairs = ((facts.titles, page.html_title), (facts.descriptions, page.description), (facts.headings, page.heading))
    for counter, text in pairs:
        if text:
            counter[hash_text(text)] += 1


def _list_named_urls(page: Page) -> Iterable[str]:
    if page.leads_to:
        yield from (page.url, page.leads_to)
    if page.canonical and page.canonical != page.url:
        yield page.canonical
    yield from (page.alternates or {}).values()
