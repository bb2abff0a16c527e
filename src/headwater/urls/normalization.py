"""Normalize URLs: `normalize` returns the listed spelling, `spell_url` all three; both are idempotent.

REQUEST_RULES must not change the resource that a server returns. KEY_RULES decide only which URLs are the same page.
Both are applied in order to a serialized URL (see `parsing`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from headwater.model import Spelling
from headwater.urls.parsing import serialize_url
from headwater.urls.tracking_parameters import drop_path_session, is_session_parameter, is_tracking_parameter

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.settings import Settings

UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED_ESCAPES = {f"%{ord(character):02X}": character for character in UNRESERVED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The choices that users have in normalization."""

    trailing_slash: Literal["strip", "keep"] = "strip"
    query: Literal["keep", "drop"] = "keep"
    drop_parameters: tuple[str, ...] = ()
    drop_tracking: bool = False
    sort_query: bool = False
    fold_www: bool = False
    force_https: bool = False
    spelling: Literal["normal", "answered"] = "normal"

    @classmethod
    def from_settings(cls, settings: Settings) -> Policy:
        """Return the policy that the settings describe."""
        policy = cls(
            trailing_slash=settings.trailing_slash,
            query=settings.query,
            drop_parameters=settings.drop_parameters,
            drop_tracking=settings.drop_tracking,
            sort_query=settings.sort_query,
            fold_www=settings.fold_www,
            force_https=settings.force_https,
            spelling=settings.spelling,
        )
        return next((known for known in _COMMON_POLICIES if known == policy), policy)


DEFAULT_POLICY = Policy()
_COMMON_POLICIES = (DEFAULT_POLICY, Policy(drop_tracking=True, spelling="answered"))
"""The policies of most scans, one object each, so that `is_trivially_normalized` need not compare fields."""


def normalize(url: str, policy: Policy = DEFAULT_POLICY) -> str | None:
    """Return the listed spelling of a URL, or None if it is not an absolute http(s) URL."""
    href = serialize_url(url)
    if href is None:
        return None
    if is_trivially_normalized(href, policy):
        return href
    return _apply_key_rules(_apply_request_rules(href, policy), policy)


def spell_url(url: str, policy: Policy = DEFAULT_POLICY) -> Spelling | None:
    """Return the three spellings of a URL, or None if it is not an absolute http(s) URL."""
    href = serialize_url(url)
    return None if href is None else spell_href(href, policy)


def spell_href(href: str, policy: Policy = DEFAULT_POLICY) -> Spelling:
    """Return the three spellings of a serialized URL."""
    fetch_url, normal, key = derive_url_forms(href, policy)
    return Spelling(fetch_url, fetch_url if policy.spelling == "answered" else normal, key)


def derive_url_forms(href: str, policy: Policy) -> tuple[str, str, str]:
    """Return the URL to request, the normal form and the key of a serialized URL."""
    if is_trivially_normalized(href, policy):
        return href, href, _compute_key(href, policy)
    fetch_url = _apply_request_rules(href, policy)
    normal = _normalize_href(fetch_url, policy)
    return fetch_url, normal, _compute_key(normal, policy)


def is_trivially_normalized(href: str, policy: Policy = DEFAULT_POLICY) -> bool:
    """Return True if no rule can change a URL. Skipping the rules for such URLs, the majority, halves the cost."""
    if policy is not DEFAULT_POLICY and (policy is not _COMMON_POLICIES[1] or "?" in href):
        return False
    return not ("%" in href or "#" in href or "@" in href or ";" in href or "/?" in href or href[-1] in "/?")


def _apply_request_rules(href: str, policy: Policy) -> str:
    for rule in REQUEST_RULES:
        href = rule(href, policy)
    return href


def _apply_key_rules(href: str, policy: Policy) -> str:
    for rule in KEY_RULES:
        href = rule(href, policy)
    return href


def drop_fragment(href: str, _: Policy) -> str:
    """Remove the fragment, which is never sent to a server."""
    return href.partition("#")[0]


def drop_userinfo(href: str, _: Policy) -> str:
    """Remove `user:password@`: credentials are never stored, they are settings bound to an origin."""
    if "@" not in href:
        return href
    scheme, _separator, rest = href.partition("//")
    authority, slash, path = rest.partition("/")
    return f"{scheme}//{authority.rpartition('@')[2]}{slash}{path}"


