"""Pages that generators write under fixed names."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.site_indexes.usual_pages import list_usual_pages


@pytest.mark.parametrize(
    ("head", "pages"),
    [
        ("<meta name=generator content=Pelican>", {"archives.html", "categories.html", "tags.html", "authors.html"}),
        ('<meta name=generator content="Hugo 0.147.9">', {"tags/", "categories/"}),
        (
            '<meta name=generator content=rustdoc><meta name=rustdoc-vars data-root-path="../">',
            {"../settings.html", "../help.html"},
        ),
        ("<meta name=generator content=Unknown>", set()),
        ("", set()),
    ],
)
def test_the_generator_of_a_page_names_its_usual_pages(head: str, pages: set[str]) -> None:
    assert set(list_usual_pages(parse_html(head))) == pages
