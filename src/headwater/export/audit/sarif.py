"""The report of an audit as SARIF 2.1.0, which forges and editors show as code scanning results."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from headwater.audit import RULES
from headwater.export.audit.text import format_sources
from headwater.version import VERSION

if TYPE_CHECKING:
    from typing import TextIO

    from headwater.audit import AuditReport, Issue, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
SHOWN_SOURCES = 5
_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def write_sarif(report: AuditReport, output: TextIO) -> None:
    """Write every issue as a result; the location is the URL itself."""
    driver = {"name": "Headwater", "version": VERSION, "rules": [_describe_rule(rule) for rule in RULES]}
    run = {"tool": {"driver": driver}, "results": [_describe_issue(rule, issue) for rule, issue in report.issues()]}
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, output, indent=1)
    output.write("\n")


def _describe_rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.reason},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _describe_issue(rule: Rule, issue: Issue) -> dict[str, Any]:
    sources = f" Linked from {format_sources(issue, SHOWN_SOURCES)}." if issue.related else ""
    detail = f" ({issue.detail})" if issue.detail else ""
    return {
        "ruleId": rule.name,
        "level": _LEVELS[rule.severity],
        "message": {"text": f"{rule.title}: {issue.url}{detail}.{sources} {rule.fix}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": issue.url}}}],
        "partialFingerprints": {"ruleAndUrl/v1": _hash(f"{rule.name} {issue.url}")},
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
