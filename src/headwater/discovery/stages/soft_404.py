"""Detect hosts that return a page with status 200 for every path, by requesting a path that cannot exist."""

from __future__ import annotations

import asyncio
from hashlib import blake2b
from typing import TYPE_CHECKING

from headwater.model import Evidence, Request, Response
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.text.hashes import compute_fingerprint
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext


async def detect_soft_404(context: ScanContext) -> None:
    """Store the fingerprint of the page that each host returns for missing paths, if its status is 200."""
    urls = [make_probe_url(origin) for origin in dict.fromkeys(get_origin(url) for url in context.entry_urls)]
    results = await asyncio.gather(*(context.stack.no_redirect_fetcher.fetch(Request(url, "probe")) for url in urls))
    for url, result in zip(urls, results, strict=True):
        is_soft = isinstance(result, Response) and result.status == 200
        if isinstance(result, Response) and is_soft:
            context.site.soft_404s.add(compute_fingerprint(parse_html(result.body, result.charset), url))
        content = {"meaning": "missing paths return a page" if is_soft else "missing paths return an error"}
        context.add_evidence(Evidence("soft_404", url, not is_soft, result.status, content=content))


def make_probe_url(origin: str) -> str:
    """Return a URL that no site has; always the same for an origin, so that its logs show one such path."""
    return f"{origin}/{blake2b(origin.encode(), digest_size=12).hexdigest()}"
