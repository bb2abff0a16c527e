"""Reasons of failed requests: libcurl's error codes as the names that users see, and groups of reasons."""

from __future__ import annotations

import pycurl

# Error codes without a name in pycurl.
_WEIRD_SERVER_REPLY, _HTTP2_STREAM, _HTTP3, _QUIC_CONNECT, _PROXY, _TOO_LARGE = 8, 92, 95, 96, 97, 100

CURL_REASONS: dict[int, str] = {
    pycurl.E_COULDNT_RESOLVE_HOST: "dns",
    pycurl.E_COULDNT_RESOLVE_PROXY: "proxy",
    pycurl.E_COULDNT_CONNECT: "refused",
    _PROXY: "proxy",
    pycurl.E_SSL_CONNECT_ERROR: "tls",
    pycurl.E_PEER_FAILED_VERIFICATION: "tls",
    pycurl.E_SSL_CERTPROBLEM: "tls",
    pycurl.E_SSL_CIPHER: "tls",
    pycurl.E_SSL_CACERT_BADFILE: "tls",
    pycurl.E_SSL_ISSUER_ERROR: "tls",
    pycurl.E_PARTIAL_FILE: "truncated",
    pycurl.E_GOT_NOTHING: "truncated",
    pycurl.E_SEND_ERROR: "disconnected",
    pycurl.E_RECV_ERROR: "disconnected",
    pycurl.E_HTTP2: "protocol",
    _HTTP2_STREAM: "truncated",
    _HTTP3: "protocol",
    _QUIC_CONNECT: "protocol",
    pycurl.E_UNSUPPORTED_PROTOCOL: "protocol",
    _WEIRD_SERVER_REPLY: "protocol",
    pycurl.E_BAD_CONTENT_ENCODING: "protocol",
    _TOO_LARGE: "protocol",
    pycurl.E_URL_MALFORMAT: "invalid-url",
    pycurl.E_OUT_OF_MEMORY: "protocol",
}

RETRYABLE_REASONS = frozenset(
    {
        "dns", "refused", "disconnected", "truncated", "protocol", "proxy", "timeout-connect", "timeout-idle",
        "timeout-total", "http-408", "http-425", "http-429", "http-500", "http-502", "http-503", "http-504",
    }
)  # fmt: skip
"""Another attempt may succeed; all other failures are final."""

NO_RESPONSE_REASONS = frozenset(
    {
        "dns", "refused", "disconnected", "truncated", "protocol", "proxy", "tls", "failed", "timeout-connect",
        "timeout-idle", "timeout-total",
    }
)  # fmt: skip
"""There was no connection or no complete response."""

HOST_DOWN_REASONS = frozenset({"dns", "refused", "disconnected", "timeout-connect", "timeout-idle", "timeout-total"})
"""The host may be down or too slow."""

HOST_UNRESPONSIVE = "host-unresponsive"
"""The request was not sent, because the host did not answer many earlier ones."""


def classify_curl_error(code: int) -> str:
    """Return the reason for a libcurl error code."""
    return CURL_REASONS.get(code, "failed")


def classify_timeout(message: str) -> str:
    """Return which of the three timeouts expired; libcurl says so only in its message."""
    if "too slow" in message:
        return "timeout-idle"
    return "timeout-total" if message.startswith("Operation timed out") else "timeout-connect"
