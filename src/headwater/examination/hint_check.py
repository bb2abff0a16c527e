"""Check the response to a hint: it is a page only if nothing speaks against it. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.documents.client_redirects import find_client_redirect
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.robots_tag import parse_robots_tag
from headwater.pages.text.hashes import compute_fingerprint
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import resolve

if TYPE_CHECKING:
    from headwater.examination.site_state import SiteState
    from headwater.model import Response

_ERROR_TITLE = re.compile(r"\b(?:404|403|not found|forbidden|access denied)\b", re.IGNORECASE)
_LISTING_TITLE = re.compile(r"\s*(?:Index of /|Directory listing (?:for|of) )", re.IGNORECASE)


class HintCheck(NamedTuple):
    """The reason why a response is not listed, empty if it is a page, and the fingerprint of its text."""

    rejection: str
    fingerprint: int


def check_hint(response: Response, site: SiteState) -> HintCheck:
    """Check a response with status 200 to a URL that no link leads to.

    Unlike a linked page, it is rejected if it looks like the answer to missing paths even if scripts fill the page, and
    if it asks not to be indexed.
    """
    document = parse_html(response.body, response.charset)
    head = Head.from_document(document)
    fingerprint = compute_fingerprint(document, response.url)
    robots = head.robots | parse_robots_tag(response.headers.get("x-robots-tag", ""))
    key = spell_href(response.url, site.scope.policy).key
    canonical = resolve(head.canonical, response.url) if head.canonical else ""
    if fingerprint in site.soft_404s or _ERROR_TITLE.search(head.title[:300]):
        rejection = "soft-404"
    elif _LISTING_TITLE.match(head.title):
        rejection = "directory-listing"
    elif robots.noindex:
        rejection = "noindex"
    elif find_client_redirect(document, response.body, response.headers):
        rejection = "redirect"
    elif canonical and spell_href(canonical, site.scope.policy).key != key:
        rejection = "duplicate"
    else:
        rejection = ""
    return HintCheck(rejection, fingerprint)
