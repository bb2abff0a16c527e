"""Search vectors of int8 values with a scale each; numpy is imported only when vectors are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    FloatArray = Any
    """A numpy array; numpy is part of an extra."""

ROWS_PER_BLOCK = 512
"""Rows that are scored at once: few enough to stay in the CPU cache, and to keep numpy from using more threads."""

_SCALE_BYTES = 4


def pack_vectors(vectors: FloatArray) -> list[bytes]:
    """Pack rows of floats into bytes: the scale, then one signed byte for each dimension."""
    import numpy as np  # noqa: PLC0415  (optional)

    rows = np.asarray(vectors, dtype=np.float32)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-12).astype(np.float32) / np.float32(127)
    small = np.rint(rows / scales[:, None]).astype(np.int8)
    return [scale.tobytes() + row.tobytes() for scale, row in zip(scales, small, strict=True)]


class VectorIndex:
    """The vectors of one dive in memory, with one byte for each dimension."""

    def __init__(self, rows: Iterable[tuple[int, bytes]]) -> None:
        import numpy as np  # noqa: PLC0415  (optional)

        numbers, packed = [], bytearray()
        width = 0
        for number, content in rows:
            if width and len(content) != width:
                continue  # from a model of the same name with other dimensions
            width = len(content)
            numbers.append(number)
            packed += content
        table = np.frombuffer(packed, dtype=np.uint8).reshape(len(numbers), width)
        self.numbers = np.array(numbers, dtype=np.int64)
        self._scales = table[:, :_SCALE_BYTES].copy().view(np.float32).reshape(len(numbers))
        self._table = table[:, _SCALE_BYTES:].view(np.int8).copy()

    def __len__(self) -> int:
        return len(self.numbers)

    def score_rows(self, query: FloatArray) -> FloatArray:
        """Return the cosine similarity of every vector with a normalized query."""
        import numpy as np  # noqa: PLC0415  (optional)

        result = np.empty(len(self), dtype=np.float32)
        for start in range(0, len(self), ROWS_PER_BLOCK):
            block = self._table[start : start + ROWS_PER_BLOCK].astype(np.float32)
            np.dot(block, query, out=result[start : start + len(block)])
        return result * self._scales

    def nearest(self, query: FloatArray, limit: int, among: Set[int] | None = None) -> list[tuple[int, float]]:
        """Return the nearest passages with their cosine similarity, the best first."""
        import numpy as np  # noqa: PLC0415  (optional)

        if not len(self):
            return []
        query = np.asarray(query, dtype=np.float32).ravel()
        if query.shape[0] != self._table.shape[1]:
            return []
        scores = self.score_rows(query / max(float(np.linalg.norm(query)), 1e-12))
        if among is not None:
            scores = np.where(np.isin(self.numbers, list(among)), scores, np.float32(-2))
        limit = min(limit, len(self))
        best = np.argpartition(-scores, limit - 1)[:limit]
        best = best[np.lexsort((self.numbers[best], -scores[best]))]
        return [(int(self.numbers[one]), float(scores[one])) for one in best if scores[one] > -2]
