"""Find the links of a document, each with the rule that found it.

The table of rules is compiled into queries that the parser answers fast. Finding a tag takes 0.1 µs per page, because
the parser has an index of tags; finding an attribute on any element takes 15 µs, and 1 µs for each further attribute.
"""

from __future__ import annotations

import re
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, cast

from turbohtml import Comment, Element, XPath

from headwater.pages.documents.html_parser import parse_embedded
from headwater.pages.links.json_ld import extract_json_ld_urls
from headwater.pages.links.link_rules import (
    LINK_RULES,
    LinkRule,
    is_menu_of_pages,
    is_navigation_handler,
    read_css,
    read_markup,
    read_script_location,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from turbohtml import Document

    IsKnown = Callable[[str], bool]

ANCHOR_RULE = LINK_RULES[0]
_LOC_RULE = LinkRule("loc", "", "page", name="loc")
_STYLE_RULE = LinkRule("style", "", "resource", read_css)
_JSON_LD_RULE = LinkRule("script", "", "page", name="json-ld")
_TEMPLATE_RULE = LinkRule("script", "", "page", read_markup, name="template")
MAX_OPTIONS = 1000
"""Options of a menu that are compared to see if all of them are URLs."""

_OPTION_RULE = LinkRule("option", "value", "page", name="onclick")
_MENU_RULE = LinkRule("option", "menu", "page", name="option")
_SCRIPT_RULE = LinkRule("script", "", "page", read_script_location, name="script")
_TEMPLATE_TYPES = frozenset(
    f"text/{name}"
    for name in "html template x-template ng-template x-handlebars x-handlebars-template x-mustache".split()
)
MAX_LINKS = 50_000
"""Links of a page that are read, unless the caller says otherwise."""

_MAX_NESTING = 3
_MAX_BRACKETS = 100
_FREQUENT_TAGS = frozenset("* a blockquote q ins del table tr td th thead tbody tfoot".split())
"""Elements that are too frequent or too rare for queries of their own; attributes are queried on any element."""

_SHARED = {"link": "link", "script": "script[src]"}
"""Elements that most pages of a site share, and their selectors."""

_OPENING = re.compile(rb"(?:\.href)?\s{0,9}=\s{0,9}[\"'`]|(?:\.(?:assign|replace))?\s{0,9}\(\s{0,9}[\"'`]")
"""The part between `location` or `window.open` and the URL."""

_COMMENTS = XPath("//comment()")
_ANCHOR_COUNT = XPath("count(//a)")
_MAX_EMBEDDED = 1000
"""Documents in frames and comments that are read on one page."""


class RawLink(NamedTuple):
    """A link as written, with its element and the rule that found it."""

    href: str
    element: Element
    rule: LinkRule
    attribute: str


class LinkCollector:
    """The links of a page, up to a limit; `omitted_count` counts those beyond."""

    def __init__(self, limit: int) -> None:
        self.links: list[RawLink] = []
        self.omitted_count = 0
        self._limit = limit

    def __iter__(self) -> Iterator[RawLink]:
        return iter(self.links)

    @property
    def is_full(self) -> bool:
        """Return True if further links are omitted."""
        return len(self.links) >= self._limit

    def take_until_full(self, elements: Sequence[Element]) -> Iterator[Element]:
        """Yield elements until the limit is reached; each of the others counts as one omitted link."""
        for place, element in enumerate(elements):
            if self.is_full:
                self.omitted_count += len(elements) - place
                return
            yield element

    def add(self, hrefs: Iterable[str], element: Element, rule: LinkRule, attribute: str) -> None:
        """Add the links in an attribute or the text of an element."""
        self.extend([RawLink(href, element, rule, attribute) for href in hrefs])

    def extend(self, links: Sequence[RawLink], omitted_count: int = 0) -> None:
        """Add links that another collector found; `omitted_count` more were omitted there."""
        room = self._limit - len(self.links)
        self.links += links[:room]
        self.omitted_count += max(0, len(links) - room) + omitted_count


def find_anchors(document: Document, limit: int | None = None) -> list[Element]:
    """Return the `<a>` elements, which are nearly all links; some may lack a `href`."""
    return document.find_all("a", limit=limit)


def count_anchors(document: Document) -> int:
    """Return the number of `<a>` elements, without a limit."""
    return int(cast("float", _ANCHOR_COUNT(document)))


def find_elements_with_link_attributes(document: Document) -> list[Element]:
    """Return the elements with an attribute that may hold a link on any element, and those with a role.

    One query finds them all, so that the tree is searched once.
    """
    return document.select(_GLOBAL_ATTRIBUTE_SELECTOR)


def find_non_anchor_links(
    document: Document,
    *,
    is_known: IsKnown | None = None,
    body: bytes | None = None,
    with_attributes: list[Element] | None = None,
    limit: int = MAX_LINKS,
    reads_scripts: bool = False,
) -> LinkCollector:
    """Return every link that is not an `<a href>`: in attributes, styles, structured data and embedded documents.

    With `reads_scripts`, URLs that inline scripts open count too.

    Most pages of a site share styles and scripts: elements whose markup `is_known` are not read. The `body` shows if
    comments need to be searched. `with_attributes` is the result of `find_elements_with_link_attributes`, if the caller
    has it.
    """
    found = _find_direct_links(document, is_known, with_attributes, limit)
    if reads_scripts and (body is None or may_set_location(body)):
        for element in found.take_until_full(document.select("script:not([src])")):
            found.add(read_script_location(element.text), element, _SCRIPT_RULE, "location")
    has_comments = body is None or may_have_conditional_comments(body)
    for place, (_, inner) in enumerate(_find_embedded_markup(document, has_comments)):
        if found.is_full or place >= _MAX_EMBEDDED:
            found.omitted_count += 1
        else:
            links = find_all_links(parse_embedded(inner), 1, limit)
            found.extend(links.links, links.omitted_count)
    return found


def may_have_conditional_comments(body: bytes) -> bool:
    """Return True if the body may contain `[if`. Takes 1 µs per page, while a query for comments takes 20.

    Searching for a single byte is ten times as fast as for three, and few pages have many brackets.
    """
    place, checked = body.find(b"["), 0
    while place >= 0 and checked < _MAX_BRACKETS:
        if body.startswith(b"[if", place):
            return True
        place, checked = body.find(b"[", place + 1), checked + 1
    return checked >= _MAX_BRACKETS or b"\0" in body  # null bytes mean UTF-16


def may_set_location(body: bytes) -> bool:
    """Return True if a script in the body may open a URL that it names."""
    for word in (b"location", b"window.open"):
        place, checked = body.find(word), 0
        while place >= 0 and checked < _MAX_BRACKETS:
            if _OPENING.match(body, place + len(word)):
                return True
            place, checked = body.find(word, place + 1), checked + 1
        if checked >= _MAX_BRACKETS:
            return True
    return False


def find_all_links(document: Document, nesting: int = 0, limit: int = MAX_LINKS) -> LinkCollector:
    """Return every link in document order; the links of an embedded document are at its position."""
    ordinary = ((element.attr("href"), element) for element in find_anchors(document))
    found = [RawLink(href, element, ANCHOR_RULE, "href") for href, element in ordinary if href is not None]
    others = _find_direct_links(document, limit=limit)
    order = _index_nodes(document)
    placed = [(order[link.element], link) for link in found + others.links]
    if nesting < _MAX_NESTING:
        for node, inner in islice(_find_embedded_markup(document, has_comments=True), _MAX_EMBEDDED):
            place = order[node]
            placed += [(place, link) for link in find_all_links(parse_embedded(inner), nesting + 1, limit)]
            if len(placed) >= limit:
                break
    all_found = LinkCollector(limit)
    all_found.extend([link for _, link in sorted(placed, key=itemgetter(0))], others.omitted_count)
    return all_found


def _index_nodes(document: Document) -> dict[Element | Comment, int]:
    """Return the positions of elements and comments in the document."""
    nodes = document.descendants
    return {node: place for place, node in enumerate(nodes) if isinstance(node, (Element, Comment))}


def _find_direct_links(
    document: Document,
    is_known: IsKnown | None = None,
    with_attributes: list[Element] | None = None,
    limit: int = MAX_LINKS,
) -> LinkCollector:
    """Return the links that are not `<a href>`, without those of embedded documents."""
    found = LinkCollector(limit)
    if with_attributes is None:
        with_attributes = find_elements_with_link_attributes(document)
    _read_tags(document, found, is_known)
    _read_global_attributes(with_attributes, found)
    _read_menus(document, found)
    _read_texts(document, found)
    return found


class _AttributeMatcher(NamedTuple):
    """An attribute with its rules: those for a word in another attribute, and the default."""

    selector: str
    attribute: str
    rules_by_value: tuple[tuple[str, dict[str, LinkRule]], ...]
    default_rule: LinkRule | None

    def rule(self, element: Element) -> LinkRule | None:
        for name, rules in self.rules_by_value:
            for word in (element.attr(name) or "").lower().split():
                if word in rules:
                    return rules[word]
        return self.default_rule


def _read_tags(document: Document, found: LinkCollector, is_known: IsKnown | None) -> None:
    for tag, matchers in _MATCHERS_BY_TAG:
        if document.find(tag) is not None:  # takes half the time of a selector
            for matcher in matchers:
                for element in found.take_until_full(document.select(matcher.selector)):
                    _read(matcher, element, found)
    for tag, matchers in _SHARED_TAG_MATCHERS:
        for element in found.take_until_full(document.select(tag)):
            if is_known is None or not is_known(element.html):
                for matcher in matchers:
                    _read(matcher, element, found)


def _read_global_attributes(elements: list[Element], found: LinkCollector) -> None:
    for element in found.take_until_full(elements):
        matchers = _GLOBAL_MATCHERS.get(element.tag) or _GLOBAL_MATCHERS["*"]
        for name in element.attrs:
            if name in matchers:
                _read(matchers[name], element, found)
        if element.tag == "loc":  # not in the parser's index, so a query of its own would take 20 µs
            found.add(element.text.split(), element, _LOC_RULE, "text")


def _read(matcher: _AttributeMatcher, element: Element, found: LinkCollector) -> None:
    value = element.attr(matcher.attribute)
    rule = (matcher.rule(element) if matcher.rules_by_value else matcher.default_rule) if value else None
    if value and rule is not None:
        found.add(rule.read(value), element, rule, matcher.attribute)


def _read_menus(document: Document, found: LinkCollector) -> None:
    """Read the options of menus that open the page that is chosen."""
    if document.find("select") is None:
        return
    for menu in document.select("select"):
        options = menu.select("option[value]")
        handler = menu.attr("onchange") or ""
        if handler and is_navigation_handler(handler):
            rule = _OPTION_RULE
        elif is_menu_of_pages([option.attr("value") or "" for option in options[:MAX_OPTIONS]]):
            rule = _MENU_RULE
        else:
            continue
        for option in found.take_until_full(options):
            found.add(filter(None, [option.attr("value")]), option, rule, rule.attributes)


def _read_texts(document: Document, found: LinkCollector) -> None:
    for element in found.take_until_full(document.select("style")):
        found.add(read_css(element.text), element, _STYLE_RULE, "text")
    for element in found.take_until_full(document.select("script[type]")):
        kind = (element.attr("type") or "").lower()
        if kind == "application/ld+json":
            found.add(extract_json_ld_urls(element.text), element, _JSON_LD_RULE, "json-ld")
        elif kind in _TEMPLATE_TYPES:
            found.add(read_markup(element.text), element, _TEMPLATE_RULE, "text")


def _find_embedded_markup(document: Document, has_comments: bool) -> Iterator[tuple[Element | Comment, str]]:
    """Yield the markup of documents in frames and conditional comments, with the frame or comment."""
    for element in document.select("iframe"):
        if markup := element.attr("srcdoc"):
            yield element, markup
    for comment in cast("list[Comment]", _COMMENTS(document) if has_comments else []):
        text = comment.data
        if "[if" in text and text.lstrip().startswith("[if"):
            yield comment, text.partition(">")[2].rpartition("<!")[0]


def _list_attributes(tag: str) -> list[str]:
    """Return the attributes that have rules for this element."""
    names = (name for rule in LINK_RULES if tag in rule.elements.split() for name in rule.attributes.split())
    return list(dict.fromkeys(names))


def _build_matcher(tag: str, attribute: str) -> _AttributeMatcher:
    """Return the rules for an attribute of an element; those for any element if it has none."""
    rules = [rule for rule in LINK_RULES if attribute in rule.attributes.split()]
    own = [rule for rule in rules if tag in rule.elements.split()]
    by_word: dict[str, dict[str, LinkRule]] = {}
    for rule in own or [rule for rule in rules if rule.elements == "*"]:
        if rule.condition is None:
            return _AttributeMatcher(_build_selector(tag, attribute), attribute, tuple(by_word.items()), rule)
        name, words = rule.condition
        by_word.setdefault(name, {}).update(dict.fromkeys(words, rule))
    return _AttributeMatcher(_build_selector(tag, attribute, by_word), attribute, tuple(by_word.items()), None)


def _build_selector(tag: str, attribute: str, by_word: Mapping[str, Iterable[str]] | None = None) -> str:
    """Return a selector for elements with an attribute; if its rules need a word elsewhere, with one of these words."""
    if not by_word:
        return f"{tag}[{attribute}]".replace(":", "\\:")
    return tag + ":is(" + ",".join(f"[{name}='{word}' i]" for name, words in by_word.items() for word in words) + ")"


def _build_matchers(tag: str, attributes: Iterable[str]) -> tuple[_AttributeMatcher, ...]:
    return tuple(_build_matcher(tag, name) for name in attributes)


_TAGS = frozenset(tag for rule in LINK_RULES for tag in rule.elements.split())
_SVG_NAMES = ("href", "xlink:href")
_SVG_TAGS = [tag for tag in sorted(_TAGS) if "xlink:href" in _list_attributes(tag)]
_GLOBAL_ATTRIBUTES = sorted({name for tag in _FREQUENT_TAGS for name in _list_attributes(tag)} - set(_SVG_NAMES))
_GLOBAL_ATTRIBUTE_SELECTOR = (
    ":is(" + ",".join([*(f"[{name}]" for name in _GLOBAL_ATTRIBUTES), "[role]", "loc"]) + ")"
)  # a fifth less than a list
_SVG_MATCHERS = tuple(
    matcher for tag in _SVG_TAGS for matcher in _build_matchers(tag, _SVG_NAMES if tag != "a" else _SVG_NAMES[1:])
)
_GLOBAL_MATCHERS = {
    tag: {
        matcher.attribute: matcher
        for matcher in _build_matchers(tag, _GLOBAL_ATTRIBUTES if has_own_href else [*_GLOBAL_ATTRIBUTES, "href"])
    }
    for tag in _TAGS
    for has_own_href in ["href" in _list_attributes(tag) and tag != "*"]
}
_TAG_MATCHERS = {
    tag: _build_matchers(tag, names)
    for tag in sorted(_TAGS - _FREQUENT_TAGS)
    if (
        names := [
            name
            for name in _list_attributes(tag)
            if (name not in _GLOBAL_ATTRIBUTES and tag not in _SVG_TAGS) or name == "src"
        ]
    )
}
_SHARED_TAG_MATCHERS = tuple((selector, _TAG_MATCHERS[tag]) for tag, selector in _SHARED.items())
_MATCHERS_BY_TAG = (
    *((tag, matchers) for tag, matchers in _TAG_MATCHERS.items() if tag not in _SHARED),
    ("svg", _SVG_MATCHERS),
)
