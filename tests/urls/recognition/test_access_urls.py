"""URLs of login and consent pages are recognized by their words and parameters."""

from __future__ import annotations

import pytest

from headwater.urls.recognition.access_urls import (
    find_redirect_wall,
    is_consent_url,
    is_login_url,
    names_return_address,
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/login", True),
        ("https://example.com/users/sign_in", True),
        ("https://example.com/wp-login.php", True),
        ("https://example.com/account/LogOn.aspx", True),
        ("https://login.example.com/", True),
        ("https://sso.example.com/idp/profile", True),
        ("https://example.com/de/anmelden/", True),
        ("https://example.com/", False),
        ("https://example.com/blog/how-to-login", False),
        ("https://example.com/loginoptions", False),
        ("https://example.com/authors", False),
        ("https://[::1/login", False),
    ],
)
def test_login_urls(url: str, expected: bool) -> None:
    assert is_login_url(url) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://consent.example.com/v2/collect", True),
        ("https://example.com/cookie-wall", True),
        ("https://example.com/privacygate/", True),
        ("https://example.com/cookies", False),
        ("https://example.com/informed-consent", False),
    ],
)
def test_consent_urls(url: str, expected: bool) -> None:
    assert is_consent_url(url) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("next=/docs", True),
        ("returnUrl=%2Fdocs", True),
        ("redirect_uri=https%3A%2F%2Fexample.com", True),
        ("a=1&continue=https://example.com/", True),
        ("SAMLRequest=abc", True),
        ("client_id=7", True),
        ("next=2", False),
        ("from=2020", False),
        ("", False),
        ("&".join(f"next=/{number}" for number in range(200)), False),
    ],
)
def test_return_addresses(query: str, expected: bool) -> None:
    assert names_return_address(f"https://example.com/login?{query}") is expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("https://example.com/", "https://login.example.org/?client_id=1", "login-required"),
        ("https://example.com/", "https://example.com/login?next=/", "login-required"),
        ("https://example.com/", "https://consent.example.org/?return=https://example.com/", "consent-required"),
        ("https://example.com/login", "https://example.com/sso?next=/", ""),
        ("https://example.com/", "https://auth.example.org/", ""),  # may be the site that was meant
        ("https://example.com/", "https://www.example.com/", ""),
    ],
)
def test_redirects_that_ask_for_something(source: str, target: str, expected: str) -> None:
    assert find_redirect_wall(source, target) == expected
