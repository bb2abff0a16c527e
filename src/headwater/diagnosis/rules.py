"""Rules that explain why a scan found few pages, each a function from facts to a cause and what to try.

Rules about the start page come first. If one of them applies, those about links and pages say nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.plurals import format_count
from headwater.urls.parsing import get_authority
from headwater.urls.skip_reasons import describe_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.diagnosis.facts import ScanFacts


class Diagnosis(NamedTuple):
    """A cause, in a sentence, and what to try."""

    cause: str
    message: str
    advice: str = ""


Text = tuple[str, str]
NOTHING: Text = ("", "")
_SESSION_ADVICE = (
    "Log in with a browser and pass its session with --cookies FILE or --storage-state FILE, or let a recipe log in "
    "with --login FILE."
)
_FILTER_FLAGS = {
    "excluded": "--exclude",
    "not-included": "--include",
    "skipped-path": "--skip-paths",
    "query-string": "--skip-queries",
    "anchor": "--skip-anchors",
    "link-not-followed": "--follow-links and --follow-regions",
    "max-urls-per-source": "--max-urls-per-source",
    "too-long": "--max-url-length",
}
"""Reasons that a setting causes, and its flag."""


def diagnose(facts: ScanFacts) -> list[Diagnosis]:
    """Return the causes that explain a scan with few pages, the most important first."""
    blocked = _apply(START_RULES, facts)
    explained = blocked or _apply(PAGE_RULES, facts) or _apply((no_links,), facts)
    return [*explained, *_apply(SOURCE_RULES, facts)]


def _apply(rules: tuple[Callable[[ScanFacts], Text], ...], facts: ScanFacts) -> list[Diagnosis]:
    texts = ((rule.__name__.replace("_", "-"), *rule(facts)) for rule in rules)
    return [Diagnosis(cause, message, advice) for cause, message, advice in texts if message]


def start_page_disallowed(facts: ScanFacts) -> Text:
    """Explain a start page that robots.txt disallows."""
    if facts.start_reason != "robots-disallowed":
        return NOTHING
    return "robots.txt disallows the start page.", "If the site is yours, add --robots ignore."


def robots_unreachable(facts: ScanFacts) -> Text:
    """Explain a robots.txt that could not be loaded, which defers all pages."""
    if facts.start_reason != "robots-unreachable":
        return NOTHING
    return "robots.txt could not be loaded, so no page was requested.", "Try again later with: headwater resume"


def challenge(facts: ScanFacts) -> Text:
    """Explain a start page behind protection against robots."""
    if facts.start_reason != "challenge" and not facts.protection:
        return NOTHING
    service = f" by {facts.protection}" if facts.protection else ""
    status = f" (status {facts.start_status})" if facts.start_reason != "challenge" else ""
    return (
        f"The site answered with a check for robots{service} instead of the start page{status}.",
        "Ask the owner of the site to admit Headwater, or slow down with --delay 2.",
    )


def login_required(facts: ScanFacts) -> Text:
    """Explain a start page that needs a login."""
    if facts.start_status == 401:
        return "The start page asks for a user name and password (401).", "Pass them with --credentials."
    if facts.start_reason != "login-required":
        return NOTHING
    where = f"redirects to the login page {facts.redirected_to}" if facts.redirected_to else "is a login form"
    if facts.has_session:
        return f"The start page {where}: the session has expired or is not accepted.", _SESSION_ADVICE
    return f"The start page {where}.", _SESSION_ADVICE


def consent_required(facts: ScanFacts) -> Text:
    """Explain a start page that asks for consent first."""
    if facts.start_reason != "consent-required":
        return NOTHING
    return (
        f"The start page redirects to a request for consent: {facts.redirected_to}.",
        "Answer it in a browser and pass the cookies with --cookies FILE.",
    )


def start_page_failed(facts: ScanFacts) -> Text:
    """Explain a start page that could not be loaded for another reason."""
    explained = {"robots-disallowed", "robots-unreachable", "challenge", "login-required", "consent-required"}
    reason, status = facts.start_reason, facts.start_status
    if not reason or reason in explained or facts.protection or status == 401:
        return NOTHING
    if reason == "not-html":
        return f"The start page is not an HTML page but {facts.start_type or 'a file'}.", "Start from another URL."
    if status in {404, 410}:
        return f"The start page does not exist ({status}).", "Check the address."
    if status == 403:
        return (
            "The server refused the start page (403).",
            "It may block robots or addresses of other countries. Ask its owner, or try --user-agent.",
        )
    if status == 429:
        return "The server asks for fewer requests (429).", "Try again later, with --delay 5."
    described = f"The server answered {status}" if status else f"reason {reason}"
    return f"The start page could not be loaded ({described}).", "Try again later with: headwater resume"


def other_host(facts: ScanFacts) -> Text:
    """Explain a start page that redirects to another host."""
    if not facts.redirected_to or get_authority(facts.redirected_to) == get_authority(facts.seed):
        return NOTHING
    return (
        f"The start page redirects to {get_authority(facts.redirected_to)}, and the scan went on there.",
        "The target may depend on your country or language. Check that it is the site you mean.",
    )


def sitemap_of_other_host(facts: ScanFacts) -> Text:
    """Explain a sitemap that lists only other hosts."""
    if facts.sitemap_urls or not facts.sitemap_hosts:
        return NOTHING
    host, count = _get_largest(facts.sitemap_hosts)
    return f"The sitemap lists only URLs of other hosts, most of {host} ({count:,}).", _advise_host(facts.seed, host)


def sitemap_blocked(facts: ScanFacts) -> Text:
    """Explain a sitemap that the site refuses to send."""
    if not facts.blocked_sitemap:
        return NOTHING
    return f"A sitemap could not be read: {facts.blocked_sitemap}.", ""


def no_sitemap(facts: ScanFacts) -> Text:
    """Explain that there is no sitemap."""
    if not facts.reads_sitemaps or facts.sitemap_files or facts.blocked_sitemap:
        return NOTHING
    robots = "robots.txt names none" if facts.has_robots else "there is no robots.txt"
    if facts.names_sitemap:
        return "The sitemap that robots.txt names could not be read.", ""
    message = f"There is no sitemap or feed: {robots}, and there is none at the usual paths."
    return message, "If you know one, name it with --sitemap-places PATH."


def built_by_scripts(facts: ScanFacts) -> Text:
    """Explain pages that need a browser."""
    if not facts.scripted or facts.opened:
        return NOTHING
    pages = "1 page is" if facts.scripted == 1 else f"{facts.scripted:,} pages are"
    if facts.render == "never":
        return f"{pages} built by scripts, and --render never keeps the browser closed.", "Leave out --render never."
    problem = facts.browser_problem or "no browser opened them"
    return f"{pages} built by scripts: {problem}.", "`headwater doctor` shows what is missing."


def loaded_by_post(facts: ScanFacts) -> Text:
    """Explain content that scripts load with POST, which a scan never sends."""
    if not facts.posts:
        return NOTHING
    requests = format_count(facts.posts, "POST request")
    return f"The pages load content with {requests}, which a scan never sends.", "Name further start pages as URLs."


def links_not_read(facts: ScanFacts) -> Text:
    """Explain pages whose robots tag says nofollow."""
    if not facts.nofollow:
        return NOTHING
    pages = "1 page says" if facts.nofollow == 1 else f"{facts.nofollow:,} pages say"
    return f"{pages} nofollow, so its links were not read.", "If the site is yours, add --meta-robots ignore."


def links_to_other_hosts(facts: ScanFacts) -> Text:
    """Explain links that lead to other hosts."""
    if not facts.link_hosts:
        return NOTHING
    host, count = _get_largest(facts.link_hosts)
    total = sum(facts.link_hosts.values())
    if total == 1:
        return f"The only other link leads to another host, {host}.", _advise_host(facts.seed, host)
    most = f", most of them to {host} ({count:,})" if len(facts.link_hosts) > 1 else f", {host}"
    hosts = "another host" if len(facts.link_hosts) == 1 else "other hosts"
    return f"{total:,} links lead to {hosts}{most}.", _advise_host(facts.seed, host)


def outside_path(facts: ScanFacts) -> Text:
    """Explain links that lead out of the path of the start page."""
    count = facts.reasons.get("outside-base-path", 0)
    if not count:
        return NOTHING
    return f"{format_count(count, 'URL')} of this host lie outside the path of the start page.", "Add --scope host."


def links_disallowed(facts: ScanFacts) -> Text:
    """Explain links that robots.txt disallows."""
    count = facts.reasons.get("robots-disallowed", 0)
    if not count:
        return NOTHING
    return f"robots.txt disallows {format_count(count, 'further URL')}.", "If the site is yours, add --robots ignore."


def filtered(facts: ScanFacts) -> Text:
    """Explain links that a setting excludes."""
    counts = {reason: facts.reasons[reason] for reason in _FILTER_FLAGS if facts.reasons.get(reason)}
    if not counts:
        return NOTHING
    reason, count = _get_largest(counts)
    return (
        f"{format_count(count, 'URL')} skipped because of {_FILTER_FLAGS[reason]}.",
        "Change or leave out that setting.",
    )


def pages_failed(facts: ScanFacts) -> Text:
    """Explain pages that answered with an error, a login form or a check for robots."""
    failed = {
        reason: count
        for reason, count in facts.reasons.items()
        if reason.startswith(("http-", "timeout")) or reason in {"login-required", "challenge", "soft-404"}
    }
    if not failed:
        return NOTHING
    reason, count = _get_largest(failed)
    advice = _SESSION_ADVICE if reason in {"login-required", "http-401"} else ""
    return f"{format_count(count, 'page')} failed: {describe_reason(reason)}.", advice


def no_links(_: ScanFacts) -> Text:
    """Explain pages without links, if nothing else explains the scan."""
    return "The pages that loaded link to no further pages.", "Start from another page, or name several URLs."


START_RULES = (
    start_page_disallowed,
    robots_unreachable,
    challenge,
    login_required,
    consent_required,
    start_page_failed,
)
SOURCE_RULES = (sitemap_of_other_host, sitemap_blocked, no_sitemap)
PAGE_RULES = (
    other_host,
    built_by_scripts,
    loaded_by_post,
    links_not_read,
    links_to_other_hosts,
    outside_path,
    links_disallowed,
    filtered,
    pages_failed,
)


def _get_largest(counts: Mapping[str, int]) -> tuple[str, int]:
    return min(counts.items(), key=lambda item: (-item[1], item[0]))


def _advise_host(seed: str, host: str) -> str:
    """Return how to include another host."""
    own = get_authority(seed)
    if host.removeprefix("www.") == own.removeprefix("www."):
        return "To scan both as one site, add --fold-www."
    if host.endswith("." + own.removeprefix("www.")):
        return "To include it, add --subdomains."
    return f"To include it, add --max-external-hops 1, or scan it: headwater {seed.partition('://')[0]}://{host}/"
