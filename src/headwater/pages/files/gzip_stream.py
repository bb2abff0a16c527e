"""Decompress gzip of one or several members, in time linear in the input and up to a limit."""

from __future__ import annotations

import zlib

MAGIC = b"\x1f\x8b"
MAX_MEMBERS = 10_000
"""A sitemap of the largest permitted size has about 800 members if each holds 64 KB, as bgzip writes them."""

_WINDOW = 64 * 1024
"""Bytes decompressed at a time; small, because the rest of a window is copied at the end of each member."""


class GzipStream:
    """Decompresses data as it arrives; data after the last member is ignored, as browsers do."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(31)
        self._members = 1
        self._partial_magic = b""
        self._has_ended = False

    def decompress(self, data: bytes, room: int) -> bytes:
        """Return at most `room` bytes (at least 1); raises zlib.error for invalid gzip.

        If `room` bytes are returned, the rest of the data is discarded.
        """
        if len(data) <= _WINDOW and not self._stream.eof:
            decoded = self._stream.decompress(data, room)
            if not self._stream.unused_data:
                return decoded
            return decoded + self._decompress_members(self._stream.unused_data, room - len(decoded))
        return self._decompress_members(data, room)

    def is_complete(self) -> bool:
        """Return True if the last member has ended."""
        return self._stream.eof

    def _decompress_members(self, data: bytes, room: int) -> bytes:
        decoded = bytearray()
        for start in range(0, len(data), _WINDOW):
            window, self._partial_magic = self._partial_magic + data[start : start + _WINDOW], b""
            while window and len(decoded) < room and not self._has_ended:
                if self._stream.eof and not self._begin_member(window):
                    break
                decoded += self._stream.decompress(window, room - len(decoded))
                window = self._stream.unused_data
        return bytes(decoded)

    def _begin_member(self, window: bytes) -> bool:
        """Prepare for a member at the beginning of the window; return False if there is none."""
        if window == MAGIC[:1]:
            self._partial_magic = window
            return False
        if not window.startswith(MAGIC):
            self._has_ended = True
            return False
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise zlib.error(f"more than {MAX_MEMBERS:,} gzip members")
        self._stream = zlib.decompressobj(31)
        return True
