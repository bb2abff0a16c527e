"""Build the stored record of a visit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.classify.views import encode_sketch
from headwater.pages.text.hashes import hash_content
from headwater.store import VisitResult
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.examination import SiteState
    from headwater.model import Candidate, Findings, Response


def identify_target(url: str, site: SiteState) -> int:
    """Return the identity of the page at a URL."""
    return compute_identity(spell_href(url, site.scope.policy).key)


def is_reusable(previous_visit: VisitResult, site: SiteState) -> bool:
    """Return True if a visit of an earlier scan has everything that this scan wants to know of an unchanged page."""
    has_links = not site.keeps_links or previous_visit.links is not None
    has_text = not site.analyzes_text or previous_visit.facts.word_count is not None
    return has_links and has_text and site.reuses_values


def build_redirect_result(
    candidate: Candidate, status: int, findings: Findings, target: int, site: SiteState
) -> VisitResult:
    """Return the record of a redirect to another page."""
    return VisitResult(
        candidate, "redirected", status, discovered=findings.found, links=_choose_links(findings, site),
        leads_to=target, spellings=findings.spellings, cleared_suspects=findings.cleared,
    )  # fmt: skip


def build_page_result(candidate: Candidate, response: Response, findings: Findings, site: SiteState) -> VisitResult:
    """Return the record of a page; a page that redirects on the client side is recorded as a redirect."""
    headers = response.headers
    target = identify_target(findings.redirect_to, site) if findings.redirect_to else None
    is_redirect = target not in {None, candidate.identity}
    content_hash = findings.content_hash
    if site.keeps_hashes and content_hash is None:
        content_hash = hash_content(response.body)
    return VisitResult(
        candidate,
        "redirected" if is_redirect else "fetched",
        response.status,
        title=findings.title,
        language=findings.language,
        content_type=response.content_type,
        canonical=findings.canonical,
        etag=headers.get("etag", ""),
        last_modified=headers.get("last-modified", ""),
        discovered=findings.found,
        links=_choose_links(findings, site),
        content_hash=content_hash if site.keeps_hashes else None,
        url=response.url if site.scope.policy.spelling == "answered" else "",
        leads_to=target if is_redirect else None,
        noindex=findings.noindex,
        may_be_duplicate=not findings.script_reason or findings.content_hash is not None,
        text_hash=findings.text_hash,
        spellings=findings.spellings,
        cleared_suspects=findings.cleared,
        facts=findings.facts,
        sketch=encode_sketch(findings.sketch) if findings.sketch is not None else None,
    )


def build_wall_result(candidate: Candidate, response: Response, findings: Findings, site: SiteState) -> VisitResult:
    """Return the record of a response that was shown instead of a page; its links are kept, its content is not."""
    return VisitResult(
        candidate, "failed", response.status, findings.wall, discovered=findings.found,
        links=_choose_links(findings, site), content_type=response.content_type, spellings=findings.spellings,
        cleared_suspects=findings.cleared,
    )  # fmt: skip


def build_unchanged_result(
    candidate: Candidate, previous_visit: VisitResult, findings: Findings, site: SiteState
) -> VisitResult:
    """Return the record of a page that has not changed since the previous scan: that of its visit, with new links."""
    return previous_visit._replace(
        candidate=candidate,
        status=previous_visit.status or 200,
        reason="",
        discovered=findings.found,
        links=_choose_links(findings, site),
        url=previous_visit.url if site.scope.policy.spelling == "answered" else "",
        leads_to=None,
        unchanged=True,
        spellings=findings.spellings,
        cleared_suspects=findings.cleared,
    )


def _choose_links(findings: Findings, site: SiteState) -> Sequence[int] | None:
    return findings.links if site.keeps_links else None
