"""Bounded counts: exact while they fit, estimated from a sample otherwise, and the same in any order."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify.sampled_counts import SampledCounter, Sketch, sampling_level


def count(pages: list[tuple[str, str]], capacity: int) -> SampledCounter[str]:
    """Count pages, given as key and URL."""
    counter: SampledCounter[str] = SampledCounter(capacity)
    for key, url in pages:
        counter.add(key, sampling_level(url))
    return counter


def test_counts_are_exact_while_they_fit() -> None:
    pages = [(f"key {number % 7}", f"/{number}") for number in range(100)]
    assert count(pages, 1000).totals() == Counter(key for key, _ in pages)


def test_frequent_keys_are_kept_among_many_rare_ones() -> None:
    pages = [("often" if number % 10 == 0 else f"once {number}", f"/{number}") for number in range(20_000)]
    counter = count(pages, 500)
    assert len(counter) <= 500
    assert 1000 <= counter.totals()["often"] <= 4000, "2,000, estimated from a sample"


@pytest.mark.parametrize("capacity", [50, 500, 5000, 50_000])
def test_the_order_of_the_pages_does_not_matter(capacity: int) -> None:
    pages = [(f"key {number % 997 if number % 3 else number}", f"/{number}") for number in range(5000)]
    shuffled = Random(1).sample(pages, len(pages))
    assert (
        count(pages, capacity).totals() == count(pages[::-1], capacity).totals() == count(shuffled, capacity).totals()
    )


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.text(max_size=4))), st.integers(1, 40))
def test_counts_are_the_same_in_any_order(pages: list[tuple[str, str]], capacity: int) -> None:
    counter = count(pages, capacity)
    assert counter.totals() == count(pages[::-1], capacity).totals()
    if len(pages) <= capacity:
        assert counter.totals() == Counter(key for key, _ in pages)


def test_half_of_the_pages_have_the_lowest_level() -> None:
    levels = Counter(sampling_level(f"https://e.com/{number}") for number in range(10_000))
    assert 4500 < levels[0] < 5500
    assert 2000 < levels[1] < 3000


def test_similar_sets_have_similar_sketches() -> None:
    one, same, half, other = (Sketch(64) for _ in range(4))
    for number in range(20_000):
        one.add(f"/a/{number}")
        same.add(f"/a/{number}")
        half.add(f"/a/{number}" if number % 2 else f"/b/{number}")
        other.add(f"/c/{number}")
    assert one.overlap_with(same) == 1
    assert 0.3 < one.overlap_with(half) < 0.7
    assert one.overlap_with(other) < 0.1
    assert one.overlap_with(Sketch(64)) == 0
    assert len(one) == 64


def test_the_order_of_the_texts_does_not_matter() -> None:
    texts = [f"/a/{number}" for number in range(300)]
    other = Sketch(16)
    for number in range(100, 400):
        other.add(f"/a/{number}")
    found = set()
    for seed in range(20):
        sketch = Sketch(16)
        for text in Random(seed).sample(texts, len(texts)):
            sketch.add(text)
        found.add(sketch.overlap_with(other))
    assert len(found) == 1


def test_a_small_set_is_sampled_completely() -> None:
    one, half = Sketch(16), Sketch(16)
    for number in range(12):
        one.add(str(number))
        one.add(str(number))
    for number in range(8, 12):
        half.add(str(number))
    half.add("other")
    assert (len(one), len(half)) == (12, 5)
    assert one.overlap_with(half) == half.overlap_with(one) == 4 / 5
