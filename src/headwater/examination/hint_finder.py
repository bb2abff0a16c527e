"""Find the hints that a page gives: URLs on its own host that are no links. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import NO_DEPTH, Hint
from headwater.pages.documents.script_inspection import list_script_files
from headwater.pages.links.forms import find_form_targets
from headwater.pages.links.url_strings import SCRIPT_FILE_RANK, find_url_strings
from headwater.pages.site_indexes.usual_pages import list_usual_pages
from headwater.urls.parsing import get_authority, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document

    from headwater.examination.site_state import SiteState
    from headwater.model import Candidate, Response

MAX_HINT_DEPTH = 1
"""Clicks from the seed up to which pages are searched for hints if no shapes are counted."""

MAX_SCRIPT_FILES = 20
"""Script files of the seed that are hints."""


def find_hints(document: Document, response: Response, base: str, page: Candidate, site: SiteState) -> tuple[Hint, ...]:
    """Return the hints of a page, if it is the seed or one of the first pages of its shape."""
    if not _is_searched(page, site):
        return ()
    folder, host = resolve(base, response.url) or response.url, get_authority(response.url)
    written = _find_written_hints(document, response.body, site, is_seed=page.depth == 0)
    hints = (hint._replace(url=resolve(hint.url, folder) or "") for hint in written)
    own = (hint for hint in hints if hint.url and get_authority(hint.url) == host)
    return tuple(hint._replace(url=hint.url.partition("#")[0]) for hint in own)


def _is_searched(page: Candidate, site: SiteState) -> bool:
    if not (site.reads_scripts or site.reads_forms or site.reads_indexes):
        return False
    if site.rendering is None:
        return page.depth % NO_DEPTH <= MAX_HINT_DEPTH
    return page.depth == 0 or site.rendering.should_inspect(page.identity)


def _find_written_hints(document: Document, body: bytes, site: SiteState, *, is_seed: bool) -> Iterator[Hint]:
    """Yield hints with their URLs as written."""
    if site.reads_forms and (b"<form" in body or b"<FORM" in body):
        yield from (Hint("forms", target) for target in find_form_targets(document))
    if site.reads_indexes and is_seed:
        yield from (Hint("indexes", path) for path in list_usual_pages(document))
    if site.reads_scripts:
        yield from (Hint("scripts", text, rank) for rank, text in find_url_strings(document, body))
        if is_seed:  # the last script is the most likely to be the site's own code
            files = list_script_files(document)[: -MAX_SCRIPT_FILES - 1 : -1]
            yield from (Hint("scripts", url, SCRIPT_FILE_RANK + place, True) for place, url in enumerate(files))
