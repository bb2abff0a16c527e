"""Describe in a sentence why a URL was skipped or failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

SAME_CONTENT, EMPTY_PERIOD = "same-content", "empty-period"
UNVISITED_VIEW, UNVISITED_FILE = "unvisited-view", "unvisited-file"

CRAWL_REASONS: Mapping[str, str] = {
    "relative-loc": "The sitemap lists a URL without scheme and host, which the protocol does not allow",
    "robots-disallowed": "Disallowed by robots.txt",
    "robots-unreachable": "robots.txt could not be loaded; the URL is deferred, `headwater resume` tries again",
    "host-unresponsive": "The host stopped answering; the URL is deferred, `headwater resume` tries again",
    "login-required": "The site shows a login form instead of the page; see --cookies and --storage-state",
    "consent-required": "The site shows a request for consent instead of the page",
    "challenge": "The site shows a check for robots instead of the page",
    "soft-404": "The host returns the same page for URLs that do not exist, and this is that page",
    "max-urls-per-source": "Its source lists more pages than --max-urls-per-source; `headwater resume` can visit it",
    "per-shape": "Enough pages of its URL shape were visited (--per-shape); `headwater resume` can visit more",
    "link-not-followed": "All links to it are of a kind or region that --follow-links or --follow-regions excludes",
    "too-many-links": "The page has more links than --max-links-per-page; the rest were not read",
    "trap-repetition": "The path repeats itself, or has more than 32 segments",
    "trap-exhausted": "Crawler trap: only more pages of the same shape",
    SAME_CONTENT: "Another page has the same content and is listed instead",
    "page-view": "View of a listed page, such as a sort order or a print version: no text or link of its own",
    "noindex-view": "Asks not to be indexed, and is a view of a listed page, such as an edit form or a history",
    EMPTY_PERIOD: "Page of a calendar without entries: equal to others apart from the date",
    UNVISITED_VIEW: "Not visited: pages with the same parameters were views of other pages",
    UNVISITED_FILE: "Not visited: files beside it with the same extension are not HTML pages",
    "quarantined": "The process crashed three times while this page was examined",
    "not-html": "The response is not an HTML page",
    "http-404": "The server answered with this status, such as 404",
}
"""Reasons that arise during a scan; the reasons of skip rules are the docstrings of the rules."""

_RULES = {get_rule_reason(rule): rule for rule in SKIP_RULES}
_STATUS = re.compile(r"http-(\d{3})")


def describe_reason(reason: str) -> str:
    """Return the sentence for a reason, without a full stop; an unknown reason is only reformatted."""
    if status := _STATUS.fullmatch(reason):
        return f"The server answered {status[1]}"
    if reason in _RULES:
        return (_RULES[reason].__doc__ or "").strip().rstrip(".")
    return CRAWL_REASONS.get(reason, reason.replace("-", " ").capitalize())
