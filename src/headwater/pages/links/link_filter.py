"""Select the links that are followed, by their kind and region; other links are only recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.model import LINK_KINDS, REGIONS
from headwater.pages.links.harmful_actions import is_harmful_text
from headwater.pages.links.link_rules import LINK_RULES
from headwater.pages.links.regions import find_region

if TYPE_CHECKING:
    from turbohtml import Document, Element

    from headwater.settings import Settings

MAX_TEXT = 1000
_MAIN = "main,[role=main]"
_WITHOUT_REGION = frozenset({"script", "header"})
"""Kinds of links that are not on an element, and therefore in no region."""


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """The kinds and regions of links that are followed; `skips_actions` leaves out links such as "Log out"."""

    kinds: frozenset[str] = frozenset(LINK_KINDS)
    regions: frozenset[str] = frozenset(REGIONS)
    skips_actions: bool = False

    @classmethod
    def from_settings(cls, settings: Settings) -> LinkFilter:
        """Return the filter that `--follow-links` and `--follow-regions` describe."""
        return cls(frozenset(settings.follow_links), frozenset(settings.follow_regions), settings.has_session)

    @property
    def follows_all_anchors(self) -> bool:
        """Return True if every `<a href>` is followed, which is the default."""
        return not self.skips_actions and "a" in self.kinds and len(self.regions) == len(REGIONS)

    def for_page(self, document: Document) -> LinkFilter:
        """Return the filter for one page: without a main element, content outside landmarks counts as main."""
        if "content" in self.regions or "main" not in self.regions or document.select_one(_MAIN) is not None:
            return self
        return replace(self, regions=self.regions | {"content"})

    def should_follow(self, name: str, region: str) -> bool:
        """Return True if links of this kind in this region are followed."""
        return name in self.kinds and (name in _WITHOUT_REGION or region in self.regions)

    def should_follow_element(self, name: str, element: Element) -> bool:
        """Return True if a link of this kind on this element is followed; its region is found only if it matters."""
        if name not in self.kinds or (self.skips_actions and _names_action(element)):
            return False
        return len(self.regions) == len(REGIONS) or find_region(element) in self.regions


def _names_action(element: Element) -> bool:
    texts = (element.text[:MAX_TEXT], element.attr("aria-label") or "", element.attr("title") or "")
    return any(is_harmful_text(text) for text in texts if text)


FOLLOW_ALL_LINKS = LinkFilter()


def get_link_kind(element: str, attribute: str) -> str:
    """Return the kind of a link that was recorded with its element and attribute."""
    if element == "option":
        return "option" if attribute == "menu" else "onclick"
    if element in {"script", "loc", "header"}:
        other = {"json-ld": "json-ld", "text": "template"}.get(attribute, "script")
        return other if element == "script" else element
    rules = [rule for rule in LINK_RULES if rule.name and attribute in rule.attributes.split()]
    own = [rule.name for rule in rules if element in rule.elements.split()]
    return next(iter(own or [rule.name for rule in rules if rule.elements == "*"]), "")
