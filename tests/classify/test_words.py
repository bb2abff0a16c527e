"""Stems, telling words, phrases and headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify.words import capitalised, phrases, stem, title_of_word, words


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # -ies, where something is left before it
        ("libraries", "library"),
        ("flies", "fly"),
        ("ties", "tie"),
        ("ies", "ies"),
        # -es after a hiss
        ("classes", "class"),
        ("boxes", "box"),
        ("branches", "branch"),
        ("dishes", "dish"),
        ("axes", "axe"),
        # -s
        ("shirts", "shirt"),
        ("sites", "site"),
        ("cars", "car"),
        ("gas", "gas"),
        ("abs", "abs"),
        # words that end in s and are no plurals
        ("class", "class"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("chaos", "chaos"),
        ("atlas", "atlas"),
        # the rest
        ("Shirts", "shirt"),
        ("LIBRARY", "library"),
        ("shirt", "shirt"),
        ("s", "s"),
        ("", ""),
    ],
)
def test_stem(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("singular", ["library", "class", "box", "branch", "dish", "shirt", "guide", "Fly"])
def test_singular_and_plural_have_one_stem(singular: str) -> None:
    ending = "ies" if singular.endswith("y") else "es" if singular.endswith(("ss", "x", "ch", "sh")) else "s"
    plural = singular.removesuffix("y") + ending
    assert stem(plural) == stem(plural.upper()) == stem(singular)


@given(st.text())
def test_stems_are_never_longer_than_the_lower_case_word(word: str) -> None:
    assert len(stem(word)) <= len(word.lower())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Floating point", ["Floating", "point"]),
        ("getting_started-guide", ["guide"]),
        ("releaseNotes", ["release", "Notes"]),
        ("HTTPServer", ["HTTPServer"]),
        ("the art of it", ["art"]),
        ("python3 2024 py", []),
        ("abc " + "x" * 24, ["abc", "x" * 24]),
        ("ab " + "x" * 25, []),
        ("über-uns, naïve", ["über", "uns", "naïve"]),
        ("", []),
    ],
)
def test_telling_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Floating point numbers", [("Floating", "point"), ("point", "numbers")]),
        ("floating-point", [("floating", "point")]),
        ("Sockets: server guide", [("server", "guide")]),
        ("Sockets, server", []),
        ("Sockets - server", []),
        ("Sockets | server", []),
        ("Sockets — server", []),
        ("Sockets and server", []),
        ("Version 3 sockets", []),
        ("Sockets", []),
        ("", []),
    ],
)
def test_phrases(text: str, expected: list[tuple[str, str]]) -> None:
    assert phrases(text) == expected


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("boots", "Boots"),
        ("asyncIO", "AsyncIO"),
        ("json", "JSON"),
        ("JavaScript", "JavaScript"),
        ("ios", "iOS"),
        ("howto", "How-to guides"),
        ("floating point", "Floating point"),
        ("", ""),
    ],
)
def test_titles_of_words(word: str, title: str) -> None:
    assert title_of_word(word) == title


@pytest.mark.parametrize(
    ("text", "expected"),
    [("boots", "Boots"), ("a", "A"), ("iOS", "iOS"), ("C API", "C API"), ("éa", "Éa"), ("1st", "1st"), ("", "")],
)
def test_capitalised(text: str, expected: str) -> None:
    assert capitalised(text) == expected
