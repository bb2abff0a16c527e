"""Whether a URL is visited: REJECT_RULES in order; the first that applies decides, its name is the reason."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from headwater.model import Verdict
from headwater.urls.file_types import file_type
from headwater.urls.normalize import DEFAULT_POLICY, forms, is_plain, spell_serialised
from headwater.urls.parse import authority_of, resolve, scheme_of, serialise

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.urls.normalize import Policy
    from headwater.urls.patterns import Pattern
    from headwater.urls.scope import Scope


_new = tuple.__new__


class Target(NamedTuple):
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
    return judge_target(aim(url, scope, page), scope, hops)


def judge_target(target: Target, scope: Scope, hops: int = 0) -> Verdict:
    """The verdict on a link that is already cut up."""
    if scope.is_plain and target.base_paths == _WHOLE_HOST and _is_plainly_allowed(target, scope):
        return ALLOWED
    is_external = False
    for rule, verdict in _VERDICTS:
        if rule(target, scope):
            if rule not in OUTSIDE_RULES or hops >= scope.max_external_hops:
                return verdict
            is_external = True
    return Verdict(True, "", "external", hops + 1) if is_external else ALLOWED


def reason_of(rule: Callable[[Target, Scope], bool]) -> str:
    """The name of a rule as people see it."""
    return rule.__name__.replace("_", "-")


def aim(url: str, scope: Scope, page: str | None = None) -> Target:
    """The link cut up for the rules; relative ones are resolved against `page`."""
    text = url.strip()
    return cut(text, resolve(text, page), scope, _page_key(page, scope.policy))


def cut(text: str, href: str | None, scope: Scope, page_key: str = "") -> Target:
    """The same for a link that is resolved already, on a page whose key is known."""
    if href is None:
        return Target(text, page_key)
    if is_plain(href, scope.policy):
        return _cut_plain(text, href, scope, page_key)
    fetch_url, url, key = forms(href, scope.policy)
    authority = authority_of(fetch_url)
    path, _, query = url[url.index("/", 8) :].partition("?")
    listed = fetch_url if scope.policy.spelling == "answered" else url
    bases = scope.base_paths(authority)
    return Target(text, page_key, href, fetch_url, url, key, authority, path, query, bases, listed)


def _cut_plain(text: str, href: str, scope: Scope, page_key: str) -> Target:
    """The same for a URL that is its own spelling, in half the time: no calls, and a tuple made as tuples are."""
    slash = href.index("/", 8)
    is_https = href.startswith("https")
    authority = href[8 if is_https else 7 : slash]
    key = href if is_https else spell_serialised(href, DEFAULT_POLICY).key
    path, _, query = href[slash:].partition("?")
    bases = scope.base_paths(authority)
    return _new(Target, (text, page_key, href, href, href, key, authority, path, query, bases, href))


def empty(target: Target, _: Scope) -> bool:
    """Seed 003: `href=""`."""
    return not target.text


def fragment_only(target: Target, _: Scope) -> bool:
    """Seeds 000 and 003: a place on the same page."""
    return target.text.startswith("#")


def not_http(target: Target, _: Scope) -> bool:
    """Seeds 000 and 003: mailto, tel, javascript, data and every other scheme."""
    return not target.href and scheme_of(target.text) not in {"", "http", "https"}


def invalid_url(target: Target, _: Scope) -> bool:
    """What a browser could not navigate to."""
    return not target.href


def too_long(target: Target, scope: Scope) -> bool:
    """Longer than any page has a reason to be; such URLs come from traps."""
    return len(target.fetch_url) > scope.max_url_length


def same_page(target: Target, _: Scope) -> bool:
    """Seed 003: a URL that normalises to the page it stands on."""
    return target.key == target.page_key


def file_extension(target: Target, _: Scope) -> bool:
    """Seeds 000, 001 and 003: files that are no pages."""
    return file_type(path_as_found(target)) is not None


def excluded(target: Target, scope: Scope) -> bool:
    """The user's `--exclude`."""
    return bool(scope.exclude_patterns) and deciding_pattern(scope.exclude_patterns, target) is not None


def other_host(target: Target, _: Scope) -> bool:
    """Seed 003: another site; recorded, not crawled. www is significant unless folded."""
    return not target.base_paths


def outside_base_path(target: Target, scope: Scope) -> bool:
    """Seed 000: our host, but under none of the base paths."""
    path = target.path
    return not any(scope.covers(base, path) for base in target.base_paths)


def query_string(target: Target, scope: Scope) -> bool:
    """Seed 001, preset `scan`: URLs with a query."""
    return scope.skip_queries and bool(target.query)


def anchor(target: Target, scope: Scope) -> bool:
    """Seed 001, preset `scan`: URLs with a fragment."""
    return scope.skip_anchors and "#" in target.href


def skipped_path(target: Target, scope: Scope) -> bool:
    """Seed 001, preset `scan`: whole leading segments, `/admin/x` but not `/administration`."""
    return deciding_skip_path(target, scope) is not None


def not_included(target: Target, scope: Scope) -> bool:
    """The user gave `--include`, and none of it speaks of this URL."""
    return bool(scope.include_patterns) and deciding_pattern(scope.include_patterns, target) is None


REJECT_RULES: tuple[Callable[[Target, Scope], bool], ...] = (
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

OUTSIDE_RULES = frozenset({other_host, outside_base_path})
"""These make a link external: recorded, and followed as far as `max_external_hops` allows."""

ALLOWED = Verdict(True)
_WHOLE_HOST = ("",)


def _is_plainly_allowed(target: Target, scope: Scope) -> bool:
    """A page of a host that belongs whole, where no patterns are given; rule by rule takes four times as long."""
    return (
        len(target.fetch_url) <= scope.max_url_length
        and target.key != target.page_key
        and target.text[:1] not in {"", "#"}
        and file_type(path_as_found(target)) is None
    )


def _verdict(rule: Callable[[Target, Scope], bool]) -> Verdict:
    if rule in OUTSIDE_RULES:
        return Verdict(False, reason_of(rule), "external")
    return Verdict(False, reason_of(rule), "resource" if rule is file_extension else None)


_VERDICTS = tuple((rule, _verdict(rule)) for rule in REJECT_RULES)


def deciding_pattern(patterns: tuple[Pattern, ...], target: Target) -> Pattern | None:
    """The user's pattern that speaks of this URL."""
    path_and_query = f"{target.path}?{target.query}" if target.query else target.path
    return next((pattern for pattern in patterns if pattern.matches(target.url, path_and_query)), None)


def deciding_skip_path(target: Target, scope: Scope) -> str | None:
    """The refused leading segments this URL begins with."""
    path = target.path
    return next((skip for skip in scope.skip_paths if path == skip or path.startswith(skip + "/")), None)


def path_as_found(target: Target) -> str:
    """A trailing slash, which the listed path has lost, tells a directory from a file."""
    if target.fetch_url is target.url:  # nothing was stripped, as for most
        return target.path
    return target.path + "/" if target.fetch_url.partition("?")[0].endswith("/") else target.path


@lru_cache(maxsize=256)
def _page_key(page: str | None, policy: Policy) -> str:
    href = serialise(page) if page is not None else None
    return spell_serialised(href, policy).key if href is not None else ""
