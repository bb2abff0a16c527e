"""A model server on loopback that streams scripted answers in the format of OpenAI."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KEY = "a-key-nobody-may-see"


@dataclass
class ScriptedModel:
    """Streams its `pieces`; answers a question with the word "endless" until the client disconnects."""

    pieces: list[str] = field(default_factory=lambda: ["Nothing."])
    origin: str = ""
    status: int = 200
    keys: list[str] = field(default_factory=list)
    is_disconnected: threading.Event = field(default_factory=threading.Event)

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment variables that make Headwater use this server."""
        return {"OPENAI_BASE_URL": f"{self.origin}/v1", "OPENAI_API_KEY": KEY, "HEADWATER_CHAT_MODEL": "scripted"}


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """Run the model server during the block."""
    model, is_closing = ScriptedModel(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.keys.append(self.headers.get("Authorization", ""))
            self.send_response(model.status)
            self.send_header("Content-Type", "text/event-stream" if model.status == 200 else "application/json")
            self.end_headers()
            if model.status != 200:
                self.wfile.write(json.dumps({"error": {"message": "not with this key"}}).encode())
            elif "endless" in request["messages"][-1]["content"]:
                self._answer_endlessly()
            else:
                for piece in model.pieces:
                    self._send(piece)
                self.wfile.write(b"data: [DONE]\n\n")

        def _answer_endlessly(self) -> None:
            try:
                while not is_closing.wait(0.05):
                    self._send("On and on. ")
            except OSError:
                model.is_disconnected.set()

        def _send(self, text: str) -> None:
            delta: dict[str, Any] = {"choices": [{"delta": {"content": text}, "finish_reason": None}]}
            self.wfile.write(f"data: {json.dumps(delta)}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.origin = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        is_closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
