"""Facts about the main text of a page: words, language, and hashes that are close for similar texts."""

from __future__ import annotations

import random

import pytest

from headwater.classify.views.near_duplicates import HashedText, estimate_similarity
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.text.text_analysis import MAX_WORDS, MIN_WORDS, analyze_text, hash_words, split_words

ENGLISH = "The quick brown fox jumps over the lazy dog, and then it sleeps in the warm sun for a while. " * 3
FRENCH = "Le renard brun saute par-dessus le chien paresseux, puis il dort un moment au soleil de midi. " * 3


def make_words(count: int, seed: int = 1) -> list[str]:
    """Return a text of random words, of which common ones are frequent."""
    choose = random.Random(seed)
    return [f"word{int(choose.paretovariate(0.6)) % 5000}" for _ in range(count)]


def hashed(words: list[str]) -> HashedText:
    simhash, minhash = hash_words(words)
    assert simhash is not None
    assert minhash is not None
    return HashedText(simhash, minhash)


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<main>one two <b>three</b></main><p>four", 3),
        ("<div role=main>one two</div><p>three", 2),
        ("<article>one two</article><p>three", 2),
        ("<article>one</article><article>two</article><p>three", 3),
        ("<nav>menu</nav><header>top</header><p>one two</p><footer>end</footer><aside>side</aside>", 2),
        ("<div role=navigation>menu</div><p>one</p><script>var x = 1</script><style>p {}</style>", 1),
        ("<p>one</p><p>two</p>", 2),
        ("<p>日本語のテキスト and words", 10),
        ("<ul><li>one<li>two</ul>", 2),
        ("", 0),
    ],
)
def test_words_of_the_main_text_are_counted(html: str, count: int) -> None:
    assert analyze_text(parse_html(html)).word_count == count


def test_the_language_of_prose_is_detected() -> None:
    assert analyze_text(parse_html(f"<p>{ENGLISH}")).language == "en"
    assert analyze_text(parse_html(f"<nav>{ENGLISH}</nav><p>{FRENCH}")).language == "fr"


@pytest.mark.parametrize("line", ["A | B | C | D | E | F | " * 20, "std::vector<int> v = {1, 2}; " * 20, "short"])
def test_indexes_and_code_have_no_language(line: str) -> None:
    assert analyze_text(parse_html(f"<p>{line.replace('<', '&lt;')}")).language == ""


def test_short_texts_have_no_hashes() -> None:
    assert hash_words(make_words(MIN_WORDS - 1)) == (None, None)
    assert hash_words(make_words(MIN_WORDS)) != (None, None)


@pytest.mark.parametrize("count", [150, 250, 450, 1500, MAX_WORDS])
def test_hashes_tell_similar_texts_from_others(count: int) -> None:
    text, other = make_words(count), make_words(count, seed=2)
    changed = list(text)
    changed[count // 2] = "changed"
    assert estimate_similarity(hashed(text), hashed(list(text))) == 1
    assert estimate_similarity(hashed(text), hashed(changed)) >= 0.9
    assert estimate_similarity(hashed(text), hashed(other)) == 0
    half = [*text[: count // 2], *other[count // 2 :]]
    assert estimate_similarity(hashed(text), hashed(half)) < 0.9


def test_a_run_that_is_repeated_counts_once() -> None:
    boilerplate = "part of the stable interface since version three".split()
    first, second = (words for seed in (1, 2) for words in [[*make_words(200, seed), *boilerplate * 100]])
    assert estimate_similarity(hashed(first), hashed(second)) < 0.9


def test_texts_that_cannot_be_encoded_are_hashed() -> None:
    assert hash_words(["\ud800"] * 300) != (None, None)
    assert split_words("a\u00a0b\u2003c") == ["a", "b", "c"]
