"""Sketches of pages: what counts as content, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.text.content_sketch import MAX_ITEMS, sketch_content

if TYPE_CHECKING:
    from headwater.model import ContentSketch

PAGE = "https://e.com/list"
SENTENCE = "A sentence that is long enough to be content of a page."


def sketch(body: str, url: str = PAGE, title: str = "List") -> ContentSketch:
    found = sketch_content(parse_html(f"<body>{body}"), url, title)
    assert found is not None
    return found


def test_sentences_labels_links_and_images_are_content() -> None:
    found = sketch(f'<h1>Head</h1><p>{SENTENCE}</p><a href="/p/1">One</a><img src="/1.png">')
    assert (len(found.texts), len(found.labels), len(found.links)) == (1, 2, 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>a</p><p>b</p>", "<p>b</p><p>a</p>"),
        ("<p>a</p>", "<p> a </p><script>var a = 'a very long text that nobody sees on the page'</script>"),
        ('<a href="/p/1">a</a>', '<a href="https://e.com/p/1#top">a</a>'),
        ('<a href="/p/1">a</a>', '<a href="/p/1?sid=3f">a</a>'),
        ('<a href="/p/1">a</a>', '<a href="/p/1?utm_source=x">a</a>'),
        ('<a href="?sort=name">a</a>', '<a href="/list?sort=price">a</a>'),
    ],
)
def test_order_scripts_sessions_and_own_views_do_not_matter(one: str, other: str) -> None:
    assert sketch(one) == sketch(other)


def test_parameters_of_the_page_itself_are_ignored_in_its_links() -> None:
    plain, with_skin = (
        sketch('<a href="/p?id=1">a</a>'),
        sketch('<a href="/p?id=1&skin=dark">a</a>', f"{PAGE}?skin=dark"),
    )
    assert plain.links == with_skin.links
    assert sketch('<a href="/p?id=2">a</a>').links != plain.links


@pytest.mark.parametrize(
    ("one", "other", "is_equal"),
    [
        ("<h2>May 2024</h2><td>31</td>", "<h2>June 2024</h2><td>30</td>", True),
        ('<a href="?month=2024-04">April</a>', '<a href="?month=2024-07">July</a>', True),
        ("<h2>Concert</h2>", "<h2>Reading</h2>", False),
        ('<a href="/events/1">Concert</a>', '<a href="/events/2">Concert</a>', False),
    ],
)
def test_the_template_of_a_month_does_not_state_its_date(one: str, other: str, is_equal: bool) -> None:
    first = sketch(f"<p>Days</p>{one}", f"{PAGE}?month=2024-05", "May 2024")
    second = sketch(f"<p>Days</p>{other}", f"{PAGE}?month=2024-06", "June 2024")
    assert (first.template == second.template) is is_equal


def test_pages_without_text_or_with_too_much_of_it_are_not_compared() -> None:
    assert sketch_content(parse_html("<body><script>x</script>"), PAGE, "") is None
    many = "".join(f"<p>{number}</p>" for number in range(MAX_ITEMS + 1))
    assert sketch_content(parse_html(f"<body>{many}"), PAGE, "") is None
