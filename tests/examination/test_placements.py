"""Placements of links on a page."""

from __future__ import annotations

import pytest

from headwater.examination.placements import ANCHOR_PLACEMENTS, NEXT_ANCHOR_PLACEMENTS, build_placement
from headwater.model import REGIONS, LinkPlacement
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.link_finder import find_all_links


@pytest.mark.parametrize(
    ("markup", "placement"),
    [
        ("<a href=/x>", LinkPlacement("content-link")),
        ("<main><a href=/x></main>", LinkPlacement("content-link", "main")),
        ("<nav><a href=/x></nav>", LinkPlacement("navigation", "nav")),
        ("<header><a href=/x></header>", LinkPlacement("navigation", "header")),
        ("<aside><a href=/x></aside>", LinkPlacement("navigation", "aside")),
        ("<footer><a href=/x></footer>", LinkPlacement("footer", "footer")),
        ("<a rel='prefetch Next' href=/x>", LinkPlacement("content-link", is_next=True)),
        ("<p data-url=/x>", LinkPlacement("content-link", "content", "p", "data-url")),
        ("<nav><img src=/x></nav>", LinkPlacement("resource", "nav", "img", "src")),
        ("<form method=post action=/x>", LinkPlacement("endpoint", "content", "form", "action")),
    ],
)
def test_the_placement_of_a_link(markup: str, placement: LinkPlacement) -> None:
    (link,) = find_all_links(parse_html(markup))
    assert build_placement(link.element, link.rule, link.attribute) == placement


def test_every_region_has_a_placement_for_anchors() -> None:
    assert ANCHOR_PLACEMENTS.keys() == NEXT_ANCHOR_PLACEMENTS.keys() == set(REGIONS)
    assert all(place.is_next for place in NEXT_ANCHOR_PLACEMENTS.values())
