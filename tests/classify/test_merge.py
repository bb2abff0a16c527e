"""Sources as bits: nothing is lost in merging, and the order is fixed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import SOURCES, best_title, mask_of, names_of

NAMES = st.sets(st.sampled_from(SOURCES))


@given(NAMES, NAMES)
def test_merging_is_an_or(one: set[str], other: set[str]) -> None:
    assert set(names_of(mask_of(one) | mask_of(other))) == one | other


def test_bits_are_fixed_and_strangers_ignored() -> None:
    assert mask_of(["seed"]) == 1
    assert mask_of(["sitemap", "render"]) == 4 + 512
    assert mask_of(["no such source"]) == 0
    assert names_of(mask_of(reversed(SOURCES))) == SOURCES
    assert names_of(1 << 40) == ()


@pytest.mark.parametrize(
    ("own", "texts", "expected"),
    [
        ("Own title", {"navigation": "Menu"}, "Own title"),
        ("  ", {"footer": "Foot", "navigation": " The\n menu "}, "The menu"),
        ("", {"content-link": "here"}, "here"),
        ("", {"redirect": "x"}, ""),
        ("", {}, ""),
    ],
)
def test_best_title(own: str, texts: dict[str, str], expected: str) -> None:
    assert best_title(own, texts) == expected
