"""Exports are valid and safe, even with hostile text."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING
from xml.parsers import expat

import pytest
from usp.fetch_parse import XMLSitemapParser
from usp.objects.sitemap import AbstractSitemap  # noqa: TC002

from headwater import SettingError
from headwater.export import EXPORTERS, Output
from headwater.export.records import FIELDS
from headwater.model import Page
from headwater.settings.choices import BINARY_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

HOSTILE = [
    "=cmd|'/C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "\tx",
    "\rx",
    'quote " and, comma',
    "line\nbreak",
    "</script><script>alert(1)</script>",
    "<!--",
    "](javascript:alert(1))",
    "\x1b[31m",
    "\x00\x0b\x7f\x9b",
    "\ud83d alone",
    "]]>",
    "\ufffe\uffff",
    "\u2028\x85",
    "\uff1d1+1",
]


TEXT_FORMATS = [style for style in EXPORTERS if style not in BINARY_FORMATS]


def written(style: str, pages: list[Page]) -> str:
    stream = io.StringIO(newline="")
    EXPORTERS[style](pages, Output(stream, title="A <title>", read_links=tuple))
    return stream.getvalue()


def page(number: int, **fields: object) -> Page:
    return Page(f"https://e.com/{number}", **fields)  # type: ignore[arg-type]


def test_jsonl_has_every_field() -> None:
    row = json.loads(written("jsonl", [page(1, title="é", sources=("seed",))]))
    assert set(FIELDS) == set(row)
    assert set("url kind key fetch_url sources found_on region title depth hops state status".split()) <= set(row)
    assert (row["title"], row["sources"], row["status"], row["clusters"]) == ("é", ["seed"], None, None)


# The fields of a page, and the fields of its record that follow from its list.
LISTED: list[tuple[dict[str, object], dict[str, object]]] = [
    ({}, {"list": "pages"}),
    ({"noindex": True}, {"list": "pages", "noindex": True}),
    ({"status": 200, "unchanged": True}, {"list": "pages", "unchanged": True}),
    ({"canonical": "https://e.com/2"}, {"list": "pages", "canonical": "https://e.com/2"}),
    (
        {"list_name": "redirects", "leads_to": "https://e.com/2"},
        {"list": "redirects", "redirect_to": "https://e.com/2"},
    ),
    (
        {"list_name": "duplicates", "leads_to": "https://e.com/2", "canonical": "https://e.com/2"},
        {"list": "duplicates", "duplicate_of": "https://e.com/2", "canonical": "https://e.com/2"},
    ),
    ({"list_name": "broken", "state": "failed"}, {"list": "broken"}),
    ({"list_name": "files", "state": "skipped"}, {"list": "files"}),
    ({"list_name": "skipped", "state": "skipped"}, {"list": "skipped"}),
]
DEFAULTS = {"redirect_to": None, "duplicate_of": None, "canonical": None, "noindex": False, "unchanged": False}


@pytest.mark.parametrize(("fields", "expected"), LISTED)
def test_a_record_names_its_list_and_related_fields(fields: dict[str, object], expected: dict[str, object]) -> None:
    row = json.loads(written("jsonl", [page(1, **fields)]))
    assert {name: row[name] for name in ("list", *DEFAULTS)} == {**DEFAULTS, **expected}
    table = next(csv.DictReader(io.StringIO(written("csv", [page(1, **fields)]), newline="")))
    assert list(table) == list(row)
    assert {name: table[name] for name in expected} == {name: str(value) for name, value in expected.items()}


def test_json_is_an_array() -> None:
    assert json.loads(written("json", [])) == []
    assert [row["url"] for row in json.loads(written("json", [page(1), page(2)]))] == [
        "https://e.com/1",
        "https://e.com/2",
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_contains_no_formulas(text: str) -> None:
    rows = list(csv.DictReader(io.StringIO(written("csv", [page(1, title=text)]), newline="")))
    assert len(rows) == 1
    title = rows[0]["title"]
    assert title.replace("\ufffd", "\ud83d") in {text, "'" + text}
    assert not title.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"))


def test_extracted_values_have_a_column_each() -> None:
    pages = [page(1, extracted={"price": "9", "tags": ["a", "b"]}), page(2, extracted={"price": "=1"}), page(3)]
    output = io.StringIO()
    EXPORTERS["csv"](pages, Output(output, fields=("url", "extracted", "status"), extracted=("price", "tags")))
    assert list(csv.reader(io.StringIO(output.getvalue(), newline=""))) == [
        ["url", "price", "tags", "status"],
        ["https://e.com/1", "9", "a\nb", ""],
        ["https://e.com/2", "'=1", "", ""],
        ["https://e.com/3", "", "", ""],
    ]
    (row,) = csv.DictReader(io.StringIO(written("csv", pages[:1]), newline=""))
    assert row["extracted"] == "price: 9\ntags: a\ntags: b"
    assert json.loads(written("jsonl", pages[:1]))["extracted"] == {"price": "9", "tags": ["a", "b"]}


@pytest.mark.parametrize("text", HOSTILE)
def test_html_contains_text_only_as_data(text: str) -> None:
    html = written("html", [page(1, title=text)])
    assert html.count("<script>") == 1
    assert html.count("</script>") == 1
    assert "<title>A &lt;title&gt;</title>" in html
    data = html.partition("const rows = ")[2].partition(";\nconst names")[0]
    assert json.loads(data)[0][1] == text


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_rows_stay_on_one_line(text: str) -> None:
    lines = written("md", [page(1, title=text)]).splitlines()
    assert len(lines) == 3
    assert lines[2].endswith("](<https://e.com/1>)")


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_contains_no_control_characters(text: str) -> None:
    lines = written("md", [page(1, title=text)]).splitlines()
    assert not any(unicodedata.category(character) == "Cc" for character in "".join(lines))


def test_markdown_escapes_urls() -> None:
    row = written("md", [Page("https://e.com/?a>b\nc\\")]).splitlines()[2]
    assert row.endswith("](<https://e.com/?a%3Eb%0Ac%5C>)")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("style", TEXT_FORMATS)
def test_every_format_can_be_encoded(style: str, text: str) -> None:
    hostile = Page(f"https://e.com/{text}", title=text, lastmod=text, clusters=(text,), text=text, found_on=text)
    assert written(style, [hostile]).encode()


@pytest.mark.parametrize("style", ["json", "jsonl"])
@pytest.mark.parametrize("text", HOSTILE)
def test_json_preserves_text(style: str, text: str) -> None:
    rows = json.loads(written(style, [page(1, title=text)]))
    assert (rows if style == "jsonl" else rows[0])["title"] == text


class Parts:
    """Files kept in memory."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    @contextmanager
    def open(self, name: str) -> Iterator[TextIO]:
        stream = io.StringIO()
        yield stream
        self.files[name] = stream.getvalue()


