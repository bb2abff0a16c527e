"""Read the links of one response: in anchors, other elements, headers, scripts, or as an earlier scan found them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from headwater.examination.anchor_reader import LINKS_PER_STEP, AnchorReader
from headwater.examination.link_recorder import LinkRecorder
from headwater.examination.link_resolver import LinkResolver
from headwater.examination.placements import build_placement, get_source
from headwater.frontier.link_table import MAX_LINK_TEXT
from headwater.frontier.url_cache import IGNORED_URL, CachedUrl, UrlCache
from headwater.model import NOT_FOLLOWED, Findings, LinkPlacement
from headwater.pages.documents.link_headers import extract_header_links
from headwater.pages.links.forms import is_search_form
from headwater.pages.links.link_filter import get_link_kind
from headwater.pages.links.link_finder import (
    ANCHOR_RULE,
    count_anchors,
    find_anchors,
    find_elements_with_link_attributes,
    find_non_anchor_links,
)
from headwater.pages.links.link_rules import LINK_RULES
from headwater.pages.links.regions import find_region, find_regions, get_link_text
from headwater.urls.parsing import is_page_relative, resolve
from headwater.urls.query_encoding import encode_query, get_query_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from turbohtml import Document, Element

    from headwater.examination.site_state import SiteState
    from headwater.frontier.url_cache import SharedElements
    from headwater.model import Candidate, PreviousLink, Response, ScriptRoute
    from headwater.pages.links.link_rules import LinkRule

TOO_MANY_LINKS = "too-many-links"
SHARED_TAGS = frozenset({"link", "script"})
RULE_BY_KIND = {
    kind: next(rule for rule in LINK_RULES if rule.kind == kind) for kind in ("page", "resource", "endpoint")
}


class LinkReader:
    """Reads the links of one response; `finish` returns what they say.

    With `is_sample` the links of the page are compared with those of earlier rounds.
    """

    def __init__(
        self, response: Response, page: Candidate, site: SiteState, cache: UrlCache, *, is_sample: bool = False
    ) -> None:
        self.response, self.page, self.site, self.cache = response, page, site, cache
        self._resolver = LinkResolver(response, page, site, cache)
        self._recorder = LinkRecorder(page, site, cache, is_sample=is_sample)
        self._filter = site.link_filter
        self._codec = ""
        self._anchor_hrefs: Sequence[str] = ()
        self._unfollowed_count = self._anchor_count = 0
        self._links_by_kind: dict[str, dict[str, CachedUrl]] = {}

    @property
    def base(self) -> str:
        """The URL that relative links of the page are resolved against."""
        return self._resolver.base

    @property
    def distinct_link_count(self) -> int:
        """Return the number of different URLs of the anchors, as they are written."""
        return len(set(self._anchor_hrefs) - {""}) + self._unfollowed_count

    @property
    def links_to_own_views(self) -> bool:
        """Return True if the page links to its own URL with a query or with a further path segment."""
        url = self.response.url.partition("?")[0].rstrip("/")
        host_end = url.find("/", 8)
        path, name = (url[host_end:], url[url.rfind("/") + 1 :]) if host_end > 0 else ("", "")
        hrefs = "\n".join(("", *self._anchor_hrefs))  # searched at once, in a tenth of the time
        return "\n?" in hrefs or any(f"\n{one}{mark}" in hrefs for one in (url, path, name) if one for mark in "?/")

    def finish(self) -> Findings:
        """Evaluate the links together, after all of them are read, and return what they say."""
        recorder, resolver = self._recorder, self._resolver
        recorder.finish()
        return Findings(
            recorder.found,
            recorder.links,
            resolver.skipped,
            spellings=resolver.spellings,
            new_links=recorder.suspects.new_links,
            cleared=recorder.suspects.cleared,
            new_pages=recorder.suspects.new_pages,
        )

    def read(self, document: Document, base: str) -> Iterator[None]:
        """Read the links of a document and of the response's headers; pauses on a page with many links."""
        if base:
            self._resolver.set_base(resolve(base, self.response.url) or self.response.url)
        self._codec = get_query_codec(document.encoding)
        self._filter = self.site.link_filter.for_page(document)
        elements = find_elements_with_link_attributes(document)
        yield from self._read_anchors(document, elements)
        yield from self._read_other_links(document, elements)
        is_followed = self._filter.should_follow("header", "")
        for href in extract_header_links(self.response.headers):
            self._add_response_link(href, "header", self.page.depth + 1, is_followed=is_followed)

    def _read_anchors(self, document: Document, with_roles: Sequence[Element]) -> Iterator[None]:
        limit = self.site.max_links_per_page
        elements = find_anchors(document, limit + 1)
        if len(elements) > limit:
            self._count_omitted(count_anchors(document) - limit)
            elements = elements[:limit]
        self._anchor_count = len(elements)
        regions = find_regions(document, elements, with_roles) if self.site.keeps_links else []
        if not self._filter.follows_all_anchors:
            elements = self._select_followed_anchors(elements)
            regions = [find_region(element) for element in elements]
        reader = AnchorReader(self._resolver, self._recorder, self._codec)
        yield from reader.read(elements, regions)
        self._anchor_hrefs = reader.hrefs

    def _select_followed_anchors(self, elements: list[Element]) -> list[Element]:
        """Return the anchors that are followed; record the others."""
        followed = []
        for element in elements:
            if self._filter.should_follow_element(ANCHOR_RULE.name, element):
                followed.append(element)
            elif href := element.attr("href"):
                self._unfollowed_count += 1
                self._add(self._encode(href), element, ANCHOR_RULE, "href")
        return followed

    def _read_other_links(self, document: Document, with_attributes: list[Element]) -> Iterator[None]:
        """Read the links that are not anchors; most are on elements that pages of a directory share."""
        shared = self.cache.get_shared_elements(self._resolver.base)
        limit = max(0, self.site.max_links_per_page - self._anchor_count)
        links = find_non_anchor_links(
            document,
            is_known=self._build_shared_filter(shared),
            body=self.response.body,
            with_attributes=with_attributes,
            limit=limit,
            reads_scripts=self.site.reads_scripts,
        )
        self._count_omitted(links.omitted_count)
        last, is_shared, numbers = None, False, None
        for done, (href, element, rule, attribute) in enumerate(links, 1):
            written = self._encode(href)
            number = self._add(written, element, rule, attribute)
            if element is not last:  # one element may have thousands of links, and copying its markup takes time
                last, numbers = element, None
                is_shared = element.tag in SHARED_TAGS and bool(element.attr(attribute))
            if number and is_shared and not is_page_relative(written):
                numbers = shared.add(element.html) if numbers is None else numbers
                numbers.append(number)
            if done % LINKS_PER_STEP == 0:
                yield

    def _build_shared_filter(self, shared: SharedElements) -> Callable[[str], bool]:
        """Return a predicate for elements that need not be read again."""
        if self._recorder.should_check_depths:
            return partial(shared.was_seen_on_better_page, (self.page.depth, self.page.key))
        recorder, cache = self._recorder, self.cache

        def reuse_links(markup: str) -> bool:
            """Add the links of an element that was read before."""
            numbers = shared.links_of(markup)
            if numbers is None:
                return False
            recorder.links += numbers
            if recorder.suspects.is_sample:
                recorder.suspects.add_targets(filter(None, map(cache.shared_targets.get, numbers)))
            return True

        return reuse_links

    def _count_omitted(self, count: int) -> None:
        if count:
            skipped = self._resolver.skipped
            skipped[TOO_MANY_LINKS] = skipped.get(TOO_MANY_LINKS, 0) + count

    def _encode(self, href: str) -> str:
        return encode_query(href, self._codec) if self._codec else href

    def _add(self, href: str, element: Element, rule: LinkRule, attribute: str) -> int:
        """Add a link of an element; return its number if links are kept."""
        if rule.name == "form" and self.site.reads_forms and element.tag == "form" and is_search_form(element):
            return 0  # a hint: without any words it is hardly a page
        is_followed = rule.kind != "page" or self._filter.should_follow_element(rule.name, element)
        kind = rule.kind if is_followed else NOT_FOLLOWED
        links = self._links_by_kind.get(kind)
        if links is None:
            links = self._links_by_kind[kind] = self._resolver.links_of(self._resolver.base, kind)
        known = links.get(href) or self._resolver.judge_link(href, href, links, rule, is_followed=is_followed)
        if known is IGNORED_URL:
            return 0
        self._recorder.suspects.add_target(known)
        if rule.kind == "page":
            self._recorder.count_inlink(known)
        if not self.site.keeps_links and known.depth <= self.page.depth:
            return 0
        text = get_link_text(element)[:MAX_LINK_TEXT]
        number = self._recorder.record(known, build_placement(element, rule, attribute), text)
        if number and element.tag in SHARED_TAGS:
            self.cache.shared_targets[number] = known
        return number

    def add_redirect(self, href: str) -> None:
        """Add the target of a redirect: always followed, and as deep as the page itself."""
        redirects = self.page.redirects + 1
        self._add_response_link(href, "redirect", self.page.depth, is_followed=True, redirects=redirects)

    def _add_response_link(self, href: str, source: str, depth: int, *, is_followed: bool, redirects: int = 0) -> None:
        """Add a link that belongs to the response as a whole, not to an element."""
        if not href:
            return
        known = self._resolver.judge_link(href, href, {}, ANCHOR_RULE, is_followed=is_followed)
        if known.reason != NOT_FOLLOWED:
            known = self.cache.by_key.get((known.key, known.kind or ""), known)
        if known is IGNORED_URL or known.kind is None:
            return
        place = LinkPlacement(source, "content", "header", source)
        self._recorder.suspects.add_target(known)
        if known.depth > depth and not self._recorder.is_followed_elsewhere(known):
            self._recorder.report_at(depth, known, place, "", redirects)
        self._recorder.keep(known, place, "")

    def add_previous_link(self, child: PreviousLink) -> None:
        """Add a link that an earlier scan found on this page."""
        kind = child.kind if child.kind in RULE_BY_KIND else "page"
        is_followed = kind != "page" or self._should_follow_previous(child)
        url = child.fetch_url
        known = self._resolver.judge_link(url, url, {}, RULE_BY_KIND[kind], is_followed=is_followed)
        place = child.place
        if place.source == NOT_FOLLOWED:
            place = place._replace(source=get_source(place.region, kind))
        self._add_known(known, place, child.text, counts=True)

    def _should_follow_previous(self, child: PreviousLink) -> bool:
        """Return True if a link of an earlier scan is followed; that scan knew if the page has a main element."""
        place = child.place
        if place.source == "redirect":
            return True
        has_no_main = place.region == "content" and "main" in self._filter.regions and child.reason != NOT_FOLLOWED
        region = "main" if has_no_main else place.region
        return self._filter.should_follow(get_link_kind(place.element, place.attribute), region)

    def add_script_route(self, route: ScriptRoute) -> None:
        """Add a URL that a script leads to; a hash route is identified by its fragment."""
        known = self._resolve_route(route)
        region = route.region or "content"
        is_only_rendered = route.kind == "page" and route.region is None
        source = "render" if is_only_rendered else get_source(region, route.kind)
        place = LinkPlacement(source, region, "script", route.how)
        self._add_known(known, place, route.text[:MAX_LINK_TEXT], counts=known.kind == "page")

    def _add_known(self, known: CachedUrl, place: LinkPlacement, text: str, *, counts: bool) -> None:
        if known is IGNORED_URL or known.kind is None:
            return
        self._recorder.suspects.add_target(known)
        if counts:
            self._recorder.count_inlink(known)
        self._recorder.record(known, place, text)

    def _resolve_route(self, route: ScriptRoute) -> CachedUrl:
        if route.keeps_fragment:
            is_followed = self._filter.should_follow("script", "")
            return self._resolver.resolve_hash_route(route.url) if is_followed else IGNORED_URL
        is_followed = route.kind != "page" or self._filter.should_follow("script", "")
        links = self._resolver.links_of(self._resolver.base, route.kind if is_followed else NOT_FOLLOWED)
        return links.get(route.url) or self._resolver.judge_link(
            route.url, route.url, links, RULE_BY_KIND[route.kind], is_followed=is_followed
        )
