"""Index files that the pages of a site name, in the store so that a resumed scan still reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.model import Evidence
from headwater.pages.site_indexes import API_KINDS, ARCHIVE_KINDS, LAST_KINDS, IndexFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from headwater.store import Store

EVIDENCE_KIND = "index_file"
_SOURCE_BY_KIND = {
    "llms-txt": "llms", "feed": "feeds", "opml": "feeds",
    **{kind: kind.partition("-")[0] for kind in ARCHIVE_KINDS},
}  # fmt: skip
MAX_INDEX_FILES = 5_000
"""Files of a scan; an API with a hundred entries per file then lists half a million pages."""


def get_source(kind: str) -> str:
    """Return the name in the setting `sources` that a kind of file belongs to."""
    return _SOURCE_BY_KIND.get(kind) or ("apis" if kind in API_KINDS else "indexes")


class QueuedFile(NamedTuple):
    """A file to read, and the number of its evidence."""

    number: int
    file: IndexFile


class IndexQueue:
    """Files by URL, each read once. Evidence without a result marks a file that was not read yet."""

    def __init__(self, store: Store, scan: int, sources: Collection[str]) -> None:
        self._store, self._scan, self._sources = store, scan, sources
        stored = store.evidence(scan, EVIDENCE_KIND)
        self._known = {one.url for one in (*stored, *store.evidence(scan, "sitemap_fetch"))}
        self._unread = [
            QueuedFile(one.number, IndexFile(str(one.content.get("index")), one.url))
            for one in stored
            if "result" not in one.content
        ]

    def add(self, files: Iterable[IndexFile]) -> None:
        """Queue the files that are new."""
        for file in files:
            is_wanted = get_source(file.kind) in self._sources and file.url not in self._known
            if is_wanted and len(self._known) < MAX_INDEX_FILES:
                self._known.add(file.url)
                evidence = Evidence(EVIDENCE_KIND, file.url, content={"index": file.kind})
                self._unread.append(QueuedFile(self._store.add_evidence(self._scan, evidence), file))

    def take(self) -> list[QueuedFile]:
        """Return the files that were not read yet, in an order that does not depend on when they were found.

        Files near the root come first: the feed of a site lists more than those of its sections.
        """
        ready = [one for one in self._unread if one.file.kind not in LAST_KINDS] or self._unread
        self._unread = [one for one in self._unread if one not in ready]
        return sorted(ready, key=lambda one: (one.file.kind, one.file.url.count("/"), one.file.url))

    def record_result(self, queued: QueuedFile, result: str, pages: int = 0, files: Sequence[IndexFile] = ()) -> None:
        """Store the result of reading a file, and the files that it names if a later scan may use the result."""
        content: dict[str, object] = {"index": queued.file.kind, "result": result, "urls_found": pages}
        if files:
            content["files"] = [[*one] for one in files]
        self._store.update_evidence(queued.number, content)
