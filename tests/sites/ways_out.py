"""Serve a page that tries every kind of request a browser can send to a private address, and count what arrives there.

Run as a program it opens the page and prints the number of UDP packets that its network namespace has sent.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from headwater.fetch.browser.browser import Browser
from headwater.model import FetchFailure
from headwater.settings import build_settings
from tests.commands import PATIENCE
from tests.sites.table_site import Answer, serve

if TYPE_CHECKING:
    from tests.sites.table_site import ReceivedRequest

PRIVATE = "127.0.0.2"
WORKER = """
  fetch("http://{private}/worker", {{ mode: "no-cors" }}).catch(() => 0);
  new WebSocket("ws://{private}/worker-socket");
  try {{ new WebTransport("https://{private}/worker-transport").ready.catch(() => 0); }} catch {{}}
"""
PAGE = """<!doctype html><title>Ways out</title>
<link rel=dns-prefetch href="//prefetch.invalid"><link rel=preconnect href="http://{private}">
<link rel=preconnect href="https://{private}" crossorigin><link rel=prefetch href="http://{private}/prefetch">
<link rel=modulepreload href="http://{private}/module"><link rel=manifest href="http://{private}/manifest">
<link rel=icon href="http://{private}/icon"><link rel=stylesheet href="http://{private}/style">
<script type=speculationrules>{{
  "prefetch": [{{ "urls": ["http://{private}/speculative"], "eagerness": "immediate" }}],
  "prerender": [{{ "urls": ["http://{private}/prerendered"], "eagerness": "immediate" }}]
}}</script>
<img src="http://{private}/image"><video src="http://{private}/video" autoplay muted></video>
<object data="http://{private}/object"></object><iframe src="http://{private}/frame"></iframe>
<iframe src="file:///etc/hostname"></iframe><iframe src="chrome://version"></iframe>
<iframe src="view-source:http://{private}/"></iframe>
<iframe src="data:text/html,<script>fetch('http://{private}/data');new WebSocket('ws://{private}/data')</script>"></iframe>
<a id=link target=_blank href="http://{private}/link" ping="http://{private}/ping">Link</a>
<script>
  const attempts = [];
  const attempt = way => {{ try {{ attempts.push(Promise.resolve(way()).catch(() => 0)); }} catch {{}} }};
  const failed = object => new Promise(resolve => object.onerror = resolve);
  attempt(() => fetch("http://{private}/fetch", {{ mode: "no-cors" }}));
  attempt(() => fetch("http://{private}/kept", {{ mode: "no-cors", method: "POST", body: "x", keepalive: true }}));
  attempt(() => fetch("file:///etc/hostname"));
  attempt(() => navigator.sendBeacon("http://{private}/beacon", "x"));
  attempt(() => fetchLater("https://{private}/later", {{ activateAfter: 0 }}));
  attempt(() => failed(new WebSocket("ws://{private}/socket")));
  attempt(() => failed(new WebSocket("wss://{private}/socket")));
  attempt(() => failed(new EventSource("http://{private}/events")));
  attempt(() => new WebTransport("https://{private}/transport").ready);
  attempt(() => new WebTransport("https://{own}/transport").ready);
  attempt(() => new WebTransport("https://transport.invalid/").ready);
  attempt(() => navigator.serviceWorker.register("/worker.js"));
  attempt(() => {{ new Worker("/worker.js"); new SharedWorker("/worker.js"); }});
  attempt(() => {{ for (const scheme of ["", "view-source:"]) window.open(scheme + "http://{private}/window"); }});
  attempt(() => link.click());
  attempt(async () => {{
    const stun = {{ urls: ["stun:{private}", "stun:{own}", "stun:stun.invalid"] }};
    const turn = {{ urls: ["turn:{private}", "turn:{private}?transport=tcp", "turns:{private}", "turn:turn.invalid"] }};
    const [near, far] = [0, 1].map(() => new RTCPeerConnection({{
      iceServers: [stun, {{ ...turn, username: "x", credential: "x" }}], iceCandidatePoolSize: 2
    }}));
    const gathered = new Promise(resolve => near.onicegatheringstatechange = () =>
      near.iceGatheringState == "complete" && resolve());
    near.createDataChannel("x");
    await near.setLocalDescription(await near.createOffer());
    await far.setRemoteDescription(near.localDescription);
    await far.setLocalDescription(await far.createAnswer());
    await near.setRemoteDescription(far.localDescription);
    const name = "0a0a0a0a-1111-2222-3333-444444444444.local";
    const places = ["udp {private}", "tcp {private}", "udp ice.invalid:5000", `udp ${{name}}:5000`];
    for (const [protocol, host, port] of places.map(place => place.split(/[ :]/))) {{
      const kind = protocol == "tcp" ? "host tcptype passive" : "host";
      const candidate = `candidate:1 1 ${{protocol}} 2122260223 ${{host}} ${{port}} typ ${{kind}}`;
      await near.addIceCandidate({{ sdpMLineIndex: 0, candidate }}).catch(() => 0);
    }}
    await gathered;
  }});
  Promise.all(attempts).then(() => fetch("/done"));
