"""The report of an audit as JUnit XML: one test for each rule, so that a forge shows which rules are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from headwater.audit import RULES
from headwater.export.audit.text import format_sources
from headwater.export.text_values import NOT_XML
from headwater.plurals import format_count

if TYPE_CHECKING:
    from typing import TextIO

    from headwater.audit import AuditReport, RuleResult

SHOWN_ISSUES = 1_000
SHOWN_SOURCES = 5


def write_junit(report: AuditReport, output: TextIO) -> None:
    """Write one test case for each rule; a rule that found something has failed."""
    results = {one.rule.name: one for one in report.results}
    output.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    output.write(f'<testsuites tests="{len(RULES)}" failures="{len(results)}">\n')
    output.write(
        f'<testsuite name={_quote(f"headwater audit {report.site}")} tests="{len(RULES)}" failures="{len(results)}">\n'
    )
    for rule in RULES:
        output.write(f"<testcase classname={_quote(rule.severity)} name={_quote(rule.name)}>")
        if rule.name in results:
            output.write(_format_failure(results[rule.name]))
        output.write("</testcase>\n")
    output.write("</testsuite>\n</testsuites>\n")


def _format_failure(result: RuleResult) -> str:
    rule = result.rule
    lines = [rule.reason, f"Fix: {rule.fix}"]
    for issue in result.issues[:SHOWN_ISSUES]:
        lines.append(f"{issue.url} {issue.detail}".rstrip())
        if issue.related:
            lines.append(f"  linked from {format_sources(issue, SHOWN_SOURCES)}")
    message = f"{rule.title}: {format_count(result.total, 'URL')}"
    return f"<failure message={_quote(message)} type={_quote(rule.severity)}>{_escape(chr(10).join(lines))}</failure>"


def _quote(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text))


def _escape(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))
