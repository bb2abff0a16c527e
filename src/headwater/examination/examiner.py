"""Examine one response and return its findings. Pure, except for the URL cache that it updates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.examination.hint_finder import find_hints
from headwater.examination.link_reader import LinkReader
from headwater.model import Findings, PageFacts, Response
from headwater.pages.documents.access_walls import find_wall
from headwater.pages.documents.client_redirects import find_client_redirect
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.page_facts import read_page_facts
from headwater.pages.documents.robots_tag import parse_robots_tag
from headwater.pages.documents.script_detection import FEW_LINKS, find_script_reason, is_empty_shell
from headwater.pages.documents.script_inspection import ScriptInspection, inspect_scripts
from headwater.pages.extraction import extract_values
from headwater.pages.site_indexes import COMPLETE_KINDS, find_index_files
from headwater.pages.text.content_sketch import sketch_content
from headwater.pages.text.hashes import compute_fingerprint, hash_main_text
from headwater.pages.text.text_analysis import analyze_text
from headwater.pages.text.text_language import detect_text_language
from headwater.urls.parsing import resolve
from headwater.urls.variants import find_period_family

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from turbohtml import Document

    from headwater.examination.site_state import SiteState
    from headwater.frontier.url_cache import UrlCache
    from headwater.model import Candidate, ContentSketch, PreviousLink, ScriptRoute
    from headwater.pages.site_indexes import IndexFile


MAX_INDEX_DEPTH = 1
"""Clicks from the seed up to which pages are searched for signs of a generator."""


def examine(
    response: Response, page: Candidate, site: SiteState, cache: UrlCache, *, is_rendered: bool = False
) -> Findings:
    """Return what is new in a page: URLs that are new or reached in fewer clicks, title, language, canonical URL."""
    steps = examine_in_steps(response, page, site, cache, is_rendered=is_rendered)
    try:
        while True:
            next(steps)
    except StopIteration as end:
        findings: Findings = end.value
        return findings


def examine_in_steps(
    response: Response, page: Candidate, site: SiteState, cache: UrlCache, *, is_rendered: bool = False
) -> Generator[None, None, Findings]:
    """Examine a page with pauses in which other pages may be examined; only pages with many links pause."""
    document = parse_html(response.body, response.charset)
    head = Head.from_document(document)
    wall = _find_wall(document, response, page, site, is_rendered=is_rendered)
    if wall and wall != "login-required":  # a login page may link to pages that need no login
        return Findings([], title=head.title, wall=wall)
    is_inspected = bool((site.rendering and not is_rendered) or site.soft_404s)
    script_reason = find_script_reason(document) if is_inspected else ""
    # A site that its scripts fill serves the same page for every URL, so its fingerprint does not mean a soft 404.
    is_same_for_all = bool(site.soft_404s) and compute_fingerprint(document, response.url) in site.soft_404s
    if is_same_for_all and page.depth and not script_reason:
        return Findings([], title=head.title, is_soft_404=True)  # its links must not become known
    index_files = () if is_rendered else _find_index_files(document, response.url, page, site)
    hints = () if is_rendered else find_hints(document, response, head.base, page, site)
    is_shell = bool(script_reason) and (not page.depth or is_same_for_all or is_empty_shell(document, script_reason))
    inspection = ScriptInspection()
    if not (is_shell or is_rendered):
        inspection = _inspect_scripts(document, page, site, index_files)
    may_open = site.rendering is not None and (is_shell or inspection.max_probes > 0 or site.rendering.renders_all)
    reader = LinkReader(response, page, site, cache, is_sample=is_rendered or may_open)
    robots = head.robots | parse_robots_tag(response.headers.get("x-robots-tag", ""))
    is_nofollow = site.obeys_meta_robots and robots.nofollow
    if not is_nofollow:
        yield from reader.read(document, head.base)
    if site.keeps_hashes and not is_inspected and reader.distinct_link_count <= FEW_LINKS:
        script_reason = find_script_reason(document)  # pages that scripts fill look the same, but are not duplicates
    redirect = find_client_redirect(document, response.body, response.headers)
    if redirect:
        reader.add_redirect(redirect)
    findings = reader.finish()._replace(
        title=head.title,
        facts=read_page_facts(document, response, robots),
        language=head.language or (detect_text_language(document, page.key) if site.keeps_hashes else ""),
        canonical=resolve(head.canonical, response.url) or "" if head.canonical else "",
        fingerprint=compute_fingerprint(document) if page.is_suspect else 0,
        script_reason=script_reason,
        is_shell=is_shell,
        max_probes=inspection.max_probes,
        template=inspection.template,
        index_files=index_files,
        hints=hints,
        text_hash=hash_main_text(document) if head.canonical and site.keeps_hashes else None,
        noindex=robots.noindex,
        nofollow=is_nofollow,
        wall=wall,
        redirect_to=resolve(redirect, reader.base) or "" if redirect else "",
        sketch=_sketch(document, head, response.url, reader) if site.merges_views else None,
    )
    if not (site.extractors or site.analyzes_text):
        return findings
    return findings._replace(facts=_add_content_facts(findings.facts, document, response, site, script_reason))


def _add_content_facts(
    facts: PageFacts, document: Document, response: Response, site: SiteState, script_reason: str
) -> PageFacts:
    """Add extracted values, and facts about the text unless scripts have still to write it."""
    if site.extractors:
        facts = facts._replace(extracted=extract_values(site.extractors, document, response))
    if site.analyzes_text and not script_reason:
        text = analyze_text(document)  # changes the document, so this is the last step
        facts = facts._replace(
            word_count=text.word_count, text_language=text.language, simhash=text.simhash, minhash=text.minhash
        )
    return facts


def _find_wall(document: Document, response: Response, page: Candidate, site: SiteState, *, is_rendered: bool) -> str:
    """Return why a response is not a page; a rendered one only if it has the login form that a recipe filled in."""
    if site.login.is_shown_by(document):
        return "login-required"
    if is_rendered or not site.skips_walls:
        return ""
    return find_wall(document, response, is_redirected=page.redirects > 0)


def _sketch(document: Document, head: Head, url: str, reader: LinkReader) -> ContentSketch | None:
    """Return the content of a page that may be a view of another page, or that links to views of itself."""
    names_other = bool(head.canonical) and (resolve(head.canonical, url) or url) != url
    if "?" in url or names_other or reader.links_to_own_views or find_period_family(url):
        return sketch_content(document, url, head.title, reader.base)
    return None


def examine_routes(routes: Sequence[ScriptRoute], page: Candidate, site: SiteState, cache: UrlCache) -> Findings:
    """Return the URLs that the scripts of a page lead to: pages, hash routes and endpoints."""
    reader = LinkReader(Response(page.fetch_url.partition("#")[0], 200), page, site, cache, is_sample=True)
    for route in routes:
        reader.add_script_route(route)
    return reader.finish()


def _find_index_files(document: Document, url: str, page: Candidate, site: SiteState) -> tuple[IndexFile, ...]:
    """Return the index files that a page names, if it is near the seed or inspected for signs of an application."""
    is_inspected = site.rendering is not None and site.rendering.should_inspect(page.identity)
    is_read = site.reads_indexes and page.depth <= MAX_INDEX_DEPTH
    return find_index_files(document, url) if is_inspected or is_read else ()


def _inspect_scripts(
    document: Document, page: Candidate, site: SiteState, files: Sequence[IndexFile]
) -> ScriptInspection:
    """Return how many pages of this shape may be opened to see if scripts add links; only a few are inspected.

    A generator whose index lists every page is known not to add links by scripts.
    """
    if site.rendering is None or not site.rendering.should_inspect(page.identity):
        return ScriptInspection()
    is_complete = any(file.kind in COMPLETE_KINDS for file in files)
    return ScriptInspection() if is_complete else inspect_scripts(document)


def merge_findings(first: Findings, second: Findings) -> Findings:
    """Return the findings of two examinations of one page; the second takes precedence on facts about the page."""
    skipped = {**first.skipped}
    for reason, count in second.skipped.items():
        skipped[reason] = skipped.get(reason, 0) + count
    return first._replace(
        found=[*first.found, *second.found],
        links=list(dict.fromkeys([*first.links, *second.links])),
        skipped=skipped,
        title=second.title or first.title,
        facts=_merge_facts(first.facts, second.facts),
        language=second.language or first.language,
        canonical=second.canonical or first.canonical,
        content_hash=first.content_hash if second.content_hash is None else second.content_hash,
        spellings=[*first.spellings, *second.spellings],
        new_links=[*first.new_links, *second.new_links],
        new_pages=first.new_pages | second.new_pages,
        sketch=second.sketch or first.sketch,
        cleared=[*first.cleared, *second.cleared],
        wall=first.wall or second.wall,
    )


def _merge_facts(first: PageFacts, second: PageFacts) -> PageFacts:
    """Return the facts of a page and of the page as scripts changed it; what the server sent is that of the first."""
    merged = PageFacts._make(new or old for old, new in zip(first, second, strict=True))
    return merged._replace(headers=first.headers, size=first.size, response_ms=first.response_ms)


def examine_redirect(response: Response, page: Candidate, site: SiteState, cache: UrlCache) -> Findings:
    """Return the target of a redirect, as a link that is as deep and as far off the site as the page itself."""
    reader = LinkReader(response, page._replace(hops=max(0, page.hops - 1)), site, cache)
    reader.add_redirect(response.headers.get("location", ""))
    return reader.finish()


def examine_unchanged(
    response: Response, page: Candidate, site: SiteState, cache: UrlCache, children: Sequence[PreviousLink]
) -> Findings:
    """Return the links of an unchanged page, as an earlier scan found them."""
    reader = LinkReader(response, page, site, cache)
    for child in children:
        reader.add_previous_link(child)
    return reader.finish()
