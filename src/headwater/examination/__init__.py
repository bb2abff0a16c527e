"""The heart: a response in, findings out."""

from headwater.examination.examiner import (
    examine,
    examine_in_steps,
    examine_redirect,
    examine_routes,
    examine_unchanged,
    merge_findings,
)
from headwater.examination.site_state import SiteState

__all__ = [
    "SiteState",
    "examine",
    "examine_in_steps",
    "examine_redirect",
    "examine_routes",
    "examine_unchanged",
    "merge_findings",
]
