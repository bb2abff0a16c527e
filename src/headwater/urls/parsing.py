"""Parse text into an absolute http(s) URL as a browser would serialize it; all other modules work on that string.

A serialized URL has a fixed form, scheme://[user@]host[:port]/path[?query][#fragment], with a lower-case host and no
default port, so the rest of the package may split it with plain string operations.
"""

from __future__ import annotations

import re
from functools import lru_cache

import can_ada

from headwater.errors import UrlError

_USER_INFORMATION = re.compile(r"^((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?[^/?#]*@")
CONTROLS_AND_SPACE = "".join(map(chr, range(33)))
DEFAULT_MAX_URL_LENGTH = 2083
"""Maximum number of characters of a URL, unless settings say otherwise."""

HTTP_PREFIXES = ("http://", "https://")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BARE_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s/:?#@\[\]]+)(?::[0-9]+)?(?:[/?#]|\Z)")
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.[0-9]+){3}|\[::1\])(?:[:/?#]|\Z)", re.IGNORECASE)


def resolve(href: str, base: str | None) -> str | None:
    """Return the absolute URL that a browser on page `base` would open for `href`; None if it is not http(s)."""
    if base is None:
        return serialize_url(href)
    try:
        resolved = (parse_base(base) + href).href
    except (ValueError, TypeError):
        resolved = _parse_with_fallback(href, base)
    return resolved if resolved.startswith(HTTP_PREFIXES) else None


def join_url(base: can_ada.URL, href: str) -> str:
    """Return the absolute URL of a link of any scheme; empty if invalid. Cheaper than `resolve`, for hot loops."""
    try:
        return (base + href).href
    except (ValueError, TypeError):
        return ""


def shorten_base(base: str, max_length: int) -> str:
    """Return a base for relative links that is short enough to join quickly.

    If the directory of `base` alone exceeds the maximum length of a URL, it is cut so that every link relative to it
    still exceeds that length.
    """
    max_length = max(max_length, DEFAULT_MAX_URL_LENGTH)  # never cut within the host
    if len(base) <= max_length:
        return base
    path = base.partition("#")[0].partition("?")[0]
    if len(path) <= max_length:
        return path
    directory = path[: path.rfind("/") + 1]
    return directory if len(directory) <= max_length else f"{directory[:max_length]}/"


def is_page_relative(href: str) -> bool:
    """Return True if a link means something else on each page of a directory, as `?page=2` does."""
    return href.lstrip(CONTROLS_AND_SPACE)[:1] in {"", "?", "#"} or ":?" in href


def serialize_url(text: str) -> str | None:
    """Return the serialized form of an absolute http(s) URL, or None if `text` is not one."""
    try:
        href = can_ada.parse(text).href
    except (ValueError, TypeError):
        href = _parse_with_fallback(text, None)
    return href if href.startswith(HTTP_PREFIXES) else None


def parse_seed_url(text: str) -> str:
    """Return the absolute URL for what a user typed, such as `example.com` or `localhost:8000`; raises UrlError."""
    text = text.strip()
    if not text.lower().startswith(HTTP_PREFIXES) and _BARE_HOST.match(text):
        text = ("http://" if _LOOPBACK.match(text) else "https://") + text
    href = serialize_url(text)
    if href is None:
        raise UrlError(_USER_INFORMATION.sub(r"\1", text)[:200], explain_unusable_url(text))
    return href


def parse_seed_without_credentials(text: str, advice: str) -> str:
    """Parse a seed URL that will be stored; raises UrlError if it has credentials. `advice` is shown to the user."""
    href = parse_seed_url(text)
    if "@" in href.partition("://")[2].partition("/")[0]:
        clean = href.partition("://")[0] + "://" + get_authority(href)
        raise UrlError(clean, f"credentials are never stored; {advice}")
    return href


def get_scheme(text: str) -> str:
    """Return the scheme of a URL in lower case; empty if it is relative."""
    match = _SCHEME.match(text.strip())
    return match.group()[:-1].lower() if match else ""


def get_origin(href: str) -> str:
    """Return scheme, host and port of a serialized URL, without user information."""
    scheme, _, rest = href.partition("://")
    return f"{scheme}://{rest.partition('/')[0].rpartition('@')[2]}"


def get_authority(href: str) -> str:
    """Return host and port of a serialized URL, without user information."""
    start = href.index("//") + 2
    return href[start : href.index("/", start)].rpartition("@")[2]


def explain_unusable_url(text: str) -> str:
    """Return the reason why `serialize_url` rejects `text`, for an error message."""
    scheme = get_scheme(text)
    if not text.strip():
        return "it is empty"
    if not scheme:
        return "it has no scheme; an absolute URL begins with https:// or http://"
    if scheme not in {"http", "https"}:
        return f"{scheme[:40]}: is not http or https"
    rest = text.strip()[len(scheme) + 1 :].lstrip("/\\")
    if rest.startswith("[") and "]" not in rest:
        return "its IPv6 address has no closing bracket"
    if not rest.strip("/?#"):
        return "it has no host"
    return "its host or port is not valid"


@lru_cache(maxsize=256)
def parse_base(base: str) -> can_ada.URL:
    """Parse a base URL for joining; raises ValueError if it is invalid."""
    return can_ada.parse(base)


def _parse_with_fallback(text: str, base: str | None) -> str:
    """Parse URLs that can_ada 3 wrongly rejects: hosts with invalid `xn--` labels, and lone surrogates (U+FFFD).

    Returns an empty string if the URL is invalid.
    """
    import ada_url  # noqa: PLC0415  (38 ms to import, and needed for few URLs)

    try:
        text = _replace_surrogates(text)
        url = ada_url.URL(text) if base is None else ada_url.URL(text, _replace_surrogates(base))
    except ValueError:
        return ""
    return str(url.href)


def _replace_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
