"""The target of a redirect is read as browsers read it."""

from __future__ import annotations

import pytest

from headwater.fetch.policies.redirecting_fetcher import get_redirect_target
from headwater.model import Response


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/next", "https://e.com/next"),
        ("/caf\xc3\xa9", "https://e.com/caf%C3%A9"),  # UTF-8
        ("/caf\xe9", "https://e.com/caf%E9"),  # Latin-1
        ("/a#part", "https://e.com/a"),
        ("mailto:a@b", ""),
        ("", ""),
    ],
)
def test_redirect_target(location: str, target: str) -> None:
    assert get_redirect_target(Response("https://e.com/", 302, {"location": location})) == target
