"""Words and URLs that must not be clicked or requested."""

from __future__ import annotations

import pytest

from headwater.pages.links.harmful_actions import build_harmful_word_table, is_harmful_text
from headwater.urls.recognition.harmful_urls import is_harmful_for_session, is_harmful_url


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


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.com/logout", True),
        ("https://e.com/session?do=end-session", True),
        ("https://e.com/posts/5/archive", True),
        ("https://e.com/user/7?action=ban&x=1", True),
        ("https://e.com/abmelden", True),
        ("https://e.com/archive/2020", True),  # costs an archive, which is better than archiving something
        ("https://e.com/archives", False),
        ("https://e.com/reset-css", False),
        ("https://e.com/likely", False),
        ("https://e.com/login", False),
        ("https://e.com/download", False),
        ("https://ban.e.com/", False),
    ],
)
def test_urls_that_act_in_the_name_of_a_user(url: str, expected: bool) -> None:
    assert is_harmful_for_session(url) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Log out", True),
        ("Logout", True),
        ("Delete", True),
        ("Delete this post", True),
        ("Abmelden ›", True),
        ("Se déconnecter", True),
        ("ログアウト", True),
        ("Удалить", True),
        ("Log in", False),
        ("Download", False),
        ("How to delete files", False),
        ("Delete an account and everything that belongs to it", False),
        ("Orders", False),
        ("", False),
        ("→", False),
    ],
)
def test_texts_of_links_that_change_something(text: str, expected: bool) -> None:
    assert is_harmful_text(text) is expected
