"""What each rule says about a URL, in sentences for people; the rules themselves are in `judge`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.urls.file_types import extension_of, file_type
from headwater.urls.judge import (
    OUTSIDE_RULES,
    REJECT_RULES,
    aim,
    anchor,
    deciding_pattern,
    deciding_skip_path,
    empty,
    excluded,
    file_extension,
    fragment_only,
    invalid_url,
    not_http,
    not_included,
    other_host,
    outside_base_path,
    path_as_found,
    query_string,
    reason_of,
    same_page,
    skipped_path,
    too_long,
)
from headwater.urls.parse import scheme_of, why_unusable

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.urls.judge import Target
    from headwater.urls.scope import Scope


class Step(NamedTuple):
    """One rule: whether it applies (None: not reached), whether it decided, and a word on why."""

    rule: str
    applies: bool | None
    decides: bool = False
    detail: str = ""


def explain(url: str, scope: Scope, *, page: str | None = None, hops: int = 0) -> list[Step]:
    """Every rule in order, up to the one that decides."""
    target = aim(url, scope, page)
    steps: list[Step] = []
    for rule in REJECT_RULES:
        if steps and any(step.decides for step in steps):
            steps.append(Step(reason_of(rule), None))
            continue
        applies = rule(target, scope)
        decides = applies and not (rule in OUTSIDE_RULES and hops < scope.max_external_hops)
        steps.append(Step(reason_of(rule), applies, decides, _DETAILS[rule](target, scope) if applies else ""))
    return steps


def _file_extension(target: Target, _: Scope) -> str:
    path = path_as_found(target)
    return f".{extension_of(path)} names a file of type {file_type(path)}"


def _excluded(target: Target, scope: Scope) -> str:
    pattern = deciding_pattern(scope.exclude_patterns, target)
    return f"--exclude {pattern.text}" if pattern else ""


def _other_host(target: Target, scope: Scope) -> str:
    return f"{target.authority} is not {' or '.join(base.authority for base in scope.bases)}"


def _outside_base_path(target: Target, scope: Scope) -> str:
    manner = "under" if scope.strict_paths else "a continuation of"
    return f"{target.path} is not {manner} {' or '.join(base or '/' for base in target.base_paths)}"


_DETAILS: dict[Callable[[Target, Scope], bool], Callable[[Target, Scope], str]] = {
    empty: lambda _target, _scope: "there is no text",
    fragment_only: lambda target, _scope: f"{target.text[:80]} is a place on the same page",
    not_http: lambda target, _scope: f"{scheme_of(target.text)[:40]}: is not http or https",
    invalid_url: lambda target, _scope: why_unusable(target.text),
    too_long: lambda target, scope: f"{len(target.fetch_url)} characters, {scope.max_url_length} are allowed",
    same_page: lambda target, _scope: f"it is {target.url}, the page it stands on",
    file_extension: _file_extension,
    excluded: _excluded,
    other_host: _other_host,
    outside_base_path: _outside_base_path,
    query_string: lambda target, _scope: f"it has the query ?{target.query[:80]}",
    anchor: lambda target, _scope: f"it has the anchor #{target.href.partition('#')[2][:80]}",
    skipped_path: lambda target, scope: f"it begins with {deciding_skip_path(target, scope)}",
    not_included: lambda _target, scope: f"none of --include {', '.join(scope.include)} speaks of it",
}
