"""Send JSON to a model server from the settings, and read the response as a whole or as it arrives.

The egress policy of pages applies here too; the host of the server is allowed, because the user configured it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import pycurl

from headwater.errors import ModelError, SettingError
from headwater.fetch.egress import EgressPolicy, get_host, is_ip_address
from headwater.fetch.http.client import find_ca_file, get_port
from headwater.fetch.http.curl_driver import CurlDriver
from headwater.fetch.http.dns_resolver import DnsResolver
from headwater.fetch.http.transfer import Transfer
from headwater.fetch.request_limits import build_limits
from headwater.model import FetchFailure, Request
from headwater.urls.parsing import get_origin, serialize_url
from headwater.version import USER_AGENT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from headwater.model import Response
    from headwater.settings import Settings

MAX_ERROR = 4096
MAX_RESPONSE_BYTES = 64_000_000
MAX_CONNECTIONS = 4


class StreamingTransfer(Transfer):
    """A transfer that passes on its body as it arrives; the start of an error response is kept for the message."""

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
        """Return the result, and mark the end of the body chunks."""
        self.body_chunks.put_nowait(None)
        return super().finish(error)


class ModelClient:
    """A client of one OpenAI-compatible server."""

    def __init__(self, settings: Settings) -> None:
        base = serialize_url(settings.openai_base_url or "")
        if base is None or not base.startswith(("http://", "https://")):
            raise SettingError(
                "openai_base_url", "expected the URL of an OpenAI-compatible server, such as http://127.0.0.1:8080/v1"
            )
        self._base, self._settings = base.rstrip("/"), settings
        self._host = get_host(base)
        self._egress = EgressPolicy.from_allow_list([*settings.allow_private, self._host])
        self._resolver = DnsResolver(settings.ip_version)
        self._driver = CurlDriver(MAX_CONNECTIONS)
        self._limits = build_limits(settings)["any"]

    async def post(self, path: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Send JSON and return the JSON object of the response."""
        body = b"".join([chunk async for chunk in self.stream(path, content)])
        try:
            answer = json.loads(body)
        except ValueError:
            raise ModelError(f"the response of {self._base}{path} is not JSON") from None
        if not isinstance(answer, dict):
            raise ModelError(f"the response of {self._base}{path} is not a JSON object")
        return answer

    async def stream(self, path: str, content: Mapping[str, Any]) -> AsyncGenerator[bytes]:
        """Send JSON and yield the response as it arrives; leaving the loop cancels the request."""
        transfer = StreamingTransfer(self._egress)
        await self._prepare(transfer, f"{self._base}{path}", json.dumps(content).encode())
        task = asyncio.create_task(self._driver.run(transfer))
        try:
            while (chunk := await transfer.body_chunks.get()) is not None:
                yield chunk
            result = await task
            if isinstance(result, FetchFailure):
                raise self._build_error(result, transfer.error_body)
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
            raise ModelError(f"could not resolve the model server {self._host}")
        port = get_port(get_origin(self._base))
        transfer.curl.setopt(pycurl.RESOLVE, [f"{self._host}:{port}:{','.join(addresses.ip_addresses)}"])

    def _build_error(self, failure: FetchFailure, error_body: bytes) -> ModelError:
        message = _parse_error_message(error_body)
        if failure.status in {401, 403}:
            return ModelError(f"the model server {self._host} does not accept the key in OPENAI_API_KEY{message}")
        if failure.status is not None and failure.status >= 400:
            return ModelError(f"the model server {self._host} answered {failure.status}{message}")
        if failure.reason.startswith("timeout"):
            timeout = self._settings.answer_timeout
            return ModelError(f"the model server {self._host} took longer than {timeout:g} s (answer_timeout)")
        return ModelError(
            f"the model server {self._host} cannot be reached: {failure.reason} {failure.detail}".rstrip()
        )


def _parse_error_message(error_body: bytes) -> str:
    """Return the message of an error response with a leading colon; empty if it has none."""
    try:
        error = json.loads(error_body)["error"]
        text = error["message"] if isinstance(error, dict) else error
    except (ValueError, KeyError, TypeError):
        return ""
    return f": {' '.join(str(text).split())[:300]}"