def read_back(text: str) -> AbstractSitemap:
    """Parse a sitemap with ultimate-sitemap-parser."""
    return XMLSitemapParser("https://e.com/sitemap.xml", text, 0, None, set()).sitemap()  # type: ignore[arg-type]


def test_a_sitemap_can_be_parsed() -> None:
    pages = [
        page(1, lastmod="2026-01-01"),
        Page("https://e.com/?a=1&b=<2>"),
        page(3, kind="external"),
        page(4, state="failed", list_name="broken"),
        page(5, state="fetched", noindex=True),
    ]
    urls = {found.url for found in read_back(written("xml", pages)).all_pages()}
    assert urls == {"https://e.com/1", "https://e.com/?a=1&b=<2>"}


def is_well_formed(text: str) -> bool:
    return bool(expat.ParserCreate().Parse(text.encode(), True))


XML_HOSTILE = [*HOSTILE, *map(chr, range(0x20)), "</url>", "&x;", "<![CDATA[", "<!DOCTYPE a [", '"', "'"]


@pytest.mark.parametrize("text", XML_HOSTILE)
def test_a_sitemap_with_hostile_text_is_well_formed(text: str) -> None:
    hostile = Page(f"https://e.com/{text}", title=text, lastmod=text, text=text, found_on=text, content_type=text)
    assert is_well_formed(written("xml", [page(1), hostile]))
    parts, main = Parts(), io.StringIO()
    pages = (page(number, lastmod=text) for number in range(50_001)) if text == "&x;" else iter([hostile])
    EXPORTERS["xml"](pages, Output(main, parts.open, title=text, origin=f"https://e.com/{text}"))
    assert all(is_well_formed(file) for file in [main.getvalue(), *parts.files.values()])


