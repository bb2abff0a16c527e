"""Rules for following redirects, shared by fetching, the crawl and the navigation stage.

HTTP redirects are followed one hop at a time. Pages that redirect on the client side (`examination`) are treated as
redirects to the same kind of target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import FetchFailure, Response
from headwater.urls.parsing import resolve
from headwater.urls.skip_rules import judge

if TYPE_CHECKING:
    from collections.abc import Container

    from headwater.urls.scope import Scope


def get_redirect_target(response: Response) -> str:
    """Return the absolute URL of `Location` without its fragment; empty if it is not an http or https URL."""
    location = response.headers.get("location", "").encode("latin-1", "replace")
    # Headers are Latin-1, but servers send raw UTF-8, and browsers decode it. Bytes that are not UTF-8 are sent back to
    # the server unchanged, as in browsers.
    try:
        text = location.decode()
    except UnicodeDecodeError:
        text = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in location)
    return (resolve(text, response.url) or "").partition("#")[0] if text else ""


def check_redirect(
    response: Response, target: str, visited: Container[str], hops: int, limit: int
) -> FetchFailure | None:
    """Return the failure if a redirect must not be followed: no target, too many hops, or a URL visited before."""
    if not target:
        location = response.headers.get("location", "")
        return make_redirect_failure(response, "bad-redirect", f"to {location[:200]!r}" if location else "no Location")
    if target in visited:
        return make_loop_failure(response, target)
    return make_redirect_failure(response, "too-many-redirects", f"more than {limit}") if hops > limit else None


def make_loop_failure(response: Response, target: str) -> FetchFailure:
    """Return the failure of a redirect that leads back to a page of its own chain."""
    return make_redirect_failure(response, "redirect-loop", f"back to {target}")


def make_redirect_failure(response: Response, reason: str, detail: str) -> FetchFailure:
    """Return the failure of a redirect that is not followed."""
    return FetchFailure(response.url, reason, detail, response.status, response.headers, address=response.address)


def extend_to_host(scope: Scope, url: str) -> Scope:
    """Return the scope with the host that a start page redirected to."""
    return scope if scope.get_base_paths_for_url(url) else scope.extended_to(url)


def extend_to_target(scope: Scope, url: str) -> Scope:
    """Return the scope with the page that a seed redirected to, on another host or under another base path."""
    return scope.extended_to(url) if judge(url, scope).kind == "external" else scope
