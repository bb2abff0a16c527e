"""Bounded counts: the frequent stay, memory does not grow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.classify.counting import BoundedCounter, Sketch


def test_the_frequent_survive_a_flood() -> None:
    counter: BoundedCounter[str] = BoundedCounter(100)
    for number in range(10_000):
        counter.add("often" if number % 10 == 0 else f"once {number}")
    assert len(counter) <= 100
    assert 900 <= counter["often"] <= 1000


@given(st.lists(st.integers(0, 30)), st.integers(1, 40))
def test_counts_are_never_too_high(numbers: list[int], capacity: int) -> None:
    counter: BoundedCounter[int] = BoundedCounter(capacity)
    counter.add_all(numbers)
    assert len(counter) <= capacity
    assert all(count <= numbers.count(number) for number, count in counter)
    if len(set(numbers)) <= capacity:
        assert dict(counter) == {number: numbers.count(number) for number in numbers}


def test_sketches_of_like_sets_are_alike() -> None:
    one, same, half, other = (Sketch(64) for _ in range(4))
    for number in range(20_000):
        one.add(f"/a/{number}")
        same.add(f"/a/{number}")
        half.add(f"/a/{number}" if number % 2 else f"/b/{number}")
        other.add(f"/c/{number}")
    assert one.likeness(same) == 1
    assert 0.3 < one.likeness(half) < 0.7
    assert one.likeness(other) < 0.1
    assert one.likeness(Sketch(64)) == 0
    assert len(one) <= 128
