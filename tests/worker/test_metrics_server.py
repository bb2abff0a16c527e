"""The metrics server responds however many silent clients are connected."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.settings import build_settings
from headwater.worker import metrics_server
from headwater.worker.metrics_server import MAX_CLIENTS, MetricsServer
from tests.commands import PATIENCE
from tests.sites.nginx import free_port

if TYPE_CHECKING:
    import pytest


async def get(port: int, path: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer


def test_silent_clients_do_not_block_others_and_the_oldest_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_server, "CLIENT_TIMEOUT", 2 * PATIENCE)  # no client is dropped for its silence alone

    async def test() -> None:
        port = free_port()
        settings = build_settings({"db": "postgresql://127.0.0.1:1/none", "metrics": f"127.0.0.1:{port}"})
        async with MetricsServer(settings, list):
            clients = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MAX_CLIENTS + 10)]
            assert (await get(port, "/else")).startswith(b"HTTP/1.1 404")
            for reader, _ in clients[:10]:
                assert await reader.read() == b""
            for _, writer in clients:
                writer.close()

    asyncio.run(asyncio.wait_for(test(), PATIENCE))
