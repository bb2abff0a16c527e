"""Access control: token, host, origin, request limits, and the settings and addresses that a request may choose."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from headwater.connection_limits import ConnectionLimits
from headwater.settings import SETTINGS
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS
from headwater.web.jobs.job_queue import MAX_QUEUED, NICENESS
from headwater.web.routes import API_ROUTES, SCREENS
from headwater.web.serving.access_control import MAX_BODY_BYTES, AccessMiddleware, AccessPolicy
from headwater.web.serving.problems import problem_response
from tests.commands import PATIENCE, headwater, running, until
from tests.sites.table_site import table_site
from tests.web.serving import TOKEN, Server, half_sent_requests, is_dropped, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.conftest import World

ROUTES = [(route.method, route.path) for route in API_ROUTES if not route.is_public]
ROUTES += [("GET", screen.path) for screen in SCREENS]
ROUTES += [("GET", f"/static/{name}") for name in ("style.css", "page.js", "dives/chat.js", "htmx.min.js")] + [
    ("GET", "/no/such/place")
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("token", ["", "wrong-token-wrong-token", TOKEN + "x", TOKEN[:-1]])
def test_every_route_requires_the_token(server: Server, method: str, path: str, token: str) -> None:
    path = path.replace("{scan}", "1").replace("{page}", "1").replace("{dive}", "1").replace("{site}", "1")
    answer = server.request(path, b"" if method == "POST" else None, method=method, token=token)
    assert answer.status == 401
    assert b"example" not in answer.body


def test_health_reveals_nothing_else(server: Server) -> None:
    answer = server.request("/health", token="")
    assert (answer.status, answer.json) == (200, {"state": "alive"})
    assert not {"server", "date", "x-powered-by"} & {name.lower() for name in answer.headers}


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "", "[::1]"])
def test_other_hosts_are_rejected(server: Server, host: str) -> None:
    for path in ("/", "/health", "/api/v1/scans"):
        assert server.request(path, headers={"Host": host}).status in {400, 421}


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.example"]
)
def test_other_origins_are_rejected(server: Server, origin: str) -> None:
    assert server.request("/api/v1/scans", headers={"Origin": origin}).status == 403
    started = server.request("/api/v1/scans", {"urls": ["https://e.com"]}, headers={"Origin": origin})
    assert started.status == 403
    crossing = {"Sec-Fetch-Site": "cross-site"}
    assert server.request("/api/v1/scans", {"urls": ["https://e.com"]}, headers=crossing).status == 403


def test_own_origin_and_host_names_are_accepted(server: Server) -> None:
    port = urlsplit(server.origin).port
    assert server.request("/api/v1/scans", headers={"Origin": server.origin}).status == 200
    assert server.request("/api/v1/scans", headers={"Host": f"localhost:{port}"}).status == 200


def test_the_login_link_sets_a_cookie_that_scripts_cannot_read(server: Server) -> None:
    answer = server.request(f"/login?token={TOKEN}", token="")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    pair = cookie.partition(";")[0]
    assert server.request("/", token="", headers={"Cookie": f"other=1; {pair}"}).status == 200
    assert server.request("/", token="", headers={"Cookie": pair[:-1]}).status == 401
    wrong = server.request("/login?token=nonsense", token="")
    assert (wrong.status, "set-cookie" in wrong.headers) == (401, False)


def test_responses_have_a_strict_content_security_policy(world: World) -> None:
    for path in ("/", f"/scans/{world.first}/urls", "/api/v1/scans", "/static/page.js", "/login", "/nowhere"):
        answer = world.server.request(path, headers={"Accept": "text/html"})
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "script-src 'self';" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
    assert not re.search(rb"<script(?! src=)|\son\w+=", world.server.request("/").body)
    assert b" style=" not in world.server.request(f"/scans/{world.first}/urls").body


def test_half_sent_requests_without_a_token_block_nobody(server: Server) -> None:
    with half_sent_requests(int(urlsplit(server.origin).port or 0), ConnectionLimits().connections + 20) as clients:
        assert server.request("/health").status == 200
        assert server.request("/api/v1/scans").status == 200
        assert all(map(is_dropped, clients[:20]))


def test_a_client_that_leaves_before_its_body_is_sent_leaves_no_error(server: Server) -> None:
    head = f"POST /login HTTP/1.1\r\nHost: {urlsplit(server.origin).netloc}\r\nContent-Length: 99\r\n"
    with socket.create_connection(("127.0.0.1", int(urlsplit(server.origin).port or 0))) as client:
        client.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert client.recv(99).startswith(b"HTTP/1.1 100")  # the server waits for the body
    assert server.request("/health").status == 200
    assert "Traceback" not in server.command.err


def test_a_login_with_many_fields_is_rejected_without_an_error(server: Server) -> None:
    answer = server.request("/login", b"a=1&" * 50, token="", headers={"Origin": server.origin})
    assert answer.status == 401
    assert "Traceback" not in server.command.err


def test_the_request_limit_counts_authenticated_requests_only() -> None:
    """With a limit of one, a second request is rejected while the first runs, but the health check is not."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/hold":
            seen.append(await send_request("/next"))
            seen.append(await send_request("/health", token=""))
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send_request(path: str, token: str = TOKEN) -> int:
        statuses: list[int] = []
        headers = [(b"host", b"x"), (b"authorization", f"Bearer {token}".encode())]
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers}

        async def send(message: Any) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        await middleware(scope, receive, send)
        return statuses[0]

    seen: list[int] = []
    middleware = AccessMiddleware(
        app, AccessPolicy(TOKEN, frozenset({"x"})), lambda _, problem: problem_response(problem), max_requests=1
    )
    assert asyncio.run(send_request("/hold")) == 200
    assert seen == [429, 200]
    assert asyncio.run(send_request("/next")) == 200


