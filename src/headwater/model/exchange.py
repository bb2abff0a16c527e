"""Requests and their outcomes: a response, or a failure with a reason."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (NamedTuple needs it at run time)
from types import MappingProxyType
from typing import Literal, NamedTuple

RequestPurpose = Literal["page", "robots", "sitemap", "feed", "script", "any", "probe", "check"]
"""The purpose of a request, which decides what content types are read and how many redirects are followed."""

NO_HEADERS: Mapping[str, str] = MappingProxyType({})

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
"""Statuses that lead to another URL; 304 is not one, it means that the page is unchanged."""


class Request(NamedTuple):
    """A URL to fetch. `etag` and `last_modified` make the request conditional; `timeout` overrides the setting.

    `is_head` asks for the headers only.
    """

    url: str
    purpose: RequestPurpose = "page"
    etag: str = ""
    last_modified: str = ""
    timeout: float | None = None
    is_head: bool = False


class Redirect(NamedTuple):
    """A redirect that was followed."""

    url: str
    status: int


class Timings(NamedTuple):
    """Seconds from the start of a request to the connection, the first byte and the end."""

    connected: float = 0.0
    first_byte: float = 0.0
    total: float = 0.0


class Response(NamedTuple):
    """A response: a 2xx, a 304, or a redirect that has not been followed. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = NO_HEADERS
    body: bytes = b""
    content_type: str = ""
    charset: str = ""
    hops: tuple[Redirect, ...] = ()
    timings: Timings = Timings()
    address: str = ""
    http_version: str = ""
    is_complete: bool = True
    insecure: bool = False


class FetchFailure(NamedTuple):
    """A request without a usable response: `reason` is for programs, `detail` for users.

    `retry_after` is the number of seconds that the server asks to wait.
    """

    url: str
    reason: str
    detail: str = ""
    status: int | None = None
    headers: Mapping[str, str] = NO_HEADERS
    content_type: str = ""
    hops: tuple[Redirect, ...] = ()
    timings: Timings = Timings()
    address: str = ""
    retry_after: float | None = None
    attempts: int = 1
