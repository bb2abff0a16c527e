"""A WebSocket server that sends one message to every client, and keeps the text frames that it receives."""

from __future__ import annotations

import base64
import hashlib
import socketserver
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT_FRAME, _CLOSE_FRAME = 0x81, 0x88


class SocketServer(socketserver.ThreadingTCPServer):
    """Sends `message` (at most 125 bytes); `received` counts the text frames of clients."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, message: str) -> None:
        self.message, self.received, self.clients = message.encode(), 0, 0
        super().__init__(("127.0.0.1", 0), _Handler)
        self.origin = f"ws://127.0.0.1:{self.server_address[1]}"


class _Handler(socketserver.StreamRequestHandler):
    server: SocketServer

    def handle(self) -> None:
        """Shake hands, send the message, and read the first byte of every frame until the client closes."""
        lines = iter(lambda: self.rfile.readline().strip(), b"")
        headers = dict(line.split(b": ", 1) for line in lines if b": " in line)
        key = {name.lower(): value for name, value in headers.items()}.get(b"sec-websocket-key", b"")
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        self.wfile.write(b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        self.wfile.write(bytes([_TEXT_FRAME, len(self.server.message)]) + self.server.message)
        self.server.clients += 1
        while (first := self.rfile.read(1)) and first[0] != _CLOSE_FRAME:
            self.server.received += first[0] == _TEXT_FRAME
            length = self.rfile.read(1)[0] & 0x7F
            self.rfile.read(4 + length)  # the mask and the content


@contextmanager
def socket_server(message: str) -> Iterator[SocketServer]:
    """Serve for the length of the block."""
    with SocketServer(message) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield server
        server.shutdown()
