"""Languages of folders, from the languages detected in some of their pages."""

from __future__ import annotations

import pytest

from headwater.classify.languages.language_votes import MIN_OUTLIER_VOTES, LanguageVotes


def vote(**languages: str) -> LanguageVotes:
    """Return votes for pages of folders, given as one letter of a language per page: `d` German, `f` French."""
    votes = LanguageVotes()
    for folder, letters in languages.items():
        for number, letter in enumerate(letters):
            votes.add(f"https://e.com/{folder}/{number}", {"d": "de", "f": "fr"}[letter])
    return votes


@pytest.mark.parametrize(
    ("letters", "language"),
    [("", ""), ("d", ""), ("dd", "de"), ("df", ""), ("ddddf", "de"), ("dddf", ""), ("fffff", "fr")],
)
def test_a_folder_has_the_language_of_most_of_its_pages(letters: str, language: str) -> None:
    assert vote(a=letters).find_folder_language("https://e.com/a/other") == language


@pytest.mark.parametrize(
    ("url", "language"),
    [
        ("https://e.com/a/x", "de"),
        ("https://e.com/b/x", "fr"),
        ("https://e.com/b/deep/er/x", "fr"),
        ("https://e.com/c/x", ""),
        ("https://e.com/new/x", ""),
        ("https://f.com/a/x", ""),
    ],
)
def test_the_innermost_folder_with_enough_votes_decides(url: str, language: str) -> None:
    assert vote(a="ddd", b="fff", c="d").find_folder_language(url) == language


def test_a_folder_without_votes_gets_the_language_of_the_host() -> None:
    assert vote(a="ddd", b="dd").find_folder_language("https://e.com/new/x") == "de"


@pytest.mark.parametrize(
    ("letters", "language", "expected"),
    [
        ("d" * (MIN_OUTLIER_VOTES - 1) + "f", "fr", True),
        ("d" * (MIN_OUTLIER_VOTES - 1) + "f", "de", False),
        ("d" * (MIN_OUTLIER_VOTES - 2) + "f", "fr", False),
        ("d" * MIN_OUTLIER_VOTES + "ff", "fr", False),
    ],
)
def test_a_language_of_one_page_among_many_is_an_outlier(letters: str, language: str, expected: bool) -> None:
    assert vote(a=letters).is_outlier("https://e.com/a/0", language) is expected
