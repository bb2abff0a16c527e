"""Facts in the head of a page."""

from __future__ import annotations

from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html


def test_the_head_of_a_page() -> None:
    head = Head.from_document(
        parse_html(
            "<html lang=de-AT><title> A\n title </title><base href=/b/><link rel=canonical href=/c>"
            "<meta name=Robots content='noindex, nofollow'><meta name=googlebot content=none><title>no</title>"
        )
    )
    assert head == ("A title", "de-AT", "/b/", "/c", (True, True))
    assert Head.from_document(parse_html("<p>nothing")) == ("", "", "", "", (False, False))
