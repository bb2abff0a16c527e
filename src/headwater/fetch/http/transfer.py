"""One curl handle and the request it is busy with: headers are judged before the body is read."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pycurl

from headwater.fetch.egress import describe_blocked_address, open_socket
from headwater.fetch.failure_reasons import classify_curl_error, classify_timeout
from headwater.fetch.http.decoding import DecoderChain, DecodingError
from headwater.frontier.retry import parse_retry_after
from headwater.model import NO_HEADERS, FetchFailure, Request, Response, Timings

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping

    from headwater.fetch.egress import CurlSocket, EgressPolicy
    from headwater.fetch.request_limits import RequestLimits

MAX_DRAIN_BYTES = 64 * 1024
"""An unwanted body up to this size is read and dropped, which keeps the connection; a larger one ends it."""

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE)
_HTTP_VERSIONS = {
    pycurl.CURL_HTTP_VERSION_1_0: "1.0",
    pycurl.CURL_HTTP_VERSION_1_1: "1.1",
    pycurl.CURL_HTTP_VERSION_2_0: "2",
    pycurl.CURL_HTTP_VERSION_3: "3",
}
_ABORT = -1
_HEADER_SEPARATORS = {"set-cookie": "\n", "x-robots-tag": "\n"}  # in these a comma does not part values


class Transfer:
    """A handle that is used again and again; its callbacks fill in what one request brings."""

    __slots__ = (
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
        "_refused_address",
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
        self.curl.setopt(pycurl.HEADERFUNCTION, self._on_header)
        self.curl.setopt(pycurl.WRITEFUNCTION, self._on_body)
        self.curl.setopt(pycurl.OPENSOCKETFUNCTION, self._on_open_socket)
        self.curl.setopt(pycurl.SOCKOPTFUNCTION, _disable_inheritance)

    def set_option(self, option: int, value: object) -> None:
        """Set an option unless it is set so already; setting costs more than asking."""
        if self._options.get(option) is not value:
            self.curl.setopt(option, value)
            self._options[option] = value

    def begin(self, request: Request, limits: RequestLimits) -> None:
        """Make ready for a request; the options of the handle are the fetcher's to set."""
        self._request, self._limits = request, limits
        self._status, self._received = 0, 0
        self._headers: Mapping[str, str] = NO_HEADERS
        self._lines: list[bytes] = []
        self._body: list[bytes] = []
        self._decoder: DecoderChain | None = None
        self._content_type = self._failure = self._refused_address = ""
        self._has_headers = self._should_read_body = False

    def finish(self, error: tuple[int, str] | None) -> Response | FetchFailure:
        """What the request came to, once libcurl is done with it."""
        if self._failure:
            return self._outcome(*self._failure.split(": ", 1))
        if error is not None and not (error[0] == pycurl.E_WRITE_ERROR and self._has_headers):
            return self._failed(*error)
        if self._status >= 400:
            return self._outcome(f"http-{self._status}", "")
        if self._decoder is not None and not self._decoder.is_complete():
            return self._outcome("truncated", "the encoded body has no end")
        if not self._should_read_body and self._status < 300 and self._content_type:
            return self._outcome("not-html" if self._request.purpose == "page" else "wrong-type", self._content_type)
        return self._response(complete=error is None)

    def _on_open_socket(self, _: int, target: pycurl.CurlSockAddr) -> CurlSocket | int:
        address = str(target.addr[0])
        opened = open_socket(self._egress, self.host, tuple(target[:3]), address)
        if opened is None:
            self._refused_address = address
            return int(pycurl.SOCKET_BAD)
        return opened

    def _on_header(self, line: bytes) -> int | None:
        if len(line) > 2:  # called for every line, so it does next to nothing
            self._lines.append(line)
            return None
        return None if self._has_headers else self._on_headers_complete()

    def _on_headers_complete(self) -> int | None:
        """All headers are here: is the body wanted?"""
        self._status = _parse_status(self._lines[0]) if self._lines else 0
        if self._status < 200:
            self._lines.clear()
            return None
        self._has_headers = True
        self._headers = headers = _parse_headers(self._lines)
        self._content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        limits = self._limits
        self._should_read_body = 200 <= self._status < 300 and (limits.content_types is None or self._content_type in limits.content_types)
        size = _parse_content_length(headers)
        if not self._should_read_body:
            return _ABORT if size > MAX_DRAIN_BYTES else None
        if size > limits.max_body and not limits.should_truncate:
            return self._abort(f"too-large: {size:,} bytes, {limits.max_body:,} are read")
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
        """Too large: an error, or for some kinds of request simply the end of what is read."""
        if not self._limits.should_truncate:
            return self._abort(f"too-large: more than {self._limits.max_body:,} bytes as sent or decoded")
        self._decoder = None
        return _ABORT

    def _abort(self, failure: str) -> int:
        self._failure = failure
        return _ABORT

    def _failed(self, code: int, message: str) -> FetchFailure:
        if self._refused_address:
            return self._outcome("private-address", describe_blocked_address(self._refused_address))
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return self._outcome(classify_timeout(message), message)
        if self._has_headers and classify_curl_error(code) in {"disconnected", "protocol"}:
            return self._outcome("truncated", message)
        return self._outcome(classify_curl_error(code), message)

    def _outcome(self, reason: str, detail: str) -> FetchFailure:
        asked = self._headers.get("retry-after")
        return FetchFailure(
            self._request.url,
            reason,
            detail,
            self._status or None,
            self._headers,
            self._content_type,
            (),
            self._timings(),
            self._address(),
            parse_retry_after(asked, datetime.now(UTC)) if asked else None,
        )

    def _response(self, complete: bool) -> Response:
        body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        charset = _CHARSET.search(self._headers.get("content-type", ""))
        return Response(
            self._request.url,
            self._status,
            self._headers,
            body[: self._limits.max_decoded],
            self._content_type,
            charset.group(1).lower() if charset else "",
            (),
            self._timings(),
            self._address(),
            _HTTP_VERSIONS.get(self.curl.getinfo(pycurl.INFO_HTTP_VERSION), ""),
            complete or not self._should_read_body,
            self.insecure,
        )

    def _timings(self) -> Timings:
        info = self.curl.getinfo
        return Timings(info(pycurl.PRETRANSFER_TIME), info(pycurl.STARTTRANSFER_TIME), info(pycurl.TOTAL_TIME))

    def _address(self) -> str:
        return self.curl.getinfo(pycurl.PRIMARY_IP) or ""


def _disable_inheritance(descriptor: int, _: int) -> int:
    """The duplicate that libcurl works with would be inherited by processes we start, such as the browser."""
    os.set_inheritable(descriptor, False)
    return int(pycurl.SOCKOPT_OK)


def _parse_status(line: bytes) -> int:
    parts = line.split(None, 2)
    return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0


def _parse_content_length(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 19 else 0


def _parse_headers(lines: list[bytes]) -> dict[str, str]:
    """Header lines behind the first as a mapping; repeated ones are joined by commas, as HTTP allows, or by lines."""
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.decode("latin-1").partition(":")
        name, value = name.strip().lower(), value.strip()
        if name in headers:
            value = f"{headers[name]}{_HEADER_SEPARATORS.get(name, ', ')}{value}"
        headers[name] = value
    return headers
