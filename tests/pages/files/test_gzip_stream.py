"""Decompression of gzip with several members, in pieces and up to a limit."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.files.gzip_stream import MAX_MEMBERS, GzipStream

PLENTY = 1 << 30


def decompress(data: bytes, size: int, room: int = PLENTY) -> tuple[bytes, bool]:
    """Decompress data that arrives in pieces of this size; return the result, and True if it is complete."""
    stream, found = GzipStream(), b""
    for start in range(0, len(data), size):
        found += stream.decompress(data[start : start + size], room - len(found))
        if len(found) >= room:
            break
    return found, stream.is_complete()


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=5), st.integers(1, 60))
def test_all_members_are_decompressed_in_pieces_of_any_size(members: list[bytes], size: int) -> None:
    data = b"".join(map(gzip.compress, members))
    assert decompress(data, size) == (b"".join(members), True)


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_data_after_the_last_member_is_ignored(size: int) -> None:
    assert decompress(gzip.compress(b"content") + b"garbage", size) == (b"content", True)


def test_a_truncated_member_is_incomplete() -> None:
    data = gzip.compress(b"content" * 100)
    found, is_complete = decompress(data[:-10], 1000)
    assert (b"content" * 100).startswith(found)
    assert not is_complete


@pytest.mark.parametrize("room", [1, 10, 999])
def test_no_more_than_the_limit_is_decompressed(room: int) -> None:
    found, _ = decompress(gzip.compress(bytes(500)) + gzip.compress(bytes(1 << 20)), 100, room)
    assert found == bytes(room)


def test_invalid_data_raises() -> None:
    with pytest.raises(zlib.error):
        decompress(b"no gzip at all", 100)


def test_too_many_members_raise() -> None:
    with pytest.raises(zlib.error, match="members"):
        decompress(gzip.compress(b"") * (MAX_MEMBERS + 1), 1 << 20)
