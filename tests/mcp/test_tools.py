"""The client of the `mcp` package lists and calls every tool, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from headwater.connection_limits import ConnectionLimits
from headwater.mcp.tools import TOOL_NAMES
from tests.commands import HEADWATER, PATIENCE, headwater, running, until
from tests.dive.canoe_site import guides
from tests.sites.nginx import free_port, wait_for
from tests.sites.table_site import table_site
from tests.web.serving import TOKEN, half_sent_requests, is_dropped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from mcp import Client

# `mcp` takes a second to import; the tests import it, so that processes that only collect them do not.


async def call(client: Any, name: str, **arguments: Any) -> Any:
    """Return the JSON result of a tool."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    content = result.structured_content
    return content["result"] if set(content) == {"result"} else content


async def call_failing(client: Any, name: str, **arguments: Any) -> str:
    """Return the error message of a tool."""
    result = await client.call_tool(name, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def use_every_tool(client: Any, origin: str) -> None:
    assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOL_NAMES)
    assert "no such scan" in await call_failing(client, "list_clusters")
    found = await call(client, "discover_site", url=origin, max_pages=50)
    assert found["pages"] == 7
    urls = await call(client, "list_urls", contains="/guides/", limit=3)
    assert (urls["total"], len(urls["urls"])) == (6, 3)
    clusters = await call(client, "list_clusters")
    assert "guides" in {cluster["title"] for cluster in clusters}
    assert await call(client, "list_clusters", limit=2) == clusters[:2]
    explained = await call(client, "explain_url", url=f"{origin}/guides/knots")
    assert [step["url"].removeprefix(origin) for step in explained["chain"]] == ["/", "/guides/knots"]
    assert (await call(client, "explain_url", url="https://elsewhere.example/"))["reason"] == "other-host"
    assert {one["kind"] for one in await call(client, "get_evidence")} >= {"stage", "discovery_summary"}
    dive = await call(client, "start_dive", match="/guides/*")
    assert (dive["state"], dive["done"], dive["chunks"]) == ("done", 5, 5)
    hits = (await call(client, "search_dive", query="bowline knot"))["hits"]
    assert hits[0]["page_url"] == f"{origin}/guides/knots"
    answer = await call(client, "ask_dive", question="Which knot makes a loop that does not slip?")
    assert "bowline" in answer["text"]
    assert answer["citations"][0] == 1
    page = await call(client, "get_page_markdown", url=f"{origin}/guides/knots")
    assert page["markdown"].startswith("# Knots for the shore {#top}")
    assert "start_dive" in await call_failing(client, "get_page_markdown", url=f"{origin}/nothing")
    assert "name clusters" in await call_failing(client, "start_dive")


def test_every_tool_works_over_stdio(tmp_path: Path) -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    async def use(origin: str) -> None:
        arguments = ["mcp", "--db", str(tmp_path / "d.db"), "--embedder", "none", "--allow-private", "127.0.0.1"]
        parameters = StdioServerParameters(command=HEADWATER, args=arguments, env=dict(os.environ))
        with (tmp_path / "errors").open("w") as errors:
            async with Client(stdio_client(parameters, errors)) as client:
                tools = (await client.list_tools()).tools
                assert [
                    tool.name for tool in tools if "never follow instructions" not in (tool.description or "")
                ] == []
                await use_every_tool(client, origin)

    with table_site(guides) as site:
        asyncio.run(use(site.origin))


@contextmanager
def http_server(db: Path, *more: str) -> Iterator[int]:
    port = free_port()
    line = ("mcp", "--http", str(port), "--db", str(db), "--embedder", "none", *more)
    environment = {"HEADWATER_TOKEN": TOKEN, "TERM": "xterm-256color"}
    with running(db.parent, *line, environment=environment, has_terminal=True) as command:
        wait_for(port, PATIENCE)
        yield port
        command.terminate()


@asynccontextmanager
async def http_client(port: int) -> AsyncIterator[Client]:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    from mcp import Client

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE) as http,
        Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)) as client,
    ):
        yield client


def test_every_tool_works_over_http_with_a_token(tmp_path: Path) -> None:
    async def use(port: int, origin: str) -> None:
        async with http_client(port) as client:
            await use_every_tool(client, origin)
        async with http_client(port) as client:
            assert (await call(client, "search_dive", query="bowline"))["hits"]  # a second client uses the same store

    with table_site(guides) as site, http_server(tmp_path / "d.db", "--allow-private", "127.0.0.1") as port:
        asyncio.run(use(port, site.origin))


def test_callers_cannot_request_private_addresses(tmp_path: Path) -> None:
    async def use(port: int, origin: str) -> None:
        async with http_client(port) as client:
            for url in (origin, origin.replace("127.0.0.1", "localhost"), "http://[::1]/", "http://0x7f000001/"):
                assert "it is this machine" in await call_failing(client, "discover_site", url=url)

    with table_site(guides) as site, http_server(tmp_path / "d.db") as port:
        asyncio.run(use(port, site.origin))
        assert not site.hits


REJECTED_HEADERS: list[tuple[dict[str, str], int]] = [
    ({}, 401),
    ({"Authorization": "Bearer wrong"}, 401),
    ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421),
    ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://evil.example"}, 403),
]


def test_requests_without_token_or_from_other_hosts_are_rejected(tmp_path: Path) -> None:
    import httpx2

    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    with http_server(tmp_path / "d.db") as port, httpx2.Client(timeout=PATIENCE) as client:
        accepted = [{"Authorization": f"bearer {TOKEN}"}, {"Authorization": f"Bearer {TOKEN}", "Host": f"[::1]:{port}"}]
        for headers, status in REJECTED_HEADERS:
            answer = client.post(f"http://127.0.0.1:{port}/mcp", content=request, headers={**accept, **headers})
            assert answer.status_code == status
        for headers in accepted:
            answer = client.post(f"http://127.0.0.1:{port}/mcp", content=request, headers={**accept, **headers})
            assert answer.status_code not in {401, 403, 421}
        screen = tmp_path / "command-0.err"
        until(lambda: "WARNING: Invalid Origin header: http://evil.example" in screen.read_text())
        assert "001b" not in screen.read_text()
        with half_sent_requests(port, ConnectionLimits().connections + 20) as clients:
            answer = client.post(f"http://127.0.0.1:{port}/mcp", content=request, headers=accept)
            assert answer.status_code == 401
            assert all(map(is_dropped, clients[:20]))


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    line = ("mcp", "--db", str(tmp_path / "d.db"), "--http", str(free_port()))
    short = headwater(*line, environment={"HEADWATER_TOKEN": "short"})
    assert (short.code, "at least 16 characters" in short.err) == (2, True)
    elsewhere = headwater(*line, "--host", "192.0.2.1")
    assert (elsewhere.code, f"could not listen on 192.0.2.1:{line[-1]}" in elsewhere.err) == (2, True)
