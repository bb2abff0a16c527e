"""Open a page of our own for `headwater doctor`, which tries to send packets around the browser's proxy."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from headwater.cli.inspect_commands.check_results import CheckResult
from headwater.event_loop import stop_listening
from headwater.fetch.browser.browser import Browser
from headwater.fetch.browser.chromium import INSTALL_HINT
from headwater.fetch.browser.udp_canary import listen_for_udp
from headwater.model import FetchFailure

if TYPE_CHECKING:
    from headwater.fetch.browser.udp_canary import UdpCanary
    from headwater.settings import Settings

UDP_TIMEOUT = 20.0
"""Seconds for what follows once the page is open."""

GATHERED_PATH = "/gathered"
TEST_PAGE = """<!doctype html><title>doctor</title><script>
  const tell = () => fetch("%(gathered)s");
  try {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:%(port)d" }] });
    connection.onicegatheringstatechange = () => connection.iceGatheringState == "complete" && tell();
    connection.createDataChannel("doctor");
    connection.createOffer().then(offer => connection.setLocalDescription(offer)).catch(tell);
  } catch { tell(); }
</script>"""


async def check_browser(settings: Settings) -> list[CheckResult]:
    """Open a page on loopback through our own proxy that tries to send UDP packets around it."""
    transport, canary = await listen_for_udp()
    page = TEST_PAGE % {"gathered": GATHERED_PATH, "port": transport.get_extra_info("sockname")[1]}
    server = await asyncio.start_server(
        lambda reader, writer: _serve_page(reader, writer, page, canary), "127.0.0.1", 0
    )
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    browser = Browser(settings, [url])
    try:
        result = await browser.open(url, clicks=False)
        if isinstance(result, FetchFailure):
            return [_open_failure(result)]
        return [CheckResult("a page", "✓", "was opened in the browser"), await _check_udp(canary)]
    finally:
        await browser.aclose()
        await stop_listening(server)
        transport.close()


def _open_failure(outcome: FetchFailure) -> CheckResult:
    advice = "" if outcome.reason == "no-browser" else INSTALL_HINT  # that one says what to install itself
    return CheckResult("a page", "✗", f"could not be opened: {outcome.detail or outcome.reason}", advice)


async def _check_udp(canary: UdpCanary) -> CheckResult:
    with suppress(TimeoutError):
        async with asyncio.timeout(UDP_TIMEOUT):
            await canary.is_over.wait()
    if canary.has_received_packet:
        advice = "name another Chromium with --browser, or do without one: --render never"
        return CheckResult(
            "UDP", "✗", "leaves the browser: pages can send packets to private addresses (WebRTC)", advice
        )
    if not canary.is_over.is_set():
        return CheckResult("UDP", "–", f"could not be checked: the page was not done after {UDP_TIMEOUT:g} s")
    return CheckResult("UDP", "✓", "does not leave the browser")


async def _serve_page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, page: str, canary: UdpCanary) -> None:
    with closing(writer), suppress(OSError, asyncio.IncompleteReadError):  # browsers open some connections in vain
        head = await reader.readuntil(b"\r\n\r\n")
        body = page.encode()
        lines = f"Content-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(f"HTTP/1.1 200 OK\r\n{lines}".encode() + body)
        await writer.drain()
        if head.split()[1] == GATHERED_PATH.encode():
            canary.is_over.set()
