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


def test_nothing_is_dropped_at_the_capacity() -> None:
    counter: BoundedCounter[int] = BoundedCounter(10)
    counter.add_all(range(10))
    counter.add_all(range(10))
    assert dict(counter) == dict.fromkeys(range(10), 2)


def test_the_rarest_are_dropped_whenever_they_were_met() -> None:
    counter: BoundedCounter[str] = BoundedCounter(10)
    counter.add_all("abcde")
    counter.add_all("VWXYZ" * 3)
    counter.add("f")
    assert dict(counter) == dict.fromkeys("VWXYZ", 3)
    assert counter["a"] == counter["f"] == 0


def test_frequent_keys_keep_their_counts_when_others_are_dropped() -> None:
    counter: BoundedCounter[str] = BoundedCounter(10)
    for times, key in enumerate("abcdefghij", start=1):
        counter.add_all(key * times)
    counter.add("new")
    assert dict(counter) == {"f": 6, "g": 7, "h": 8, "i": 9, "j": 10}


def test_a_frequent_key_that_was_met_late_stays() -> None:
    counter: BoundedCounter[object] = BoundedCounter(100)
    counter.add_all(range(95))
    counter.add_all(["often"] * 1000)
    counter.add_all(range(95, 105))
    assert counter["often"] == 1000


def test_of_equally_rare_keys_the_first_stay() -> None:
    counter: BoundedCounter[int] = BoundedCounter(10)
    counter.add_all(range(11))
    assert dict(counter) == dict.fromkeys(range(5), 1)


def test_a_counter_of_one_key_keeps_it() -> None:
    counter: BoundedCounter[str] = BoundedCounter(1)
    counter.add_all("aab")
    assert dict(counter) == {"a": 2}


def test_keys_come_in_the_order_in_which_they_were_met() -> None:
    counter: BoundedCounter[str] = BoundedCounter(10)
    counter.add_all("cabcb")
    assert list(counter) == [("c", 2), ("a", 1), ("b", 2)]


def test_a_sketch_holds_a_small_set_whole() -> None:
    one, half = Sketch(8), Sketch(8)
    for number in range(16):
        one.add(str(number))
        one.add(str(number))
    for number in range(8, 12):
        half.add(str(number))
    half.add("other")
    assert (len(one), len(half)) == (16, 5)
    assert one.likeness(half) == half.likeness(one) == 4 / 5
    one.add("16")
    assert len(one) == 8
