"""Decide if a URL is visited: the first of SKIP_RULES that applies decides, and its name is the reason.

The docstrings of the rules are shown to users and appear in `docs/reference/reasons.md`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from headwater.model import Verdict
from headwater.urls.normalization import DEFAULT_POLICY, derive_url_forms, is_trivially_normalized, spell_href
from headwater.urls.parsing import get_authority, get_scheme, resolve, serialize_url
from headwater.urls.recognition.file_types import get_file_type
from headwater.urls.recognition.harmful_urls import is_harmful_for_session

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.urls.normalization import Policy
    from headwater.urls.patterns import UrlPattern
    from headwater.urls.scope import Scope


_new = tuple.__new__


class LinkTarget(NamedTuple):
    """A link with its URL split once for all rules; without a usable URL only `text` is set.

    `url` is the normal form, which the rules read, and `listed` the form that is shown.
    """

    text: str
    page_key: str
    href: str = ""
    fetch_url: str = ""
    url: str = ""
    key: str = ""
    authority: str = ""
    path: str = ""
    query: str = ""
    base_paths: tuple[str, ...] = ()
    listed: str = ""


def judge(url: str, scope: Scope, *, page: str | None = None, hops: int = 0) -> Verdict:
    """Return the verdict on a URL that was found on `page`, which is `hops` hops off the site. Never raises."""
    return judge_target(parse_target(url, scope, page), scope, hops)


def judge_target(target: LinkTarget, scope: Scope, hops: int = 0) -> Verdict:
    """Return the verdict on a parsed link."""
    if scope.has_no_filters and target.base_paths == _WHOLE_HOST and _is_plainly_allowed(target, scope):
        return ALLOWED
    is_external = False
    for rule, verdict in _VERDICTS:
        if rule(target, scope):
            if rule not in EXTERNAL_RULES or hops >= scope.max_external_hops:
                return verdict
            is_external = True
    return Verdict(True, "", "external", hops + 1) if is_external else ALLOWED


def get_rule_reason(rule: Callable[[LinkTarget, Scope], bool]) -> str:
    """Return the name of a rule as users see it."""
    return rule.__name__.replace("_", "-")


def parse_target(url: str, scope: Scope, page: str | None = None) -> LinkTarget:
    """Parse a link for the rules; a relative link is resolved against `page`."""
    text = url.strip()
    return build_target(text, resolve(text, page), scope, _get_page_key(page, scope.policy))


def build_target(text: str, href: str | None, scope: Scope, page_key: str = "") -> LinkTarget:
    """Build the target of a link that is already resolved to `href`; None if it is not http(s)."""
    if href is None:
        return LinkTarget(text, page_key)
    if is_trivially_normalized(href, scope.policy):
        return _build_plain_target(text, href, scope, page_key)
    fetch_url, url, key = derive_url_forms(href, scope.policy)
    authority = get_authority(fetch_url)
    path, _, query = url[url.index("/", 8) :].partition("?")
    listed = fetch_url if scope.policy.spelling == "answered" else url
    bases = scope.base_paths(authority)
    return LinkTarget(text, page_key, href, fetch_url, url, key, authority, path, query, bases, listed)


def _build_plain_target(text: str, href: str, scope: Scope, page_key: str) -> LinkTarget:
    """Build the target of a URL that is its own normal form.

    This takes half the time, because it avoids calls and builds the tuple by position.
    """
    slash = href.index("/", 8)
    is_https = href.startswith("https")
    authority = href[8 if is_https else 7 : slash]
    key = href if is_https else spell_href(href, DEFAULT_POLICY).key
    path, _, query = href[slash:].partition("?")
    bases = scope.base_paths(authority)
    return _new(LinkTarget, (text, page_key, href, href, href, key, authority, path, query, bases, href))


def empty(target: LinkTarget, _: Scope) -> bool:
    """The link is empty (`href=""`)."""
    return not target.text


def fragment_only(target: LinkTarget, _: Scope) -> bool:
    """The link is a fragment: a position on the same page."""
    return target.text.startswith("#")


def not_http(target: LinkTarget, _: Scope) -> bool:
    """The scheme is not http or https, but for example mailto, tel, javascript or data."""
    return not target.href and get_scheme(target.text) not in {"", "http", "https"}


def invalid_url(target: LinkTarget, _: Scope) -> bool:
    """Not a valid URL: a browser cannot open it."""
    return not target.href


def too_long(target: LinkTarget, scope: Scope) -> bool:
    """Longer than --max-url-length; such URLs mostly come from crawler traps."""
    return len(target.fetch_url) > scope.max_url_length


def same_page(target: LinkTarget, _: Scope) -> bool:
    """A link to the page that it is on."""
    return target.key == target.page_key


def file_extension(target: LinkTarget, _: Scope) -> bool:
    """The extension is that of a file that is not a page, such as .pdf or .jpg."""
    return get_file_type(get_original_path(target)) is not None


def excluded(target: LinkTarget, scope: Scope) -> bool:
    """Matches a pattern of --exclude."""
    return bool(scope.exclude_patterns) and find_matching_pattern(scope.exclude_patterns, target) is not None


def harmful_action(target: LinkTarget, scope: Scope) -> bool:
    """Would sign out, delete or buy something, and the scan has the session of a user (--cookies, --storage-state)."""
    return scope.skip_actions and is_harmful_for_session(target.fetch_url)


def other_host(target: LinkTarget, _: Scope) -> bool:
    """On another host; recorded but not visited. www.example.com is another host unless --fold-www is given."""
    return not target.base_paths


def outside_base_path(target: LinkTarget, scope: Scope) -> bool:
    """On the same host, but not below one of the base paths."""
    path = target.path
    return not any(scope.covers(base, path) for base in target.base_paths)


def query_string(target: LinkTarget, scope: Scope) -> bool:
    """Has a query (--skip-queries, preset `scan`)."""
    return scope.skip_queries and bool(target.query)


def anchor(target: LinkTarget, scope: Scope) -> bool:
    """Has a fragment (--skip-anchors, preset `scan`)."""
    return scope.skip_anchors and "#" in target.href


def skipped_path(target: LinkTarget, scope: Scope) -> bool:
    """Begins with a path of --skip-paths (preset `scan`): /admin matches /admin/x but not /administration."""
    return find_matching_skip_path(target, scope) is not None


def not_included(target: LinkTarget, scope: Scope) -> bool:
    """Matches no pattern of --include."""
    return bool(scope.include_patterns) and find_matching_pattern(scope.include_patterns, target) is None


SKIP_RULES: tuple[Callable[[LinkTarget, Scope], bool], ...] = (
    empty,
    fragment_only,
    not_http,
    invalid_url,
    too_long,
    same_page,
    file_extension,
    excluded,
    harmful_action,
    other_host,
    outside_base_path,
    query_string,
    anchor,
    skipped_path,
    not_included,
)

EXTERNAL_RULES = frozenset({other_host, outside_base_path})
"""Rules that make a link external: it is recorded, and followed as far as `max_external_hops` allows."""

ALLOWED = Verdict(True)
_WHOLE_HOST = ("",)


def _is_plainly_allowed(target: LinkTarget, scope: Scope) -> bool:
    """Return True if a link is allowed in a scope of whole hosts without patterns, in a quarter of the time."""
    return (
        len(target.fetch_url) <= scope.max_url_length
        and target.key != target.page_key
        and target.text[:1] not in {"", "#"}
        and get_file_type(get_original_path(target)) is None
    )


def _build_verdict(rule: Callable[[LinkTarget, Scope], bool]) -> Verdict:
    if rule in EXTERNAL_RULES:
        return Verdict(False, get_rule_reason(rule), "external")
    return Verdict(False, get_rule_reason(rule), "resource" if rule is file_extension else None)


_VERDICTS = tuple((rule, _build_verdict(rule)) for rule in SKIP_RULES)


def find_matching_pattern(patterns: tuple[UrlPattern, ...], target: LinkTarget) -> UrlPattern | None:
    """Return the first of the user's patterns that matches a link."""
    path_and_query = f"{target.path}?{target.query}" if target.query else target.path
    return next((pattern for pattern in patterns if pattern.matches(target.url, path_and_query)), None)


def find_matching_skip_path(target: LinkTarget, scope: Scope) -> str | None:
    """Return the path of --skip-paths that a link begins with."""
    path = target.path
    return next((skip for skip in scope.skip_paths if path == skip or path.startswith(skip + "/")), None)


def get_original_path(target: LinkTarget) -> str:
    """Return the path with its trailing slash, which tells a directory from a file and is not part of `path`."""
    if target.fetch_url is target.url:  # nothing was stripped, as for most URLs
        return target.path
    return target.path + "/" if target.fetch_url.partition("?")[0].endswith("/") else target.path


@lru_cache(maxsize=256)
def _get_page_key(page: str | None, policy: Policy) -> str:
    href = serialize_url(page) if page is not None else None
    return spell_href(href, policy).key if href is not None else ""
