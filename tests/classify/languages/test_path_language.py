"""Languages of paths by their words and scripts."""

from __future__ import annotations

import pytest

from headwater.classify.languages.path_language import has_language_words


@pytest.mark.parametrize(
    ("path", "code", "expected"),
    [
        (("kontakt",), "de", True),
        (("ueber-uns",), "de", True),
        (("Impressum",), "de", True),
        (("der",), "de", False),
        (("der-die-das",), "de", True),
        (("blog", "datenschutz"), "de", True),
        (("a-propos",), "fr", True),
        (("pour",), "fr", False),
        (("pour-vous-et-nous",), "fr", True),
        (("contact",), "fr", False),
        (("kontakt",), "fr", False),
        (("новости",), "ru", True),
        (("новости",), "ja", False),
        (("ニュース",), "ja", True),
        (("news-é",), "ru", False),
        (("about",), "en", False),
        ((), "de", False),
        (("kontakt",), "", False),
    ],
)
def test_words_and_scripts_of_a_language(path: tuple[str, ...], code: str, expected: bool) -> None:
    assert has_language_words(path, code) is expected
