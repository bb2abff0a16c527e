"""Views of pages in SQL: pages that add nothing to another page are not listed."""

from __future__ import annotations

from array import array
from itertools import groupby
from typing import TYPE_CHECKING

from headwater.classify import encode_sources
from headwater.classify.views import PAGE_VIEW, CommonAdditions, PeriodPages, ViewPage, decode_sketch, find_views
from headwater.classify.views.near_duplicates import HashedText, find_near_duplicates
from headwater.store.common.database import SqlRole
from headwater.store.duplicates import MAX_CHAIN
from headwater.store.rows import SITEMAP_SOURCES
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_url
from headwater.urls.skip_reasons import EMPTY_PERIOD, UNVISITED_VIEW
from headwater.urls.variants import iter_shorter_urls, split_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store.common.database import Session

Verdict = tuple[int, int, str]
"""The identities of a view and of the page that is listed instead, and the reason."""


class SqlViews(SqlRole):
    """Finds views among the pages of a scan."""

    def mark_views(self, scan: int) -> None:
        """Find pages that are views of other pages; the other pages are listed instead."""
        verdicts = [*self._judge_visited(scan), *self._find_pages_of_unvisited(scan)]
        leads_to = {view: page for view, page, _ in verdicts}
        rows = [
            {"scan": scan, "identity": view, "leads_to": target, "reason": reason}
            for view, page, reason in verdicts
            if (target := _follow(page, leads_to)) not in leads_to  # views that lead in a circle stay listed
        ]
        if rows:
            self._db.transact(lambda session: _save(session, rows), scan)

    def mark_near_duplicates(self, scan: int) -> int:
        """Find listed pages that have most of their text in common with another one; return their number."""
        identities, texts = array("q"), list[HashedText]()
        for identity, simhash, minhash in self._db.rows("text_hashes", scan=scan):
            identities.append(identity)
            texts.append(HashedText(simhash, bytes(minhash)))
        rows = [
            {"scan": scan, "identity": identities[one.position], "original": identities[one.original],
             "similarity": one.similarity}
            for one in find_near_duplicates(texts)
        ]  # fmt: skip

        def save(session: Session) -> None:
            session.execute("clear_near_duplicates", scan=scan)
            session.execute_many("set_near_duplicate", rows)

        if texts:
            self._db.transact(save, scan)
        return len(rows)

    def _judge_visited(self, scan: int) -> Iterator[Verdict]:
        """Yield the views among visited pages; pages are read by path, so that only those of one path are in memory."""
        periods, additions = PeriodPages(), CommonAdditions()
        is_view: set[int] = set()
        leads_to: dict[int, int | None] = {}
        mask = encode_sources(SITEMAP_SOURCES)
        pages = self._db.stream(ViewPage, "view_pages", scan=scan, sitemaps=mask)
        for _, group in groupby(pages, lambda one: split_query(one.key)[0]):
            members = [one._replace(canonical=_get_key(one.canonical)) for one in group]
            leads_to.update((one.identity, one.leads_to) for one in members)
            for verdict in find_views(members, lambda key: self._find_view_page(scan, key), additions):
                is_view.add(verdict.view)
                target = compute_identity(verdict.page)
                yield verdict.view, leads_to.get(target) or target, verdict.reason
            for one in members:
                if one.sketch is not None and one.leads_to is None and not one.is_protected:
                    periods.add(one.identity, one.key, decode_sketch(one.sketch))
        for view, base in additions.find_views():
            is_view.add(view)
            target = compute_identity(base)
            yield view, leads_to.get(target) or target, PAGE_VIEW
        for identity, key in periods.find_empty():
            page = self._find_first_visited(scan, _iter_parents(key))
            if identity not in is_view and page is not None:
                yield identity, page, EMPTY_PERIOD

    def _find_pages_of_unvisited(self, scan: int) -> Iterator[Verdict]:
        """Yield the pages that unvisited views would lead to: those with the fewest of their parameters."""
        for key in self._db.column("unvisited_views", scan=scan, reason=UNVISITED_VIEW):
            page = self._find_first_visited(scan, iter_shorter_urls(key))
            if page is not None:
                yield compute_identity(key), page, UNVISITED_VIEW

    def _find_view_page(self, scan: int, key: str) -> ViewPage | None:
        mask = encode_sources(SITEMAP_SOURCES)
        identity = compute_identity(key)
        return self._db.find(ViewPage, "view_page", scan=scan, sitemaps=mask, identity=identity)

    def _find_first_visited(self, scan: int, keys: Iterator[str]) -> int | None:
        identities = map(compute_identity, keys)
        return next((one for one in identities if self._db.rows("listed_page", scan=scan, identity=one)), None)


def _save(session: Session, rows: list[dict[str, object]]) -> None:
    session.execute_many("set_view", rows)


def _follow(page: int, leads_to: dict[int, int]) -> int:
    """Return the page at the end of a chain of views."""
    for _ in range(MAX_CHAIN):
        page = leads_to.get(page, page)
    return page


def _get_key(canonical: str) -> str:
    spelling = spell_url(canonical) if canonical else None
    return spelling.key if spelling else ""


def _iter_parents(key: str) -> Iterator[str]:
    """Yield the keys of the pages that an empty period may belong to: without its query, then its folders."""
    path, parameters = split_query(key)
    if parameters:
        yield path
    start = path.index("/", 8) if "/" in path[8:] else len(path)
    while path.rfind("/") > start:
        path = path[: path.rfind("/")]
        yield path
    yield path[: start + 1]
