"""The report of an audit as text for a terminal: every rule, with its first URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.plurals import format_count

if TYPE_CHECKING:
    from typing import TextIO

    from headwater.audit import AuditReport, Issue, RuleResult

SHOWN_ISSUES = 10
SHOWN_SOURCES = 3


def write_text(report: AuditReport, output: TextIO) -> None:
    """Write a summary, and for each rule its reason, its fix and the first URLs."""
    output.write(f"{summarize(report)}\n")
    for result in report.results:
        _write_rule(result, output)


def summarize(report: AuditReport) -> str:
    """Return the number of pages and issues in one line."""
    counts = [format_count(count, severity) for severity, count in report.count_by_severity().items() if count]
    unfinished = "" if report.is_complete else " (the scan is incomplete)"
    issues = ", ".join(counts) or ("no new issues" if report.hidden else "no issues")
    hidden = f" (without {format_count(report.hidden, 'issue')} of the baseline)" if report.hidden else ""
    return f"{report.site}: {format_count(report.pages, 'page')}, {issues}{hidden}{unfinished}"


def format_sources(issue: Issue, limit: int) -> str:
    """Return the first pages that link to a URL, with the texts of the links."""
    named = [f"{one.url} “{one.text}”" if one.text else one.url for one in issue.related[:limit]]
    rest = len(issue.related) - len(named)
    return "; ".join(named) + (f"; and {rest:,} more" if rest else "")


def _write_rule(result: RuleResult, output: TextIO) -> None:
    rule = result.rule
    output.write(f"\n{rule.severity.upper()}  {rule.title} ({result.total:,})\n")
    output.write(f"  {rule.reason}\n  Fix: {rule.fix}\n")
    for issue in result.issues[:SHOWN_ISSUES]:
        output.write(f"  - {issue.url}{f'  {issue.detail}' if issue.detail else ''}\n")
        if issue.related:
            output.write(f"      linked from {format_sources(issue, SHOWN_SOURCES)}\n")
    if result.total > SHOWN_ISSUES:
        output.write(f"  … and {result.total - SHOWN_ISSUES:,} more; --format json lists all\n")
