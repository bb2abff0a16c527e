"""Pages are split into passages below their headings and within the limit; fences and table rows stay whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.dive.content.chunks import estimate_tokens, split_into_chunks, strip_site_name

WORD = st.text("abcdefghij_.", min_size=1, max_size=60)
LINE = st.lists(WORD, min_size=1, max_size=30).map(" ".join)
PARAGRAPH = LINE
CODE = st.lists(LINE, min_size=1, max_size=40).map(lambda lines: "```py\n" + "\n".join(lines) + "\n```")
TABLE = st.lists(st.tuples(WORD, WORD), min_size=1, max_size=60).map(
    lambda rows: "| a | b |\n| --- | --- |\n" + "\n".join(f"| {a} | {b} |" for a, b in rows)
)
HEADING = st.tuples(st.integers(1, 6), WORD).map(lambda pair: f"{'#' * pair[0]} {pair[1]} {{#{pair[1]}}}")
PAGE = st.lists(st.one_of(PARAGRAPH, CODE, TABLE, HEADING), max_size=12).map("\n\n".join)


@given(PAGE, st.integers(60, 300), st.text("Title ", max_size=400))
def test_passages_are_within_the_limit_and_fences_are_whole(page: str, limit: int, title: str) -> None:
    for chunk in split_into_chunks(title, page, estimate_tokens, limit):
        assert chunk.tokens <= limit
        assert estimate_tokens(chunk.full_text) <= limit
        assert chunk.text.count("```") % 2 == 0
        assert chunk.text.strip()


@given(PAGE)
def test_no_word_is_lost(page: str) -> None:
    body = [line for line in page.splitlines() if not line.startswith(("#", "```", "| a |", "| ---"))]
    words = {word for line in body for word in line.split() if word != "|"}
    kept = {word for chunk in split_into_chunks("T", page) for word in chunk.text.split()}
    assert words <= kept


def test_headings_anchors_and_titles() -> None:
    page = "Before.\n\n# Guide {#guide}\n\nOne.\n\n## Part {#part}\n\nTwo [x](http://y/).\n\n### Deep\n\nThree.\n"
    chunks = split_into_chunks("Guide — Site", page)
    assert [(chunk.heading, chunk.anchor, chunk.text) for chunk in chunks] == [
        ("Guide", "", "Before."),
        ("Guide", "guide", "One."),
        ("Guide > Part", "part", "Two x."),
        ("Guide > Deep", "", "Three."),
    ]


def test_a_long_table_repeats_its_header_and_keeps_its_rows() -> None:
    rows = [f"| name{n} | value number {n} |" for n in range(100)]
    chunks = split_into_chunks("T", "| n | v |\n| --- | --- |\n" + "\n".join(rows))
    assert len(chunks) > 3
    assert all(chunk.text.startswith("| n | v |\n| --- | --- |\n") for chunk in chunks)
    assert [line for chunk in chunks for line in chunk.text.splitlines()[2:]] == rows


def test_the_site_name_is_removed_from_titles() -> None:
    assert strip_site_name("re — Regular expressions — Python 3.11 documentation") == "re — Regular expressions"
    assert strip_site_name("Guide | Site") == "Guide"
    assert strip_site_name("Plain") == "Plain"
