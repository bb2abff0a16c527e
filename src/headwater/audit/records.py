"""Records of an audit: rules, the issues they find, and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from headwater.audit.site_facts import SiteFacts
    from headwater.model import Page, UrlKind

Severity = Literal["error", "warning", "notice"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Severities, the worst first."""


class LinkSource(NamedTuple):
    """A page that links to a URL, and the text of the link."""

    url: str
    text: str = ""


class Issue(NamedTuple):
    """One problem of one URL. `related` are the pages that have to be changed, if those are others."""

    rule: str
    url: str
    detail: str = ""
    related: tuple[LinkSource, ...] = ()


class Rule(NamedTuple):
    """A rule: its check returns a short detail for a page that breaks it, and None for any other page."""

    name: str
    severity: Severity
    title: str
    reason: str
    fix: str
    check: Callable[[Page, SiteFacts], str | None]
    names_sources: bool = False
    """The pages that link to the URL are what has to be changed."""

    kind: UrlKind = "page"
    """The kind of URLs that are checked."""


class RuleResult(NamedTuple):
    """The issues of one rule; `total` includes those beyond the number that is kept."""

    rule: Rule
    total: int
    issues: Sequence[Issue]


class AuditReport(NamedTuple):
    """The result of an audit: one entry for every rule that found something, the most severe first.

    `hidden` is the number of issues that are left out because they are known.
    """

    site: str
    scan: int
    pages: int
    results: Sequence[RuleResult]
    is_complete: bool = True
    hidden: int = 0

    def count_by_severity(self) -> Mapping[Severity, int]:
        """Return the number of issues of each severity."""
        return {
            severity: sum(one.total for one in self.results if one.rule.severity == severity) for severity in SEVERITIES
        }

    def issues(self) -> Iterator[tuple[Rule, Issue]]:
        """Yield every kept issue with its rule."""
        for result in self.results:
            for issue in result.issues:
                yield result.rule, issue

    def fails_at(self, severity: Severity) -> bool:
        """Return True if there is an issue of this severity or a worse one."""
        return any(SEVERITIES.index(one.rule.severity) <= SEVERITIES.index(severity) for one in self.results)
