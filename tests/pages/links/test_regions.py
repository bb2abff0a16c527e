"""Regions, texts and relations of links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.link_finder import find_anchors, find_elements_with_link_attributes
from headwater.pages.links.regions import find_region, find_regions, get_link_text, get_rel

TAGS = ("header", "nav", "aside", "main", "footer", "div", "section", "p")
ROLES = ("", ' role="navigation"', " role=banner", " role='contentinfo'", " role=link", ' role="menu"')


def element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tag = st.sampled_from(TAGS)
    parts = st.lists(inner, max_size=4).map("".join)
    return st.builds(lambda tag, role, inside: f"<{tag}{role}>{inside}</{tag}>", tag, st.sampled_from(ROLES), parts)


MARKUP = st.lists(st.recursive(st.just('<a href="/x">x</a>'), element, max_leaves=25), max_size=5).map("".join)


@given(MARKUP)
def test_find_regions_agrees_with_find_region(markup: str) -> None:
    document = parse_html(markup)
    elements = find_anchors(document)
    assert find_regions(document, elements, find_elements_with_link_attributes(document)) == [
        find_region(one) for one in elements
    ]


def test_the_inner_of_two_landmarks_counts() -> None:
    for markup, region in (
        ("<header><nav><a href=x>x</a></nav></header>", "nav"),
        ("<nav><header><a href=x>x</a></header></nav>", "header"),
        ("<main><footer><a href=x>x</a></footer></main>", "footer"),
        ("<footer><main><a href=x>x</a></main></footer>", "main"),
    ):
        document = parse_html(markup)
        assert find_regions(document, find_anchors(document), find_elements_with_link_attributes(document)) == [region]


def test_pages_may_have_thousands_of_landmarks() -> None:
    document = parse_html("<nav>" * 200 + "<header><a href=x>x</a></header>" * 3000)
    regions = find_regions(document, find_anchors(document), find_elements_with_link_attributes(document))
    assert len(regions) == 3000
    assert regions[0] == "header"


@pytest.mark.parametrize(
    ("markup", "region"),
    [
        ("<header><a href=x></a></header>", "header"),
        ("<nav><ul><li><a href=x></a></ul></nav>", "nav"),
        ("<aside><a href=x></a></aside>", "aside"),
        ("<main><p><a href=x></a></main>", "main"),
        ("<footer><a href=x></a></footer>", "footer"),
        ("<div><a href=x></a></div>", "content"),
        ("<header><nav><a href=x></a></nav></header>", "nav"),
        ("<div role=navigation><a href=x></a></div>", "nav"),
        ("<div role=contentinfo><a href=x></a></div>", "footer"),
        ("<div role=banner><a href=x></a></div>", "header"),
    ],
)
def test_the_region_of_a_link_is_its_nearest_landmark(markup: str, region: str) -> None:
    assert find_region(parse_html(markup).select("a")[0]) == region


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=x>  Two\n  <b>words</b> </a>", "Two words"),
        ("<a href=x aria-label='Label'></a>", "Label"),
        ("<a href=x title='Title'><img src=y></a>", "Title"),
        ("<a href=x><img src=y alt='Picture'></a>", "Picture"),
        ("<a href=x></a>", ""),
    ],
)
def test_the_text_of_a_link(markup: str, text: str) -> None:
    assert get_link_text(parse_html(markup).select("a")[0]) == text


def test_rel_is_returned_in_lower_case() -> None:
    assert get_rel(parse_html('<a href=x rel="NoFollow next">').select("a")[0]) == "nofollow next"
