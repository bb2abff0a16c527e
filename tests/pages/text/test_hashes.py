"""Hashes of content: equal for pages that count as the same."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.text.hashes import compute_fingerprint, hash_content, hash_main_text


def test_content_hashes_of_stored_scans_remain_valid() -> None:
    assert hash_content(b"") == 3244421341483603138
    assert hash_content(b"Headwater") == 1777764306084427277


@pytest.mark.parametrize("content", [bytes([number]) for number in range(64)])
def test_content_hashes_are_signed_64_bit_integers(content: bytes) -> None:
    assert -(1 << 63) <= hash_content(content) < 1 << 63


@pytest.mark.parametrize(
    ("page", "other", "is_same"),
    [
        ("<nav>Menu</nav><main>Text</main>", "<nav>Other menu</nav><main> Text\n</main>", True),
        ("<nav>Menu</nav><article>Text</article>", "<article>Text</article><footer>2024</footer>", True),
        ("<main>Text</main>", "<main>Other text</main>", False),
        ("<p>Text</p>", "<p>Text</p><nav>Menu</nav>", False),
        ("<p>Two words</p>", "<div>Two  words</div>", True),
    ],
)
def test_the_main_text_is_hashed(page: str, other: str, is_same: bool) -> None:
    assert (hash_main_text(parse_html(page)) == hash_main_text(parse_html(other))) is is_same


@pytest.mark.parametrize(
    ("page", "other", "is_same"),
    [
        ("<p>May 2024</p>", "<p>May 2025</p>", True),
        ("<p>May 2024</p>", "<p>June 2024</p>", False),
        ("<p>Page 9</p>", "<p>Page 10</p>", True),
    ],
)
def test_fingerprints_ignore_digits(page: str, other: str, is_same: bool) -> None:
    assert (compute_fingerprint(parse_html(page)) == compute_fingerprint(parse_html(other))) is is_same


def test_fingerprints_ignore_the_path_of_the_page() -> None:
    pages = [(parse_html(f"<p>Not found: /{name}"), f"https://e.com/{name}") for name in ("one", "two")]
    assert len({compute_fingerprint(document, url) for document, url in pages}) == 1
    assert len({compute_fingerprint(document) for document, _ in pages}) == 2
