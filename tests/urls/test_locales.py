"""Recognition of language codes in paths."""

from __future__ import annotations

import pytest

from headwater.urls.locales import is_locale


@pytest.mark.parametrize(
    ("segment", "expected", "expected_with_region"),
    [
        ("en", True, False),
        ("DE", True, False),
        ("pt-br", True, True),
        ("pt_BR", True, True),
        ("zh-Hant", True, True),
        ("es-419", True, True),
        ("xx", False, False),
        ("xx-de", False, False),
        ("en-", False, False),
        ("english", False, False),
        ("e", False, False),
        ("", False, False),
    ],
)
def test_codes_with_and_without_a_region(segment: str, expected: bool, expected_with_region: bool) -> None:
    assert is_locale(segment) is expected
    assert is_locale(segment, with_region=True) is expected_with_region
