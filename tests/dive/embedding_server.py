"""`POST /v1/embeddings` on loopback: a text's vector counts its letters; answers arrive in the wrong order."""

from __future__ import annotations

import json
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "test-key"
LETTERS = "abcdefghijklmnopqrst"


@dataclass
class EmbeddingServer:
    """Where it is, and what was asked of it."""

    base_url: str = ""
    texts: Counter[str] = field(default_factory=Counter)
    requests: int = 0


@contextmanager
def embedding_server(answer: bytes | None = None, delay: float = 0.0) -> Iterator[EmbeddingServer]:
    """The server; with `answer` it says nothing else."""
    served, is_over = EmbeddingServer(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/embeddings"
            assert self.headers["Authorization"] == f"Bearer {KEY}"
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            served.requests += 1
            served.texts.update(texts)
            is_over.wait(delay)
            rows = [
                {"index": place, "embedding": [1.0 + text.lower().count(letter) for letter in LETTERS]}
                for place, text in enumerate(texts)
            ]
            body = answer or json.dumps({"data": rows[::-1]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Clients hang up; that is no error here."""

    running = Server(("127.0.0.1", 0), Handler)
    served.base_url = f"http://127.0.0.1:{running.server_port}/v1"
    thread = threading.Thread(target=running.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield served
    finally:
        is_over.set()
        running.shutdown()
        running.server_close()
        thread.join()
