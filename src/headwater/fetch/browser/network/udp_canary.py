"""Listen on a UDP port of loopback for packets that the browser sends without its proxy."""

from __future__ import annotations

import asyncio


class UdpCanary(asyncio.DatagramProtocol):
    """Records whether a packet arrived; `is_over` is set by the first packet, or by the caller."""

    def __init__(self) -> None:
        self.has_received_packet = False
        self.is_over = asyncio.Event()

    def datagram_received(self, _data: bytes, _address: object) -> None:
        """Record the packet."""
        self.has_received_packet = True
        self.is_over.set()


async def listen_for_udp() -> tuple[asyncio.DatagramTransport, UdpCanary]:
    """Listen on a free port of loopback."""
    return await asyncio.get_running_loop().create_datagram_endpoint(UdpCanary, local_addr=("127.0.0.1", 0))
