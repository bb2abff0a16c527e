"""Values that expressions extract from a page, and the errors for expressions with mistakes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from headwater.errors import SettingError
from headwater.model import Response
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.extraction import compile_extractors, extract_values, list_extracted_names
from headwater.pages.extraction.expression_limits import MAX_ELEMENTS
from headwater.pages.extraction.expressions import MAX_EXTRACTORS
from headwater.pages.extraction.page_values import MAX_MATCHES, MAX_PAGE, MAX_VALUE

PAGE = """<!doctype html><html><head><meta property="og:type" content="product">
<script type="application/ld+json">{"@graph": [
  {"@type": "Product", "name": "Kettle", "offers": [{"@type": "Offer", "price": 19.5}, {"price": "21"}], "isNew": true},
  {"@type": ["Person", "Author"], "name": "Ada"}]}</script>
<script type="application/ld+json">{"broken": </script>
<script type="APPLICATION/LD+JSON; charset=utf-8">{"name": ["x", ["y"]], "count": 3}</script></head>
<body><main><h1>  Big\n kettle </h1><p class=price data-sku=K1>19,50 €</p><a href=/a>one</a><a href=/b>two</a>
<a>three</a>
<dl><dt>Color<dd>red<dt>Size<dd>L</dl><p></p></main></body></html>"""


def extract(*expressions: str, page: str | bytes = PAGE, charset: str = "utf-8") -> dict[str, Any]:
    body = page if isinstance(page, bytes) else page.encode()
    response = Response("https://e.com/", 200, body=body, charset=charset)
    values = extract_values(compile_extractors(expressions), parse_html(body, charset), response)
    found: dict[str, Any] = json.loads(values) if values else {}
    return found


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("css:h1", "Big kettle"),
        ("css:h1::text", "Big kettle"),
        ("css:.price", "19,50 €"),
        ("css:.price@data-sku", "K1"),
        ("css:.price::attr(data-sku)", "K1"),
        ("css:a@href", ["/a", "/b"]),
        ("css:a::attr(HREF)", ["/a", "/b"]),
        ("css:a", ["one", "two", "three"]),
        ('css:a[href="/a"]', "one"),
        ('css:meta[property="og:type"]@content', "product"),
        ("css:main:has(h1) .price", "19,50 €"),
        ("css:main p:last-child", None),
        ("css:.none", None),
        ("xpath://h1", "Big kettle"),
        ("xpath://a/@href", ["/a", "/b"]),
        ("xpath://a/text()", ["one", "two", "three"]),
        ("xpath:count(//a)", "3"),
        ("xpath:string(//p[@class='price'])", "19,50 €"),
        ("xpath://dt[.='Size']/following-sibling::dd[1]", "L"),
        ("xpath:boolean(//h1)", "true"),
        ("xpath://a[contains(text(), '//')]", None),
        ("re:data-sku=(\\w+)", "K1"),
        ("re:(?i)BIG", "Big"),
        ("re:[0-9]+,[0-9]+ €", "19,50 €"),
        ('re:href=(?:"x"|(/[ab]))', ["/a", "/b"]),
        ("json-ld:Product.name", "Kettle"),
        ("json-ld:Author.name", "Ada"),
        ("json-ld:offers.price", ["19.5", "21"]),
        ("json-ld:offers.Offer.price", "19.5"),
        ("json-ld:name", ["Kettle", "Ada", "x", "y"]),
        ("json-ld:isNew", "true"),
        ("json-ld:count", "3"),
        ("json-ld:offers", None),
        ("json-ld:count.price", None),
    ],
)
def test_values(expression: str, value: object) -> None:
    assert extract(f"it={expression}") == ({} if value is None else {"it": value})


def test_several_values_have_names_of_their_own() -> None:
    assert extract("h1=css:h1", " sku = re:sku=(\\w+) ") == {"h1": "Big kettle", "sku": "K1"}
    assert list_extracted_names(["h1=css:h1", " sku = re:sku=(\\w+)"]) == ("h1", "sku")


def test_pages_in_other_encodings_are_searched_as_text() -> None:
    assert extract("it=re:caf.", page="<p>café".encode("latin-1"), charset="iso-8859-1") == {"it": "café"}


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("price", "expected NAME=KIND:EXPRESSION"),
        ("price=.price", "expected NAME=KIND:EXPRESSION"),
        ("price=json:offers", "is one of css:, xpath:, re:, json-ld:"),
        ("price=css:", "expected NAME=KIND:EXPRESSION"),
        ("=css:p", "the name ''"),
        ("a b=css:p", "the name 'a b'"),
        ("title=css:h1", "already the name of a field"),
        ("score=css:h1", "already the name of a field"),
        ("it=css:p[", "not valid after css: (invalid CSS selector"),
        ("it=css:div:has(p:has(a))", ":has() inside :has()"),
        ("it=xpath://p[", "not valid after xpath: ("),
        ("it=xpath:nothing(1)", "not valid after xpath: ("),
        ("it=xpath://x:p", "not valid after xpath: ("),
        ("it=xpath://p[preceding::a]", "preceding:: inside [ ]"),
        ("it=xpath://p/preceding::a", "the axis preceding::"),
        ("it=xpath://p[../p]", ".. inside [ ]"),
        ("it=xpath://p[a[b]]", "[ ] inside [ ]"),
        ("it=xpath://p[count(//p) > 1]", "a path from the root inside [ ]"),
        ("it=xpath://p/following-sibling::p", "siblings without a position"),
        ("it=xpath:(//p/preceding-sibling::p)[1]", "siblings without a position"),
        ("it=xpath://p/following-sibling::*[.='x'][1]", "siblings without a position"),
        ("it=re:(", "not valid after re: ("),
        ("it=re:(?=x)", "not valid after re: ("),
        ("it=json-ld:a..b", "a name between two dots is missing"),
        (f"it=css:{'p' * 1000}", "longer than 1,000 characters"),
    ],
)
def test_mistakes_are_named(expression: str, fault: str) -> None:
    with pytest.raises(SettingError) as error:
        compile_extractors([expression])
    assert error.value.name == "extract"
    assert fault in error.value.problem
    assert expression[:20] in error.value.problem


def test_names_are_unique_and_few() -> None:
    with pytest.raises(SettingError, match="'it' is used twice"):
        compile_extractors(["it=css:p", "it=css:a"])
    with pytest.raises(SettingError, match="too many"):
        compile_extractors([f"n{number}=css:p" for number in range(MAX_EXTRACTORS + 1)])


def test_matches_and_lengths_are_bounded() -> None:
    found = extract("it=css:p", page=f"<p>{'x' * 5000}</p>" + "<p>y</p>" * 100)
    assert [len(one) for one in found["it"]] == [MAX_VALUE, *[1] * (MAX_MATCHES - 1)]
    many = extract(*(f"n{number}=css:p" for number in range(50)), page=f"<p>{'x' * 5000}</p>")
    assert len(many) == MAX_PAGE // MAX_VALUE


def test_hostile_pages_are_searched_in_bounded_time() -> None:
    many = "<p>x</p>" * (MAX_ELEMENTS + 1)
    nested = "<div>" * 500 + "<p>x</p>" * 5000
    for page in (many, nested, "<b><i><u>" * 100 + "<p>x" * 5000, f"<p>{'a' * 2_000_000}!"):
        extract(
            "a=xpath://p/following-sibling::node()[2]",
            "b=css:div:has(p ~ q)",
            "c=re:(a*)*$",
            "d=xpath://*[.//q]",
            page=page,
        )
    assert extract("it=xpath://p", "css=css:p", page=many).keys() == {"css"}
    deep = f'<script type="application/ld+json">{"[" * 100_000}</script>'
    wide = f'<script type="application/ld+json">[{",".join(["[{}]"] * 200_000)}]</script>'
    assert extract("it=json-ld:a.b", page=deep + wide) == {}


def test_texts_that_cannot_be_stored_are_replaced() -> None:
    page = '<script type="application/ld+json">{"name": "a\\ud800b"}</script>'
    assert extract("it=json-ld:name", page=page) == {"it": "a?b"}
