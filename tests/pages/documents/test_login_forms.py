"""A login form is the same one on every page that asks for the same fields."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.login_forms import find_login_forms

LOGIN = "<form action=/login><input name=user><input type=password name=pw><input type=checkbox name=keep></form>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (LOGIN, [{"user", "pw"}]),
        ("<nav><form action=/?x=1><input type=HIDDEN name=token>" + LOGIN[20:] + "</nav><p>Text", [{"user", "pw"}]),
        ("<input id=mail type=email><input id=secret type=Password>", [{"mail", "secret"}]),
        ("<form><input name=q type=search></form>" + LOGIN, [{"user", "pw"}]),
        ("<form><input type=password name=old><input type=password name=new></form>", [{"old", "new"}]),
        ("<form><input name=user><input name=mail></form>", []),
        ("<form><input type=password></form>", []),
        ("<p>Text", []),
    ],
)
def test_forms_that_ask_for_a_password(html: str, expected: list[set[str]]) -> None:
    assert find_login_forms(parse_html(html)) == frozenset(map(frozenset, expected))
