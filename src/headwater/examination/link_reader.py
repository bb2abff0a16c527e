"""Reading the links of one response: each is resolved, judged and looked up in what is known already.

Most links of a page were seen before, on other pages of its directory, with the same text and in the same place. They
have a number then, and nothing else is built for them. Only links that are new are resolved and judged.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from headwater.examination.link_resolver import LinkResolver
from headwater.examination.suspect_tracker import SuspectTracker
from headwater.frontier.link_table import CHARACTERS_PER_ENTRY, MAX_LINK_TEXT
from headwater.frontier.url_cache import IGNORED_URL, UNKNOWN_DEPTH, CachedUrl, UrlCache
from headwater.model import NOT_FOLLOWED, DiscoveredUrl, LinkPlacement
from headwater.pages.documents.link_headers import extract_header_links
from headwater.pages.links.link_filter import get_link_kind
from headwater.pages.links.link_finder import (
    ANCHOR_RULE,
    count_anchors,
    find_anchors,
    find_elements_with_link_attributes,
    find_non_anchor_links,
)
from headwater.pages.links.link_rules import LINK_RULES
from headwater.pages.links.regions import (
    REGION_BY_LANDMARK,
    find_region,
    find_regions,
    get_link_text,
    get_rel,
    get_texts,
)
from headwater.urls.pagination import is_next_in_series, strip_page_number
from headwater.urls.parsing import HTTP_PREFIXES, is_page_relative, resolve
from headwater.urls.query_encoding import encode_query, get_query_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from turbohtml import Document, Element

    from headwater.examination.site_state import SiteState
    from headwater.frontier.url_cache import SharedElements
    from headwater.model import Candidate, PreviousLink, Region, Response, ScriptRoute
    from headwater.pages.links.link_rules import LinkRule

Text = TypeVar("Text")

LINKS_PER_STEP = 1000
"""Links that are read between two moments at which others may have their turn."""

TOO_MANY_LINKS = "too-many-links"

ABSOLUTE_PREFIXES = ("/", *HTTP_PREFIXES)
SHARED_TAGS = frozenset({"link", "script"})
RULE_BY_KIND = {
    kind: next(rule for rule in LINK_RULES if rule.kind == kind) for kind in ("page", "resource", "endpoint")
}
_ANCHOR_REGIONS: tuple[Region, ...] = ("content", *dict.fromkeys(REGION_BY_LANDMARK.values()))
SOURCE_BY_REGION = {"header": "navigation", "nav": "navigation", "aside": "navigation", "footer": "footer"}

_PLACEMENTS = {
    region: LinkPlacement(SOURCE_BY_REGION.get(region, "content-link"), region) for region in _ANCHOR_REGIONS
}
_NEXT_PLACEMENTS = {region: place._replace(is_next=True) for region, place in _PLACEMENTS.items()}


class LinkReader:
    """Goes through the links of one response."""

    def __init__(
        self, response: Response, page: Candidate, site: SiteState, memory: UrlCache, *, is_sample: bool = False
    ) -> None:
        self.response, self.page, self.site, self.memory = response, page, site, memory
        self.found: list[DiscoveredUrl] = []
        self.links: list[int] = []
        self._hrefs_without_fragment: Sequence[str] = ()
        self._unfollowed = self._anchor_count = 0
        self._targets: list[int] = []
        self._judge = LinkResolver(response, page, site, memory)
        self._known: dict[str, dict[str, CachedUrl]] = {}
        self._codec = ""
        self._filter = site.link_filter
        self._suspect_tracker = SuspectTracker(page, site.traps, memory.suspects)
        self._suspect_tracker.is_sample |= is_sample

    @property
    def base(self) -> str:
        """What relative links of the page are resolved against."""
        return self._judge.base

    @property
    def skipped(self) -> dict[str, int]:
        """How many links were skipped for which reason."""
        return self._judge.skipped

    @property
    def spellings(self) -> list[tuple[int, str]]:
        """Other ways in which known pages are written."""
        return self._judge.spellings

    @property
    def cleared(self) -> list[int]:
        """The URLs that were suspect, and that this page could not have made."""
        return self._suspect_tracker.cleared

    @property
    def new_links(self) -> list[tuple[int, str]]:
        """The links of a suspect page that no page of an earlier round had."""
        return self._suspect_tracker.new_links

    @property
    def new_pages(self) -> frozenset[int]:
        """The pages linked to that no page of an earlier round had, if the page is a sample."""
        return self._suspect_tracker.new_pages

    @cached_property
    def _own_series(self) -> str:
        """The list that the page is a part of, or the page itself."""
        return strip_page_number(self.page.key)

    def read(self, document: Document, base: str) -> Iterator[None]:
        """Read the links of a document; pauses on a page with many of them."""
        if base:
            self._judge.set_base(resolve(base, self.response.url) or self.response.url)
        self._codec = get_query_codec(document.encoding)
        self._filter = self.site.link_filter.for_page(document)
        asked = find_elements_with_link_attributes(document)
        yield from self._read_anchors(document, asked)
        yield from self._read_non_anchors(document, asked)
        for href in extract_header_links(self.response.headers):
            self.add_header_link(href, "header", self.page.depth + 1)

    def _read_non_anchors(self, document: Document, asked: list[Element]) -> Iterator[None]:
        """Read the links that are no anchors; most stand on elements that pages of a directory share."""
        furniture = self.memory.get_shared_elements(self._judge.base)
        best = partial(furniture.was_seen_on_better_page, (self.page.depth, self.page.key))
        is_known = best if self._should_check_depths else self._reuse_links(furniture)
        limit = max(0, self.site.max_links_per_page - self._anchor_count)
        others = find_non_anchor_links(document, is_known=is_known, body=self.response.body, asked=asked, limit=limit)
        self._count_omitted(others.omitted_count)
        last, is_shared, numbers = None, False, None
        for done, (href, element, rule, attribute) in enumerate(others, 1):
            written = encode_query(href, self._codec) if self._codec else href
            number = self._add(written, element, rule, attribute)
            if element is not last:  # one element may have thousands of links, and copying its markup takes time
                last, numbers = element, None
                is_shared = element.tag in SHARED_TAGS and bool(element.attr(attribute))
            if number and is_shared and not is_page_relative(written):
                numbers = furniture.add(element.html) if numbers is None else numbers
                numbers.append(number)
            if done % LINKS_PER_STEP == 0:
                yield

    def _count_omitted(self, count: int) -> None:
        if count:
            self.skipped[TOO_MANY_LINKS] = self.skipped.get(TOO_MANY_LINKS, 0) + count

    @property
    def _should_check_depths(self) -> bool:
        """Return whether known links are checked for a shorter way to a page.

        Where links are kept, this is worked out from them at the end. But a page that is visited after deeper ones,
        such as under another spelling, may bring pages within the depth limit.
        """
        return not self.site.keeps_links or self.page.depth < self.memory.max_visited_depth

    def finish(self) -> None:
        """Look at the links of the page together, once all are read."""
        if self.site.counts_inlinks and not self.site.keeps_links:
            self.memory.inlinks.update(set(self._targets))
        if self.links:
            self._update_series_depths()
            self._suspect_tracker.add_links(self.links)

    def _update_series_depths(self) -> None:
        """Report parts of the same list that other pages made one deeper: going from part to part is no step."""
        parts = self.memory.parts.get(self._own_series)
        if parts is not None:
            for number in self.links:
                known = parts.get(number)
                if known is not None and known.depth > self.page.depth:
                    self._report(known, _PLACEMENTS["content"], "")

    def _reuse_links(self, furniture: SharedElements) -> Callable[[str], bool]:
        """Return a predicate that passes over elements seen before, and takes the numbers of their links."""

        def is_known(markup: str) -> bool:
            numbers = furniture.links_of(markup)
            if numbers is None:
                return False
            self.links += numbers
            if self._suspect_tracker.is_sample:
                self._suspect_tracker.add_targets(filter(None, map(self.memory.shared_targets.get, numbers)))
            return True

        return is_known

    def _read_anchors(self, document: Document, with_roles: Sequence[Element]) -> Iterator[None]:
        limit = self.site.max_links_per_page
        elements = find_anchors(document, limit + 1)
        if len(elements) > limit:
            self._count_omitted(count_anchors(document) - limit)
            elements = elements[:limit]
        self._anchor_count = len(elements)
        regions = find_regions(document, elements, with_roles) if self.site.keeps_links else []
        if not self._filter.follows_all_anchors:
            elements = self._followed_anchors(elements)
            regions = [find_region(element) for element in elements]
        if self.site.keeps_links:
            yield from self._number_anchors(elements, regions)
        if self._should_check_depths:
            yield from self._check_anchors(elements)

    def _followed_anchors(self, elements: list[Element]) -> list[Element]:
        """Return the anchors that are followed; the others are recorded."""
        followed = []
        for element in elements:
            if self._filter.should_follow_element(ANCHOR_RULE.name, element):
                followed.append(element)
            elif href := element.attr("href"):
                self._unfollowed += 1
                self._add(encode_query(href, self._codec) if self._codec else href, element, ANCHOR_RULE, "href")
        return followed

    def _number_anchors(self, elements: Sequence[Element], regions: Sequence[Region]) -> Iterator[None]:
        """Read the anchors of a page; pauses where it has many of them."""
        cuts: list[str] = []
        different: dict[int, None] = {}
        if len(elements) <= LINKS_PER_STEP:
            self._number_anchor_batch(elements, regions, cuts, different)
        else:
            for start in range(0, len(elements), LINKS_PER_STEP):
                part = slice(start, start + LINKS_PER_STEP)
                self._number_anchor_batch(elements[part], regions[part], cuts, different)
                yield
        itself = self.memory.by_key.get((self.page.key, "page"), IGNORED_URL)
        for number in (0, *itself.numbers.values()):
            different.pop(number, None)
        self.links += different
        self._hrefs_without_fragment = cuts

    def _number_anchor_batch(
        self, elements: Sequence[Element], regions: Sequence[Region], all_cuts: list[str], different: dict[int, None]
    ) -> None:
        """Read about a hundred anchors, of which nearly all lead where earlier ones led.

        This is the hot path. A known anchor costs a look-up by its URL, as it is written, and one by region and text.
        """
        hrefs = self._get_hrefs(elements)
        texts = get_texts(elements, 2 * len(self.response.body))
        cuts = hrefs if self.site.scope.skip_anchors else [href.partition("#")[0] for href in hrefs]
        relative, rooted, own = (
            self._judge.links_of(self._judge.base),
            self._judge.root_relative_links,
            self._judge.own_filename,
        )
        known_here, known_anywhere, numbers = relative.get, rooted.get, []
        for place, (cut_href, key) in enumerate(zip(cuts, zip(regions, texts, strict=True), strict=True)):
            known = known_here(cut_href) or known_anywhere(cut_href)
            if known is None:
                if not cut_href or cut_href == own:
                    continue
                known = self._judge.resolve_anchor(
                    hrefs[place], cut_href, rooted if cut_href.startswith(ABSOLUTE_PREFIXES) else relative
                )
                self._suspect_tracker.add_target(known)
            numbers.append(known.numbers.get(key) or self._assign_anchor_number(known, elements[place], key))
        if self._suspect_tracker.is_sample:
            different_cuts = dict.fromkeys(cuts)
            self._suspect_tracker.add_targets(
                filter(None, (known_here(one) or known_anywhere(one) for one in different_cuts))
            )
        different.update(dict.fromkeys(numbers))
        all_cuts += cuts

    def _assign_anchor_number(self, known: CachedUrl, element: Element, key: tuple[Region, str]) -> int:
        """Return the number of an anchor that was not met with this region and text; 0 if it leads nowhere else."""
        if not known.identity or known.identity == self.page.identity:
            return 0
        region, text = key
        place = _NEXT_PLACEMENTS[region] if "next" in get_rel(element).split() else _PLACEMENTS[region]
        words = " ".join(text.split())
        is_told_by_key = bool(words) and not place.is_next  # pictures and relations are not part of the key
        words = (words or get_link_text(element))[:MAX_LINK_TEXT]
        if known.depth > self.page.depth and known.depth > self._compute_depth(known, place):
            self._report(known, place, words)
        number = self._number(known, place, words)
        if is_told_by_key:
            known.numbers[key] = number
            self.memory.links.size += len(text) // CHARACTERS_PER_ENTRY
        return number

    @property
    def distinct_link_count(self) -> int:
        """How many different URLs the anchors have, as far as that was asked before they were judged."""
        return len(set(self._hrefs_without_fragment) - {""}) + self._unfollowed

    def _get_hrefs(self, elements: Sequence[Element]) -> list[str]:
        hrefs = [element.attr("href") or "" for element in elements]
        return [encode_query(href, self._codec) for href in hrefs] if self._codec else hrefs

    def _number(self, known: CachedUrl, place: LinkPlacement, text: str) -> int:
        """Return the number of a link; one that is not followed is no source of the page it leads to."""
        if known.reason == NOT_FOLLOWED or (self.page.hops and known.kind == "external"):
            place = place._replace(source=NOT_FOLLOWED)
        if not known.identity:
            return 0
        number = self.memory.links.number_of(known.identity, place, text)
        if known.trap_template is not None:
            self.memory.suspects.add_link(known, number)
        if known.series:
            self.memory.parts.setdefault(known.series, {})[number] = known
        return number

    def _check_anchors(self, elements: Sequence[Element]) -> Iterator[None]:
        """Look at every link for a page that is new, or known by a longer way."""
        hrefs = self._get_hrefs(elements)
        cuts = hrefs if self.site.scope.skip_anchors else [href.partition("#")[0] for href in hrefs]
        relative, page = self._judge.links_of(self._judge.base), self.page
        absolute = self._judge.root_relative_links
        depth, key, counts = page.depth + 1, page.key, self.site.counts_inlinks and not self.site.keeps_links
        counts_all = counts or page.hops or page.is_suspect
        settled = set() if counts_all else self.memory.get_settled_links(self._judge.base, page.depth)
        place_of: dict[str, int] = {}
        different = self._drop_self_links(dict.fromkeys(cuts))
        self._hrefs_without_fragment = cuts
        for done, text in enumerate(different, 1):
            if done % LINKS_PER_STEP == 0:
                yield
            if text in settled:
                continue
            # What begins at the root means the same in every directory; relative links do not.
            links = absolute if text.startswith(ABSOLUTE_PREFIXES) else relative
            known = links.get(text)
            if known is None:
                place_of = place_of or _index_first_occurrences(cuts)
                known = self._judge.resolve_anchor(hrefs[place_of[text]], text, links)
            self._suspect_tracker.add_target(known)
            if counts and known.identity and known.key != key:
                self._targets.append(known.identity)
            if known.depth > depth or (known.depth == depth and (known.parent > key or self._is_same_series(known))):
                place_of = place_of or _index_first_occurrences(cuts)
                element = elements[place_of[text]]
                self._report(
                    known, _build_placement(element, ANCHOR_RULE, "href"), get_link_text(element)[:MAX_LINK_TEXT]
                )
            elif not counts and known.depth < depth and text in links:
                settled.add(text)
                self.memory.size += 1

    def _drop_self_links(self, texts: dict[str, None]) -> dict[str, None]:
        """Without the ways to write the page itself, which mean something else on the next page of the directory."""
        texts.pop("", None)
        texts.pop(self._judge.own_filename, None)
        return texts

    def _add(self, href: str, element: Element, rule: LinkRule, attribute: str) -> int:
        """Read a link that is no anchor; return its number, if links are kept."""
        is_followed = rule.kind != "page" or self._filter.should_follow_element(rule.name, element)
        name = rule.kind if is_followed else NOT_FOLLOWED
        links = self._known.get(name)
        if links is None:
            links = self._known[name] = self._judge.links_of(self._judge.base, name)
        known = links.get(href) or self._judge.judge_link(href, href, links, rule, is_followed=is_followed)
        if known is IGNORED_URL:
            return 0
        self._suspect_tracker.add_target(known)
        if self.site.counts_inlinks and rule.kind == "page" and known.identity and known.key != self.page.key:
            self._targets.append(known.identity)
        if not self.site.keeps_links and known.depth <= self.page.depth:
            return 0
        place, text = _build_placement(element, rule, attribute), get_link_text(element)[:MAX_LINK_TEXT]
        if self._is_shorter_path(known, place):
            self._report(known, place, text)
        number = self._keep(known, place, text)
        if number and element.tag in SHARED_TAGS:
            self.memory.shared_targets[number] = known
        return number

    def _is_shorter_path(self, known: CachedUrl, place: LinkPlacement) -> bool:
        """Return whether this page is a better way to a URL than those seen before.

        Where another link to the page is followed, one that is not says nothing of it.
        """
        if known.reason == NOT_FOLLOWED and (known.key, "page") in self.memory.by_key:
            return False
        depth = self._compute_depth(known, place)
        return known.depth > depth or (
            known.depth == depth and known.parent > self.page.key and not self.site.keeps_links
        )

    def _keep(self, known: CachedUrl, place: LinkPlacement, text: str) -> int:
        if not self.site.keeps_links:
            return 0
        number = self._number(known, place, text)
        if number:
            self.links.append(number)
        return number

    def add_header_link(self, href: str, source: str, depth: int) -> None:
        """A link in a header; a redirect is as near to the seed as the page itself, and always followed."""
        is_followed = source == "redirect" or self._filter.should_follow("header", "")
        known = self._judge.judge_link(href, href, {}, ANCHOR_RULE, is_followed=is_followed) if href else IGNORED_URL
        if known.reason != NOT_FOLLOWED:
            known = self.memory.by_key.get((known.key, known.kind or ""), known)
        if known is IGNORED_URL or known.kind is None:
            return
        place = LinkPlacement(source, "content", "header", source)
        self._suspect_tracker.add_target(known)
        is_followed_elsewhere = known.reason == NOT_FOLLOWED and (known.key, "page") in self.memory.by_key
        if known.depth > depth and not is_followed_elsewhere:
            is_new, known.depth, known.parent = known.depth == UNKNOWN_DEPTH, depth, self.page.key
            redirects = self.page.redirects + 1 if source == "redirect" else 0
            self.found.append(self._found(known, place, "", is_new=is_new, redirects=redirects))
        self._keep(known, place, "")

    def add_previous_link(self, child: PreviousLink) -> None:
        """A link that an earlier visit found on this page."""
        kind = child.kind if child.kind in RULE_BY_KIND else "page"
        is_followed = kind != "page" or self._should_follow_previous(child)
        known = self._judge.judge_link(
            child.fetch_url, child.fetch_url, {}, RULE_BY_KIND[kind], is_followed=is_followed
        )
        place = child.place
        if place.source == NOT_FOLLOWED:
            place = place._replace(source=_get_source(place.region, kind))
        self._add_cached_url(known, place, child.text, counts=True)

    def _should_follow_previous(self, child: PreviousLink) -> bool:
        """Whether a link of the earlier visit is followed; that scan knew whether the page has a main element."""
        place = child.place
        if place.source == "redirect":
            return True
        has_no_main = place.region == "content" and "main" in self._filter.regions and child.reason != NOT_FOLLOWED
        region = "main" if has_no_main else place.region
        return self._filter.should_follow(get_link_kind(place.element, place.attribute), region)

    def add_script_route(self, route: ScriptRoute) -> None:
        """Where a script leads; a hash route is known by its fragment."""
        known = self._resolve_hash_route(route.url) if route.keeps_fragment else self._resolve_route(route)
        own = "render" if route.region is None else SOURCE_BY_REGION.get(route.region, "content-link")
        place = LinkPlacement(
            own if route.kind == "page" else route.kind, route.region or "content", "script", route.how
        )
        self._add_cached_url(known, place, route.text[:MAX_LINK_TEXT], counts=known.kind == "page")

    def _add_cached_url(self, known: CachedUrl, place: LinkPlacement, text: str, *, counts: bool) -> None:
        if known is IGNORED_URL or known.kind is None:
            return
        self._suspect_tracker.add_target(known)
        if counts and self.site.counts_inlinks and known.identity:
            self._targets.append(known.identity)
        if self._is_shorter_path(known, place):
            self._report(known, place, text)
        self._keep(known, place, text)

    def _resolve_hash_route(self, url: str) -> CachedUrl:
        return self._judge.resolve_hash_route(url) if self._filter.should_follow("script", "") else IGNORED_URL

    def _resolve_route(self, route: ScriptRoute) -> CachedUrl:
        is_followed = route.kind != "page" or self._filter.should_follow("script", "")
        links = self._judge.links_of(self._judge.base, route.kind if is_followed else NOT_FOLLOWED)
        rule = RULE_BY_KIND[route.kind]
        return links.get(route.url) or self._judge.judge_link(
            route.url, route.url, links, rule, is_followed=is_followed
        )

    def _report(self, known: CachedUrl, place: LinkPlacement, text: str) -> None:
        """A link that is new, or known by a longer way."""
        is_new = known.depth == UNKNOWN_DEPTH
        known.depth, known.parent = self._compute_depth(known, place), self.page.key
        self.found.append(self._found(known, place, text, is_new=is_new))

    def _compute_depth(self, known: CachedUrl, place: LinkPlacement) -> int:
        """Return how deep a link of this page leads; the next part of a list is as deep as this one."""
        is_part = is_next_in_series(known.key, self.page.key) if place.is_next else self._is_same_series(known)
        return self.page.depth + (0 if is_part else 1)

    def _is_same_series(self, known: CachedUrl) -> bool:
        """Return whether a URL is another part of the list that the page is a part of."""
        return bool(known.series) and known.series == self._own_series

    def _found(
        self, known: CachedUrl, place: LinkPlacement, text: str, *, is_new: bool, redirects: int = 0
    ) -> DiscoveredUrl:
        is_suspect = self._suspect_tracker.add_found(known, is_new=is_new)
        return DiscoveredUrl(
            known.identity,
            known.key,
            known.url,
            known.fetch_url,
            known.kind or "page",
            known.depth,
            self.page.identity,
            self.page.url,
            place.source,
            place.region,
            place.element,
            place.attribute,
            text,
            known.hops,
            known.reason,
            is_suspect,
            redirects,
            is_new,
        )


def _build_placement(element: Element, rule: LinkRule, attribute: str) -> LinkPlacement:
    region = find_region(element)
    is_next = rule.kind == "page" and "next" in get_rel(element).split()
    return LinkPlacement(_get_source(region, rule.kind), region, element.tag, attribute, is_next)


def _get_source(region: Region, kind: str) -> str:
    """A link to a page counts by its region; others by what they are."""
    return SOURCE_BY_REGION.get(region, "content-link") if kind == "page" else kind


def _index_first_occurrences(texts: Sequence[Text]) -> dict[Text, int]:
    """Where each text stands first; made from the end, so that the first of several counts."""
    return dict(zip(reversed(texts), range(len(texts) - 1, -1, -1), strict=True))
