"""Whether a URL is visited: REJECT_RULES in order; the first that applies decides, its name is the reason."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from headwater.model import Verdict
from headwater.urls.file_types import get_file_type
from headwater.urls.normalization import DEFAULT_POLICY, derive_url_forms, is_trivially_normalized, spell_href
from headwater.urls.parsing import get_authority, get_scheme, resolve, serialize_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.urls.normalization import Policy
    from headwater.urls.patterns import UrlPattern
    from headwater.urls.scope import Scope


_new = tuple.__new__


class LinkTarget(NamedTuple):
    """A link and its URL cut up once for all rules; without a usable URL only `text` is set.

    `url` is the normal form, which the rules read, and `listed` the one that people see.
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
    """Whether `url`, found on `page` at `hops` steps off the site, is visited. Never raises, whatever the text."""
    return judge_target(parse_target(url, scope, page), scope, hops)


def judge_target(target: LinkTarget, scope: Scope, hops: int = 0) -> Verdict:
    """The verdict on a link that is already cut up."""
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
    """The name of a rule as people see it."""
    return rule.__name__.replace("_", "-")


def parse_target(url: str, scope: Scope, page: str | None = None) -> LinkTarget:
    """The link cut up for the rules; relative ones are resolved against `page`."""
    text = url.strip()
    return build_target(text, resolve(text, page), scope, _page_key(page, scope.policy))


def build_target(text: str, href: str | None, scope: Scope, page_key: str = "") -> LinkTarget:
    """The same for a link that is resolved already, on a page whose key is known."""
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
    """The same for a URL that is its own spelling, in half the time: no calls, and a tuple made as tuples are."""
    slash = href.index("/", 8)
    is_https = href.startswith("https")
    authority = href[8 if is_https else 7 : slash]
    key = href if is_https else spell_href(href, DEFAULT_POLICY).key
    path, _, query = href[slash:].partition("?")
    bases = scope.base_paths(authority)
    return _new(LinkTarget, (text, page_key, href, href, href, key, authority, path, query, bases, href))


def empty(target: LinkTarget, _: Scope) -> bool:
    """Seed 003: `href=""`."""
    return not target.text


def fragment_only(target: LinkTarget, _: Scope) -> bool:
    """Seeds 000 and 003: a place on the same page."""
    return target.text.startswith("#")


def not_http(target: LinkTarget, _: Scope) -> bool:
    """Seeds 000 and 003: mailto, tel, javascript, data and every other scheme."""
    return not target.href and get_scheme(target.text) not in {"", "http", "https"}


def invalid_url(target: LinkTarget, _: Scope) -> bool:
    """What a browser could not navigate to."""
    return not target.href


def too_long(target: LinkTarget, scope: Scope) -> bool:
    """Longer than any page has a reason to be; such URLs come from traps."""
    return len(target.fetch_url) > scope.max_url_length


def same_page(target: LinkTarget, _: Scope) -> bool:
    """Seed 003: a URL that normalises to the page it stands on."""
    return target.key == target.page_key


def file_extension(target: LinkTarget, _: Scope) -> bool:
    """Seeds 000, 001 and 003: files that are no pages."""
    return get_file_type(get_original_path(target)) is not None


def excluded(target: LinkTarget, scope: Scope) -> bool:
    """The user's `--exclude`."""
    return bool(scope.exclude_patterns) and find_matching_pattern(scope.exclude_patterns, target) is not None


def other_host(target: LinkTarget, _: Scope) -> bool:
    """Seed 003: another site; recorded, not crawled. www is significant unless folded."""
    return not target.base_paths


def outside_base_path(target: LinkTarget, scope: Scope) -> bool:
    """Seed 000: our host, but under none of the base paths."""
    path = target.path
    return not any(scope.covers(base, path) for base in target.base_paths)


def query_string(target: LinkTarget, scope: Scope) -> bool:
    """Seed 001, preset `scan`: URLs with a query."""
    return scope.skip_queries and bool(target.query)


def anchor(target: LinkTarget, scope: Scope) -> bool:
    """Seed 001, preset `scan`: URLs with a fragment."""
    return scope.skip_anchors and "#" in target.href


def skipped_path(target: LinkTarget, scope: Scope) -> bool:
    """Seed 001, preset `scan`: whole leading segments, `/admin/x` but not `/administration`."""
    return find_matching_skip_path(target, scope) is not None


def not_included(target: LinkTarget, scope: Scope) -> bool:
    """The user gave `--include`, and none of it speaks of this URL."""
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
    other_host,
    outside_base_path,
    query_string,
    anchor,
    skipped_path,
    not_included,
)

EXTERNAL_RULES = frozenset({other_host, outside_base_path})
"""These make a link external: recorded, and followed as far as `max_external_hops` allows."""

ALLOWED = Verdict(True)
_WHOLE_HOST = ("",)


def _is_plainly_allowed(target: LinkTarget, scope: Scope) -> bool:
    """A page of a host that belongs whole, where no patterns are given; rule by rule takes four times as long."""
    return (
        len(target.fetch_url) <= scope.max_url_length
        and target.key != target.page_key
        and target.text[:1] not in {"", "#"}
        and get_file_type(get_original_path(target)) is None
    )


def _verdict(rule: Callable[[LinkTarget, Scope], bool]) -> Verdict:
    if rule in EXTERNAL_RULES:
        return Verdict(False, get_rule_reason(rule), "external")
    return Verdict(False, get_rule_reason(rule), "resource" if rule is file_extension else None)


_VERDICTS = tuple((rule, _verdict(rule)) for rule in SKIP_RULES)


def find_matching_pattern(patterns: tuple[UrlPattern, ...], target: LinkTarget) -> UrlPattern | None:
    """The user's pattern that speaks of this URL."""
    path_and_query = f"{target.path}?{target.query}" if target.query else target.path
    return next((pattern for pattern in patterns if pattern.matches(target.url, path_and_query)), None)


def find_matching_skip_path(target: LinkTarget, scope: Scope) -> str | None:
    """The refused leading segments this URL begins with."""
    path = target.path
    return next((skip for skip in scope.skip_paths if path == skip or path.startswith(skip + "/")), None)


def get_original_path(target: LinkTarget) -> str:
    """A trailing slash, which the listed path has lost, tells a directory from a file."""
    if target.fetch_url is target.url:  # nothing was stripped, as for most
        return target.path
    return target.path + "/" if target.fetch_url.partition("?")[0].endswith("/") else target.path


@lru_cache(maxsize=256)
def _page_key(page: str | None, policy: Policy) -> str:
    href = serialize_url(page) if page is not None else None
    return spell_href(href, policy).key if href is not None else ""
