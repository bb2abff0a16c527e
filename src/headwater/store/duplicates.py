"""Pages that are the same: which one of a group is listed, and which spelling of a page is tried next."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from headwater.store.page_lists import STATES
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MAX_CHAIN = 10
MAX_SPELLINGS = 4
"""Other spellings of a page that are tried; a hostile site could make up thousands."""


class DuplicatePage(NamedTuple):
    """A page of a group with the same content."""

    identity: int
    key: str
    url: str
    canonical: str = ""
    inlinks: int = 0
    is_seed: bool = False
    hops: int = 0


def choose_representative(group: Sequence[DuplicatePage]) -> DuplicatePage:
    """Return the page that is listed: a seed, or the one `rel=canonical` names, or the most linked, or the shortest.

    Pages of the site come before those of other sites.
    """
    named = {spelling.key for one in group if one.canonical and (spelling := spell_url(one.canonical))}
    return min(
        group, key=lambda one: (not one.is_seed, one.hops, one.key not in named, -one.inlinks, len(one.url), one.url)
    )


def find_duplicates(
    scan: int, rows: Iterable[tuple[int, int, str, str, str, int, bool, int]]
) -> list[tuple[int, int, int]]:
    """Return what `set_duplicate` is given for rows of `same_content`, which come ordered by content."""
    found = []
    for _, part in groupby(rows, itemgetter(0)):
        group = [DuplicatePage(*row[1:]) for row in part]
        chosen = choose_representative(group)
        found += [(chosen.identity, scan, one.identity) for one in group if one is not chosen]
    return found


def find_canonical_duplicates(
    scan: int,
    rows: Iterable[tuple[int, str, int]],
    find: Callable[[int, int, int], tuple[int, int, int | None] | None],
) -> Iterator[tuple[int, int, int]]:
    """Yield what `set_duplicate` is given for pages whose canonical page has the same text.

    `find` returns the page of a scan with this identity and text: its identity, state, and the page it leads to.
    """
    leads_to: dict[int, int] = {}
    for identity, canonical, text_hash in rows:
        spelling = spell_url(canonical)
        twin = find(scan, compute_identity(spelling.key), text_hash) if spelling else None
        if twin is None or twin[0] == identity:
            continue
        target, state, other = twin
        target = other if STATES[state] == "duplicate" and other is not None else target
        for _ in range(MAX_CHAIN):  # the canonical page may itself be a duplicate of a third
            target = leads_to.get(target, target)
        if target != identity:
            leads_to[identity] = target
            yield target, scan, identity


def choose_next_spelling(scan: int, identity: int, tried: str, others: str) -> tuple[str, str, int, int]:
    """Return what `take_spelling` is given: https comes first, then the smallest; the list loses what is tried."""
    left = sorted(set(others.split("\n")) - {"", tried}, key=lambda one: (not one.startswith("https:"), one))
    return left[0] if left else tried, "\n".join(left[1:MAX_SPELLINGS]), scan, identity
