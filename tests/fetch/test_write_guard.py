"""Requests that may change data never leave the browser; with a real Chromium."""

from __future__ import annotations

import pytest

from headwater.fetch.browser.network.write_guard import FakeAnswer
from headwater.fetch.browser.rendered_page import RenderedPage
from tests.fetch.browsing import open_all
from tests.sites.socket_server import socket_server
from tests.sites.table_site import Answer, ReceivedRequest, serve

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "headers", "expected"),
    [
        ("POST", {}, (204, "")),
        ("POST", {"Accept": "*/*", "Content-Type": "text/plain"}, (204, "")),
        ("POST", JSON, (200, "{}")),
        ("DELETE", {"accept": "application/json, text/plain"}, (200, "{}")),
        ("PUT", {"content-type": "application/vnd.api+json"}, (200, "{}")),
        ("OPTIONS", {"accept": "application/json"}, (204, "")),
    ],
)
def test_answers_to_requests_that_are_not_sent(method: str, headers: dict[str, str], expected: tuple[int, str]) -> None:
    answer = FakeAnswer(method, headers)
    assert (answer.status, answer.body) == expected


def test_answers_allow_requests_from_other_origins() -> None:
    asked = {"Origin": "https://a.example", "Access-Control-Request-Headers": "x-a"}
    headers = FakeAnswer("OPTIONS", asked).headers
    assert (headers["Access-Control-Allow-Origin"], headers["Access-Control-Allow-Headers"]) == (
        "https://a.example",
        "x-a",
    )


PAGE = """<title>Writes</title><iframe src=/frame></iframe><iframe src=OTHER/frame></iframe><iframe name=box></iframe>
<form id=boxed method=post action=/api/form target=box></form><form id=top_form method=post action=/api/top></form>
<script>
  const tell = async (path, options) => {
    const answer = await fetch(path, options);
    fetch("/told?" + path.split("/api/")[1] + "=" + answer.status + await answer.text());
  };
  tell("/api/fetch", { method: "POST", body: "x" });
  tell("/api/json", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  tell("/api/allowed?x=1", { method: "POST" });
  tell("OTHER/api/cross", { method: "DELETE" });
  tell("OTHER/api/header", { headers: { "X-A": "1" } });
  const request = new XMLHttpRequest();
  request.open("PUT", "/api/xhr");
  request.send("x");
  navigator.sendBeacon("/api/beacon", "x");
  new Worker("/worker.js");
  try { new SharedWorker("/shared.js"); } catch { /* removed */ }
  const socket = new WebSocket("SOCKET");
  socket.onopen = () => socket.send("hello");
  socket.onmessage = event => { document.body.insertAdjacentHTML("beforeend", event.data); socket.close(); };
  boxed.submit();
  setTimeout(() => top_form.submit(), 50);
  addEventListener("pagehide", () => fetch("/api/unload", { method: "POST", keepalive: true }));
</script>"""
SCRIPTS = {
    "/worker.js": """fetch("/api/worker", { method: "POST" }); new Worker("/nested.js");
        const socket = new WebSocket("SOCKET"); socket.onopen = () => { socket.send("hello"); socket.close(); };""",
    "/nested.js": 'fetch("/api/nested", { method: "POST" })',
    "/shared.js": 'fetch("/api/shared", { method: "POST" })',
}
OWN = "beacon fetch form frame json nested top worker".split()


def test_only_get_and_head_leave_the_browser() -> None:
    """Pages, frames, workers, forms, beacons, reports and preflights; sockets do not send messages either."""

    def answer(request: ReceivedRequest) -> Answer:
        def fill(text: str) -> str:
            return text.replace("OTHER", other.origin.replace("127.0.0.1", "localhost")).replace(
                "SOCKET", socket.origin
            )

        if request.path in SCRIPTS:
            return Answer(fill(SCRIPTS[request.path]), type="text/javascript")
        if request.path == "/frame":
            return Answer("<script>fetch('/api/frame', { method: 'POST' })</script>")
        policy = {"Content-Security-Policy-Report-Only": "default-src 'none'; report-uri /api/report"}
        return (
            Answer(fill(PAGE), headers=policy)
            if request.path == "/"
            else Answer("sent", headers={"Access-Control-Allow-Origin": "*"})
        )

    with socket_server("<a href=/pushed>p</a>") as socket, serve(answer) as other, serve(answer) as server:
        seeds = [server.origin, other.origin.replace("127.0.0.1", "localhost"), socket.origin.replace("ws", "http")]
        (opened,) = open_all([f"{server.origin}/"], seeds, allow_post=("/api/allowed*",))
    assert isinstance(opened, RenderedPage), opened
    sent = [(one.method, one.path) for one in (*server.requests, *other.requests) if one.method not in ("GET", "HEAD")]
    assert sent == [("POST", "/api/allowed?x=1")]
    assert (socket.clients > 0, socket.received) == (True, 0)
    endpoints = {(url.partition("/api/")[2], method) for url, method in opened.endpoints if "/api/" in url}
    assert {*((name, "POST") for name in OWN), ("xhr", "PUT"), ("cross", "DELETE"), ("report", "POST")} <= endpoints
    told = {one.path.partition("?")[2] for one in server.requests if one.path.startswith("/told")}
    assert told == {"fetch=204", "json=200{}", "allowed?x=1=200sent", "cross=204", "header=200sent"}
    assert any("/pushed" in document.html for document in opened.documents)
