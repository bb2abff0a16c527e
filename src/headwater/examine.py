"""The heart: what one response says. Pure, apart from the memory it is handed.

Most links of a page were seen before. For those nothing is built: the link's text leads to the URL's one `Known`, whose
depth says that there is nothing to do. Text, region and relation are read for links that are new.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from headwater.frontier.memory import IGNORED, NEVER, Known, Memory
from headwater.frontier.traps import Traps, repeats_itself
from headwater.model import NOT_FOLLOWED, Findings, Found, Response, Spelling
from headwater.pages.hashes import fingerprint, main_text_hash
from headwater.pages.head import Head
from headwater.pages.headers import header_links
from headwater.pages.html import parse_html
from headwater.pages.link_filter import EVERY_LINK, LinkFilter, link_kind
from headwater.pages.link_rules import LINK_RULES
from headwater.pages.links import ANCHOR_RULE, anchors, other_links
from headwater.pages.regions import region_of, relations_of, text_of
from headwater.pages.robots_tag import parse_robots_tag
from headwater.pages.scripted import FEW_LINKS, has_application_root, looks_scripted
from headwater.pages.stubs import stub_target
from headwater.urls.judge import cut, judge_target
from headwater.urls.page_encoding import query_codec, with_encoded_query
from headwater.urls.pagination import is_pagination
from headwater.urls.parse import HTTP, depends_on_page, join, parse_base, resolve
from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    import can_ada
    from turbohtml import Document, Element

    from headwater.frontier.rendering import Rendering
    from headwater.model import Candidate, Child, Region, Route
    from headwater.pages.link_rules import LinkRule
    from headwater.urls.scope import Scope

MAX_SKIPPED = 2083
RULE_OF = {kind: next(rule for rule in LINK_RULES if rule.kind == kind) for kind in ("page", "resource", "endpoint")}
SOURCES = {"header": "navigation", "nav": "navigation", "aside": "navigation", "footer": "footer"}


@dataclass(slots=True)
class Site:
    """What a crawl knows of the site it is on."""

    scope: Scope
    keeps_edges: bool = False
    counts_inlinks: bool = False
    keeps_skipped: bool = False
    obeys_meta_robots: bool = True
    keeps_hashes: bool = False
    soft_404s: set[int] = field(default_factory=set)
    rendering: Rendering | None = None
    traps: Traps = field(default_factory=Traps)
    link_filter: LinkFilter = EVERY_LINK


def examine(response: Response, page: Candidate, site: Site, memory: Memory) -> Findings:
    """What is new in a page: the links that were unknown or known by a longer way, title, language, canonical URL."""
    document = parse_html(response.body, response.charset)
    head = Head.of(document)
    is_looked_at = bool(site.rendering or site.soft_404s)
    scripted = looks_scripted(document) if is_looked_at else ""
    # The page that scripts fill is the same for all of a site, there or not.
    is_told_apart = bool(site.soft_404s and page.depth and not scripted)
    if is_told_apart and fingerprint(document, response.url) in site.soft_404s:
        return Findings([], title=head.title, is_soft_404=True)  # before its links are remembered as known
    reader = _Reader(response, page, site, memory)
    robots = head.robots | parse_robots_tag(response.headers.get("x-robots-tag", ""))
    if not (site.obeys_meta_robots and robots.nofollow):
        reader.read(document, head.base)
    if site.keeps_hashes and not is_looked_at and reader.link_count <= FEW_LINKS:
        scripted = looks_scripted(document)  # pages that scripts fill look all the same, and are no duplicates
    stub = stub_target(document, response.body, response.headers)
    if stub:
        reader.add_header_link(stub, "redirect", page.depth)
    return Findings(
        reader.found,
        reader.kept_edges(),
        reader.skipped,
        title=head.title,
        language=head.language,
        canonical=resolve(head.canonical, response.url) or "" if head.canonical else "",
        fingerprint=fingerprint(document) if page.is_suspect else 0,
        scripted=scripted,
        may_gain=_may_gain(document, page, site) if site.rendering and not scripted else False,
        text_hash=main_text_hash(document) if head.canonical and site.keeps_hashes else None,
        noindex=robots.noindex,
        redirect_to=resolve(stub, reader.base) or "" if stub else "",
        spellings=reader.spellings,
    )


def examine_routes(routes: Sequence[Route], page: Candidate, site: Site, memory: Memory) -> Findings:
    """Where the scripts of a page lead: addresses like those of links, hash routes, and what they call."""
    reader = _Reader(Response(page.fetch_url.partition("#")[0], 200), page, site, memory)
    for route in routes:
        reader.add_route(route)
    return Findings(reader.found, reader.kept_edges(), reader.skipped, spellings=reader.spellings)


def _may_gain(document: Document, page: Candidate, site: Site) -> bool:
    """Whether scripts may add to a page that has links and text; looked for on a few pages of each shape."""
    kind = shape(page.key)
    return site.rendering is not None and site.rendering.is_looked_at(kind) and has_application_root(document)


def united(one: Findings, other: Findings) -> Findings:
    """Both; where both say something of the page itself, the other does."""
    skipped = {**one.skipped}
    for reason, count in other.skipped.items():
        skipped[reason] = skipped.get(reason, 0) + count
    return one._replace(
        found=[*one.found, *other.found],
        edges=[*one.edges, *other.edges],
        skipped=skipped,
        title=other.title or one.title,
        language=other.language or one.language,
        canonical=other.canonical or one.canonical,
        content_hash=one.content_hash if other.content_hash is None else other.content_hash,
        spellings=[*one.spellings, *other.spellings],
    )


def examine_redirect(response: Response, page: Candidate, site: Site, memory: Memory) -> Findings:
    """A redirect to another page: its target is a link like others, as near to the seed and site as the page itself."""
    reader = _Reader(response, page._replace(hops=max(0, page.hops - 1)), site, memory)
    reader.add_header_link(response.headers.get("location", ""), "redirect", page.depth)
    return Findings(reader.found, reader.edges, reader.skipped, spellings=reader.spellings)


def examine_unchanged(
    response: Response, page: Candidate, site: Site, memory: Memory, children: Sequence[Child]
) -> Findings:
    """A page that is as it was: it still leads where it led."""
    reader = _Reader(response, page, site, memory)
    for child in children:
        reader.add_child(child)
    return Findings(reader.found, reader.kept_edges(), reader.skipped, spellings=reader.spellings)


class _Reader:
    """Goes through the links of one response."""

    def __init__(self, response: Response, page: Candidate, site: Site, memory: Memory) -> None:
        self.response, self.page, self.site, self.memory = response, page, site, memory
        self.found: list[Found] = []
        self.has_edges = site.keeps_edges or site.counts_inlinks
        self.edges: list[tuple[int, str]] = []
        self.skipped: dict[str, int] = {}
        self.spellings: list[tuple[int, str]] = []
        self.link_count = 0
        self._base = response.url
        self._links: dict[str, dict[str, Known]] = {}
        self._joins_to: can_ada.URL | None = None
        self._codec = ""
        self._filter = site.link_filter

    @property
    def base(self) -> str:
        """What relative links of the page are resolved against."""
        return self._base

    def read(self, document: Document, base: str) -> None:
        if base:
            self._base = resolve(base, self.response.url) or self.response.url
        self._codec = query_codec(document.encoding)
        self._filter = self.site.link_filter.on_page(document)
        self._read_anchors(document)
        furniture = self.memory.furniture_of(self._base)
        furniture.page = (self.page.depth, self.page.key)
        for href, element, rule, attribute in other_links(document, 0, furniture.has, self.response.body):
            self._add(with_encoded_query(href, self._codec) if self._codec else href, element, rule, attribute)
        for href in header_links(self.response.headers):
            self.add_header_link(href, "header", self.page.depth + 1)

    def kept_edges(self) -> Sequence[tuple[int, str]]:
        """The links to keep; where none are kept, it is still counted how many pages link to each."""
        if self.site.counts_inlinks:
            self.memory.inlinks.update({identity for identity, _ in self.edges})
        return self.edges if self.site.keeps_edges else ()

    def _read_anchors(self, document: Document) -> None:
        """The hot path: about a hundred links a page, nearly all known, looked up in the form they are written in."""
        relative, page = self._links_of(self._base), self.page
        absolute = self._links_of(self._base[: self._base.index("/", 8) + 1])
        depth, key, has_edges = page.depth + 1, page.key, self.has_edges
        settled = set() if has_edges or page.hops else self.memory.settled_of(self._base, page.depth)
        elements = anchors(document)
        if not self._filter.follows_all_anchors:
            elements = self._followed_anchors(elements)
        hrefs = [element.attr("href") or "" for element in elements]
        if self._codec:
            hrefs = [with_encoded_query(href, self._codec) for href in hrefs]
        texts = hrefs if self.site.scope.skip_anchors else [href.partition("#")[0] for href in hrefs]
        place_of: dict[str, int] = {}
        different = self._without_own(dict.fromkeys(texts))
        self.link_count += len(different)
        for text in different:
            if text in settled:
                continue
            # What begins at the root means the same in every directory; relative links do not.
            links = absolute if text[0] == "/" else relative
            known = links.get(text)
            if known is None:
                place_of = place_of or _first_places(texts)
                known = self._look_up(hrefs[place_of[text]], text, links)
            if has_edges and known.identity and known.key != key:
                self.edges.append((known.identity, "a"))
            if known.depth > depth or (known.depth == depth and known.parent > key):
                place_of = place_of or _first_places(texts)
                self._report(known, elements[place_of[text]], ANCHOR_RULE, "href")
            elif not has_edges and known.depth < depth and text in links:
                settled.add(text)

    def _links_of(self, base: str, kind: str = "page") -> dict[str, Known]:
        """Return what links mean here; how far off the site a page is decides which of its links are followed."""
        return self.memory.links_of(base, f"{kind}+{self.page.hops}" if self.page.hops else kind)

    def _followed_anchors(self, elements: list[Element]) -> list[Element]:
        """Return the anchors that are followed; the others are recorded."""
        followed = []
        for element in elements:
            if self._filter.follows_element(ANCHOR_RULE.name, element):
                followed.append(element)
            elif href := element.attr("href"):
                self.link_count += 1
                self._add(with_encoded_query(href, self._codec) if self._codec else href, element, ANCHOR_RULE, "href")
        return followed

    def _without_own(self, texts: dict[str, None]) -> dict[str, None]:
        """Without the ways to write the page itself, which mean something else on the next page of the directory."""
        texts.pop("", None)
        if self._base == self.response.url:
            texts.pop(self._base[self._base.rfind("/") + 1 :], None)
        return texts

    def _look_up(self, href: str, text: str, links: dict[str, Known]) -> Known:
        """A spelling that is new in this directory mostly leads to a URL known from another."""
        if self._joins_to is None:
            self._joins_to = parse_base(self._base)
        resolved = join(self._joins_to, text)
        if resolved == self.response.url:
            return IGNORED
        links = {} if depends_on_page(text) else links
        self.memory.size += 1
        known = None if self.page.hops else self.memory.pages.get(resolved)
        if known is not None:
            links[text] = known
            return known
        known = self._judge(href, text, links, ANCHOR_RULE, resolved)
        if known is not IGNORED and not self.page.hops:
            self.memory.pages[resolved] = known
        return known

    def _add(self, href: str, element: Element, rule: LinkRule, attribute: str) -> None:
        is_followed = rule.kind != "page" or self._filter.follows_element(rule.name, element)
        name = rule.kind if is_followed else NOT_FOLLOWED
        links = self._links.get(name)
        if links is None:
            links = self._links[name] = self._links_of(self._base, name)
        known = links.get(href) or self._judge(href, href, links, rule, is_followed=is_followed)
        if known is IGNORED:
            return
        if self.has_edges and rule.kind == "page" and known.identity and known.key != self.page.key:
            self.edges.append((known.identity, element.tag))
        if self._is_followed_elsewhere(known):
            return
        if known.depth > self.page.depth + 1 or (known.depth == self.page.depth + 1 and known.parent > self.page.key):
            self._report(known, element, rule, attribute)

    def _is_followed_elsewhere(self, known: Known) -> bool:
        """Whether another link leads to the page, so that one that is not followed says nothing of it."""
        return known.reason == NOT_FOLLOWED and (known.key, "page") in self.memory.by_key

    def add_header_link(self, href: str, source: str, depth: int) -> None:
        """A link in a header; a redirect is as near to the seed as the page itself, and always followed."""
        is_followed = source == "redirect" or self._filter.follows("header", "")
        known = self._judge(href, href, {}, ANCHOR_RULE, is_followed=is_followed) if href else IGNORED
        if known.reason != NOT_FOLLOWED:
            known = self.memory.by_key.get((known.key, known.kind or ""), known)
        if known.depth > depth and known.kind is not None and not self._is_followed_elsewhere(known):
            is_new, known.depth, known.parent = known.depth == NEVER, depth, self.page.key
            redirects = self.page.redirects + 1 if source == "redirect" else 0
            where = _Where("content", "header", source, "", source, redirects, is_new)
            self.found.append(self._found(known, where))

    def add_child(self, child: Child) -> None:
        """A link that an earlier visit found on this page."""
        kind = child.kind if child.kind in RULE_OF else "page"
        is_followed = kind != "page" or self._follows_child(child)
        known = self._judge(child.fetch_url, child.fetch_url, {}, RULE_OF[kind], is_followed=is_followed)
        if known is IGNORED:
            return
        if self.has_edges and known.identity:
            self.edges.append((known.identity, child.element or "a"))
        if self._is_followed_elsewhere(known):
            return
        if known.depth > self.page.depth + 1 or (known.depth == self.page.depth + 1 and known.parent > self.page.key):
            is_new, known.depth, known.parent = known.depth == NEVER, self.page.depth + 1, self.page.key
            source = SOURCES.get(child.region, "content-link") if kind == "page" else kind
            where = _Where(child.region, child.element, child.attribute, child.text, source, 0, is_new)
            self.found.append(self._found(known, where))

    def _follows_child(self, child: Child) -> bool:
        """Whether a link of the earlier visit is followed; that scan knew whether the page has a main element."""
        if child.attribute == "redirect":
            return True
        has_no_main = child.region == "content" and "main" in self._filter.regions and child.reason != NOT_FOLLOWED
        region = "main" if has_no_main else child.region
        return self._filter.follows(link_kind(child.element, child.attribute), region)

    def add_route(self, route: Route) -> None:
        """Where a script leads; a hash route is known by its fragment."""
        known = self._hash_route(route.url) if route.keeps_fragment else self._route(route)
        if known is IGNORED or known.kind is None:
            return
        if self.has_edges and known.identity and known.kind == "page":
            self.edges.append((known.identity, "script"))
        if self._is_followed_elsewhere(known):
            return
        if known.depth > self.page.depth + 1 or (known.depth == self.page.depth + 1 and known.parent > self.page.key):
            is_new, known.depth, known.parent = known.depth == NEVER, self.page.depth + 1, self.page.key
            own = "render" if route.region is None else SOURCES.get(route.region, "content-link")
            source = own if route.kind == "page" else route.kind
            region = route.region or "content"
            self.found.append(
                self._found(known, _Where(region, "script", route.how, route.text[:500], source, 0, is_new))
            )

    def _route(self, route: Route) -> Known:
        is_followed = route.kind != "page" or self._filter.follows("script", "")
        links = self._links_of(self._base, route.kind if is_followed else NOT_FOLLOWED)
        rule = RULE_OF[route.kind]
        return links.get(route.url) or self._judge(route.url, route.url, links, rule, is_followed=is_followed)

    def _hash_route(self, url: str) -> Known:
        page, _, fragment = url.partition("#")
        target = cut(page, resolve(page, self._base), self.site.scope)
        verdict = judge_target(target, self.site.scope, self.page.hops)
        if not self._filter.follows("script", "") or not verdict.allowed or f"{target.key}#{fragment}" == self.page.key:
            return IGNORED
        spelling = Spelling(*(f"{one}#{fragment}" for one in (target.fetch_url, target.listed, target.key)))
        return self.memory.remember(Known(spelling, "page", hops=verdict.hops), "page")

    def _judge(
        self,
        href: str,
        text: str,
        links: dict[str, Known],
        rule: LinkRule,
        resolved: str = "",
        *,
        is_followed: bool = True,
    ) -> Known:
        """A link that was never seen in this form; `resolved` if that is done, and it is http(s)."""
        links = {} if depends_on_page(text) else links
        scope, written = self.site.scope, href.strip()
        is_done = resolved.startswith(HTTP) and not scope.skip_anchors
        target = cut(written, resolved if is_done else resolve(written, self._base), scope, self.page.key)
        verdict = judge_target(target, scope, self.page.hops)
        reason = verdict.reason or ("trap-repetition" if repeats_itself(target.url) else "")
        reason = reason or ("" if is_followed else NOT_FOLLOWED)
        kind = ("page" if verdict.allowed else verdict.kind) if rule.kind == "page" else rule.kind
        if reason == "same-page":
            return IGNORED
        if reason:
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
        if kind is None and not self.site.keeps_skipped:
            links[text] = IGNORED
            return IGNORED
        kind = kind or "page"
        written = written[:MAX_SKIPPED]
        spelling = (
            Spelling(target.fetch_url, target.listed, target.key)
            if target.href
            else Spelling(written, written, written)
        )
        fresh = Known(spelling, kind, reason, verdict.hops)
        links[text] = known = self.memory.remember(fresh, NOT_FOLLOWED if reason == NOT_FOLLOWED else kind)
        if known.fetch_url != fresh.fetch_url and kind == "page" and not reason:
            self.spellings.append((known.identity, fresh.fetch_url))
        return known

    def _report(self, known: Known, element: Element, rule: LinkRule, attribute: str) -> None:
        """A link that is new, or known by a longer way."""
        is_new = known.depth == NEVER
        is_next = is_new and ("next" in relations_of(element).split() or is_pagination(known.key, self.page.key))
        known.depth, known.parent = self.page.depth + (0 if is_next else 1), self.page.key
        region = region_of(element)
        source = SOURCES.get(region, "content-link") if rule.kind == "page" else rule.kind
        where = _Where(region, element.tag, attribute, text_of(element)[:500], source, 0, is_new)
        self.found.append(self._found(known, where))

    def _found(self, known: Known, where: _Where) -> Found:
        is_suspect = known.kind == "page" and not known.reason and self.site.traps.is_suspect(known.key, self.page.key)
        reason = "trap-exhausted" if is_suspect and self.site.traps.is_exhausted(known.key) else known.reason
        if reason != known.reason:
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
        return Found(
            known.identity,
            known.key,
            known.url,
            known.fetch_url,
            known.kind or "page",
            known.depth,
            self.page.identity,
            self.page.url,
            where.source,
            where.region,
            where.element,
            where.attribute,
            where.text,
            known.hops,
            reason,
            is_suspect,
            where.redirects,
            where.is_new,
        )


def _first_places(texts: list[str]) -> dict[str, int]:
    """Where each text stands first; made from the end, so that the first of several counts."""
    return dict(zip(reversed(texts), range(len(texts) - 1, -1, -1), strict=True))


class _Where(NamedTuple):
    """The place a link stands in."""

    region: Region
    element: str
    attribute: str
    text: str
    source: str
    redirects: int
    is_new: bool
