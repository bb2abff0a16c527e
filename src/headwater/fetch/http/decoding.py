"""Content encodings undone by us, with a cap: libcurl calls a cut gzip stream a success and fails on several members.

A decoder takes the bytes as they arrive and never gives out more than it was allowed to, so a bomb costs its cap.
"""

from __future__ import annotations

import zlib
from typing import Protocol

import brotli

from headwater.pages.files.gzip_stream import GzipStream

ACCEPT_ENCODING = "gzip, deflate, br"
MAX_ENCODINGS = 2


class DecodingError(Exception):
    """The bytes are not what the header said."""


class Decoder(Protocol):
    """Undoes one encoding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """What `data` decodes to; stops a little after `room` bytes."""

    def is_complete(self) -> bool:
        """Whether the end mark of the stream was seen."""


class GzipDecoder:
    """gzip, of one or several members; what follows the last is ignored, as browsers do."""

    def __init__(self) -> None:
        self._stream = GzipStream()
        self._is_empty = True

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode, going on to the next member where one ends."""
        self._is_empty = self._is_empty and not data
        try:
            return self._stream.decompress(data, room + 1)
        except zlib.error as error:
            raise DecodingError(str(error)) from None

    def is_complete(self) -> bool:
        """Whether the last member ended; an empty body has nothing to end."""
        return self._stream.is_complete() or self._is_empty


class DeflateDecoder:
    """deflate, which half of the world sends with a zlib header and half without."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()
        self._is_empty = True

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode; the first bytes show which form it is, and what follows the end is ignored."""
        if self._stream.eof:
            return b""
        is_first, self._is_empty = self._is_empty, self._is_empty and not data
        try:
            return self._stream.decompress(data, room + 1)
        except zlib.error as error:
            if not is_first:
                raise DecodingError(str(error)) from None
        self._stream = zlib.decompressobj(-15)
        try:
            return self._stream.decompress(data, room + 1)
        except zlib.error as error:
            raise DecodingError(str(error)) from None

    def is_complete(self) -> bool:
        """Whether the end was seen."""
        return self._stream.eof or self._is_empty


class BrotliDecoder:
    """brotli."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self._is_empty = True

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode in steps, so that the cap holds."""
        self._is_empty = self._is_empty and not data
        try:
            decoded: bytes = self._stream.process(data, output_buffer_limit=room + 1)
            while len(decoded) <= room and not self._stream.can_accept_more_data():
                decoded += self._stream.process(b"", output_buffer_limit=room + 1 - len(decoded))
        except brotli.error as error:
            raise DecodingError(str(error)) from None
        return decoded

    def is_complete(self) -> bool:
        """Whether the end was seen."""
        return bool(self._stream.is_finished()) or self._is_empty


_DECODERS: dict[str, type[GzipDecoder | DeflateDecoder | BrotliDecoder]] = {
    "gzip": GzipDecoder,
    "x-gzip": GzipDecoder,
    "deflate": DeflateDecoder,
    "br": BrotliDecoder,
}


class DecoderChain:
    """The encodings of one body undone in turn; without any it passes the bytes on."""

    __slots__ = ("_decoders", "_room", "has_overflowed")

    def __init__(self, content_encoding: str, room: int) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")] if content_encoding else []
        known = [name for name in names if name in _DECODERS]
        if len(known) > MAX_ENCODINGS:
            raise DecodingError(f"{len(known)} encodings, {MAX_ENCODINGS} are allowed")
        self._decoders: list[Decoder] = [_DECODERS[name]() for name in reversed(known)]
        self._room = room
        self.has_overflowed = False

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes, as many as are allowed; `has_overflowed` once there are more."""
        for decoder in self._decoders:
            data = self._bounded(decoder.feed(data, self._room))
        data = self._bounded(data)
        self._room -= len(data)
        return data

    def _bounded(self, data: bytes) -> bytes:
        if len(data) <= self._room:
            return data
        self.has_overflowed = True
        return data[: self._room]

    def is_complete(self) -> bool:
        """Whether every stream ended where it says it does."""
        return all(decoder.is_complete() for decoder in self._decoders)
