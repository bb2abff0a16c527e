"""Find the hints that a page gives: URLs on its own host that are no links. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import NO_DEPTH, Hint
from headwater.pages.links.forms import find_form_targets
from headwater.pages.links.url_strings import find_url_strings
from headwater.urls.parsing import get_authority, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document

    from headwater.examination.site_state import SiteState
    from headwater.model import Candidate, Response

MAX_HINT_DEPTH = 1
"""Clicks from the seed up to which pages are searched for hints if no shapes are counted."""


def find_hints(document: Document, response: Response, base: str, page: Candidate, site: SiteState) -> tuple[Hint, ...]:
    """Return the hints of a page, if it is the seed or one of the first pages of its shape."""
    if not _is_searched(page, site):
        return ()
    folder = resolve(base, response.url) or response.url
    found = _find_texts(document, response.body, site)
    hints = ((source, rank, resolve(text, folder)) for source, rank, text in found)
    host = get_authority(response.url)
    return tuple(
        Hint(source, url.partition("#")[0], rank) for source, rank, url in hints if url and get_authority(url) == host
    )


def _is_searched(page: Candidate, site: SiteState) -> bool:
    if not (site.reads_scripts or site.reads_forms):
        return False
    if site.rendering is None:
        return page.depth % NO_DEPTH <= MAX_HINT_DEPTH
    return page.depth == 0 or site.rendering.should_inspect(page.identity)


def _find_texts(document: Document, body: bytes, site: SiteState) -> Iterator[tuple[str, int, str]]:
    """Yield the source, the rank and the text of each hint."""
    if site.reads_forms and (b"<form" in body or b"<FORM" in body):
        yield from (("forms", 0, text) for text in find_form_targets(document))
    if site.reads_scripts:
        yield from (("scripts", rank, text) for rank, text in find_url_strings(document, body))
