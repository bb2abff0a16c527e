"""Decode content encodings with a size limit.

libcurl's own decoder accepts a truncated gzip stream as complete, and fails if a stream has several members. These
decoders take the bytes as they arrive and never return more than allowed, so a decompression bomb costs no more memory
than the limit.
"""

from __future__ import annotations

import zlib

import brotli

from headwater.pages.files.gzip_stream import GzipStream

ACCEPT_ENCODING = "gzip, deflate, br"
MAX_ENCODINGS = 2


class DecodingError(Exception):
    """The body is not in the encoding that the header names."""


class Decoder:
    """Decodes one encoding; each subclass implements one format."""

    def __init__(self) -> None:
        self._is_empty = True

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode the next bytes; the result is at most one byte longer than `room`."""
        try:
            decoded = self._decode(data, room + 1)
        except (zlib.error, brotli.error) as error:
            raise DecodingError(str(error)) from None
        self._is_empty = self._is_empty and not data
        return decoded

    def is_complete(self) -> bool:
        """Return True if the stream has ended, or if there was no data at all."""
        return self._is_empty or self._has_ended()

    def _decode(self, data: bytes, limit: int) -> bytes:
        raise NotImplementedError

    def _has_ended(self) -> bool:
        raise NotImplementedError


class GzipDecoder(Decoder):
    """gzip with one or several members; like browsers, it ignores bytes after the last one."""

    def __init__(self) -> None:
        super().__init__()
        self._stream = GzipStream()

    def _decode(self, data: bytes, limit: int) -> bytes:
        return self._stream.decompress(data, limit)

    def _has_ended(self) -> bool:
        return self._stream.is_complete()


class DeflateDecoder(Decoder):
    """deflate, which some servers send with a zlib header and some without; bytes after the end are ignored."""

    def __init__(self) -> None:
        super().__init__()
        self._stream = zlib.decompressobj()

    def _decode(self, data: bytes, limit: int) -> bytes:
        if self._stream.eof:
            return b""
        try:
            return self._stream.decompress(data, limit)
        except zlib.error:
            if not self._is_empty:
                raise
        self._stream = zlib.decompressobj(-15)  # the first bytes are not a zlib header
        return self._stream.decompress(data, limit)

    def _has_ended(self) -> bool:
        return self._stream.eof


class BrotliDecoder(Decoder):
    """brotli."""

    def __init__(self) -> None:
        super().__init__()
        self._stream = brotli.Decompressor()

    def _decode(self, data: bytes, limit: int) -> bytes:
        decoded: bytes = self._stream.process(data, output_buffer_limit=limit)
        while len(decoded) < limit and not self._stream.can_accept_more_data():
            decoded += self._stream.process(b"", output_buffer_limit=limit - len(decoded))
        return decoded

    def _has_ended(self) -> bool:
        return bool(self._stream.is_finished())


_DECODERS: dict[str, type[Decoder]] = {
    "gzip": GzipDecoder,
    "x-gzip": GzipDecoder,
    "deflate": DeflateDecoder,
    "br": BrotliDecoder,
}


class DecoderChain:
    """Decodes all encodings of a body, the last one first; without encodings it returns the bytes unchanged."""

    __slots__ = ("_decoders", "_room", "has_overflowed")

    def __init__(self, content_encoding: str, room: int) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")] if content_encoding else []
        known = [name for name in names if name in _DECODERS]
        if len(known) > MAX_ENCODINGS:
            raise DecodingError(f"{len(known)} encodings, {MAX_ENCODINGS} are allowed")
        self._decoders = [_DECODERS[name]() for name in reversed(known)]
        self._room = room
        self.has_overflowed = False

    def feed(self, data: bytes) -> bytes:
        """Decode the next bytes up to the limit; `has_overflowed` is set if there are more."""
        for decoder in self._decoders:
            data = self._cut(decoder.feed(data, self._room))
        data = self._cut(data)
        self._room -= len(data)
        return data

    def _cut(self, data: bytes) -> bytes:
        if len(data) <= self._room:
            return data
        self.has_overflowed = True
        return data[: self._room]

    def is_complete(self) -> bool:
        """Return True if every stream has ended."""
        return all(decoder.is_complete() for decoder in self._decoders)
