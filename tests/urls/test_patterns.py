"""The user's patterns for URLs."""

from __future__ import annotations

import pytest

from headwater import Scope, SettingError, judge

SITE = Scope("https://example.com/")


@pytest.mark.parametrize(
    ("include", "exclude", "url", "reason"),
    [
        ([], ["/blog/*"], "https://example.com/blog/x", "excluded"),
        ([], ["/blog/*"], "https://example.com/en/blog/x", ""),
        ([], ["*/tag/*"], "https://example.com/a/tag/b", "excluded"),
        ([], ["*other.org*"], "https://other.org/", "excluded"),
        ([], ["/*?page=*"], "https://example.com/a?page=2", "excluded"),
        ([], ["/a?b"], "https://example.com/axb", ""),
        ([], [r"re:/\d{4}/"], "https://example.com/2024/x", "excluded"),
        ([], [r"re:/\d{4}/"], "https://example.com/24/x", ""),
        (["/docs/*"], [], "https://example.com/docs/x", ""),
        (["/docs/*"], [], "https://example.com/blog", "not-included"),
        (["https://example.com/docs/*"], ["*/old/*"], "https://example.com/docs/old/x", "excluded"),
        (["re:^https://example.com/d"], [], "https://example.com/docs", ""),
    ],
)
def test_patterns_include_and_exclude_urls(include: list[str], exclude: list[str], url: str, reason: str) -> None:
    assert judge(url, Scope("https://example.com/", include=include, exclude=exclude)).reason == reason


@pytest.mark.parametrize("pattern", ["re:(", "re:(?=x)", "login"])
def test_invalid_patterns_raise_an_error(pattern: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SettingError, match="exclude: ") as caught:
        Scope("https://example.com/", exclude=[pattern])
    assert repr(pattern) in str(caught.value)
    assert capfd.readouterr().err == ""


def test_patterns_take_linear_time() -> None:
    """A backtracking matcher needs 2^60 steps for `(a+)+$` here."""
    scope = Scope("https://example.com/", exclude=["re:(a+)+$", "*a*a*a*a*a*a*a*a*a*a*b"])
    assert judge("https://example.com/" + "a" * 2000 + "!", scope).allowed
