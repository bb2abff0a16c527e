"""Rules that find what is wrong with a site, applied to the pages of a scan."""

from headwater.audit.auditor import AuditInput, audit
from headwater.audit.records import SEVERITIES, AuditReport, Issue, LinkSource, Rule, RuleResult, Severity
from headwater.audit.rules import RULES

__all__ = [
    "RULES",
    "SEVERITIES",
    "AuditInput",
    "AuditReport",
    "Issue",
    "LinkSource",
    "Rule",
    "RuleResult",
    "Severity",
    "audit",
]