def force_https(href: str, policy: Policy) -> str:
    """Replace http by https under `--force-https`."""
    if not policy.force_https or href.startswith("https:"):
        return href
    authority, slash, rest = href[7:].partition("/")
    return f"https://{authority.removesuffix(':443')}{slash}{rest}"


def drop_tracking(href: str, policy: Policy) -> str:
    """Remove tracking parameters and session ids under `--drop-tracking`; they are not sent either."""
    if not policy.drop_tracking:
        return href
    base, mark, query = href.partition("?")
    if ";" in base:
        base = drop_path_session(base)
    parts = "&".join(part for part in query.split("&") if not _is_visitor_parameter(part)) if mark else ""
    return f"{base}?{parts}" if parts else base


def fold_www(href: str, policy: Policy) -> str:
    """Remove `www.` under `--fold-www`: `www.example.com` and `example.com` are one site."""
    if not policy.fold_www:
        return href
    start = href.index("//") + 2
    return href[:start] + strip_www(href[start:])


def decode_unreserved(href: str, _: Policy) -> str:
    """Decode escapes of letters, digits and `-_.~`, and write the others in upper case.

    Nothing is decoded in a URL with a stray `%`, because that could create a new escape (`%%34a`).
    """
    if "%" not in href:
        return href
    is_malformed = _STRAY_PERCENT.search(href) is not None
    return _ESCAPE.sub(_uppercase_escape if is_malformed else _decode_escape, href)


def clean_query(href: str, policy: Policy) -> str:
    """Remove an empty query; drop parameters or sort them if the policy says so."""
    base, mark, query = href.partition("?")
    if not mark:
        return href
    if policy.query == "drop":
        return base
    parts = _filter_query(query, policy)
    return f"{base}?{parts}" if parts else base


def strip_trailing_slash(href: str, policy: Policy) -> str:
    """Remove trailing slashes, except that of the root."""
    base, mark, query = href.partition("?")
    if policy.trailing_slash == "keep" or not base.endswith("/"):
        return href
    root = base.index("/", 8) + 1
    return base[:root] + base[root:].rstrip("/") + mark + query


def strip_www(authority: str) -> str:
    """Return an authority without a leading `www.`, unless the rest is no longer a domain."""
    while authority.startswith("www.") and "." in authority[4:].partition("/")[0]:
        authority = authority[4:]
    return authority


# Serializing has already handled lower case, default ports, dot segments and IDNA.
REQUEST_RULES: tuple[Callable[[str, Policy], str], ...] = (
    drop_fragment,
    drop_userinfo,
    force_https,
    drop_tracking,
)
KEY_RULES: tuple[Callable[[str, Policy], str], ...] = (fold_www, decode_unreserved, clean_query, strip_trailing_slash)


def _normalize_href(fetch_url: str, policy: Policy) -> str:
    """Return the listed form; it keeps `www.`, because folding joins pages but does not rename them."""
    for rule in KEY_RULES[1:]:
        fetch_url = rule(fetch_url, policy)
    return fetch_url


def _compute_key(listed: str, policy: Policy) -> str:
    """Return the key: http and https are the same unless a port is given, because another port is another server."""
    if listed.startswith("http:") and ":" not in listed[7:].partition("/")[0].rpartition("]")[2]:
        listed = "https" + listed[4:]
    return fold_www(listed, policy)


def _uppercase_escape(escape: re.Match[str]) -> str:
    return escape.group().upper()


def _decode_escape(escape: re.Match[str]) -> str:
    upper = escape.group().upper()
    return _UNRESERVED_ESCAPES.get(upper, upper)


def _filter_query(query: str, policy: Policy) -> str:
    if not (policy.drop_tracking or policy.drop_parameters or policy.sort_query):
        return query
    parts = [part for part in query.split("&") if not _is_dropped(part, policy)]
    return "&".join(sorted(parts) if policy.sort_query else parts)


def _is_visitor_parameter(part: str) -> bool:
    return is_tracking_parameter(part.partition("=")[0]) or is_session_parameter(part)


def _is_dropped(part: str, policy: Policy) -> bool:
    if policy.drop_tracking and _is_visitor_parameter(part):
        return True
    name = part.partition("=")[0]
    return any(_compile_name_pattern(pattern).match(name) for pattern in policy.drop_parameters)


@lru_cache(maxsize=256)
def _compile_name_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))
