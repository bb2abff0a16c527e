"""Kinds and regions of links that are followed."""

from __future__ import annotations

import pytest

from headwater.model import LINK_KINDS, REGIONS
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.link_filter import LinkFilter, get_link_kind
from headwater.pages.links.link_finder import find_all_links
from headwater.pages.links.link_rules import LINK_RULES
from headwater.settings import build_settings
from tests.pages.links.test_link_finder import PAGES

KINDS_WITHOUT_REGION = {"script", "header"}


def test_every_rule_for_pages_has_a_kind() -> None:
    for rule in LINK_RULES:
        assert (rule.name in LINK_KINDS) is (rule.kind == "page"), rule


@pytest.mark.parametrize("markup", [markup for markup, _ in PAGES])
def test_the_kind_of_a_recorded_link_is_that_of_the_rule_that_found_it(markup: str) -> None:
    for link in find_all_links(parse_html(markup)):
        if link.rule.kind == "page":
            assert get_link_kind(link.element.tag, link.attribute) == link.rule.name, link


@pytest.mark.parametrize(
    ("element", "attribute", "kind"),
    [("script", "pushState", "script"), ("header", "header", "header"), ("p", "class", "")],
)
def test_kinds_of_links_that_are_not_on_an_element(element: str, attribute: str, kind: str) -> None:
    assert get_link_kind(element, attribute) == kind


@pytest.mark.parametrize(
    ("settings", "name", "region", "is_followed"),
    [
        ({}, "link", "content", True),
        ({"follow_links": ["a", "area"]}, "area", "content", True),
        ({"follow_links": ["a", "area"]}, "link", "content", False),
        ({"follow_regions": ["nav"]}, "a", "nav", True),
        ({"follow_regions": ["nav"]}, "a", "main", False),
        ({"follow_regions": ["nav"]}, "script", "content", True),
        ({"follow_regions": ["nav"]}, "header", "", True),
        ({"follow_links": ["a"], "follow_regions": ["nav"]}, "script", "content", False),
    ],
)
def test_links_are_followed_by_kind_and_region(
    settings: dict[str, object], name: str, region: str, is_followed: bool
) -> None:
    assert LinkFilter.from_settings(build_settings(settings)).should_follow(name, region) is is_followed


@pytest.mark.parametrize(
    ("regions", "markup", "is_followed"),
    [
        (("nav", "main"), "<p><a href=/x></a>", True),
        (("nav", "main"), "<main></main><p><a href=/x></a>", False),
        (("nav", "main"), "<div role=main></div><p><a href=/x></a>", False),
        (("nav",), "<p><a href=/x></a>", False),
        (REGIONS, "<main></main><p><a href=/x></a>", True),
    ],
)
def test_without_a_main_element_other_content_counts_as_main(
    regions: tuple[str, ...], markup: str, is_followed: bool
) -> None:
    document = parse_html(markup)
    (element,) = document.select("a")
    followed = LinkFilter(regions=frozenset(regions)).for_page(document)
    assert followed.should_follow_element("a", element) is is_followed
