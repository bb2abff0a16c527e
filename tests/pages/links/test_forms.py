"""URLs that forms lead to."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.forms import MAX_URLS_PER_FORM, find_form_targets, is_search_form

SHELVES = "<select name=s><option value=a>A<option>B</option><option value=''>All<option value=c disabled>C</select>"


@pytest.mark.parametrize(
    ("form", "targets"),
    [
        (f"<form action=/shelf>{SHELVES}</form>", ["/shelf?s=a", "/shelf?s=B"]),
        (f"<form action=/shelf?old=1#x method=GET>{SHELVES}</form>", ["/shelf?s=a", "/shelf?s=B"]),
        (f"<form>{SHELVES}</form>", ["?s=a", "?s=B"]),
        (f"<form action=/x><input type=hidden name=h value=1>{SHELVES}</form>", ["/x?h=1&s=a", "/x?h=1&s=B"]),
        (
            "<form action=/x><input type=radio name=r value=1><input type=radio name=r value=2></form>",
            ["/x?r=1", "/x?r=2"],
        ),
        ("<form action=/x><input type=checkbox name=c></form>", ["/x?c=on"]),
        (
            f"<form action=/x>{SHELVES}<input type=radio name=r value=1><input type=radio name=r value=2></form>",
            ["/x?s=a&r=1", "/x?s=a&r=2", "/x?s=B&r=1", "/x?s=B&r=2"],
        ),
        (
            f"<form action=/x>{SHELVES}<select name=sort><option>name<option>date</select></form>",
            ["/x?s=a&sort=name", "/x?s=B&sort=name"],
        ),
        (
            "<form action=/x><select name=s><option value='a b&c'>1<option>ü</select></form>",
            ["/x?s=a+b%26c", "/x?s=%C3%BC"],
        ),
        (f"<form action=/search><input name=q>{SHELVES}</form>", ["/search"]),
        ("<form action=/search><input type=search name=q></form>", ["/search"]),
        ("<form><input name=q></form>", []),
        (f"<form action=/x method=post>{SHELVES}</form>", []),
        ("<form action=/x><input type=hidden name=h value=1></form>", []),
        (f"<form action=/cart/delete>{SHELVES}</form>", []),
        (f"<form action=/x>{SHELVES}<button>Delete</button></form>", []),
        (f"<form action=/x>{SHELVES}<input type=submit value='Place order'></form>", []),
        (f"<form action=/x id=newsletter-unsubscribe>{SHELVES}</form>", []),
        (f"<form action=/x>{SHELVES}<button>Apply</button></form>", ["/x?s=a", "/x?s=B"]),
        ("<p>No form", []),
    ],
)
def test_the_targets_of_a_form(form: str, targets: list[str]) -> None:
    assert find_form_targets(parse_html(form)) == targets


def test_a_form_with_many_combinations_varies_one_field_at_a_time() -> None:
    menus = "".join(
        f"<select name={name}>" + "".join(f"<option>{n}" for n in range(9)) + "</select>" for name in ("a", "b", "c")
    )
    targets = find_form_targets(parse_html(f"<form action=/x>{menus}</form>"))
    assert targets[0] == "/x?a=0&b=0&c=0"
    assert targets[-1] == "/x?a=0&b=0&c=8"
    assert len(targets) == len(set(targets)) == 9 + 8 + 8


def test_the_number_of_targets_is_limited() -> None:
    options = "".join(f"<option>{n}" for n in range(1000))
    assert len(find_form_targets(parse_html(f"<form><select name=a>{options}</select></form>"))) == MAX_URLS_PER_FORM


@pytest.mark.parametrize(
    ("field", "is_search"),
    [("<input>", True), ("<input type=TEXT>", True), ("<textarea></textarea>", True), ("<input type=password>", True),
     ("<input type=submit>", False), ("<input type=hidden>", False), ("<input type=radio>", False), ("", False)],
)  # fmt: skip
def test_a_form_with_a_field_to_type_into_is_a_search_form(field: str, is_search: bool) -> None:
    form = parse_html(f"<form>{field}</form>").select_one("form")
    assert form is not None
    assert is_search_form(form) is is_search
