"""Read the `<a href>` links of one page, which are nearly all of its links; the hottest code of a crawl.

Most anchors of a page were seen before on other pages of its directory, with the same text and in the same region. They
have a number then, and nothing else is built for them. Only new links are resolved and judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from headwater.examination.placements import ANCHOR_PLACEMENTS, NEXT_ANCHOR_PLACEMENTS, build_placement
from headwater.frontier.link_table import CHARACTERS_PER_ENTRY, MAX_LINK_TEXT
from headwater.frontier.url_cache import IGNORED_URL
from headwater.pages.links.link_finder import ANCHOR_RULE
from headwater.pages.links.regions import get_link_text, get_rel, get_texts
from headwater.urls.parsing import HTTP_PREFIXES
from headwater.urls.query_encoding import encode_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from turbohtml import Element

    from headwater.examination.link_recorder import LinkRecorder
    from headwater.examination.link_resolver import LinkResolver
    from headwater.frontier.url_cache import CachedUrl
    from headwater.model import Region

Text = TypeVar("Text")

LINKS_PER_STEP = 1000
"""Links that are read between two pauses, in which other pages may be examined."""

_ABSOLUTE_PREFIXES = ("/", *HTTP_PREFIXES)


class AnchorReader:
    """Reads anchors; `codec` encodes queries on pages that are not in UTF-8, `hrefs` are the anchors' targets."""

    def __init__(self, resolver: LinkResolver, recorder: LinkRecorder, codec: str) -> None:
        self._resolver, self._recorder, self._codec = resolver, recorder, codec
        self._page, self._site, self._cache = recorder.page, recorder.site, recorder.cache
        self.hrefs: Sequence[str] = ()

    def read(self, elements: Sequence[Element], regions: Sequence[Region]) -> Iterator[None]:
        """Read the anchors of a page; pauses on a page with many of them. Regions are needed only if links are kept."""
        if self._site.keeps_links:
            yield from self._number_anchors(elements, regions)
        if self._recorder.should_check_depths:
            yield from self._check_anchors(elements)

    def _number_anchors(self, elements: Sequence[Element], regions: Sequence[Region]) -> Iterator[None]:
        """Add the numbers of all anchors to the page's links."""
        all_targets: list[str] = []
        unique: dict[int, None] = {}
        if len(elements) <= LINKS_PER_STEP:
            self._number_batch(elements, regions, all_targets, unique)
        else:
            for start in range(0, len(elements), LINKS_PER_STEP):
                part = slice(start, start + LINKS_PER_STEP)
                self._number_batch(elements[part], regions[part], all_targets, unique)
                yield
        this_page = self._cache.by_key.get((self._page.key, "page"), IGNORED_URL)
        for number in (0, *this_page.numbers.values()):
            unique.pop(number, None)
        self._recorder.links += unique
        self.hrefs = all_targets

    def _number_batch(
        self, elements: Sequence[Element], regions: Sequence[Region], all_targets: list[str], unique: dict[int, None]
    ) -> None:
        """Number a batch of anchors, nearly all of which are known.

        A known anchor costs one look-up by its URL as written, and one by its region and text.
        """
        resolver, suspects = self._resolver, self._recorder.suspects
        hrefs = self._get_hrefs(elements)
        texts = get_texts(elements, 2 * len(resolver.response.body))
        targets = self._strip_fragments(hrefs)
        relative, rooted, own = resolver.links_of(resolver.base), resolver.root_relative_links, resolver.own_filename
        known_here, known_anywhere, numbers = relative.get, rooted.get, []
        keys = zip(regions, texts, strict=True)
        for target, key, href, element in zip(targets, keys, hrefs, elements, strict=True):
            known = known_here(target) or known_anywhere(target)
            if known is None:
                if not target or target == own:
                    continue
                links = rooted if target.startswith(_ABSOLUTE_PREFIXES) else relative
                known = resolver.resolve_anchor(href, target, links)
                suspects.add_target(known)
            numbers.append(known.numbers.get(key) or self._assign_number(known, element, key))
        if suspects.is_sample:
            suspects.add_targets(
                filter(None, (known_here(one) or known_anywhere(one) for one in dict.fromkeys(targets)))
            )
        unique.update(dict.fromkeys(numbers))
        all_targets += targets

    def _assign_number(self, known: CachedUrl, element: Element, key: tuple[Region, str]) -> int:
        """Return the number of an anchor that is new with this region and text; 0 if it leads to the page itself."""
        if not known.identity or known.identity == self._page.identity:
            return 0
        region, text = key
        is_next = "next" in get_rel(element).split()
        place = NEXT_ANCHOR_PLACEMENTS[region] if is_next else ANCHOR_PLACEMENTS[region]
        words = " ".join(text.split())
        is_identified_by_key = bool(words) and not is_next  # the key includes neither image texts nor `rel`
        words = (words or get_link_text(element))[:MAX_LINK_TEXT]
        if known.depth > self._page.depth and known.depth > self._recorder.compute_depth(known, place):
            self._recorder.report(known, place, words)
        number = self._recorder.number(known, place, words)
        if is_identified_by_key:
            known.numbers[key] = number
            self._cache.links.size += len(text) // CHARACTERS_PER_ENTRY
        return number

    def _check_anchors(self, elements: Sequence[Element]) -> Iterator[None]:
        """Check every link for a page that is new, or that this page reaches in fewer clicks."""
        hrefs = self._get_hrefs(elements)
        targets = self.hrefs = self._strip_fragments(hrefs)
        resolver, recorder, page = self._resolver, self._recorder, self._page
        relative, rooted = resolver.links_of(resolver.base), resolver.root_relative_links
        depth, key, counts = page.depth + 1, page.key, self._site.counts_inlinks and not self._site.keeps_links
        needs_all = counts or page.hops or page.is_suspect
        settled = set() if needs_all else self._cache.get_settled_links(resolver.base, page.depth)
        index_of: dict[str, int] = {}
        add_target = recorder.suspects.add_target
        for done, text in enumerate(self._drop_self_links(dict.fromkeys(targets)), 1):
            if done % LINKS_PER_STEP == 0:
                yield
            if text in settled:
                continue
            # A link that begins at the root means the same in every directory; a relative link does not.
            links = rooted if text.startswith(_ABSOLUTE_PREFIXES) else relative
            known = links.get(text)
            if known is None:
                index_of = index_of or _index_first_occurrences(targets)
                known = resolver.resolve_anchor(hrefs[index_of[text]], text, links)
            add_target(known)
            if counts and known.identity and known.key != key:
                recorder.inlink_targets.append(known.identity)
            if known.depth > depth or (known.depth == depth and (known.parent > key or recorder.is_same_series(known))):
                index_of = index_of or _index_first_occurrences(targets)
                element = elements[index_of[text]]
                words = get_link_text(element)[:MAX_LINK_TEXT]
                recorder.report(known, build_placement(element, ANCHOR_RULE, "href"), words)
            elif not counts and known.depth < depth and text in links:
                settled.add(text)
                self._cache.size += 1

    def _drop_self_links(self, texts: dict[str, None]) -> dict[str, None]:
        """Remove the ways to write the page itself, which mean something else on the next page of the directory."""
        texts.pop("", None)
        texts.pop(self._resolver.own_filename, None)
        return texts

    def _get_hrefs(self, elements: Sequence[Element]) -> list[str]:
        hrefs = [element.attr("href") or "" for element in elements]
        return [encode_query(href, self._codec) for href in hrefs] if self._codec else hrefs

    def _strip_fragments(self, hrefs: list[str]) -> list[str]:
        return hrefs if self._site.scope.skip_anchors else [href.partition("#")[0] for href in hrefs]


def _index_first_occurrences(texts: Sequence[Text]) -> dict[Text, int]:
    """Return the first index of each text; built from the end, so that the first of several wins."""
    return dict(zip(reversed(texts), range(len(texts) - 1, -1, -1), strict=True))
