"""Lists of web archives that the previous scan of a site has read, so that another scan does not ask again soon."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from headwater.discovery.visits.hint_queue import GROUP_KIND, read_group
from headwater.discovery.visits.index_queue import EVIDENCE_KIND
from headwater.pages.site_indexes import IndexedPage, IndexFile, ParsedIndex

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext
    from headwater.model import Evidence

MAX_AGE = timedelta(days=7)


def find_stored_list(context: ScanContext, file: IndexFile) -> ParsedIndex | None:
    """Return what the previous scan read from a file within the last days; None if it did not."""
    if context.previous is None:
        return None
    read = (one for one in context.store.evidence(context.previous, EVIDENCE_KIND) if one.url == file.url)
    evidence = next((one for one in read if one.content.get("result") == "read" and _is_recent(one)), None)
    if evidence is None:
        return None
    groups = (one for one in context.store.evidence(context.previous, GROUP_KIND) if one.url == file.url)
    pages = tuple(IndexedPage(hint.url) for group in groups for hint in read_group(group))
    return ParsedIndex(pages, tuple(IndexFile(*one) for one in _list_files(evidence)))


def _is_recent(evidence: Evidence) -> bool:
    return datetime.now(UTC) - datetime.fromisoformat(evidence.finished) < MAX_AGE


def _list_files(evidence: Evidence) -> list[tuple[str, str]]:
    files = evidence.content.get("files")
    return files if isinstance(files, list) else []
