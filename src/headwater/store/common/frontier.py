"""The frontier of a scan in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.classify import encode_sources
from headwater.model import SOURCES, Candidate
from headwater.store.common.database import SqlRole
from headwater.store.duplicates import choose_next_spelling
from headwater.store.records import KnownUrl, VisitedUrl
from headwater.store.rows import SITEMAP_SOURCES, count_by_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_NO_LIMIT = 1 << 62
_BATCH_SIZE = 1000


class SqlFrontier(SqlRole):
    """Selects candidates, and puts URLs back into the frontier."""

    def next_candidates(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Return the non-suspect candidates of one depth with their positions, in the order they were found."""
        return self._db.select_keyed(
            Candidate, "position", "next_candidates", scan=scan, depth=depth, after=after, limit=limit
        )

    def suspects(self, scan: int, depth: int) -> list[int]:
        """Return the identities of the suspect candidates of one depth, by key."""
        return self._db.column("suspects", scan=scan, depth=depth)

    def candidates(self, scan: int, identities: Sequence[int]) -> list[Candidate]:
        """Return the candidates with these identities, in this order."""
        rows = self._db.select(Candidate, "candidates", scan=scan, identities=list(identities))
        known = {candidate.identity: candidate for candidate in rows}
        return [known[identity] for identity in identities if identity in known]

    def candidates_by_key(self, scan: int, depth: int) -> Iterator[Candidate]:
        """Yield all candidates of one depth, suspects included, by key."""
        return self._db.stream(Candidate, "candidates_by_key", scan=scan, depth=depth)

    def visited_keys(self, scan: int) -> list[str]:
        """Return the keys of all pages that were visited."""
        return self._db.column("visited_keys", scan=scan)

    def leave_unvisited(self, scan: int, identities: Sequence[int]) -> None:
        """List candidates without a visit, because of --per-shape."""
        for start in range(0, len(identities), _BATCH_SIZE):
            part = list(identities[start : start + _BATCH_SIZE])
            self._db.write("leave_unvisited", scan=scan, identities=part)

    def next_depth(self, scan: int, start: int = 0) -> int | None:
        """Return the smallest depth, from `start` on, that has candidates."""
        depth: int | None = self._db.value("next_depth", scan=scan, start=start)
        return depth

    def redirected_seeds(self, scan: int) -> list[str]:
        """Return the URLs that the seeds redirected to."""
        return self._db.column("redirected_seeds", scan=scan)

    def source_usage(self, scan: int) -> Mapping[str, int]:
        """Return the number of pages of each source that count towards `max_urls_per_source`."""
        return count_by_source(self._db.rows("source_usage", scan=scan))

    def release_held(self, scan: int, limit: int | None) -> None:
        """Turn pages that an earlier `max_urls_per_source` held back into candidates, up to this limit."""
        sources = self._db.column("held_sources", scan=scan)
        used = self.source_usage(scan) if sources and limit is not None else {}
        for source in sources:
            quota = _NO_LIMIT if limit is None else max(0, limit - used.get(source, 0))
            self._db.write("release_held", scan=scan, source=source, limit=quota)

    def retry_deferred(self, scan: int) -> None:
        """Turn deferred URLs, and pages that --per-shape left unvisited, into candidates."""
        self._db.write("retry_deferred", scan=scan)

    def enqueue_listed(self, scan: int, depth: int | None = None) -> None:
        """Turn pages that are only listed into candidates; with `depth`, only those from sitemaps, at that depth."""
        sources = SITEMAP_SOURCES if depth is not None else SOURCES
        self._db.write("enqueue_listed", scan=scan, sources=encode_sources(sources), depth=depth)

    def retry_other_spellings(self, scan: int) -> int:
        """Turn failed pages that have another spelling into candidates again; return how many."""
        rows = []
        for identity, tried, others in self._db.rows("other_spellings", scan=scan):
            fetch_url, other_urls = choose_next_spelling(tried, others)
            rows.append({"scan": scan, "identity": identity, "fetch_url": fetch_url, "other_urls": other_urls})
        if rows:
            self._db.transact(lambda session: session.execute_many("switch_spelling", rows), scan)
        return len(rows)

    def record_crash(self, scan: int, identity: int, limit: int) -> None:
        """Count a crash of the process that visited this page; at the limit the page fails as quarantined."""
        self._db.write("record_crash", scan=scan, identity=identity, limit=limit)

    def filter_unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Return the identities that are unknown to the scan."""
        known = self._db.column("known_identities", scan=scan, identities=list(identities))
        return set(identities).difference(known)

    def visited_urls(self, scan: int) -> Iterator[str]:
        """Yield the URLs of the pages that were visited, in no particular order."""
        return (one.url for one in self._db.stream(VisitedUrl, "visited_urls", scan=scan))

    def known_urls(self, scan: int, identities: Sequence[int]) -> list[KnownUrl]:
        """Return the URLs with these identities that the scan has."""
        return self._db.select(KnownUrl, "known_urls", scan=scan, identities=list(identities))

    def last_url_number(self) -> int:
        """Return the number of the URL that was added last; 0 if there is none."""
        return int(self._db.value("last_url_number"))
