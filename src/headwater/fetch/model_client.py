"""Requests to a model server the user named: JSON sent, an answer read whole or as it arrives.

The same guard as for pages judges every address; that of the server counts as named, since the user wrote it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import pycurl

from headwater.errors import ModelError, SettingError
from headwater.fetch.egress import EgressPolicy, get_host, is_ip_address
from headwater.fetch.http.client import find_ca_file
from headwater.fetch.http.curl_driver import CurlDriver
from headwater.fetch.http.dns_resolver import DnsResolver
from headwater.fetch.http.transfer import Transfer
from headwater.fetch.request_limits import build_limits
from headwater.model import FetchFailure, Request
from headwater.urls.parsing import get_authority, serialize_url
from headwater.version import USER_AGENT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from headwater.model import Response
    from headwater.settings import Settings

MAX_ERROR = 4096
MAX_RESPONSE_BYTES = 64_000_000
MAX_CONNECTIONS = 4


class StreamingTransfer(Transfer):
    """A transfer that hands its body on as it arrives; of a refusal the beginning is kept for the message."""

    __slots__ = ("body_chunks", "error_body", "received")

    def __init__(self, egress: EgressPolicy) -> None:
        super().__init__(egress)
        self.body_chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.error_body = b""
        self.received = 0

    def _on_body(self, data: bytes) -> int | None:
        if not 200 <= self._status < 300:
            self.error_body = (self.error_body + data)[:MAX_ERROR]
            return None
        self.received += len(data)
        if self.received > MAX_RESPONSE_BYTES:
            return self._abort(f"too-large: more than {MAX_RESPONSE_BYTES:,} bytes")
        self.body_chunks.put_nowait(data)
        return None

    def finish(self, error: tuple[int, str] | None) -> Response | FetchFailure:
        """What it came to; whoever reads the pieces learns that there are no more."""
        self.body_chunks.put_nowait(None)
        return super().finish(error)


class ModelClient:
    """One OpenAI-compatible server."""

    def __init__(self, settings: Settings) -> None:
        base = serialize_url(settings.openai_base_url or "")
        if base is None or not base.startswith(("http://", "https://")):
            raise SettingError("openai_base_url", "name an OpenAI-compatible server, such as http://127.0.0.1:8080/v1")
        self._base, self._settings = base.rstrip("/"), settings
        self._host = get_host(base)
        self._egress = EgressPolicy.from_allow_list([*settings.allow_private, self._host])
        self._resolver = DnsResolver(settings.ip_version)
        self._driver = CurlDriver(MAX_CONNECTIONS)
        self._limits = build_limits(settings)["any"]

    async def post(self, path: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Send JSON, read JSON."""
        body = b"".join([piece async for piece in self.stream(path, content)])
        try:
            answer = json.loads(body)
        except ValueError:
            raise ModelError(f"{self._base}{path} answered something that is no JSON") from None
        if not isinstance(answer, dict):
            raise ModelError(f"{self._base}{path} answered no object")
        return answer

    async def stream(self, path: str, content: Mapping[str, Any]) -> AsyncGenerator[bytes]:
        """Send JSON, read the answer as it arrives. Leaving the loop ends the request."""
        transfer = StreamingTransfer(self._egress)
        await self._prepare(transfer, f"{self._base}{path}", json.dumps(content).encode())
        task = asyncio.create_task(self._driver.run(transfer))
        try:
            while (piece := await transfer.body_chunks.get()) is not None:
                yield piece
            result = await task
            if isinstance(result, FetchFailure):
                raise self._problem(result, transfer.error_body)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            transfer.curl.close()

    async def aclose(self) -> None:
        """Close the connections."""
        self._driver.close()

    async def _prepare(self, transfer: StreamingTransfer, url: str, body: bytes) -> None:
        settings = self._settings
        transfer.host = self._host
        headers = ["Content-Type: application/json", "Accept: application/json, text/event-stream", "Expect:"]
        if settings.openai_api_key:
            headers.append(f"Authorization: Bearer {settings.openai_api_key}")
        options: dict[int, object] = {
            pycurl.NOSIGNAL: 1,
            pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
            pycurl.URL: url,
            pycurl.POST: 1,
            pycurl.POSTFIELDS: body,
            pycurl.HTTPHEADER: headers,
            pycurl.USERAGENT: USER_AGENT,
            pycurl.CAINFO: settings.ca_file or find_ca_file(),
            pycurl.CONNECTTIMEOUT_MS: int(settings.connect_timeout * 1000),
            pycurl.TIMEOUT_MS: int(settings.answer_timeout * 1000),
            pycurl.PROXY: "",
            pycurl.NOPROXY: "*",
        }
        for option, value in options.items():
            transfer.curl.setopt(option, value)
        if not is_ip_address(self._host):
            await self._resolve_host(transfer)
        transfer.begin(Request(url, "any"), self._limits)

    async def _resolve_host(self, transfer: StreamingTransfer) -> None:
        addresses = await self._resolver.lookup(self._host, self._settings.connect_timeout)
        if addresses.problem:
            raise ModelError(f"the model server {self._host} was not found")
        port = get_authority(self._base).removeprefix(self._host).lstrip(":")
        port = port or ("443" if self._base.startswith("https") else "80")
        transfer.curl.setopt(pycurl.RESOLVE, [f"{self._host}:{port}:{','.join(addresses.ip_addresses)}"])

    def _problem(self, outcome: FetchFailure, refusal: bytes) -> ModelError:
        said = _message(refusal)
        if outcome.status in {401, 403}:
            return ModelError(f"the model server {self._host} does not accept the key in OPENAI_API_KEY{said}")
        if outcome.status is not None and outcome.status >= 400:
            return ModelError(f"the model server {self._host} answered {outcome.status}{said}")
        if outcome.reason.startswith("timeout"):
            patience = self._settings.answer_timeout
            return ModelError(f"the model server {self._host} took longer than {patience:g} s (answer_timeout)")
        return ModelError(
            f"the model server {self._host} cannot be reached: {outcome.reason} {outcome.detail}".rstrip()
        )


def _message(refusal: bytes) -> str:
    """What the server said, in its own words, as far as it said anything."""
    try:
        error = json.loads(refusal)["error"]
        text = error["message"] if isinstance(error, dict) else error
    except (ValueError, KeyError, TypeError):
        return ""
    return f": {' '.join(str(text).split())[:300]}"
