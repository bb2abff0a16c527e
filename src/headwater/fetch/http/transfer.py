"""A curl handle and its current request; the headers decide whether the body is read."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pycurl

from headwater.fetch.egress import describe_blocked_address, open_socket
from headwater.fetch.failure_reasons import classify_curl_error, classify_timeout
from headwater.fetch.http.decoding import DecoderChain, DecodingError
from headwater.frontier.timing.retry import parse_retry_after
from headwater.model import NO_HEADERS, FetchFailure, Request, Response, Timings

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping

    from headwater.fetch.egress import CurlSocket, EgressPolicy
    from headwater.fetch.request_limits import RequestLimits

MAX_DRAIN_BYTES = 64 * 1024
"""An unwanted body up to this size is read and dropped, which keeps the connection; a larger one closes it."""

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE)
_HTTP_VERSIONS = {
    pycurl.CURL_HTTP_VERSION_1_0: "1.0",
    pycurl.CURL_HTTP_VERSION_1_1: "1.1",
    pycurl.CURL_HTTP_VERSION_2_0: "2",
    pycurl.CURL_HTTP_VERSION_3: "3",
}
_ABORT = -1
_HEADER_SEPARATORS = {"set-cookie": "\n", "x-robots-tag": "\n"}  # values of these may contain commas


class Transfer:
    """A reusable curl handle; its callbacks collect the response of the current request."""

    __slots__ = (
        "_blocked_address",
        "_body",
        "_content_type",
        "_decoder",
        "_egress",
        "_failure",
        "_has_headers",
        "_headers",
        "_limits",
        "_lines",
        "_options",
        "_received",
        "_request",
        "_should_read_body",
        "_status",
        "curl",
        "future",
        "host",
        "insecure",
        "origin",
        "version",
    )  # fmt: skip

    def __init__(self, egress: EgressPolicy) -> None:
        self.curl = pycurl.Curl()
        self.origin = ""
        self.host = ""
        self.insecure = False
        self.version = 0
        self.future: asyncio.Future[Response | FetchFailure] | None = None
        self._egress = egress
        self._options: dict[int, object] = {}
        self.curl.setopt(pycurl.NOSIGNAL, 1)
        self.curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        self.curl.setopt(pycurl.HEADERFUNCTION, self._on_header)
        self.curl.setopt(pycurl.WRITEFUNCTION, self._on_body)
        self.curl.setopt(pycurl.OPENSOCKETFUNCTION, self._on_open_socket)
        self.curl.setopt(pycurl.SOCKOPTFUNCTION, _disable_inheritance)

    def set_option(self, option: int, value: object) -> None:
        """Set an option unless it has this value already; setting costs more than comparing."""
        if self._options.get(option) is not value:
            self.curl.setopt(option, value)
            self._options[option] = value

    def begin(self, request: Request, limits: RequestLimits) -> None:
        """Reset the state for a request; the fetcher sets the options of the handle."""
        self._request, self._limits = request, limits
        self._status, self._received = 0, 0
        self._headers: Mapping[str, str] = NO_HEADERS
        self._lines: list[bytes] = []
        self._body: list[bytes] = []
        self._decoder: DecoderChain | None = None
        self._content_type = self._failure = self._blocked_address = ""
        self._has_headers = self._should_read_body = False

    def finish(self, error: tuple[int, str] | None) -> Response | FetchFailure:
        """Return the result after libcurl has finished the request."""
        if self._failure:
            return self._fail(*self._failure.split(": ", 1))
        if error is not None and not (error[0] == pycurl.E_WRITE_ERROR and self._has_headers):
            return self._fail_with_curl_error(*error)
        if self._status >= 400:
            return self._fail(f"http-{self._status}", "")
        if self._decoder is not None and not self._decoder.is_complete():
            return self._fail("truncated", "the encoded body is incomplete")
        if not self._should_read_body and self._status < 300 and self._content_type:
            return self._fail("not-html" if self._request.purpose == "page" else "wrong-type", self._content_type)
        return self._build_response(is_complete=error is None)

    def _on_open_socket(self, _: int, target: pycurl.CurlSockAddr) -> CurlSocket | int:
        address = str(target.addr[0])
        opened = open_socket(self._egress, self.host, tuple(target[:3]), address)
        if opened is None:
            self._blocked_address = address
            return int(pycurl.SOCKET_BAD)
        return opened

    def _on_header(self, line: bytes) -> int | None:
        if len(line) > 2:  # called for every line, so it only collects them
            self._lines.append(line)
            return None
        return None if self._has_headers else self._on_headers_complete()

    def _on_headers_complete(self) -> int | None:
        """Parse the headers and decide whether to read the body."""
        self._status = _parse_status(self._lines[0]) if self._lines else 0
        if self._status < 200:
            self._lines.clear()
            return None
        self._has_headers = True
        self._headers = headers = _parse_headers(self._lines)
        self._content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        limits = self._limits
        is_expected_type = limits.content_types is None or self._content_type in limits.content_types
        self._should_read_body = 200 <= self._status < 300 and is_expected_type
        size = _parse_content_length(headers)
        if not self._should_read_body:
            return _ABORT if size > MAX_DRAIN_BYTES else None
        if size > limits.max_body and not limits.should_truncate:
            return self._abort(f"too-large: {size:,} bytes, the limit is {limits.max_body:,}")
        try:
            self._decoder = DecoderChain(headers.get("content-encoding", ""), limits.max_decoded)
        except DecodingError as error:
            return self._abort(f"bad-encoding: {error}")
        return None

    def _on_body(self, data: bytes) -> int | None:
        self._received += len(data)
        if not self._should_read_body or self._decoder is None:
            return _ABORT if self._received > MAX_DRAIN_BYTES else None
        try:
            decoded = self._decoder.feed(data)
        except DecodingError as error:
            return self._abort(f"bad-encoding: {error}")
        self._body.append(decoded)
        return self._stop_reading() if self._decoder.has_overflowed or self._received > self._limits.max_body else None

    def _stop_reading(self) -> int:
        """Stop at the size limit, which is an error unless this kind of request may be truncated."""
        if not self._limits.should_truncate:
            return self._abort(f"too-large: more than {self._limits.max_body:,} bytes as sent or after decoding")
        self._decoder = None
        return _ABORT

    def _abort(self, failure: str) -> int:
        self._failure = failure
        return _ABORT

    def _fail_with_curl_error(self, code: int, message: str) -> FetchFailure:
        if self._blocked_address:
            return self._fail("private-address", describe_blocked_address(self._blocked_address))
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return self._fail(classify_timeout(message), message)
        if self._has_headers and classify_curl_error(code) in {"disconnected", "protocol"}:
            return self._fail("truncated", message)
        return self._fail(classify_curl_error(code), message)

    def _fail(self, reason: str, detail: str) -> FetchFailure:
        retry_after = self._headers.get("retry-after")
        return FetchFailure(
            url=self._request.url,
            reason=reason,
            detail=detail,
            status=self._status or None,
            headers=self._headers,
            content_type=self._content_type,
            timings=self._get_timings(),
            address=self._get_address(),
            retry_after=parse_retry_after(retry_after, datetime.now(UTC)) if retry_after else None,
        )

    def _build_response(self, *, is_complete: bool) -> Response:
        body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        charset = _CHARSET.search(self._headers.get("content-type", ""))
        return Response(
            url=self._request.url,
            status=self._status,
            headers=self._headers,
            body=body[: self._limits.max_decoded],
            content_type=self._content_type,
            charset=charset.group(1).lower() if charset else "",
            timings=self._get_timings(),
            address=self._get_address(),
            http_version=_HTTP_VERSIONS.get(self.curl.getinfo(pycurl.INFO_HTTP_VERSION), ""),
            is_complete=is_complete or not self._should_read_body,
            insecure=self.insecure,
        )

    def _get_timings(self) -> Timings:
        info = self.curl.getinfo
        return Timings(info(pycurl.PRETRANSFER_TIME), info(pycurl.STARTTRANSFER_TIME), info(pycurl.TOTAL_TIME))

    def _get_address(self) -> str:
        return self.curl.getinfo(pycurl.PRIMARY_IP) or ""


def _disable_inheritance(descriptor: int, _: int) -> int:
    """Keep child processes such as the browser from inheriting libcurl's duplicate of the socket."""
    os.set_inheritable(descriptor, False)
    return int(pycurl.SOCKOPT_OK)


def _parse_status(line: bytes) -> int:
    parts = line.split(None, 2)
    return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0


def _parse_content_length(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 19 else 0


def _parse_headers(lines: list[bytes]) -> dict[str, str]:
    """Parse the lines after the status line; repeated headers are joined by commas or line breaks."""
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.decode("latin-1").partition(":")
        name, value = name.strip().lower(), value.strip()
        if name in headers:
            value = f"{headers[name]}{_HEADER_SEPARATORS.get(name, ', ')}{value}"
        headers[name] = value
    return headers
