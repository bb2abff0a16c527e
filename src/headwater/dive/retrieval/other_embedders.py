"""Embedders beside the one that comes with the extra: any OpenAI-compatible server, and fastembed."""

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
    """Vectors from `POST /embeddings` of an OpenAI-compatible server."""

    def __init__(self, settings: Settings) -> None:
        if not settings.embedding_model:
            raise SettingError("embedding_model", "embedder=openai needs the name of a model on that server")
        self._model = settings.embedding_model
        self._server = ModelClient(settings)

    @property
    def name(self) -> str:
        """The model's name there."""
        return f"openai:{self._model}"

    def count_tokens(self, text: str) -> int:
        """An estimate: the server does not tell."""
        return estimate_tokens(text)

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """One row a text, in order, whatever order the server answers in."""
        import numpy as np  # noqa: PLC0415  (optional)

        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            part = list(texts[start : start + BATCH])
            answer = await self._server.post("/embeddings", {"model": self._model, "input": part})
            rows += _vectors(answer, len(part))
        return np.asarray(rows, dtype=np.float32)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._server.aclose()


class FastembedEmbedder:
    """Vectors from fastembed, which downloads its models itself when they are first used.

    FASTEMBED_CACHE_PATH names the folder they are kept in; with HF_HUB_OFFLINE=1 it takes what is there.
    """

    def __init__(self, model: str | None) -> None:
        self._model = model or FASTEMBED_MODEL
        self._loaded: Any = None

    @property
    def name(self) -> str:
        """The model's name there."""
        return f"fastembed:{self._model}"

    def count_tokens(self, text: str) -> int:
        """An estimate."""
        return estimate_tokens(text)

    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401  (a numpy array)
        """One row a text."""
        return await asyncio.to_thread(self._embed, list(texts))

    async def aclose(self) -> None:
        """It holds nothing that must be closed."""

    def _embed(self, texts: list[str]) -> Any:  # noqa: ANN401  (a numpy array)
        disable_telemetry()
        import numpy as np  # noqa: PLC0415  (optional)

        try:
            from fastembed import TextEmbedding  # noqa: PLC0415  (optional)

            self._loaded = self._loaded or TextEmbedding(self._model)
        except Exception as error:  # noqa: BLE001  (a name it does not know, a hub out of reach, files that are none)
            raise ModelError(f"fastembed cannot load {self._model}: {error}") from None
        return np.stack(list(self._loaded.embed(texts)))


def _vectors(answer: dict[str, Any], count: int) -> list[list[float]]:
    """The rows of an answer by their index."""
    try:
        rows = {int(one.get("index", place)): one["embedding"] for place, one in enumerate(answer["data"])}
        return [[float(value) for value in rows[place]] for place in range(count)]
    except (KeyError, TypeError, ValueError):
        raise ModelError("the server's answer holds no embeddings of the texts that were sent") from None
