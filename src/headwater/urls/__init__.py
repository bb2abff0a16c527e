"""What a URL means: how it resolves, its spellings, whether it belongs to a site, and its shape."""

from headwater.urls.explain import RuleResult, explain
from headwater.urls.judge import judge
from headwater.urls.normalize import DEFAULT_POLICY, Policy, normalize, prefer_https, spell_url
from headwater.urls.parse import resolve
from headwater.urls.scope import Scope
from headwater.urls.shapes import shape

__all__ = [
    "DEFAULT_POLICY",
    "Policy",
    "RuleResult",
    "Scope",
    "explain",
    "judge",
    "normalize",
    "prefer_https",
    "resolve",
    "shape",
    "spell_url",
]
