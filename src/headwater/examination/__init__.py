"""Examine responses: extract, resolve and judge the links of a page. The core of a crawl."""

from headwater.examination.examiner import (
    examine,
    examine_in_steps,
    examine_redirect,
    examine_routes,
    examine_unchanged,
    merge_findings,
)
from headwater.examination.hint_check import HintCheck, check_hint
from headwater.examination.site_state import SiteState

__all__ = [
    "HintCheck",
    "SiteState",
    "check_hint",
    "examine",
    "examine_in_steps",
    "examine_redirect",
    "examine_routes",
    "examine_unchanged",
    "merge_findings",
]
