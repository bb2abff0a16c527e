"""Pages that earlier scans opened in the browser, and those of them that need not be opened again.

A page is not opened again for a week if the server sends the same bytes as when opening it added nothing at all: no
link, title or fact. Decisions about other pages are those of a scan that opens it, so the list of pages is the same.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from headwater.pages.text.hashes import hash_content

if TYPE_CHECKING:
    from headwater.model import Evidence, Response
    from headwater.settings import Settings
    from headwater.store import Store

OPENED, SAVED = "render", "render_saved"
"""The kinds of evidence for a page that was opened, and for one that was not opened again."""

MAX_AGE = 7 * 24 * 3600.0
"""Seconds after which a page is opened again, because the files of its scripts may have changed."""


class OpenedPages:
    """The pages that the previous scan opened, by URL."""

    def __init__(self, store: Store, previous: int | None, settings: Settings) -> None:
        self._store, self._previous = store, previous
        self._salt = repr((settings.max_clicks, settings.pointer_only, settings.allow_post, settings.user_agent))
        self._contents: dict[str, dict[str, object]] | None = None

    def was_opened(self, url: str) -> bool:
        """Return True if the page was opened, or not opened again: unchanged HTML says nothing about its content."""
        return url in self._load()

    def remember(self, response: Response) -> dict[str, object]:
        """Return what is stored about a page to which opening it added nothing."""
        return {"unchanged": self._hash(response), "opened_at": round(time.time())}

    def find_saved(self, url: str, response: Response) -> dict[str, object] | None:
        """Return what is stored about a page that need not be opened again; None if it must be."""
        content = self._load().get(url, {})
        opened_at = content.get("opened_at")
        if content.get("unchanged") != self._hash(response) or not isinstance(opened_at, int):
            return None
        is_recent = 0 <= time.time() - opened_at < MAX_AGE
        return {"unchanged": content["unchanged"], "opened_at": opened_at} if is_recent else None

    def _hash(self, response: Response) -> str:
        return str(hash_content(response.body + self._salt.encode()))

    def _load(self) -> dict[str, dict[str, object]]:
        if self._contents is None:
            previous, store = self._previous, self._store
            kinds = (OPENED, SAVED) if previous is not None else ()
            rows: list[Evidence] = [one for kind in kinds for one in store.evidence(previous or 0, kind)]
            self._contents = {one.url: dict(one.content) for one in rows}
        return self._contents
