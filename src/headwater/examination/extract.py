"""The links of one page for those who bring their own crawler (seed 000); pure."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from headwater.model import Link
from headwater.pages.documents.head import Head
from headwater.pages.documents.html import parse_html
from headwater.pages.links.link_list import all_links
from headwater.pages.links.regions import region_of, relations_of, text_of
from headwater.urls.judge import cut, judge_target
from headwater.urls.normalize import normalize
from headwater.urls.page_encoding import query_codec, with_encoded_query
from headwater.urls.parse import USUAL_LIMIT, resolve, shorten_base
from headwater.urls.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.pages.links.link_list import RawLink


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
    """Every link of a page once, in document order; with `base_urls` those below one of them.

    Links relative to a base longer than any URL may be are left out.
    A link's `depth` is the number of steps off these bases: 0 inside, one more than the page's own outside.
    """
    document = parse_html(html)
    whole_base = resolve(Head.of(document).base, url) or url
    base = shorten_base(whole_base, USUAL_LIMIT)
    scope = None
    if base_urls is not None:
        bases = [base_urls] if isinstance(base_urls, str) else list(base_urls)
        hops = max_external_hops if follow_external_links else 0
        strict = strict_path_matching if options is None else options
        scope = Scope(bases, strict_paths=strict, max_external_hops=hops)
    found: dict[str, Link] = {}
    codec = query_codec(document.encoding)
    for raw in all_links(document, limit=sys.maxsize):
        written = raw._replace(href=with_encoded_query(raw.href, codec)) if codec else raw
        link = _link(written, base, url, scope, current_depth)
        is_cut = base is not whole_base and link is not None and len(link.url) > USUAL_LIMIT
        if link is not None and not is_cut:
            found.setdefault(link.url, link)
    return list(found.values())


def _link(raw: RawLink, base: str, page: str, scope: Scope | None, hops: int) -> Link | None:
    href = resolve(raw.href.strip(), base)
    if href is None or not raw.href.strip() or raw.href.strip().startswith("#"):
        return None
    kind, depth = raw.rule.kind, 0
    if scope is not None:
        target = cut(raw.href.strip(), href, scope, normalize(page) or "")
        verdict = judge_target(target, scope, hops)
        if not verdict.allowed or kind != "page":
            return None
        depth = verdict.hops
    return Link(
        normalize(href) or href,
        text_of(raw.element),
        region_of(raw.element),
        kind,
        raw.element.tag,
        raw.attribute,
        relations_of(raw.element),
        raw.rule.method,
        depth,
    )
