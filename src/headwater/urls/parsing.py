"""From text to an absolute http(s) URL as a browser would serialise it; every other part works on that string.

A serialised URL has a rigid form, scheme://[user@]host[:port]/path[?query][#fragment], with a lower-case host and
no default port, so the rest of the package may cut it with plain string operations.
"""

from __future__ import annotations

import re
from functools import lru_cache

import can_ada

from headwater.errors import UrlError

_USER_INFORMATION = re.compile(r"^((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?[^/?#]*@")
CONTROLS_AND_SPACE = "".join(map(chr, range(33)))
DEFAULT_MAX_URL_LENGTH = 2083
"""Characters of a URL, unless settings say otherwise."""

HTTP_PREFIXES = ("http://", "https://")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BARE_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s/:?#@\[\]]+)(?::[0-9]+)?(?:[/?#]|\Z)")
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.[0-9]+){3}|\[::1\])(?:[:/?#]|\Z)", re.IGNORECASE)


def resolve(href: str, base: str | None) -> str | None:
    """The absolute URL a browser on page `base` would go to for `href`; None if not over http or https."""
    if base is None:
        return serialize_url(href)
    try:
        resolved = (parse_base(base) + href).href
    except (ValueError, TypeError):
        resolved = _parse_with_fallback(href, base)
    return resolved if resolved.startswith(HTTP_PREFIXES) else None


def join_url(base: can_ada.URL, href: str) -> str:
    """The absolute URL of a link, of any scheme; empty if there is none. Cheaper than `resolve`, for hot loops."""
    try:
        return (base + href).href
    except (ValueError, TypeError):
        return ""


def shorten_base(base: str, longest: int) -> str:
    """Return a base for relative links that takes little time to join to.

    Where the directory of `base` alone is longer than a URL may be, it is cut so that every link relative to it is
    still longer than that.
    """
    longest = max(longest, DEFAULT_MAX_URL_LENGTH)  # never within the host
    if len(base) <= longest:
        return base
    path = base.partition("#")[0].partition("?")[0]
    if len(path) <= longest:
        return path
    directory = path[: path.rfind("/") + 1]
    return directory if len(directory) <= longest else f"{directory[:longest]}/"


def is_page_relative(href: str) -> bool:
    """Whether a link means something else on each page of a directory, as `?page=2` does."""
    return href.lstrip(CONTROLS_AND_SPACE)[:1] in {"", "?", "#"} or ":?" in href


def serialize_url(text: str) -> str | None:
    """The absolute http(s) URL that `text` is, or None."""
    try:
        href = can_ada.parse(text).href
    except (ValueError, TypeError):
        href = _parse_with_fallback(text, None)
    return href if href.startswith(HTTP_PREFIXES) else None


def parse_seed_url(text: str) -> str:
    """A URL as people type it, `example.com` or `localhost:8000` included, made absolute."""
    text = text.strip()
    if not text.lower().startswith(HTTP_PREFIXES) and _BARE_HOST.match(text):
        text = ("http://" if _LOOPBACK.match(text) else "https://") + text
    href = serialize_url(text)
    if href is None:
        raise UrlError(_USER_INFORMATION.sub(r"\1", text)[:200], explain_unusable_url(text))
    return href


def parse_seed_without_credentials(text: str, instead: str) -> str:
    """A URL as people type it that will be stored, so it must hold no password; `instead` says where those go."""
    href = parse_seed_url(text)
    if "@" in href.partition("://")[2].partition("/")[0]:
        clean = href.partition("://")[0] + "://" + get_authority(href)
        raise UrlError(clean, f"credentials are never stored; {instead}")
    return href


def get_scheme(text: str) -> str:
    """The scheme `text` begins with, lower case; empty when it is relative."""
    match = _SCHEME.match(text.strip())
    return match.group()[:-1].lower() if match else ""


def get_origin(href: str) -> str:
    """Return scheme, host and port of a serialised URL, without user information."""
    scheme, _, rest = href.partition("://")
    return f"{scheme}://{rest.partition('/')[0].rpartition('@')[2]}"


def get_authority(href: str) -> str:
    """Host and port of a serialised URL, without user information."""
    start = href.index("//") + 2
    return href[start : href.index("/", start)].rpartition("@")[2]


def explain_unusable_url(text: str) -> str:
    """A sentence for people about why `serialize_url` refused `text`."""
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
    """A base URL ready for joining; raises ValueError if it is none."""
    return can_ada.parse(base)


def _parse_with_fallback(text: str, base: str | None) -> str:
    """What can_ada 3 wrongly refuses: hosts with invalid `xn--` labels, and lone surrogates (read as U+FFFD).

    Empty if it is right.
    """
    import ada_url  # noqa: PLC0415  (38 ms to import, and needed for few URLs)

    try:
        text = _without_surrogates(text)
        url = ada_url.URL(text) if base is None else ada_url.URL(text, _without_surrogates(base))
    except ValueError:
        return ""
    return str(url.href)


def _without_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
