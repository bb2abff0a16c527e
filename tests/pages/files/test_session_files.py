"""Files with the session of a browser are parsed, and cookies go only to their domains."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.files.session_files import Cookie, SessionFileError, format_netscape, parse_session_file

SECRET = "s3cret-value"
NETSCAPE = f"""# Netscape HTTP Cookie File
.example.com\tTRUE\t/\tTRUE\t4102444800\tsid\t{SECRET}

#HttpOnly_app.example.com\tFALSE\t/app\tFALSE\t0\ttoken\tabc=
"""
EXTENSION = [
    {"domain": ".example.com", "name": "sid", "value": SECRET, "path": "/", "secure": True, "hostOnly": False,
     "httpOnly": False, "expirationDate": 4102444800.5, "sameSite": "lax", "session": False, "storeId": "0", "id": 1},
    {"domain": "app.example.com", "name": "token", "value": "abc=", "path": "/app", "httpOnly": True, "hostOnly": True},
]  # fmt: skip
STATE = {
    "cookies": [{"name": "sid", "value": SECRET, "domain": "example.com", "path": "/", "expires": -1}],
    "origins": [{"origin": "https://Example.com/", "localStorage": [{"name": "jwt", "value": SECRET}]}],
}


def test_cookies_txt_and_json_give_the_same_cookies() -> None:
    wide = Cookie("sid", SECRET, "example.com", "/", False, True, False, 4102444800.0)
    narrow = Cookie("token", "abc=", "app.example.com", "/app", True, False, True)
    assert parse_session_file(NETSCAPE).cookies == (wide, narrow)
    assert parse_session_file("\ufeff" + NETSCAPE.replace("\n", "\r\n")).cookies == (wide, narrow)
    assert parse_session_file(json.dumps(EXTENSION)).cookies == (wide._replace(expires=4102444800.5), narrow)
    lines = "\n".join(map(format_netscape, (wide, narrow)))
    assert parse_session_file(lines).cookies == (wide, narrow)


def test_a_storage_state_has_cookies_and_local_storage() -> None:
    session = parse_session_file(json.dumps(STATE))
    assert session.cookies == (Cookie("sid", SECRET, "example.com"),)
    assert session.storage == {"https://example.com": {"jwt": SECRET}}


@pytest.mark.parametrize(
    ("domain", "is_host_only", "host", "expected"),
    [
        ("example.com", False, "example.com", True),
        ("example.com", False, "www.example.com", True),
        ("example.com", True, "www.example.com", False),
        ("example.com", False, "badexample.com", False),
        ("example.com", False, "example.com.evil.org", False),
        ("example.com", False, "com", False),
        ("com", False, "example.com", False),
        ("0.0.1", False, "127.0.0.1", False),
        ("127.0.0.1", True, "127.0.0.1", True),
        ("localhost", True, "localhost", True),
    ],
)
def test_cookies_match_their_domain(domain: str, is_host_only: bool, host: str, expected: bool) -> None:
    assert Cookie("a", "b", domain, is_host_only=is_host_only).matches(host) is expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment",
        f"sid={SECRET}",
        f"example.com\tTRUE\t/\tTRUE\t0\tsid\t{SECRET}\x01",
        f"example.com\tTRUE\t/\tTRUE\t0\ts id\t{SECRET}",
        f"example.com\tTRUE\tpath\tTRUE\t0\tsid\t{SECRET}",
        f"\tTRUE\t/\tTRUE\t0\tsid\t{SECRET}",
        f'[{{"name": "{SECRET}"}}]',
        f'["{SECRET}"]',
        f'{{"cookies": "{SECRET}"}}',
        f'{{"cookies": [], "origins": [{{"origin": 1, "localStorage": "{SECRET}"}}]}}',
        '{"cookies": [], "origins": []}',
        "{" + SECRET,
        "[" * 100_000,
        json.dumps([{"name": "a", "value": SECRET * 10_000, "domain": "e.com"}]),
        json.dumps([{"name": "a", "value": SECRET + ";x", "domain": "e.com"}]),
        json.dumps([{"name": "a", "value": SECRET + "\n", "domain": "e.com"}]),
    ],
)
def test_other_files_are_rejected_without_showing_values(text: str) -> None:
    with pytest.raises(SessionFileError) as error:
        parse_session_file(text)
    assert SECRET not in str(error.value)


@given(st.one_of(st.text(), st.recursive(st.none() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(
    st.sampled_from(["cookies", "origins", "origin", "localStorage", "name", "value", "domain", "expires"]), x
)).map(json.dumps)))  # fmt: skip
def test_any_file_is_parsed_or_rejected(text: str) -> None:
    try:
        session = parse_session_file(text)
    except SessionFileError:
        return
    assert all("\n" not in format_netscape(cookie) for cookie in session.cookies)
