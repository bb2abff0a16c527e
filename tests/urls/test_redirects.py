"""Rules for redirects: targets as browsers read them, redirects that are not followed, and scopes that are extended."""

from __future__ import annotations

import pytest

from headwater.model import Response
from headwater.urls import Scope
from headwater.urls.redirects import check_redirect, extend_to_host, extend_to_target, get_redirect_target


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/next", "https://e.com/next"),
        ("/caf\xc3\xa9", "https://e.com/caf%C3%A9"),  # UTF-8, as curl returns bytes
        ("/caf\xe9", "https://e.com/caf%E9"),  # Latin-1: sent back unchanged
        ("/a#part", "https://e.com/a"),
        ("mailto:a@b", ""),
        ("", ""),
    ],
)
def test_targets(location: str, target: str) -> None:
    assert get_redirect_target(Response("https://e.com/", 302, {"location": location})) == target


@pytest.mark.parametrize(
    ("target", "hops", "reason"),
    [
        ("https://e.com/new", 1, None),
        ("https://e.com/new", 10, None),
        ("https://e.com/new", 11, "too-many-redirects"),
        ("https://e.com/", 1, "redirect-loop"),
        ("", 1, "bad-redirect"),
    ],
)
def test_redirects_that_are_not_followed(target: str, hops: int, reason: str | None) -> None:
    response = Response("https://e.com/", 301, {"location": target})
    failure = check_redirect(response, target, {"https://e.com/"}, hops, 10)
    assert (failure and failure.reason) == reason


@pytest.mark.parametrize(
    ("target", "by_host", "by_target"),
    [
        ("https://e.com/docs/new", False, False),
        ("https://e.com/manual/", False, True),
        ("https://www.e.com/docs/", True, True),
    ],
)
def test_seeds_that_redirect_extend_the_scope(target: str, by_host: bool, by_target: bool) -> None:
    scope = Scope(["https://e.com/docs/"])
    assert (extend_to_host(scope, target) != scope) == by_host
    assert (extend_to_target(scope, target) != scope) == by_target
