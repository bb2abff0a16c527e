"""Browser checks of `headwater doctor`: a test page loads, and cannot send UDP packets around the proxy."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

from headwater.event_loop import stop_listening
from headwater.fetch.browser.browser import Browser
from headwater.fetch.browser.chromium import INSTALL_HINT
from headwater.fetch.browser.network.udp_canary import listen_for_udp
from headwater.model import FetchFailure

if TYPE_CHECKING:
    from headwater.fetch.browser.network.udp_canary import UdpCanary
    from headwater.settings import Settings

UDP_TIMEOUT = 20.0
"""Seconds the test page has to finish once it is open."""

GATHERED_PATH = "/gathered"
TEST_PAGE = """<!doctype html><title>doctor</title><script>
  const report = () => fetch("%(gathered)s");
  try {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:%(port)d" }] });
    connection.onicegatheringstatechange = () => connection.iceGatheringState == "complete" && report();
    connection.createDataChannel("doctor");
    connection.createOffer().then(offer => connection.setLocalDescription(offer)).catch(report);
  } catch { report(); }
</script>"""


class CheckResult(NamedTuple):
    """The result of one check: a mark, what was found, and what to do if something is missing."""

    name: str
    state: str
    detail: str
    advice: str = ""
    is_needed: bool = False

    @property
    def is_ok(self) -> bool:
        """Return True if nothing is missing."""
        return self.state == "✓"


async def check_browser(settings: Settings) -> list[CheckResult]:
    """Open a test page on loopback that tries to send UDP packets around the proxy."""
    transport, canary = await listen_for_udp()
    page = TEST_PAGE % {"gathered": GATHERED_PATH, "port": transport.get_extra_info("sockname")[1]}
    server = await asyncio.start_server(
        lambda reader, writer: _serve_page(reader, writer, page, canary), "127.0.0.1", 0
    )
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    browser = Browser(settings, [url])
    try:
        result = await browser.open(url, should_click=False)
        if isinstance(result, FetchFailure):
            return [_describe_failure(result)]
        return [CheckResult("test page", "✓", "loads in the browser"), await _check_udp(canary)]
    finally:
        await browser.aclose()
        await stop_listening(server)
        transport.close()


def _describe_failure(outcome: FetchFailure) -> CheckResult:
    advice = "" if outcome.reason == "no-browser" else INSTALL_HINT  # its detail says what to install
    return CheckResult("test page", "✗", f"does not load: {outcome.detail or outcome.reason}", advice)


async def _check_udp(canary: UdpCanary) -> CheckResult:
    with suppress(TimeoutError):
        async with asyncio.timeout(UDP_TIMEOUT):
            await canary.is_over.wait()
    if canary.has_received_packet:
        advice = "use another Chromium with --browser, or none with --render never"
        detail = "bypasses the proxy: pages can send packets to private addresses (WebRTC)"
        return CheckResult("UDP", "✗", detail, advice)
    if not canary.is_over.is_set():
        return CheckResult("UDP", "–", f"not checked: the test page did not finish within {UDP_TIMEOUT:g} s")
    return CheckResult("UDP", "✓", "does not bypass the proxy")


async def _serve_page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, page: str, canary: UdpCanary) -> None:
    with (
        closing(writer),
        suppress(OSError, asyncio.IncompleteReadError),
    ):  # browsers open connections that they do not use
        head = await reader.readuntil(b"\r\n\r\n")
        body = page.encode()
        lines = f"Content-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(f"HTTP/1.1 200 OK\r\n{lines}".encode() + body)
        await writer.drain()
        if head.split()[1] == GATHERED_PATH.encode():
            canary.is_over.set()
