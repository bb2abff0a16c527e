"""The checks behind the rules: each returns a short detail for a page that breaks its rule, and None otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.audit.site_facts import hash_text, is_audited, is_in_sitemap
from headwater.plurals import format_count

if TYPE_CHECKING:
    from collections import Counter

    from headwater.audit.site_facts import RelatedPage, SiteFacts
    from headwater.model import Page

SLOW_MS = 3_000
SLOW_FACTOR = 5
"""A slow page takes this many times the median of its site, because a busy network or machine slows all pages."""

HEAVY_BYTES = 2_000_000
THIN_WORDS = 100
FIRST_ERROR_STATUS = 400
_LOOP_REASONS = frozenset({"redirect-loop", "too-many-redirects"})
_NOT_CHECKED_REASONS = frozenset({"robots-disallowed", "robots-unreachable"})
_LISTED_ELSEWHERE = {"redirects": "redirects to", "duplicates": "is a duplicate of"}


def check_broken_link(page: Page, site: SiteFacts) -> str | None:
    """Find URLs that pages link to and that do not answer with a page, or redirect to one that does not."""
    if not page.inlinks or page.reason in _NOT_CHECKED_REASONS:
        return None
    if page.list_name == "broken":
        return None if page.reason in _LOOP_REASONS else describe_failure(page.status, page.reason)
    end = _find_broken_end(page, site)
    if end is None or end[1].reason in _LOOP_REASONS:
        return None
    return f"redirects to {end[0]}: {describe_failure(end[1].status, end[1].reason)}"


def check_redirect_loop(page: Page, site: SiteFacts) -> str | None:
    """Find redirects that lead into a loop."""
    if page.reason in _LOOP_REASONS:
        return page.reason.replace("-", " ")
    chain, end = _find_chain(page, site), _find_broken_end(page, site)
    is_loop = _is_loop(chain, page.url) or (end is not None and end[1].reason in _LOOP_REASONS)
    return " → ".join(chain) if is_loop else None


def check_redirect_chain(page: Page, site: SiteFacts) -> str | None:
    """Find redirects that lead to another redirect."""
    chain = _find_chain(page, site)
    is_chain = len(chain) > 1 and not _is_loop(chain, page.url) and _find_broken_end(page, site) is None
    return " → ".join(chain) if is_chain else None


def check_linked_redirect(page: Page, site: SiteFacts) -> str | None:
    """Find redirects that pages link to, instead of to their target."""
    chain = _find_chain(page, site)
    is_linked = len(chain) == 1 and chain[0] != page.url and page.inlinks and _find_broken_end(page, site) is None
    return f"→ {chain[0]}" if is_linked else None


def check_wrong_in_sitemap(page: Page, _: SiteFacts) -> str | None:
    """Find URLs that a sitemap lists although search engines should not index them."""
    if not is_in_sitemap(page):
        return None
    if page.list_name == "broken":
        return describe_failure(page.status, page.reason)
    if page.list_name in _LISTED_ELSEWHERE:
        return f"{_LISTED_ELSEWHERE[page.list_name]} {page.leads_to or 'another page'}"
    if page.noindex and page.verified:
        return "noindex"
    return f"canonical: {page.canonical}" if _has_other_canonical(page) else None


def check_missing_in_sitemap(page: Page, site: SiteFacts) -> str | None:
    """Find pages that no sitemap lists, on a site that has one."""
    is_missing = site.has_sitemap and is_audited(page) and not is_in_sitemap(page) and not _has_other_canonical(page)
    return "" if is_missing else None


def check_orphan(page: Page, _: SiteFacts) -> str | None:
    """Find pages that no page links to."""
    is_orphan = is_audited(page) and not page.inlinks and "seed" not in page.sources
    return f"known from: {', '.join(page.sources)}" if is_orphan else None


def check_canonical(page: Page, site: SiteFacts) -> str | None:
    """Find pages whose canonical URL is not a page that stands for itself."""
    if not is_audited(page) or not _has_other_canonical(page):
        return None
    target = site.related.get(page.canonical or "")
    problem = _describe_canonical_problem(target, page.canonical or "") if target is not None else None
    return f"{page.canonical} {problem}" if problem else None


def check_near_duplicate(page: Page, _: SiteFacts) -> str | None:
    """Find pages that have most of their text in common with another page."""
    other = page.near_duplicate_of
    if other is None or not is_audited(page) or _has_other_canonical(page) or other in (page.alternates or {}).values():
        return None
    return f"about {(page.similarity or 0) * 100:.0f} % of the text is also on {other}"


def check_thin(page: Page, _: SiteFacts) -> str | None:
    """Find pages with little text."""
    is_thin = is_audited(page) and not _has_other_canonical(page) and page.word_count is not None
    if not is_thin or (page.word_count or 0) >= THIN_WORDS:
        return None
    return format_count(page.word_count or 0, "word")


def check_missing_title(page: Page, _: SiteFacts) -> str | None:
    """Find pages without a title."""
    return "" if is_audited(page) and not page.html_title else None


def check_duplicate_title(page: Page, site: SiteFacts) -> str | None:
    """Find pages that share their title."""
    return _check_shared(page, page.html_title, site.titles)


def check_missing_description(page: Page, _: SiteFacts) -> str | None:
    """Find pages without a meta description."""
    return "" if is_audited(page) and not page.description else None


def check_duplicate_description(page: Page, site: SiteFacts) -> str | None:
    """Find pages that share their meta description."""
    return _check_shared(page, page.description, site.descriptions)


def check_missing_heading(page: Page, _: SiteFacts) -> str | None:
    """Find pages without a top heading."""
    return "" if is_audited(page) and not page.heading else None


def check_duplicate_heading(page: Page, site: SiteFacts) -> str | None:
    """Find pages that share their top heading."""
    return _check_shared(page, page.heading, site.headings)


def check_linked_noindex(page: Page, _: SiteFacts) -> str | None:
    """Find pages that ask not to be indexed although pages link to them from their content."""
    is_linked = page.list_name == "pages" and page.verified and page.noindex and page.content_inlinks > 0
    return "" if is_linked else None


def check_mixed_content(page: Page, _: SiteFacts) -> str | None:
    """Find https pages that load scripts, styles, frames or images over http."""
    is_mixed = page.list_name == "pages" and page.url.startswith("https:") and page.insecure_resources
    return f"{page.insecure_resources} over http" if is_mixed else None


def check_slow(page: Page, site: SiteFacts) -> str | None:
    """Find pages that take long to answer, also in comparison with the other pages of the site."""
    limit = max(SLOW_MS, SLOW_FACTOR * site.median_response_ms)
    is_slow = page.list_name == "pages" and page.response_ms is not None and page.response_ms > limit
    median = f"the median of the site is {site.median_response_ms:.0f} ms"
    return f"{(page.response_ms or 0) / 1000:.1f} s; {median}" if is_slow else None


def check_heavy(page: Page, _: SiteFacts) -> str | None:
    """Find pages with much HTML."""
    is_heavy = page.list_name == "pages" and page.size is not None and page.size > HEAVY_BYTES
    return f"{(page.size or 0) / 1e6:.1f} MB of HTML" if is_heavy else None


def check_alternates(page: Page, site: SiteFacts) -> str | None:
    """Find translations that do not name the page as their translation in turn."""
    if not is_audited(page):
        return None
    others = ((language, url) for language, url in (page.alternates or {}).items() if url != page.url)
    missing = [f"{language} {url}" for language, url in others if _lacks_return(site.related.get(url), page.url)]
    return "not named by " + ", ".join(missing[:5]) if missing else None


def describe_failure(status: int | None, reason: str | None) -> str:
    """Return the status, or the reason, of a URL that did not answer with a page."""
    return f"HTTP {status}" if status and status >= FIRST_ERROR_STATUS else reason or "no answer"


def _is_loop(chain: list[str], url: str) -> bool:
    return bool(chain) and (chain[-1] == url or chain[-1] in chain[:-1])


def _find_broken_end(page: Page, site: SiteFacts) -> tuple[str, RelatedPage] | None:
    """Return the URL that a redirect leads to in the end, if that does not answer with a page."""
    chain = _find_chain(page, site)
    target = site.related.get(chain[-1]) if chain else None
    return (chain[-1], target) if target is not None and target.list_name == "broken" else None


def _find_chain(page: Page, site: SiteFacts) -> list[str]:
    return site.follow(page.url) if page.list_name == "redirects" else []


def _has_other_canonical(page: Page) -> bool:
    return bool(page.canonical) and page.canonical != page.url


def _check_shared(page: Page, text: str | None, counter: Counter[int]) -> str | None:
    if not text or not is_audited(page) or _has_other_canonical(page):
        return None
    count = counter[hash_text(text)]
    return f"“{text}” on {count:,} pages" if count > 1 else None


def _describe_canonical_problem(target: RelatedPage, url: str) -> str | None:
    if target.list_name == "broken":
        return "does not answer with a page"
    if target.list_name == "redirects":
        return f"redirects to {target.leads_to}"
    if target.noindex:
        return "asks not to be indexed"
    is_chain = bool(target.canonical) and target.canonical != url
    return f"names {target.canonical} as canonical in turn" if is_chain else None


def _lacks_return(target: RelatedPage | None, url: str) -> bool:
    is_page = target is not None and target.list_name == "pages"
    return is_page and target is not None and url not in target.alternates
