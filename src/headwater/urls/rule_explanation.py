"""Explain in sentences what each skip rule says about a URL; the rules themselves are in `skip_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.urls.parsing import explain_unusable_url, get_scheme
from headwater.urls.recognition.file_types import get_extension, get_file_type
from headwater.urls.skip_rules import (
    EXTERNAL_RULES,
    SKIP_RULES,
    anchor,
    empty,
    excluded,
    file_extension,
    find_matching_pattern,
    find_matching_skip_path,
    fragment_only,
    get_original_path,
    get_rule_reason,
    harmful_action,
    invalid_url,
    not_http,
    not_included,
    other_host,
    outside_base_path,
    parse_target,
    query_string,
    same_page,
    skipped_path,
    too_long,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.urls.scope import Scope
    from headwater.urls.skip_rules import LinkTarget


class RuleResult(NamedTuple):
    """The result of one rule: whether it applies (None if not evaluated), whether it decides, and why."""

    rule: str
    applies: bool | None
    decides: bool = False
    detail: str = ""


def explain(url: str, scope: Scope, *, page: str | None = None, hops: int = 0) -> list[RuleResult]:
    """Return the result of every rule in order; those after the deciding one are not evaluated."""
    target = parse_target(url, scope, page)
    results: list[RuleResult] = []
    for rule in SKIP_RULES:
        if any(result.decides for result in results):
            results.append(RuleResult(get_rule_reason(rule), None))
            continue
        applies = rule(target, scope)
        decides = applies and not (rule in EXTERNAL_RULES and hops < scope.max_external_hops)
        detail = _DETAILS[rule](target, scope) if applies else ""
        results.append(RuleResult(get_rule_reason(rule), applies, decides, detail))
    return results


def _file_extension(target: LinkTarget, _: Scope) -> str:
    path = get_original_path(target)
    return f".{get_extension(path)} names a file of type {get_file_type(path)}"


def _excluded(target: LinkTarget, scope: Scope) -> str:
    pattern = find_matching_pattern(scope.exclude_patterns, target)
    return f"--exclude {pattern.text}" if pattern else ""


def _other_host(target: LinkTarget, scope: Scope) -> str:
    return f"{target.authority} is not {' or '.join(base.authority for base in scope.bases)}"


def _outside_base_path(target: LinkTarget, scope: Scope) -> str:
    relation = "under" if scope.strict_paths else "a continuation of"
    return f"{target.path} is not {relation} {' or '.join(base or '/' for base in target.base_paths)}"


_DETAILS: dict[Callable[[LinkTarget, Scope], bool], Callable[[LinkTarget, Scope], str]] = {
    empty: lambda _target, _scope: "the link is empty",
    fragment_only: lambda target, _scope: f"{target.text[:80]} is a position on the same page",
    not_http: lambda target, _scope: f"{get_scheme(target.text)[:40]}: is not http or https",
    invalid_url: lambda target, _scope: explain_unusable_url(target.text),
    too_long: lambda target, scope: f"{len(target.fetch_url)} characters, at most {scope.max_url_length} are allowed",
    same_page: lambda target, _scope: f"it is {target.url}, the page that it is on",
    file_extension: _file_extension,
    excluded: _excluded,
    harmful_action: lambda target, _scope: f"{target.path[:80]} names an action that a session must not take",
    other_host: _other_host,
    outside_base_path: _outside_base_path,
    query_string: lambda target, _scope: f"it has the query ?{target.query[:80]}",
    anchor: lambda target, _scope: f"it has the anchor #{target.href.partition('#')[2][:80]}",
    skipped_path: lambda target, scope: f"it begins with {find_matching_skip_path(target, scope)}",
    not_included: lambda _target, scope: f"it matches none of --include {', '.join(scope.include)}",
}