# A date as a site gives it, and True if a sitemap may contain it.
DATES = [
    ("2026", True),
    ("2026-01", True),
    ("2024-02-29", True),
    ("2026-01-02T03:04Z", True),
    ("2026-01-02T03:04:05+01:00", True),
    ("2026-01-02T03:04:05.123-23:59", True),
    ("2026-02-29", False),
    ("2026-13-01", False),
    ("0000-01-01", False),
    ("2026-01-02T24:00Z", False),
    ("2026-01-02T03:04:05", False),
    ("2026-01-02 03:04:05Z", False),
    ("2026-01-02\n", False),
    ("\u0662026-01-02", False),
    ("Mon, 02 Jan 2026 03:04:05 GMT", False),
    ("2026-01-02</lastmod><x>", False),
    ("yesterday\x00", False),
]


@pytest.mark.parametrize(("lastmod", "is_written"), DATES)
def test_only_dates_of_the_protocol_are_written(lastmod: str, is_written: bool) -> None:
    text = written("xml", [page(1, lastmod=lastmod)])
    assert ("<lastmod>" in text) == is_written
    assert not is_written or f"<lastmod>{lastmod}</lastmod>" in text


# The fields of https://e.com/1, and True if it belongs in a sitemap.
INDEXABLE: list[tuple[dict[str, object], bool]] = [
    ({"state": "discovered"}, True),
    ({"state": "fetched", "status": 200}, True),
    ({"state": "fetched", "status": 200, "unchanged": True}, True),
    ({"state": "deferred", "reason": "robots-unreachable"}, True),
    ({"state": "fetched", "status": 200, "noindex": True}, False),
    ({"state": "fetched", "status": 200, "noindex": True, "unchanged": True}, False),
    ({"state": "fetched", "status": 301, "list_name": "redirects", "leads_to": "https://e.com/2"}, False),
    ({"state": "fetched", "status": 200, "list_name": "redirects", "leads_to": "https://e.com/2"}, False),
    ({"state": "fetched", "status": 200, "list_name": "duplicates", "leads_to": "https://e.com/2"}, False),
    ({"state": "failed", "status": 404, "reason": "http-404", "list_name": "broken"}, False),
    ({"state": "skipped", "status": 200, "reason": "not-html", "list_name": "files"}, False),
    ({"state": "skipped", "reason": "robots-disallowed", "list_name": "skipped"}, False),
    ({"kind": "external", "state": "fetched", "status": 200}, False),
    ({"kind": "resource"}, False),
    ({"kind": "endpoint"}, False),
    # A canonical URL alone does not make a duplicate.
    ({"state": "fetched", "status": 200, "canonical": "https://e.com/1"}, True),
    ({"state": "fetched", "status": 200, "canonical": "https://e.com/2"}, True),
    ({"state": "fetched", "status": 200, "canonical": "https://f.com/1"}, True),
]


@pytest.mark.parametrize(("fields", "belongs"), INDEXABLE)
def test_only_indexable_pages_are_in_a_sitemap(fields: dict[str, object], belongs: bool) -> None:
    assert ("<loc>https://e.com/1</loc>" in written("xml", [page(1, **fields)])) == belongs


def test_120000_urls_are_three_sitemaps_and_an_index(tmp_path: Path) -> None:
    parts, main = Parts(), io.StringIO()
    EXPORTERS["xml"]((page(number) for number in range(120_000)), Output(main, parts.open, origin="https://e.com"))
    assert [main.getvalue().count(f"<loc>https://e.com/{name}</loc>") for name in sorted(parts.files)] == [1, 1, 1]
    assert "<sitemapindex" in main.getvalue()
    read = [{found.url for found in read_back(text).all_pages()} for text in parts.files.values()]
    assert [len(urls) for urls in read] == [50_000, 50_000, 20_000]
    assert set().union(*read) == {f"https://e.com/{number}" for number in range(120_000)}
    assert max(len(text.encode()) for text in parts.files.values()) < 50 * 1024 * 1024


def test_several_files_need_an_output_file() -> None:
    with pytest.raises(SettingError, match="several files"):
        EXPORTERS["xml"]((page(number) for number in range(50_001)), Output(io.StringIO()))


@pytest.mark.parametrize("style", TEXT_FORMATS)
def test_exporters_write_rows_as_they_are_read(style: str) -> None:
    """The first rows are written before the last are read."""
    stream = io.StringIO()
    seen_at: list[int] = []

    def pages() -> Iterator[Page]:
        for number in range(1000):
            seen_at.append(stream.tell())
            yield page(number)

    EXPORTERS[style](pages(), Output(stream, read_links=tuple))
    assert style in {"xml", "atom"} or seen_at[-1] > 1000
