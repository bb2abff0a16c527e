"""Language codes and names in URLs and documents."""

from __future__ import annotations

import pytest

from headwater.classify.languages.language_codes import (
    AMBIGUOUS_CODES,
    COUNTRY_LIKE_CODES,
    SELF_SUFFICIENT_CODES,
    UNAMBIGUOUS_CODES,
    find_code_by_name,
    get_language_name,
    get_primary_language,
    parse_language_tag,
    parse_url_code,
)


@pytest.mark.parametrize(
    ("segment", "code"),
    [
        ("french", "fr"),
        ("Francais", "fr"),
        ("français", "fr"),
        ("日本語", "ja"),
        ("latin", ""),
        ("about", ""),
        ("", ""),
    ],
)
def test_languages_are_found_by_english_and_native_names(segment: str, code: str) -> None:
    assert find_code_by_name(segment) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("de", "de"),
        ("it", "it"),
        ("pt_BR", "pt-br"),
        ("zh-Hant", "zh-hant"),
        ("it-it", "it-it"),
        ("de-dupe", ""),
        ("hi-fi", ""),
        ("no-go", ""),
        ("de-zz", ""),
        ("xx", ""),
        ("docs", ""),
    ],
)
def test_codes_in_urls(text: str, code: str) -> None:
    assert parse_url_code(text) == code


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("de", "de"),
        (" de-AT ", "de-at"),
        ("en_US", "en-us"),
        ("zh-Hant-TW", "zh-hant"),
        ("es-419", "es-419"),
        ("eng", "en"),
        ("ger-DE", "de-de"),
        ("fil", "fil"),
        ("de-x-private", "de"),
        ("und", ""),
        ("zxx", ""),
        ("xx", ""),
        ("german", ""),
        ("", ""),
    ],
)
def test_language_tags_of_documents(tag: str, code: str) -> None:
    assert parse_language_tag(tag) == code


@pytest.mark.parametrize(
    ("code", "primary", "name"),
    [
        ("de-at", "de", "German"),
        ("PT_br", "pt", "Portuguese"),
        ("nb", "no", "Norwegian"),
        ("nn-NO", "no", "Norwegian"),
        ("iw", "he", "Hebrew"),
        ("qu", "qu", "QU"),
    ],
)
def test_primary_language_and_name(code: str, primary: str, name: str) -> None:
    assert get_primary_language(code) == primary
    assert get_language_name(code) == name


def test_no_code_is_both_ambiguous_and_unambiguous() -> None:
    assert not UNAMBIGUOUS_CODES & AMBIGUOUS_CODES
    assert COUNTRY_LIKE_CODES <= AMBIGUOUS_CODES
    assert SELF_SUFFICIENT_CODES <= UNAMBIGUOUS_CODES
