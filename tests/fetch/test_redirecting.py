"""Where an answer sends us, as browsers read it."""

from __future__ import annotations

import pytest

from headwater.model import Response
from headwater.urls.redirects import get_redirect_target


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/next", "https://e.com/next"),
        ("/caf\xc3\xa9", "https://e.com/caf%C3%A9"),  # UTF-8, as curl hands bytes over
        ("/caf\xe9", "https://e.com/caf%E9"),  # Latin-1: sent back as it came
        ("/a#part", "https://e.com/a"),
        ("mailto:a@b", ""),
        ("", ""),
    ],
)
def test_targets(location: str, target: str) -> None:
    assert get_redirect_target(Response("https://e.com/", 302, {"location": location})) == target
