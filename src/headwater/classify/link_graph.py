"""Compute facts about pages from the links of a site: depth, the page each was found on, sources and inlinks.

The results follow from the links alone, so they do not depend on the order of responses. Pages of one depth are
processed in the order of their keys; a page was found on the first page that links to it.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.source_masks import encode_sources
from headwater.model import NOT_FOLLOWED
from headwater.urls.recognition.pagination import strip_page_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from headwater.model import LinkBlock, LinkPlacement, PageLinks

UNREACHED = 1 << 30
NO_NODE = -1
NEXT_STEP = 2
"""The step of a link with `rel=next`, which is 0 if it continues the same list, otherwise 1."""

PAGES_PER_STEP = 5000
"""Pages that are processed between two pauses, in which the caller may do other work."""

MIN_SITE_SIZE = 10
"""Minimum number of pages that is assumed when deciding what most pages have."""

RECOMPUTED_SOURCES = encode_sources(("navigation", "footer", "content-link", "header", "redirect", "render"))
"""Sources that are computed again from all links; the other sources of a page are kept."""

NAVIGATION, CONTENT, REDIRECT = (encode_sources((name,)) for name in ("navigation", "content-link", "redirect"))


class Node(NamedTuple):
    """A URL of the scan. Roots are URLs that no page led to: seeds and URLs from sitemaps.

    `is_named` marks URLs that the navigation stage found on the front page, `unstored_inlinks` counts pages whose links
    were not stored.
    """

    identity: int
    key: str
    depth: int
    is_root: bool
    is_seed: bool
    sources: int
    is_named: bool
    unstored_inlinks: int


class LinkSummary(NamedTuple):
    """The facts about a URL: the page it was found on (0 if none), placement and text of the link there, and counts.

    `lists` are the numbers of the link lists of the pages that link to it.
    """

    identity: int
    depth: int
    parent: int
    place: LinkPlacement | None
    text: str
    sources: int
    inlinks: int
    content_inlinks: int
    lists: Sequence[int]


class LinkGraph:
    """The links of one scan in memory: four bytes per link, about 150 per URL.

    Nodes must be added first, in the order of their keys, then the blocks of distinct links, then the links of pages.
    """

    def __init__(self) -> None:
        self._rank: dict[int, int] = {}
        self._identities = array("q")
        self._node_depths = array("i")
        self._sources = array("I")
        self._unstored_inlinks = array("I")
        self._series = array("q")  # equal for the parts of one list
        self._paths = array("q")  # equal for URLs that differ in their query only
        self._roots: set[int] = set()
        self._seeds: set[int] = set()
        self._in_navigation: set[int] = set()
        self._paginated: set[int] = set()
        self._targets = array("i")
        self._placement_of = array("I")
        self._places: list[LinkPlacement] = []
        self._placement_numbers: dict[LinkPlacement, int] = {}
        self._lists: dict[int, array[int]] = {}
        self._numbers: dict[int, int] = {}

    def add_node(self, node: Node) -> None:
        """Add a URL; its rank is its position in the order of keys."""
        rank = self._rank[node.identity] = len(self._identities)
        self._identities.append(node.identity)
        self._node_depths.append(node.depth)
        self._sources.append(node.sources)
        self._unstored_inlinks.append(node.unstored_inlinks)
        series = strip_page_number(node.key)
        self._series.append(hash(series))
        self._paths.append(hash(node.key.partition("?")[0]))
        for ranks, is_member in (
            (self._roots, node.is_root), (self._seeds, node.is_seed), (self._in_navigation, node.is_named),
            (self._paginated, series != node.key),
        ):  # fmt: skip
            if is_member:
                ranks.add(rank)

    def add_links(self, block: LinkBlock) -> None:
        """Add a block of distinct links."""
        missing = block.first - len(self._targets)
        self._targets.extend([NO_NODE] * missing)
        self._placement_of.extend([0] * missing)
        self._targets.extend([self._rank.get(target, NO_NODE) for target in block.targets])
        self._placement_of.extend(map(self._get_placement_number, block.places))

    def _get_placement_number(self, place: LinkPlacement) -> int:
        number = self._placement_numbers.get(place)
        if number is None:
            number = self._placement_numbers[place] = len(self._places)
            self._places.append(place)
        return number

    def add_page_links(self, links: PageLinks) -> None:
        """Add the links of one page."""
        rank = self._rank.get(links.page)
        if rank is not None:
            self._lists[rank] = links.links if isinstance(links.links, array) else array("I", links.links)
            self._numbers[rank] = links.number

    def compute_depths(self) -> Iterator[None]:
        """Compute the depth of each page and the page it was found on, by increasing depth; pauses between steps."""
        count = len(self._identities)
        self._depth = array("i", [UNREACHED]) * count
        self._parent = array("i", [NO_NODE]) * count
        self._parent_link = array("I", [0]) * count
        waiting: dict[int, list[int]] = {}
        for rank in self._roots:
            self._depth[rank] = self._node_depths[rank]
            waiting.setdefault(self._depth[rank], []).append(rank)
        self._steps = [_compute_step(place) for place in self._places]
        seen: set[int] = set()
        done = 0
        while waiting:
            depth = min(waiting)
            for rank in sorted(waiting.pop(depth)):
                if self._depth[rank] == depth and rank in self._lists:
                    self._follow_page(rank, depth, seen, waiting)
                    done += 1
                    if done % PAGES_PER_STEP == 0:
                        yield

    def _follow_page(self, page: int, depth: int, seen: set[int], waiting: dict[int, list[int]]) -> None:
        """Follow the links of a page that no nearer page has; links to parts of a list are always followed."""
        targets, place_of, steps, depths = self._targets, self._placement_of, self._steps, self._depth
        fresh = [link for link in self._lists[page] if link not in seen]
        for link in fresh:
            target, step = targets[link], steps[place_of[link]]
            if target == NO_NODE or step is None:
                continue
            is_part = target in self._paginated and self._series[target] == self._series[page]
            if is_part or (step == NEXT_STEP and self._paths[target] == self._paths[page]):
                step = 0
            elif step == NEXT_STEP:
                step = 1
            if depth + step < depths[target]:
                depths[target], self._parent[target], self._parent_link[target] = depth + step, page, link
                waiting.setdefault(depth + step, []).append(target)
        numbered = self._paginated
        seen.update([link for link in fresh if targets[link] not in numbered and steps[place_of[link]] != NEXT_STEP])

    def count_inlinks(self) -> Iterator[None]:
        """Count the pages that link to each URL, and the pages that have each link; pauses between steps."""
        self._pages_with: Counter[int] = Counter()
        self._inlinks: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        target_of = self._targets.__getitem__
        for done, (page, number) in enumerate(sorted(self._numbers.items(), key=lambda item: item[1])):
            links = self._lists[page]
            if self._is_redirect(links):
                continue
            self._pages_with.update(links)
            targets = set(map(target_of, links))
            targets.discard(page)
            targets.discard(NO_NODE)
            for target in targets:
                self._inlinks[target].append(number)
            if done % PAGES_PER_STEP == 0:
                yield

    def _is_redirect(self, links: Sequence[int]) -> bool:
        return len(links) == 1 and self._get_placement(links[0]).source == "redirect"

    def read_texts(self, blocks: Callable[[], Iterable[LinkBlock]]) -> None:
        """Read the text of the link each page was found by; if empty, the first other text in alphabetical order."""
        self._texts: dict[int, str] = {}
        wanted = {link: rank for rank, link in enumerate(self._parent_link) if link}
        for block in blocks():
            self._texts |= {
                wanted[link]: text for link, text in enumerate(block.texts, block.first) if link in wanted and text
            }
        unnamed = set(wanted.values()) - self._texts.keys()
        for block in blocks() if unnamed else ():
            for link, text in enumerate(block.texts, block.first):
                rank = self._targets[link]
                if text and rank in unnamed:
                    self._texts[rank] = min(text, self._texts.get(rank, text))

    def summarize_links(self) -> Iterator[LinkSummary]:
        """Yield the facts about each URL that has links."""
        sources, content = self._count_sources()
        for rank, identity in enumerate(self._identities):
            if rank not in sources and rank not in self._inlinks:
                continue
            lists: Sequence[int] = self._inlinks.get(rank, ())
            named = NAVIGATION if rank in self._in_navigation else 0
            mask = (self._sources[rank] & ~RECOMPUTED_SOURCES) | sources.get(rank, 0) | named
            parent = self._parent[rank]
            is_found = parent != NO_NODE
            inlinks = len(lists) + self._unstored_inlinks[rank]
            yield LinkSummary(
                identity,
                self._depth[rank] if self._depth[rank] != UNREACHED else self._node_depths[rank],
                self._identities[parent] if is_found else 0,
                self._get_displayed_placement(self._parent_link[rank], mask) if is_found else None,
                self._texts.get(rank, ""),
                mask,
                inlinks,
                min(inlinks, content[rank]),
                lists,
            )

    def _get_displayed_placement(self, link: int, sources: int) -> LinkPlacement:
        """Return the placement of a link; one in the navigation of only a few pages counts as a content link."""
        place = self._get_placement(link)
        return place._replace(source="content-link") if encode_sources((place.source,)) & ~sources else place

    def _count_sources(self) -> tuple[dict[int, int], Counter[int]]:
        """Return the sources of each URL that has links, and the number of pages that link to it from their content.

        A link that most pages have belongs to the layout, not to the content.
        """
        bits = [encode_sources((place.source,)) for place in self._places]
        majority = max(MIN_SITE_SIZE, len(self._lists)) / 2
        sources: dict[int, int] = {}
        content, in_navigation = Counter[int](), Counter[int]()
        for link, pages in self._pages_with.items():
            target, bit = self._targets[link], bits[self._placement_of[link]]
            sources[target] = sources.get(target, 0) | bit
            if bit == NAVIGATION:
                in_navigation[target] += pages
            elif bit == CONTENT and pages <= majority:
                content[target] += pages
        for links in self._lists.values():
            if self._is_redirect(links):
                sources[self._targets[links[0]]] = sources.get(self._targets[links[0]], 0) | REDIRECT
        for target in in_navigation.keys() - self._find_site_navigation(in_navigation):
            sources[target] = (sources[target] & ~NAVIGATION) | CONTENT
        return sources, content

    def _find_site_navigation(self, in_navigation: Counter[int]) -> set[int]:
        """Return the URLs in the navigation of the front page, or of most pages."""
        majority = len(self._lists) / 2
        is_navigation = [place.source == "navigation" and not place.is_next for place in self._places]
        named = {
            self._targets[link]
            for rank, links in self._lists.items()
            if self._is_front_page(rank)
            for link in links
            if is_navigation[self._placement_of[link]]
        }
        return named | {target for target, pages in in_navigation.items() if pages > majority}

    def _is_front_page(self, rank: int) -> bool:
        """Return True if a page is a seed or the target of a seed's redirect."""
        return rank in self._seeds or (self._depth[rank] == 0 and rank not in self._roots)

    def _get_placement(self, link: int) -> LinkPlacement:
        return self._places[self._placement_of[link]]


def _compute_step(place: LinkPlacement) -> int | None:
    """Return how many levels deeper a link leads: 0 for a redirect, NEXT_STEP for `rel=next`, None if not followed."""
    if place.source == NOT_FOLLOWED:
        return None
    if place.source == "redirect":
        return 0
    return NEXT_STEP if place.is_next else 1
