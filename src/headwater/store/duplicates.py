"""Choose the page of a group of duplicates that is listed, and the spelling of a page that is requested next."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from headwater.store.page_lists import STATES
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_url
from headwater.urls.variants import split_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MAX_CHAIN = 10
MAX_SPELLINGS = 4
"""Limit of spellings that are requested for a page; a hostile site could invent thousands."""


class DuplicatePage(NamedTuple):
    """Page of a group with the same content."""

    content_hash: int
    identity: int
    key: str
    url: str
    canonical: str = ""
    inlinks: int = 0
    is_seed: bool = False
    hops: int = 0


class CanonicalPage(NamedTuple):
    """Page that names a canonical URL."""

    identity: int
    canonical: str
    text_hash: int


class CanonicalTarget(NamedTuple):
    """Page under a canonical URL; `leads_to` is the page that is listed instead of it."""

    identity: int
    state: int
    leads_to: int | None


def choose_representative(group: Sequence[DuplicatePage]) -> DuplicatePage:
    """Return the page of a group that is listed.

    Seeds come first, then pages of the site itself, pages that `rel=canonical` names, those with the fewest parameters,
    pages with more inlinks, and shorter URLs.
    """
    named = {spelling.key for one in group if one.canonical and (spelling := spell_url(one.canonical))}
    return min(
        group,
        key=lambda one: (
            not one.is_seed, one.hops, one.key not in named, len(split_query(one.key)[1]), -one.inlinks, len(one.url),
            one.url,
        ),
    )  # fmt: skip


def find_duplicates(pages: Iterable[DuplicatePage]) -> list[tuple[int, int]]:
    """Return each duplicate with the page that is listed instead; `pages` are ordered by their content."""
    found = []
    for _, part in groupby(pages, attrgetter("content_hash")):
        group = list(part)
        chosen = choose_representative(group)
        found += [(one.identity, chosen.identity) for one in group if one is not chosen]
    return found


def find_canonical_duplicates(
    pages: Iterable[CanonicalPage], find: Callable[[int, int], CanonicalTarget | None]
) -> list[tuple[int, int]]:
    """Return each page whose canonical page has the same text, with the page that is listed instead.

    `find` returns the page with an identity and a hash of its text.
    """
    leads_to: dict[int, int] = {}
    for page in pages:
        spelling = spell_url(page.canonical)
        found = find(compute_identity(spelling.key), page.text_hash) if spelling else None
        if found is None or found.identity == page.identity:
            continue
        is_duplicate = STATES[found.state] == "duplicate"
        target = found.leads_to if is_duplicate and found.leads_to is not None else found.identity
        for _ in range(MAX_CHAIN):  # the canonical page may itself be a duplicate of a third
            target = leads_to.get(target, target)
        if target != page.identity:
            leads_to[page.identity] = target
    return list(leads_to.items())


def choose_next_spelling(tried: str, others: str) -> tuple[str, str]:
    """Return the spelling to request next and the remaining ones, https first, then in alphabetical order."""
    remaining = sorted(set(others.split("\n")) - {"", tried}, key=lambda one: (not one.startswith("https:"), one))
    return remaining[0] if remaining else tried, "\n".join(remaining[1:MAX_SPELLINGS])
