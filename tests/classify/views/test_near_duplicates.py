"""Near duplicates among texts, by their hashes."""

from __future__ import annotations

import random

from headwater.classify.views.near_duplicates import HashedText, NearDuplicate, find_near_duplicates


def make_text(seed: int, *, flipped: int = 0, changed: int = 0) -> HashedText:
    """Return random hashes; `flipped` bits of the simhash and `changed` bytes of the minhash are different."""
    choose = random.Random(seed)
    simhash, minhash = choose.getrandbits(64) - (1 << 63), bytearray(choose.randrange(255) for _ in range(128))
    for bit in range(flipped):
        simhash ^= 1 << bit * 5
    for index in range(changed):
        minhash[index] = (minhash[index] + 1) % 255
    return HashedText(simhash, bytes(minhash))


def test_similar_texts_name_the_first_of_their_group() -> None:
    texts = [make_text(1), make_text(2), make_text(1), make_text(1, flipped=4), make_text(2, changed=6), make_text(3)]
    assert list(find_near_duplicates(texts)) == [
        NearDuplicate(2, 0, 1.0),
        NearDuplicate(3, 0, 0.98),
        NearDuplicate(4, 1, 0.98),
    ]


def test_both_hashes_must_be_close() -> None:
    assert list(find_near_duplicates([make_text(1), make_text(1, flipped=12)])) == []
    assert list(find_near_duplicates([make_text(1), make_text(1, changed=40)])) == []


def test_a_text_that_is_not_close_to_the_first_one_names_its_neighbor() -> None:
    texts = [make_text(1), make_text(1, changed=15), make_text(1, changed=30)]
    assert [(one.position, one.original) for one in find_near_duplicates(texts)] == [(1, 0), (2, 1)]


def test_many_equal_texts_are_one_group() -> None:
    found = list(find_near_duplicates([make_text(1)] * 500))
    assert len(found) == 499
    assert {one.similarity for one in found} == {1.0}
    assert list(find_near_duplicates([])) == []
