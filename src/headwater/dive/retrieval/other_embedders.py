"""Embedders besides the built-in model: OpenAI-compatible servers and fastembed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from headwater.dive.content.chunks import estimate_tokens
from headwater.dive.telemetry import disable_telemetry
from headwater.errors import ModelError, SettingError
from headwater.fetch.model_client import ModelClient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings

BATCH = 64
FASTEMBED_MODEL = "BAAI/bge-small-en-v1.5"


class ServerEmbedder:
    """Embeds texts with `POST /embeddings` of an OpenAI-compatible server."""

    def __init__(self, settings: Settings) -> None:
        if not settings.embedding_model:
            raise SettingError("embedding_model", "embedder=openai needs the name of a model of that server")
        self._model = settings.embedding_model
        self._server = ModelClient(settings)

    @property
    def name(self) -> str:
        """The name of the model with its provider."""
        return f"openai:{self._model}"

    def count_tokens(self, text: str) -> int:
        """Estimate the number of tokens, which the server does not report."""
        return estimate_tokens(text)

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """Return one row for each text, in the order of the texts."""
        import numpy as np  # noqa: PLC0415  (optional)

        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            part = list(texts[start : start + BATCH])
            answer = await self._server.post("/embeddings", {"model": self._model, "input": part})
            rows += _parse_vectors(answer, len(part))
        return np.asarray(rows, dtype=np.float32)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._server.aclose()


class FastembedEmbedder:
    """Embeds texts with fastembed, which downloads models on first use.

    FASTEMBED_CACHE_PATH is the folder for models; with HF_HUB_OFFLINE=1 nothing is downloaded.
    """

    def __init__(self, model: str | None) -> None:
        self._model = model or FASTEMBED_MODEL
        self._loaded: Any = None

    @property
    def name(self) -> str:
        """The name of the model with its provider."""
        return f"fastembed:{self._model}"

    def count_tokens(self, text: str) -> int:
        """Estimate the number of tokens."""
        return estimate_tokens(text)

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """Return one row for each text."""
        return await asyncio.to_thread(self._embed, list(texts))

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    def _embed(self, texts: list[str]) -> Any:  # noqa: ANN401  (a numpy array)
        disable_telemetry()
        import numpy as np  # noqa: PLC0415  (optional)

        try:
            from fastembed import TextEmbedding  # noqa: PLC0415  (optional)

            self._loaded = self._loaded or TextEmbedding(self._model)
        except Exception as error:  # noqa: BLE001  (unknown models, no network, damaged files)
            raise ModelError(f"fastembed cannot load {self._model}: {error}") from None
        return np.stack(list(self._loaded.embed(texts)))


def _parse_vectors(answer: dict[str, Any], count: int) -> list[list[float]]:
    """Return the rows of a response in the order of the texts."""
    try:
        rows = {int(one.get("index", position)): one["embedding"] for position, one in enumerate(answer["data"])}
        return [[float(value) for value in rows[position]] for position in range(count)]
    except (KeyError, TypeError, ValueError):
        raise ModelError("the response of the server does not contain embeddings for all texts") from None
