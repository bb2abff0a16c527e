"""Stems and phrases of titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify.title_phrases import extract_phrases, stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # -ies, if something remains before it
        ("libraries", "library"),
        ("flies", "fly"),
        ("ties", "tie"),
        ("ies", "ies"),
        # -es after a sibilant
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
        # words that end in s but are not plurals
        ("class", "class"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("chaos", "chaos"),
        ("atlas", "atlas"),
        # other words
        ("Shirts", "shirt"),
        ("LIBRARY", "library"),
        ("shirt", "shirt"),
        ("s", "s"),
        ("", ""),
    ],
)
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("singular", ["library", "class", "box", "branch", "dish", "shirt", "guide", "Fly"])
def test_singular_and_plural_have_the_same_stem(singular: str) -> None:
    ending = "ies" if singular.endswith("y") else "es" if singular.endswith(("ss", "x", "ch", "sh")) else "s"
    plural = singular.removesuffix("y") + ending
    assert stem(plural) == stem(plural.upper()) == stem(singular)


@given(st.text())
def test_stems_are_never_longer_than_the_lower_case_word(word: str) -> None:
    assert len(stem(word)) <= len(word.lower())


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
        ("Sockets (server guide)", [("server", "guide")]),
        ("Is it? Yes. Server guide", [("Server", "guide")]),
        ("the art of making things", []),
        ("py abc " + "x" * 24, [("abc", "x" * 24)]),
        ("abc " + "x" * 25, []),
        # identifiers are not part of phrases
        ("Uses of Interface javax.swing.tree.TreeModel", []),
        ("Package java.util hierarchy", []),
        ("Struct template as_droppable<droppable< Feature >>", [("Struct", "template")]),
        ("proto::tag negate", []),
        ("base64 encoding", []),
        ("JavaScript modules", [("JavaScript", "modules")]),
        ("Sockets", []),
        ("", []),
    ],
)
def test_phrases_of_titles(text: str, expected: list[tuple[str, str]]) -> None:
    assert extract_phrases(text) == expected
