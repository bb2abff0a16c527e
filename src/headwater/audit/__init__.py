"""Rules that find what is wrong with a site, applied to the pages of a scan."""

from headwater.audit.auditor import AuditInput, audit
from headwater.audit.records import SEVERITIES, AuditReport, Issue, LinkSource, Rule, RuleResult, Severity
from headwater.audit.rules import RULES, RULES_BY_NAME

__all__ = [
    "RULES",
    "RULES_BY_NAME",
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
