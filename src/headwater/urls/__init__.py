"""Resolve, normalize and judge URLs: their spellings, the scope of a site, and their shapes."""

from headwater.urls.normalization import DEFAULT_POLICY, Policy, normalize, spell_url
from headwater.urls.parsing import resolve
from headwater.urls.rule_explanation import RuleResult, explain
from headwater.urls.scope import Scope
from headwater.urls.shapes import shape
from headwater.urls.skip_rules import judge

__all__ = [
    "DEFAULT_POLICY",
    "Policy",
    "RuleResult",
    "Scope",
    "explain",
    "judge",
    "normalize",
    "resolve",
    "shape",
    "spell_url",
]
