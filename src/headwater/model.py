"""The values that pass between the parts; they hold data and decide nothing."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (named tuples are built from it)
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal["page", "external", "resource", "endpoint"]
"""What a URL is listed as: to visit, on another site, an asset, or something only a program calls."""

Want = Literal["page", "robots", "sitemap", "feed", "script", "any"]
"""What a request is for; it decides which types of content are read, and how many redirects are followed."""

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Spelling(NamedTuple):
    """One page, three spellings: what is requested, what is listed, what is compared."""

    fetch_url: str
    url: str
    key: str


class Verdict(NamedTuple):
    """Whether a URL is visited; if not, the name of the rule that decided. `hops` counts steps off the site."""

    allowed: bool
    reason: str = ""
    kind: Kind | None = "page"
    hops: int = 0


class Request(NamedTuple):
    """One URL to fetch. `etag` and `last_modified` make it conditional; `timeout` replaces the setting."""

    url: str
    want: Want = "page"
    etag: str = ""
    last_modified: str = ""
    timeout: float | None = None


class Hop(NamedTuple):
    """One redirect that was followed."""

    url: str
    status: int


class Timings(NamedTuple):
    """Seconds from the start of the request: connected, first byte, done."""

    connected: float = 0.0
    first_byte: float = 0.0
    total: float = 0.0


class Response(NamedTuple):
    """What a server answered: a 2xx, a 304, or a redirect that nobody has followed yet. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = NO_HEADERS
    body: bytes = b""
    content_type: str = ""
    charset: str = ""
    hops: tuple[Hop, ...] = ()
    timings: Timings = Timings()
    address: str = ""
    http_version: str = ""
    complete: bool = True
    insecure: bool = False


class Outcome(NamedTuple):
    """Why there is no response: `reason` is for programs, `detail` for people. `retry_after` is the server's wish."""

    url: str
    reason: str
    detail: str = ""
    status: int | None = None
    headers: Mapping[str, str] = NO_HEADERS
    content_type: str = ""
    hops: tuple[Hop, ...] = ()
    timings: Timings = Timings()
    address: str = ""
    retry_after: float | None = None
    attempts: int = 1
