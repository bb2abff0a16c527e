"""A UDP port on loopback that listens for packets that leave the browser around its proxy. It never sends."""

from __future__ import annotations

import asyncio


class UdpCanary(asyncio.DatagramProtocol):
    """Notes whether a packet came; `is_over` is set by the first one, or by whoever knows that none will come."""

    def __init__(self) -> None:
        self.has_received_packet = False
        self.is_over = asyncio.Event()

    def datagram_received(self, _data: bytes, _address: object) -> None:
        """Note a packet."""
        self.has_received_packet = True
        self.is_over.set()


async def listen_for_udp() -> tuple[asyncio.DatagramTransport, UdpCanary]:
    """Listen on a port of loopback that the system chooses."""
    return await asyncio.get_running_loop().create_datagram_endpoint(UdpCanary, local_addr=("127.0.0.1", 0))
