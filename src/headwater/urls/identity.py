"""Numbers for pages: the key of a URL hashed to 64 bits."""

from __future__ import annotations

from hashlib import blake2b


def compute_identity(key: str) -> int:
    """Return the number of a page: 64 bits of its key, signed because databases store signed integers."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
