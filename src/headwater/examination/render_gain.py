"""Compare a page as the server sent it with the same page as a browser showed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.examination.examiner import merge_findings

if TYPE_CHECKING:
    from headwater.model import Findings

_LISTS = ("links", "spellings", "cleared", "new_links")
_IGNORED: dict[str, Any] = {"skipped": {}, "content_hash": None, **dict.fromkeys(_LISTS, ())}
"""Lists that are compared as sets, and what says nothing about the list of pages."""


def adds_nothing(static: Findings, rendered: Findings) -> bool:
    """Return True if the page would be stored alike without the browser: it has the same links, title and facts."""
    if rendered.found or any(not set(getattr(rendered, name)) <= set(getattr(static, name)) for name in _LISTS):
        return False
    return merge_findings(static, rendered)._replace(**_IGNORED) == static._replace(**_IGNORED)
