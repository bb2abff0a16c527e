"""Sources of a page as bits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import SOURCES, decode_sources, encode_sources

NAMES = st.sets(st.sampled_from(SOURCES))


@given(NAMES, NAMES)
def test_merging_sources_is_an_or(one: set[str], other: set[str]) -> None:
    assert set(decode_sources(encode_sources(one) | encode_sources(other))) == one | other


def test_bits_are_fixed_and_unknown_names_ignored() -> None:
    assert encode_sources(["seed"]) == 1
    assert encode_sources(["sitemap", "render"]) == 4 + 512
    assert encode_sources(["no such source"]) == 0
    assert decode_sources(encode_sources(reversed(SOURCES))) == SOURCES
    assert decode_sources(1 << 40) == ()