</script>"""


class Reached(NamedTuple):
    """The numbers of TCP connections and UDP packets that arrived at the private address."""

    connections: int
    packets: int


def open_ways_out(program: str) -> Reached:
    """Open the page in this Chromium and wait until every attempt has ended."""
    with (
        socket.create_server((PRIVATE, 0)) as listener,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
    ):
        datagrams.bind(listener.getsockname())
        is_done = threading.Event()
        private_port = listener.getsockname()[1]
        with serve(lambda request: _answer(request, server.server_port, private_port, is_done)) as server:
            asyncio.run(_open(program, f"{server.origin}/", is_done))
        return Reached(_count(listener, listener.accept), _count(datagrams, lambda: datagrams.recv(9000)))


def _answer(request: ReceivedRequest, own_port: int, private_port: int, is_done: threading.Event) -> Answer:
    places = {"own": f"127.0.0.1:{own_port}", "private": f"{PRIVATE}:{private_port}"}
    if request.path == "/done":
        is_done.set()
    if request.path == "/worker.js":
        return Answer(WORKER.format(**places), type="text/javascript")
    private = places["private"]
    headers = {
        "Link": f"<http://{private}>; rel=preconnect, <//header.invalid>; rel=dns-prefetch",
        "Alt-Svc": f'h3="{private}"; ma=1000',
        "Reporting-Endpoints": f'default="http://{private}/reports"',
        "Content-Security-Policy-Report-Only": f"default-src 'none'; report-uri http://{private}/policy",
        "Speculation-Rules": f'"http://{private}/rules"',
    }
    return Answer(PAGE.format(**places), headers=headers)


async def _open(program: str, url: str, is_done: threading.Event) -> None:
    browser = Browser(build_settings({"browser": program, "render_timeout": PATIENCE}), [url])
    try:
        opened = await browser.open(url, should_click=False)
        assert not isinstance(opened, FetchFailure), opened
        assert await asyncio.to_thread(is_done.wait, PATIENCE)
    finally:
        await browser.aclose()


def _count(port: socket.socket, receive: object) -> int:
    port.setblocking(False)
    count = 0
    while True:
        try:
            received = receive()  # type: ignore[operator]
        except BlockingIOError:
            return count
        if isinstance(received, tuple):
            received[0].close()
        count += 1


def packets_sent() -> int:
    """Return the number of UDP packets that this network namespace has sent."""
    ipv4 = [line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if line.startswith("Udp:")]
    ipv6 = dict(line.split() for line in Path("/proc/net/snmp6").read_text().splitlines())
    return int(dict(zip(*ipv4, strict=True))["OutDatagrams"]) + int(ipv6["Udp6OutDatagrams"])


if __name__ == "__main__":
    open_ways_out(sys.argv[1])
    print(packets_sent())
