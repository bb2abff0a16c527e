"""What is kept of a page that answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.frontier.memory import identity_of
from headwater.pages.documents.hashes import hash_of
from headwater.store import Settled
from headwater.urls.normalize import spell_serialised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.examination import Site
    from headwater.model import Candidate, Findings, Response
    from headwater.store import Visited


def target_identity(url: str | None, site: Site) -> int | None:
    """Return the identity of the page that a redirect leads to."""
    return identity_of(spell_serialised(url, site.scope.policy).key) if url else None


def settled_redirect(candidate: Candidate, status: int, findings: Findings, target: int | None, site: Site) -> Settled:
    """Return what is kept of a redirect to another page."""
    return Settled(
        candidate, "redirected", status, found=findings.found, links=_kept(findings, site), leads_to=target,
        spellings=findings.spellings, cleared=findings.cleared,
    )  # fmt: skip


def settled_page(candidate: Candidate, response: Response, findings: Findings, site: Site) -> Settled:
    """Return what is kept of a page; a stub that leads elsewhere by itself is a redirect."""
    headers = response.headers
    target = target_identity(findings.redirect_to, site)
    is_redirect = target not in {None, candidate.identity}
    content_hash = findings.content_hash
    if site.keeps_hashes and content_hash is None:
        content_hash = hash_of(response.body)
    return Settled(
        candidate,
        "redirected" if is_redirect else "fetched",
        response.status,
        title=findings.title,
        language=findings.language,
        content_type=response.content_type,
        canonical=findings.canonical,
        etag=headers.get("etag", ""),
        last_modified=headers.get("last-modified", ""),
        found=findings.found,
        links=_kept(findings, site),
        content_hash=content_hash if site.keeps_hashes else None,
        url=response.url if site.scope.policy.spelling == "answered" else "",
        leads_to=target if is_redirect else None,
        noindex=findings.noindex,
        may_be_duplicate=not findings.scripted or findings.content_hash is not None,
        text_hash=findings.text_hash,
        spellings=findings.spellings,
        cleared=findings.cleared,
    )


def settled_unchanged(candidate: Candidate, was: Visited, findings: Findings, site: Site) -> Settled:
    """Return what is kept of a page that is as an earlier scan had it."""
    return Settled(
        candidate,
        "fetched",
        was.status or 200,
        title=was.title,
        language=was.language,
        content_type=was.content_type,
        canonical=was.canonical,
        etag=was.etag,
        last_modified=was.last_modified,
        found=findings.found,
        links=_kept(findings, site),
        content_hash=was.content_hash,
        url=was.url if site.scope.policy.spelling == "answered" else "",
        noindex=was.noindex,
        unchanged=True,
        may_be_duplicate=was.may_be_duplicate,
        text_hash=was.text_hash,
        spellings=findings.spellings,
        cleared=findings.cleared,
    )


def _kept(findings: Findings, site: Site) -> Sequence[int] | None:
    return findings.links if site.keeps_links else None