def test_large_bodies_are_rejected(server: Server) -> None:
    big = json.dumps({"urls": ["https://e.com/" + "x" * MAX_BODY_BYTES]}).encode()
    assert server.request("/api/v1/scans", big).status == 413
    url = urlsplit(server.origin)
    connection = http.client.HTTPConnection(str(url.hostname), url.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    with suppress(ConnectionError):  # the server need not read the rest
        connection.request("POST", "/api/v1/scans", iter([b"x" * 10_000] * 20), headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"[" * 30_000, {}, 400),
        (b'{"urls": ["https://e.com/\\ud800"]}', {}, 422),
        (b"[]", {}, 422),
        (b'{"urls": ["https://e.com"]}', {"Content-Type": "text/plain"}, 415),
        (b'{"urls": ["https://e.com"]}', {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"urls": []}, {}, 422),
        ({"urls": ["https://e.com"] * 21}, {}, 422),
        ({"urls": [7]}, {}, 422),
        ({"urls": ["ftp://e.com/"]}, {}, 422),
        ({"urls": ["https://e.com"], "preset": "../../etc"}, {}, 422),
        ({"urls": ["https://e.com"], "preset": 3}, {}, 422),
        ({"urls": ["https://e.com"], "settings": [1]}, {}, 422),
        ({"urls": ["https://e.com"], "settings": {"max_depth": -1}}, {}, 422),
        ({"urls": ["https://e.com"], "settings": {"include": ["re:("]}}, {}, 422),
        ({"urls": ["https://e.com"], "settings": {"extract": ["price=css:p["]}}, {}, 422),
        ({"urls": ["https://e.com"], "settings": {"nonsense": 1}}, {}, 422),
        ({"urls": ["https://e.com"], "--db": "x"}, {}, 422),
    ],
)  # fmt: skip
def test_invalid_requests_start_nothing(server: Server, body: Any, headers: dict[str, str], status: int) -> None:
    before = len(server.request("/api/v1/scans").json["scans"])
    answer = server.request("/api/v1/scans", body, headers=headers)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail"} <= set(answer.json)
    assert len(server.request("/api/v1/scans").json["scans"]) == before


@pytest.mark.parametrize("name", sorted(set(SETTINGS) - set(ALLOWED_SETTINGS)))
def test_a_request_cannot_set_paths_proxies_or_secrets(server: Server, name: str) -> None:
    assert {"db", "output", "ca_file", "proxy", "allow_private", "insecure"}.isdisjoint(ALLOWED_SETTINGS)
    answer = server.request("/api/v1/scans", {"urls": ["https://e.com"], "settings": {name: "x"}})
    assert (answer.status, answer.json["name"]) == (422, name)


def test_output_settings_are_not_settings_of_a_scan(server: Server) -> None:
    """Each request for a list chooses list and format itself."""
    for name, value in (("format", "csv"), ("kinds", ["all"]), ("list", "broken")):
        answer = server.request("/api/v1/scans", {"urls": ["http://10.0.0.1/"], "settings": {name: value}})
        assert (answer.status, answer.json.get("name")) == (422, name)


