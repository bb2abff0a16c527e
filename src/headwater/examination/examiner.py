"""The heart: what one response says. Pure, apart from the memory it is handed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.examination.link_reader import LinkReader
from headwater.model import Findings, Response
from headwater.pages.documents.client_redirects import find_client_redirect
from headwater.pages.documents.hashes import compute_fingerprint, hash_main_text
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.robots_tag import parse_robots_tag
from headwater.pages.documents.script_detection import FEW_LINKS, find_script_reason, has_application_root
from headwater.pages.documents.text_language import detect_text_language
from headwater.urls.parsing import resolve

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from turbohtml import Document

    from headwater.examination.site_state import SiteState
    from headwater.frontier.url_cache import UrlCache
    from headwater.model import Candidate, PreviousLink, ScriptRoute


def examine(
    response: Response, page: Candidate, site: SiteState, memory: UrlCache, *, is_rendered: bool = False
) -> Findings:
    """Return what is new in a page: links that were unknown or known by a longer way, title, language, canonical."""
    steps = examine_in_steps(response, page, site, memory, is_rendered=is_rendered)
    try:
        while True:
            next(steps)
    except StopIteration as end:
        findings: Findings = end.value
        return findings


def examine_in_steps(
    response: Response, page: Candidate, site: SiteState, memory: UrlCache, *, is_rendered: bool = False
) -> Generator[None, None, Findings]:
    """Examine a page with pauses, at which other pages may be examined; only pages with many links have any."""
    document = parse_html(response.body, response.charset)
    head = Head.from_document(document)
    is_looked_at = bool((site.rendering and not is_rendered) or site.soft_404s)
    scripted = find_script_reason(document) if is_looked_at else ""
    # The page that scripts fill is the same for all of a site, there or not.
    is_told_apart = bool(site.soft_404s and page.depth and not scripted)
    if is_told_apart and compute_fingerprint(document, response.url) in site.soft_404s:
        return Findings([], title=head.title, is_soft_404=True)  # before its links are remembered as known
    may_gain = not scripted and not is_rendered and _may_gain_links(document, page, site)
    may_open = site.rendering is not None and bool(scripted or may_gain or site.rendering.renders_all)
    reader = LinkReader(response, page, site, memory, is_sample=is_rendered or may_open)
    robots = head.robots | parse_robots_tag(response.headers.get("x-robots-tag", ""))
    if not (site.obeys_meta_robots and robots.nofollow):
        yield from reader.read(document, head.base)
    if site.keeps_hashes and not is_looked_at and reader.distinct_link_count <= FEW_LINKS:
        scripted = find_script_reason(document)  # pages that scripts fill look all the same, and are no duplicates
    stub = find_client_redirect(document, response.body, response.headers)
    if stub:
        reader.add_header_link(stub, "redirect", page.depth)
    reader.finish()
    return Findings(
        reader.found,
        reader.links,
        reader.skipped,
        title=head.title,
        language=head.language or (detect_text_language(document, page.key) if site.keeps_hashes else ""),
        canonical=resolve(head.canonical, response.url) or "" if head.canonical else "",
        fingerprint=compute_fingerprint(document) if page.is_suspect else 0,
        script_reason=scripted,
        may_gain_links=may_gain,
        text_hash=hash_main_text(document) if head.canonical and site.keeps_hashes else None,
        noindex=robots.noindex,
        redirect_to=resolve(stub, reader.base) or "" if stub else "",
        spellings=reader.spellings,
        new_links=reader.new_links,
        cleared=reader.cleared,
        new_pages=reader.new_pages,
    )


def examine_routes(routes: Sequence[ScriptRoute], page: Candidate, site: SiteState, memory: UrlCache) -> Findings:
    """Where the scripts of a page lead: addresses like those of links, hash routes, and what they call."""
    reader = LinkReader(Response(page.fetch_url.partition("#")[0], 200), page, site, memory, is_sample=True)
    for route in routes:
        reader.add_script_route(route)
    return _collect_findings(reader)


def _may_gain_links(document: Document, page: Candidate, site: SiteState) -> bool:
    """Return whether scripts may add to a page that has links and text; looked for on a few pages of each shape."""
    return (
        site.rendering is not None and site.rendering.should_inspect(page.identity) and has_application_root(document)
    )


def merge_findings(one: Findings, other: Findings) -> Findings:
    """Both; where both say something of the page itself, the other does."""
    skipped = {**one.skipped}
    for reason, count in other.skipped.items():
        skipped[reason] = skipped.get(reason, 0) + count
    return one._replace(
        found=[*one.found, *other.found],
        links=list(dict.fromkeys([*one.links, *other.links])),
        skipped=skipped,
        title=other.title or one.title,
        language=other.language or one.language,
        canonical=other.canonical or one.canonical,
        content_hash=one.content_hash if other.content_hash is None else other.content_hash,
        spellings=[*one.spellings, *other.spellings],
        new_links=[*one.new_links, *other.new_links],
        new_pages=one.new_pages | other.new_pages,
        cleared=[*one.cleared, *other.cleared],
    )


def examine_redirect(response: Response, page: Candidate, site: SiteState, memory: UrlCache) -> Findings:
    """A redirect to another page: its target is a link like others, as near to the seed and site as the page itself."""
    reader = LinkReader(response, page._replace(hops=max(0, page.hops - 1)), site, memory)
    reader.add_header_link(response.headers.get("location", ""), "redirect", page.depth)
    return _collect_findings(reader)


def examine_unchanged(
    response: Response, page: Candidate, site: SiteState, memory: UrlCache, children: Sequence[PreviousLink]
) -> Findings:
    """A page that is as it was: it still leads where it led."""
    reader = LinkReader(response, page, site, memory)
    for child in children:
        reader.add_previous_link(child)
    return _collect_findings(reader)


def _collect_findings(reader: LinkReader) -> Findings:
    reader.finish()
    return Findings(
        reader.found, reader.links, reader.skipped, spellings=reader.spellings, new_links=reader.new_links,
        cleared=reader.cleared, new_pages=reader.new_pages,
    )  # fmt: skip
