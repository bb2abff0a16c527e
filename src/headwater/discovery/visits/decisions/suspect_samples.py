"""Compare a visited suspect with the pages of earlier rounds: its new texts, and signs that it is a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.classify.views import adds_nothing, decode_sketch, encode_sketch
from headwater.frontier.traps import SampleResult
from headwater.pages.text.hashes import hash_content
from headwater.urls.normalization import spell_url
from headwater.urls.variants import extends_url, iter_shorter_urls, names_sibling

if TYPE_CHECKING:
    from headwater.examination import SiteState
    from headwater.model import Candidate, ContentSketch, Findings
    from headwater.store import VisitResult


def build_sample(candidate: Candidate, findings: Findings, site: SiteState) -> SampleResult:
    """Return the content of a suspect; the detector of traps learns from it."""
    if findings.sketch is None:
        return SampleResult(findings.fingerprint, findings.new_links)
    traps = site.traps
    new_texts = traps.contents.find_new_texts(findings.sketch.plain_texts, traps.round)
    canonical = _get_canonical(findings)
    is_declared = bool(canonical) and extends_url(candidate.key, canonical)
    is_view = findings.noindex or is_declared or _is_covered(candidate, findings.sketch, site)
    is_copy = names_sibling(candidate.key, canonical) and not is_declared
    return SampleResult(findings.fingerprint, findings.new_links, new_texts, is_view, is_copy)


def restore_content(findings: Findings, previous: VisitResult) -> Findings:
    """Return the findings of an unchanged page with the content that the previous scan stored."""
    if previous.sketch is None:
        return findings
    sketch = decode_sketch(previous.sketch)
    return findings._replace(
        sketch=sketch._replace(plain_texts=sketch.texts),
        fingerprint=(sketch.template or hash_content(previous.sketch)) & 0xFFFFFFFF,
        noindex=previous.noindex,
        canonical=previous.canonical,
    )


def build_redirect_sample(target: int, findings: Findings) -> SampleResult:
    """Return the content of a suspect that redirects: nothing, if its target is known."""
    return SampleResult(target & 0xFFFFFFFF, findings.new_links, is_view=True)


def note_content(candidate: Candidate, findings: Findings, site: SiteState) -> None:
    """Remember the content of a page that may have views."""
    if findings.sketch is not None:
        packed = encode_sketch(findings.sketch)
        site.traps.contents.add(candidate.key, packed, findings.sketch.plain_texts, site.traps.round)


def _get_canonical(findings: Findings) -> str:
    """Return the key of the URL that a page names as canonical; empty if it names none."""
    spelling = spell_url(findings.canonical) if findings.canonical else None
    return spelling.key if spelling is not None else ""


def _is_covered(candidate: Candidate, sketch: ContentSketch, site: SiteState) -> bool:
    """Return True if a page of an earlier round has all the content: one with fewer parameters, or an equal one."""
    contents, number = site.traps.contents, site.traps.round
    if contents.has_equal(candidate.key, encode_sketch(sketch), number):
        return True
    packed = (contents.find_sketch(url, number) for url in iter_shorter_urls(candidate.key))
    return any(adds_nothing(sketch, decode_sketch(one)) for one in packed if one is not None)
