"""Numbers of pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.urls.identity import compute_identity


def test_identities_of_stored_scans_remain_valid() -> None:
    assert compute_identity("https://example.com/") == 1493557592560457051
    assert compute_identity("") == -1970711489451281740


@given(st.text(), st.text())
def test_identities_are_signed_and_distinct(key: str, other: str) -> None:
    assert -(1 << 63) <= compute_identity(key) < 1 << 63
    assert (compute_identity(key) == compute_identity(other)) is (key == other)


def test_any_text_has_an_identity() -> None:
    assert compute_identity("\ud800") != compute_identity("\ufffd")
