"""The region of every anchor of a page, asked for all at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.link_finder import find_anchors, find_elements_with_link_attributes
from headwater.pages.links.regions import find_region, find_regions

TAGS = ("header", "nav", "aside", "main", "footer", "div", "section", "p")
ROLES = ("", ' role="navigation"', " role=banner", " role='contentinfo'", " role=link", ' role="menu"')


def element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tag = st.sampled_from(TAGS)
    parts = st.lists(inner, max_size=4).map("".join)
    return st.builds(lambda tag, role, inside: f"<{tag}{role}>{inside}</{tag}>", tag, st.sampled_from(ROLES), parts)


MARKUP = st.lists(st.recursive(st.just('<a href="/x">x</a>'), element, max_leaves=25), max_size=5).map("".join)


@given(MARKUP)
def test_all_at_once_is_as_one_by_one(markup: str) -> None:
    document = parse_html(markup)
    elements = find_anchors(document)
    assert find_regions(document, elements, find_elements_with_link_attributes(document)) == [
        find_region(one) for one in elements
    ]


def test_of_two_landmarks_around_the_same_anchors_the_inner_one_counts() -> None:
    for markup, region in (
        ("<header><nav><a href=x>x</a></nav></header>", "nav"),
        ("<nav><header><a href=x>x</a></header></nav>", "header"),
        ("<main><footer><a href=x>x</a></footer></main>", "footer"),
        ("<footer><main><a href=x>x</a></main></footer>", "main"),
    ):
        document = parse_html(markup)
        assert find_regions(document, find_anchors(document), find_elements_with_link_attributes(document)) == [region]


def test_thousands_of_landmarks() -> None:
    document = parse_html("<nav>" * 200 + "<header><a href=x>x</a></header>" * 3000)
    regions = find_regions(document, find_anchors(document), find_elements_with_link_attributes(document))
    assert len(regions) == 3000
    assert regions[0] == "header"
