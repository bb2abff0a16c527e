"""Extract the links of one page, for use without the rest of Headwater. Pure."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from headwater.model import Link
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.link_finder import find_all_links
from headwater.pages.links.regions import find_region, get_link_text, get_rel
from headwater.urls.normalization import normalize
from headwater.urls.parsing import DEFAULT_MAX_URL_LENGTH, resolve, shorten_base
from headwater.urls.query_encoding import encode_query, get_query_codec
from headwater.urls.scope import Scope
from headwater.urls.skip_rules import build_target, judge_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.pages.links.link_finder import RawLink


def extract_links(
    html: str | bytes,
    url: str,
    base_urls: str | Sequence[str] | None = None,
    options: bool | None = None,
    *,
    strict_path_matching: bool = True,
    follow_external_links: bool = False,
    current_depth: int = 0,
    max_external_hops: int = 1,
) -> list[Link]:
    """Return each link of a page once, in document order; with `base_urls` only the links below one of them.

    `options` is an older name for `strict_path_matching`. Links relative to a base that is longer than the maximum
    length of a URL are omitted. `depth` of a link counts the hops off the base URLs: 0 inside them, otherwise one more
    than `current_depth`.
    """
    document = parse_html(html)
    whole_base = resolve(Head.from_document(document).base, url) or url
    base = shorten_base(whole_base, DEFAULT_MAX_URL_LENGTH)
    scope = None
    if base_urls is not None:
        bases = [base_urls] if isinstance(base_urls, str) else list(base_urls)
        hops = max_external_hops if follow_external_links else 0
        strict = strict_path_matching if options is None else options
        scope = Scope(bases, strict_paths=strict, max_external_hops=hops)
    found: dict[str, Link] = {}
    codec = get_query_codec(document.encoding)
    for raw in find_all_links(document, limit=sys.maxsize):
        written = raw._replace(href=encode_query(raw.href, codec)) if codec else raw
        link = _build_link(written, base, url, scope, current_depth)
        is_truncated = base is not whole_base and link is not None and len(link.url) > DEFAULT_MAX_URL_LENGTH
        if link is not None and not is_truncated:
            found.setdefault(link.url, link)
    return list(found.values())


def _build_link(raw: RawLink, base: str, page: str, scope: Scope | None, hops: int) -> Link | None:
    href = resolve(raw.href.strip(), base)
    if href is None or not raw.href.strip() or raw.href.strip().startswith("#"):
        return None
    kind, depth = raw.rule.kind, 0
    if scope is not None:
        target = build_target(raw.href.strip(), href, scope, normalize(page) or "")
        verdict = judge_target(target, scope, hops)
        if not verdict.allowed or kind != "page":
            return None
        depth = verdict.hops
    return Link(
        url=normalize(href) or href,
        text=get_link_text(raw.element),
        region=find_region(raw.element),
        kind=kind,
        element=raw.element.tag,
        attribute=raw.attribute,
        rel=get_rel(raw.element),
        method=raw.rule.method,
        depth=depth,
    )
