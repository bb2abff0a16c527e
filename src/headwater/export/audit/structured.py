"""The report of an audit as JSON; `--baseline` reads it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

    from headwater.audit import AuditReport


def write_json(report: AuditReport, output: TextIO) -> None:
    """Write every rule that found something with all its issues."""
    rules = [
        {
            "rule": one.rule.name,
            "severity": one.rule.severity,
            "title": one.rule.title,
            "reason": one.rule.reason,
            "fix": one.rule.fix,
            "count": one.total,
            "issues": [
                {"url": issue.url, "detail": issue.detail, "linked_from": [part._asdict() for part in issue.related]}
                for issue in one.issues
            ],
        }
        for one in report.results
    ]
    head = {"site": report.site, "scan": report.scan, "pages": report.pages, "complete": report.is_complete}
    json.dump({**head, "counts": report.count_by_severity(), "rules": rules}, output, indent=1)
    output.write("\n")
