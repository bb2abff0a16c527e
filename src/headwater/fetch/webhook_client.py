"""Post JSON to the webhook that a user names, signed with a secret, and again if it fails.

The egress policy of pages applies: a webhook on this machine is allowed, because the user named it, and other private
addresses are those of `--allow-private`. Redirects are not followed, so the signed message goes nowhere else.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import random
from typing import TYPE_CHECKING

import pycurl

from headwater.errors import SettingError
from headwater.fetch.egress import EgressPolicy, get_host, is_ip_address
from headwater.fetch.http.client import find_ca_file, get_port
from headwater.fetch.http.curl_driver import CurlDriver
from headwater.fetch.http.dns_resolver import DnsResolver
from headwater.fetch.http.transfer import Transfer
from headwater.fetch.request_limits import build_limits
from headwater.frontier.timing.retry import compute_backoff
from headwater.model import FetchFailure, Request
from headwater.urls.parsing import get_origin, serialize_url
from headwater.version import USER_AGENT

if TYPE_CHECKING:
    from headwater.model import Response
    from headwater.settings import Settings

SIGNATURE_HEADER = "X-Headwater-Signature-256"
MAX_ATTEMPTS = 5
_RETRIED_STATUSES = frozenset({408, 425, 429})


def sign(body: bytes, secret: str) -> str:
    """Return the value of the signature header: the HMAC-SHA256 of the body, in hexadecimal."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def parse_webhook_url(text: str) -> str:
    """Return the URL of a webhook as it is requested; raise SettingError if it is not one."""
    url = serialize_url(text)
    if url is None or not url.startswith(("http://", "https://")):
        raise SettingError("webhook", "expected a URL that starts with http:// or https://")
    return url


async def post_webhook(url: str, body: bytes, secret: str, settings: Settings) -> str:
    """Post a message up to five times; return what went wrong the last time, or an empty string."""
    egress = EgressPolicy.from_allow_list(settings.allow_private, [url])
    problem = ""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        result = await _post_once(url, body, secret, (egress, settings))
        problem = _describe_problem(result)
        if not _should_retry(result):
            return problem
        if attempt < MAX_ATTEMPTS:
            await asyncio.sleep(compute_backoff(attempt, random.random()))  # noqa: S311  (a delay)
    return problem


async def _post_once(
    url: str, body: bytes, secret: str, policy: tuple[EgressPolicy, Settings]
) -> Response | FetchFailure:
    egress, settings = policy
    driver, transfer = CurlDriver(1), Transfer(egress)
    try:
        transfer.host = get_host(url)
        headers = ["Content-Type: application/json", "Expect:"]
        headers += [f"{SIGNATURE_HEADER}: {sign(body, secret)}"] if secret else []
        options: dict[int, object] = {
            pycurl.URL: url,
            pycurl.POST: 1,
            pycurl.POSTFIELDS: body,
            pycurl.HTTPHEADER: headers,
            pycurl.USERAGENT: USER_AGENT,
            pycurl.CAINFO: settings.ca_file or find_ca_file(),
            pycurl.CONNECTTIMEOUT_MS: int(settings.connect_timeout * 1000),
            pycurl.TIMEOUT_MS: int(settings.timeout * 1000),
            pycurl.PROXY: "",
            pycurl.NOPROXY: "*",
        }
        for option, value in options.items():
            transfer.curl.setopt(option, value)
        failure = await _resolve_host(transfer, url, settings)
        if failure is not None:
            return failure
        transfer.begin(Request(url, "any"), build_limits(settings)["any"])
        return await driver.run(transfer)
    finally:
        transfer.curl.close()
        driver.close()


async def _resolve_host(transfer: Transfer, url: str, settings: Settings) -> FetchFailure | None:
    if is_ip_address(transfer.host):
        return None
    found = await DnsResolver(settings.ip_version).lookup(transfer.host, settings.connect_timeout)
    if found.problem:
        return FetchFailure(url, found.problem, f"could not resolve {transfer.host}")
    port = get_port(get_origin(url))
    transfer.curl.setopt(pycurl.RESOLVE, [f"{transfer.host}:{port}:{','.join(found.ip_addresses)}"])
    return None


def _describe_problem(result: Response | FetchFailure) -> str:
    if isinstance(result, FetchFailure):
        return "" if result.status is not None and result.status < 300 else f"{result.reason} {result.detail}".strip()
    return "" if result.status < 300 else f"it answered {result.status}, and redirects are not followed"


def _should_retry(result: Response | FetchFailure) -> bool:
    """Return True for failures that may pass: no answer, too many requests, or an error of the server."""
    if not isinstance(result, FetchFailure) or result.reason == "private-address":
        return False
    status = result.status
    return status is None or status >= 500 or status in _RETRIED_STATUSES