PRIVATE = ["http://127.0.0.1:9/", "http://localhost/", "http://x.localhost/", "http://[::1]/", "http://0x7f.1/",
           "http://10.0.0.1/", "http://169.254.169.254/latest",
           "http://[::ffff:127.0.0.1]/", "http://2130706433/"]  # fmt: skip


def test_private_addresses_are_rejected_unless_the_server_allows_them(tmp_path: Path) -> None:
    with serving(tmp_path, allow_private="") as server, table_site(lambda _: {"/": "hi"}) as site:
        for url in [*PRIVATE, site.origin]:
            answer = server.request("/api/v1/scans", {"urls": ["https://example.com/", url]})
            assert (answer.status, answer.json["name"]) == (403, "urls"), url
        assert server.request("/api/v1/scans").json["scans"] == []
        headwater("discover", site.origin, "--db", server.db, "--quiet", "--max-pages", "1", "--retries", "0")
        hits = sum(site.hits.values())
        for action in ("again", "resume"):
            assert server.request(f"/api/v1/scans/1/{action}", {}).status in {403, 409}
        assert sum(site.hits.values()) == hits


def test_the_queue_is_limited_and_a_site_is_scanned_once_at_a_time(tmp_path: Path) -> None:
    with serving(tmp_path) as server, table_site(lambda _: {"/": "hi"}) as site:
        body = {"urls": [site.origin], "settings": {"delay": 600, "always_crawl": True}}
        numbers = [server.request("/api/v1/scans", body).json["scan"] for _ in range(MAX_QUEUED + 1)]
        rejected = server.request("/api/v1/scans", body)
        assert (rejected.status, rejected.json["title"]) == (429, "Too many requests")
        states = [server.request(f"/api/v1/scans/{number}").json["state"] for number in numbers[1:]]
        assert set(states) == {"queued"}
        lower = min(os.getpriority(os.PRIO_PROCESS, server.command.pid) + NICENESS, 19)
        (scan,) = until(server.command.children)
        until(lambda: os.getpriority(os.PRIO_PROCESS, scan) == lower)  # requests have priority over scans
        assert server.request(f"/api/v1/scans/{numbers[-1]}/cancel", b"").status == 200
        assert server.request(f"/api/v1/scans/{numbers[-1]}").json["state"] == "interrupted"
        assert server.request(f"/api/v1/scans/{numbers[0]}/cancel", b"").status == 200
        assert server.wait(numbers[0]) == "interrupted"


def test_a_second_server_leaves_the_queue_of_the_first_alone(tmp_path: Path) -> None:
    """Check that only the queue of a server that has ended is interrupted."""
    with table_site(lambda _: {"/": "hi"}) as site:
        body = {"urls": [site.origin], "settings": {"delay": 600, "always_crawl": True}}
        with serving(tmp_path) as first:
            running, last = (first.request("/api/v1/scans", body).json["scan"] for _ in range(2))
            until(lambda: first.request(f"/api/v1/scans/{running}").json["state"] == "running")
            with serving(tmp_path) as second:
                assert second.request(f"/api/v1/scans/{last}").json["state"] == "queued"
            first.command.kill()
            with serving(tmp_path) as third:
                assert third.request(f"/api/v1/scans/{last}").json["state"] == "interrupted"
                assert (
                    third.request(f"/api/v1/scans/{running}/cancel", b"").status == 200
                )  # its process outlived the server
                third.wait(running)
    assert not list(tmp_path.glob("*-serve.lock"))


def test_a_short_token_is_rejected(tmp_path: Path) -> None:
    done = headwater("serve", "--db", str(tmp_path / "x.db"), "--token", "short")
    assert (done.code, "at least 16 characters" in done.err) == (2, True)


def test_a_random_token_is_printed_as_a_link(tmp_path: Path) -> None:
    links = []
    for is_new in (False, True):
        with running(tmp_path, "serve", "--port", "0", "--db", str(tmp_path / "x.db"), is_new=is_new) as command:
            until(lambda: "token=" in command.err)
            links.append(command.err.partition("token=")[2].split()[0])
            command.terminate()
    assert len(set(links)) == 2
    assert min(len(link) for link in links) >= 32
