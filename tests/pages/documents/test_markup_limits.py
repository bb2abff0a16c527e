"""Markup that would become millions of elements is limited, and ordinary markup is unchanged."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_embedded, parse_html
from headwater.pages.documents.markup_limits import FEW_TAGS, MAX_TAGS, limit_markup

OPEN = "<p>" + "".join(f"<b a={number}>" for number in range(500))
PARAGRAPHS = "<p>x<a href=/y>z</a>" * 4000

# Ordinary pages with enough formatting elements that each is checked.
ORDINARY = [
    '<p>A <code class="xref"><span class="pre">name</span></code>, <b><i>nested</i></b> and <strong>bold</strong>.</p>',
    "<li><i class='icon icon-{0}'></i><a href=/{0}><em id={0}>{0}</em></a></li>",
    "<td><B>x</B></td><td><FONT size=2 color='red'>{0}</FONT></td>",
    "<p><em>unclosed {0}</p>",
]


@pytest.mark.parametrize("row", ORDINARY)
def test_ordinary_pages_are_unchanged(row: str) -> None:
    page = "".join(row.format(number) for number in range(4000))
    assert page.count("<") > FEW_TAGS
    assert limit_markup(page) == page


# Elements that stay open although there are as many closing tags as opening ones.
HIDDEN = [
    "",
    "<!--{}-->",
    "<i title='{}'></i>",
    "<i a=x'{}>",
    "<table><td>{}</table>",
    "<style>{}</style>",
    "<textarea>{}</textarea>",
    "<select>{}</select>",
]


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "windows-1252"])
def test_elements_that_stay_open_do_not_multiply(hidden: str, encoding: str) -> None:
    text = OPEN + hidden.format("</b>" * 500) + PARAGRAPHS
    document = parse_html(text.encode(encoding), "" if encoding == "utf-16" else encoding)
    assert len(document.select("*")) < 20_000
    assert len(document.select("a[href='/y']")) == 4000
    assert document.text.count("xz") == 4000


def test_a_document_inside_a_page_has_no_allowance() -> None:
    assert len(parse_embedded(OPEN[:4000] + "<p>x" * 400).select("*")) < 2000


def test_tags_beyond_the_limit_are_not_read() -> None:
    page = "<br>" * MAX_TAGS + "<a href=/late>"
    assert len(limit_markup(page)) == len("<br>") * MAX_TAGS


@pytest.mark.parametrize("charset", ["", "utf-8", "windows-1252"])
def test_null_characters_are_dropped(charset: str) -> None:
    assert parse_html(b"<p>" + b"a\0" * 2000, charset).text.strip("\n") == "a" * 2000
