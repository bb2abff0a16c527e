"""Why a URL is refused or failed, as a sentence for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

CRAWL_REASONS: Mapping[str, str] = {
    "relative-loc": "A sitemap names a URL without scheme and host, which the protocol forbids",
    "robots-disallowed": "Disallowed by robots.txt",
    "robots-unreachable": "robots.txt could not be had; the URL is deferred, `headwater resume` tries again",
    "host-unresponsive": "The host stopped answering; the URL is deferred, `headwater resume` tries again",
    "soft-404": "The host answers every path with a page, and this page is that one",
    "max-urls-per-source": "Its source names more pages than --max-urls-per-source; `headwater resume` can visit it",
    "link-not-followed": "Only links of a kind or region that --follow-links or --follow-regions leaves out lead to it",
    "too-many-links": "The page has more links than --max-links-per-page; those beyond were not read",
    "trap-repetition": "The path repeats itself, or is deeper than any site is",
    "trap-exhausted": "Crawler trap: only more pages of the same shape",
    "quarantined": "The process died three times while this page was examined",
    "not-html": "The answer is no page",
    "http-404": "And so on: the status the server answered",
}
"""Reasons that arise while a site is read; those of the rules are told by the rules themselves."""

_SEED = re.compile(r"^Seeds? [\d, and]+(?:preset `\w+`)?: ")
_RULES = {get_rule_reason(rule): rule for rule in SKIP_RULES}
_STATUS = re.compile(r"http-(\d{3})")


def describe_reason(reason: str) -> str:
    """The sentence for a reason; the reason itself where it says all there is to say."""
    if status := _STATUS.fullmatch(reason):
        return f"The server answered {status[1]}"
    if reason in _RULES:
        text = _SEED.sub("", (_RULES[reason].__doc__ or "").strip())
        return (text[:1].upper() + text[1:]).rstrip(".")
    return CRAWL_REASONS.get(reason, reason.replace("-", " ").capitalize())
