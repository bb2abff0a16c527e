"""Send single requests over HTTP/1.1, 2 or 3 with libcurl, without following redirects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Self

import certifi
import pycurl

from headwater.fetch.credentials import Headers
from headwater.fetch.egress import ALLOW_ALL, EgressPolicy, describe_blocked_address, get_host, is_ip_address
from headwater.fetch.http.alt_svc import AltSvcCache
from headwater.fetch.http.curl_driver import CurlDriver
from headwater.fetch.http.decoding import ACCEPT_ENCODING
from headwater.fetch.http.dns_resolver import DnsResolver, DnsResult
from headwater.fetch.http.transfer import Transfer
from headwater.fetch.request_limits import build_limits
from headwater.fetch.session_loading import load_session
from headwater.model import FetchFailure, Request, Response
from headwater.pages.files.session_files import format_netscape
from headwater.urls.parsing import HTTP_PREFIXES, get_origin
from headwater.version import USER_AGENT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.model import RequestPurpose
    from headwater.settings import Settings

SYSTEM_CA_FILES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
MAX_ORIGINS = 4096
_PORT = re.compile(r":(\d+)\Z")
_NO_ADDRESSES: list[str] = []
_HTTP_1 = int(pycurl.CURL_HTTP_VERSION_1_1)
_SUPPRESS_CONNECT_HEADERS = 265  # not named in pycurl
_IP_VERSIONS = {"any": pycurl.IPRESOLVE_WHATEVER, "4": pycurl.IPRESOLVE_V4, "6": pycurl.IPRESOLVE_V6}


class HttpFetcher:
    """Fetches over real sockets; connections are not shared between fetchers, whose egress policies may differ."""

    def __init__(
        self,
        settings: Settings,
        egress: EgressPolicy | None = None,
        seeds: Sequence[str] = (),
        may_request: Callable[[], bool] | None = None,
    ) -> None:
        self._settings = settings
        self._egress = egress or EgressPolicy.from_allow_list(settings.allow_private, seeds)
        self._limits = build_limits(settings)
        self._headers = Headers.from_settings(settings.header, settings.credentials, seeds)
        self._header_lists: dict[tuple[RequestPurpose, str], list[str]] = {}
        self._cookie_jars: dict[str, pycurl.CurlShare] = {}
        self._session = load_session(settings)
        self._uses_cookies = settings.keep_cookies or bool(self._session.cookies)
        self._alt_svc = AltSvcCache(is_enabled=settings.http_version == "any" and not settings.proxy)
        self._resolver = DnsResolver(settings.ip_version)
        self._pinned_addresses: dict[str, DnsResult] = {}
        self._idle: list[Transfer] = []
        self._may_request = may_request
        self._driver = CurlDriver(settings.max_parallel)

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Send one request; failures of the server or network are returned, not raised."""
        if not request.url.startswith(HTTP_PREFIXES):
            return FetchFailure(request.url, "not-http", "only http and https are requested")
        host = get_host(request.url)
        if (self._settings.proxy or not is_ip_address(host)) and (problem := await self._resolve_host(host, request)):
            return problem
        transfer = self._idle.pop() if self._idle else self._new_transfer()
        try:
            self._prepare(transfer, request)
            result = await self._driver.run(transfer)
        finally:
            self._idle.append(transfer)
        if transfer.version != _HTTP_1:
            self._alt_svc.record_result(transfer.origin, get_port(transfer.origin), transfer.version, result)
        return result

    async def aclose(self) -> None:
        """Close all connections and cancel running requests."""
        self._driver.close()
        for transfer in self._idle:
            transfer.curl.close()
        self._idle.clear()
        self._cookie_jars.clear()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _resolve_host(self, host: str, request: Request) -> FetchFailure | None:
        """Look up the host; with a proxy only to check that its addresses are not private."""
        addresses = DnsResult((host,)) if is_ip_address(host) else self._resolver.get_cached(host)
        addresses = addresses or await self._resolver.lookup(host, self._settings.connect_timeout)
        if not self._settings.proxy:
            detail = f"could not resolve {host}"
            return FetchFailure(request.url, addresses.problem, detail) if addresses.problem else None
        blocked = self._egress.find_blocked_address(host, addresses.ip_addresses)
        return FetchFailure(request.url, "private-address", describe_blocked_address(blocked)) if blocked else None

    def _new_transfer(self) -> Transfer:
        """Create a handle with the options that are the same for all requests."""
        transfer = Transfer(ALLOW_ALL if self._settings.proxy else self._egress)
        settings = self._settings
        options: dict[int, object] = {
            pycurl.PATH_AS_IS: 1,
            pycurl.HTTP_CONTENT_DECODING: 0,
            pycurl.PIPEWAIT: 1,
            pycurl.DNS_CACHE_TIMEOUT: -1,
            pycurl.USERAGENT: settings.user_agent or USER_AGENT,
            pycurl.CAINFO: settings.ca_file or find_ca_file(),
            pycurl.IPRESOLVE: _IP_VERSIONS[settings.ip_version],
            pycurl.CONNECTTIMEOUT_MS: int(settings.connect_timeout * 1000),
            pycurl.LOW_SPEED_LIMIT: settings.min_speed,
            pycurl.LOW_SPEED_TIME: settings.idle_timeout,
            pycurl.PROXY: settings.proxy or "",
            pycurl.NOPROXY: "",
            _SUPPRESS_CONNECT_HEADERS: 1,
        }
        for option, value in options.items():
            transfer.curl.setopt(option, value)
        if self._uses_cookies:
            transfer.curl.setopt(pycurl.COOKIEFILE, "")
        if self._may_request is not None:
            transfer.curl.setopt(pycurl.PREREQFUNCTION, self._on_before_request)
        return transfer

    def _on_before_request(self, *_: object) -> int:
        """Check again immediately before sending; the process may have been suspended since the request started."""
        is_allowed = self._may_request is None or self._may_request()
        return int(pycurl.PREREQFUNC_OK if is_allowed else pycurl.PREREQFUNC_ABORT)

    def _prepare(self, transfer: Transfer, request: Request) -> None:
        """Set the options of a request; those of an origin are set only when the origin changes."""
        url = request.url
        origin = get_origin(url)
        if origin != transfer.origin:
            transfer.origin, transfer.host = origin, get_host(url)
            self._set_origin_options(transfer)
        transfer.curl.setopt(pycurl.URL, url)
        transfer.set_option(pycurl.HTTPHEADER, self._build_header_list(request, origin))
        transfer.set_option(pycurl.NOBODY, int(request.is_head))
        transfer.set_option(pycurl.TIMEOUT_MS, int((request.timeout or self._settings.timeout) * 1000))
        transfer.version, needs_new_connection = _HTTP_1, 0
        if self._settings.http_version != "1.1" and url.startswith("https"):
            transfer.version, needs_new_connection = self._alt_svc.choose_version(origin)
        transfer.set_option(pycurl.HTTP_VERSION, transfer.version)
        transfer.set_option(pycurl.FRESH_CONNECT, needs_new_connection)
        transfer.set_option(pycurl.RESOLVE, self._build_resolve_list(transfer.host, origin))
        transfer.begin(request, self._limits[request.purpose])

    def _set_origin_options(self, transfer: Transfer) -> None:
        transfer.insecure = transfer.host in self._settings.insecure and transfer.origin.startswith("https:")
        transfer.curl.setopt(pycurl.SSL_VERIFYPEER, not transfer.insecure)
        transfer.curl.setopt(pycurl.SSL_VERIFYHOST, 0 if transfer.insecure else 2)
        if self._uses_cookies:
            is_new = transfer.origin not in self._cookie_jars
            transfer.curl.unsetopt(pycurl.SHARE)
            transfer.curl.setopt(pycurl.SHARE, self._get_cookie_jar(transfer.origin))
            if is_new:
                is_secure = transfer.origin.startswith("https:")
                for cookie in self._session.select_cookies(transfer.host, is_secure=is_secure):
                    transfer.curl.setopt(pycurl.COOKIELIST, format_netscape(cookie))

    def _get_cookie_jar(self, origin: str) -> pycurl.CurlShare:
        """Return the cookie jar of an origin; a shared jar would send cookies to every port of a host."""
        jar = self._cookie_jars.get(origin)
        if jar is None:
            if len(self._cookie_jars) >= MAX_ORIGINS:
                del self._cookie_jars[next(iter(self._cookie_jars))]
            jar = self._cookie_jars[origin] = pycurl.CurlShare()
            jar.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        return jar

    def _build_resolve_list(self, host: str, origin: str) -> list[str]:
        """Return the addresses that libcurl was not given yet; it keeps those of earlier requests."""
        addresses = self._resolver.get_cached(host)
        if addresses is None or self._settings.proxy or self._pinned_addresses.get(origin) is addresses:
            return _NO_ADDRESSES
        self._pinned_addresses[origin] = addresses
        return [f"{host}:{get_port(origin)}:{','.join(addresses.ip_addresses)}"]

    def _build_header_list(self, request: Request, origin: str) -> list[str]:
        more = self._headers.for_origin(origin)
        key = (request.purpose, origin if more is not self._headers.common else "")
        lines = self._header_lists.get(key)
        if lines is None:
            accept = f"Accept: {self._limits[request.purpose].accept}"
            lines = self._header_lists[key] = [accept, f"Accept-Encoding: {ACCEPT_ENCODING}", *more]
        if request.etag:
            lines = [*lines, f"If-None-Match: {request.etag}"]
        if request.last_modified:
            lines = [*lines, f"If-Modified-Since: {request.last_modified}"]
        return lines


def libcurl_version() -> str:
    """Return the versions of libcurl and its libraries."""
    return str(pycurl.version)


def get_port(origin: str) -> str:
    """Return the port of an origin as text."""
    match = _PORT.search(origin)
    return match.group(1) if match else "443" if origin.startswith("https:") else "80"


def find_ca_file() -> str:
    """Return the system's CA file, to which companies add their own authorities, else certifi's."""
    return next((path for path in SYSTEM_CA_FILES if Path(path).is_file()), certifi.where())
