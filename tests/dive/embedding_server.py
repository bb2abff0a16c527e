"""Serve `POST /v1/embeddings` on loopback: a vector counts letters, and vectors are returned in reverse order."""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.commands import PATIENCE
from tests.sites.table_site import Answer, ReceivedRequest, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "test-key"
LETTERS = "abcdefghijklmnopqrst"


@dataclass
class EmbeddingServer:
    """The base URL of a running server, and the requests and texts it has received; `limit` of them are answered."""

    base_url: str = ""
    texts: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    limit: float = math.inf


@contextmanager
def embedding_server(body: bytes | None = None, delay: float = 0.0) -> Iterator[EmbeddingServer]:
    """Run the server; with `body` every response has this body."""
    served = EmbeddingServer()

    def answer(request: ReceivedRequest) -> Answer:
        assert (request.method, request.path) == ("POST", "/v1/embeddings")
        assert request.headers["authorization"] == f"Bearer {KEY}"
        texts = json.loads(request.body)["input"]
        served.requests += 1
        served.texts.update(texts)
        rows = [
            {"index": place, "embedding": [1.0 + text.lower().count(letter) for letter in LETTERS]}
            for place, text in enumerate(texts)
        ]
        wait = delay if served.requests <= served.limit else 2 * PATIENCE
        return Answer(body or json.dumps({"data": rows[::-1]}), type="application/json", delay=wait)

    with serve(answer) as server:
        served.base_url = f"{server.origin}/v1"
        yield served
