"""Placements of links: the source a link counts as, its region, its element and attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import LinkPlacement
from headwater.pages.links.regions import REGION_BY_LANDMARK, find_region, get_rel

if TYPE_CHECKING:
    from turbohtml import Element

    from headwater.model import Region
    from headwater.pages.links.link_rules import LinkRule

_SOURCE_BY_REGION = {"header": "navigation", "nav": "navigation", "aside": "navigation", "footer": "footer"}


def get_source(region: Region, kind: str) -> str:
    """Return the source a link counts as: its region for a link to a page, otherwise its kind."""
    return _SOURCE_BY_REGION.get(region, "content-link") if kind == "page" else kind


def build_placement(element: Element, rule: LinkRule, attribute: str) -> LinkPlacement:
    """Return the placement of a link in an attribute of an element."""
    region = find_region(element)
    is_next = rule.kind == "page" and "next" in get_rel(element).split()
    return LinkPlacement(get_source(region, rule.kind), region, element.tag, attribute, is_next)


_REGIONS: tuple[Region, ...] = ("content", *dict.fromkeys(REGION_BY_LANDMARK.values()))

ANCHOR_PLACEMENTS = {region: LinkPlacement(get_source(region, "page"), region) for region in _REGIONS}
NEXT_ANCHOR_PLACEMENTS = {region: place._replace(is_next=True) for region, place in ANCHOR_PLACEMENTS.items()}
"""One object for all `<a>` elements of a region, without and with `rel=next`."""
