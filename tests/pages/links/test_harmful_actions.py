"""Words and URLs that must not be clicked or requested."""

from __future__ import annotations

import pytest

from headwater.pages.links.harmful_actions import build_harmful_word_table, is_harmful_url


@pytest.mark.parametrize("word", "delete logout kaufen supprimer eliminar удалить abmelden pay leeren vider".split())
def test_words_that_must_not_be_clicked(word: str) -> None:
    assert word in build_harmful_word_table()


@pytest.mark.parametrize("word", "details border hours payload posture menu show tab submit clear empty".split())
def test_words_that_may_be_clicked(word: str) -> None:
    assert word not in build_harmful_word_table()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.com/logout", True),
        ("https://e.com/user/sign_out?next=/", True),
        ("https://e.com/cart.php?action=delete&id=3", True),
        ("https://e.com/account/log-out/", True),
        ("https://delete.e.com/", False),
        ("https://e.com/undeleted-scenes", False),
        ("https://e.com/blogouts", False),
        ("https://e.com/", False),
    ],
)
def test_urls_that_may_change_something(url: str, expected: bool) -> None:
    assert is_harmful_url(url) is expected
