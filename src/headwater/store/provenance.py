"""Trace how a scan found a URL: the chain of pages and files from the seed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.settings import build_settings
from headwater.urls import Scope, spell_url
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import serialize_url

if TYPE_CHECKING:
    from headwater.model import Evidence, Page
    from headwater.store import Scan, Store

MAX_STEPS = 1000
FILE_KINDS = frozenset({"sitemap_fetch", "robots_txt"})


class ProvenanceStep(NamedTuple):
    """One page or file of the chain, and how it was found."""

    url: str
    how: str


class Provenance(NamedTuple):
    """The stored page of a URL, if there is one, and the chain to it from a seed or robots.txt."""

    page: Page | None
    chain: tuple[ProvenanceStep, ...]


def trace_url(store: Store, scan: Scan, url: str) -> Provenance:
    """Return the stored page of a URL and the chain to it."""
    scope = restore_scope(scan)
    spelling = spell_url(url, scope.policy)
    page = store.page(scan.number, compute_identity(spelling.key)) if spelling else None
    return Provenance(page, _trace_chain(store, scan, page, scope) if page else ())


def restore_scope(scan: Scan) -> Scope:
    """Return the scope of a stored scan."""
    return Scope.from_settings(scan.seeds, build_settings(dict(scan.settings)))


def _trace_chain(store: Store, scan: Scan, page: Page, scope: Scope) -> tuple[ProvenanceStep, ...]:
    files = {one.url: one for one in store.evidence(scan.number) if one.kind in FILE_KINDS}
    steps: list[ProvenanceStep] = []
    seen: set[str] = set()
    current: Page | None = page
    while current is not None and current.url not in seen and len(steps) < MAX_STEPS:
        seen.add(current.url)
        steps.append(ProvenanceStep(current.url, _describe_source(current)))
        if current.sources[:1] == ("seed",):
            break
        parent = current.found_on
        if parent in files:
            steps += _trace_file(files[parent or ""], {one.number: one for one in files.values()})
            break
        href = serialize_url(parent) if parent else None
        current = store.page(scan.number, compute_identity(spell_href(href, scope.policy).key)) if href else None
    return tuple(reversed(steps))


def _trace_file(file: Evidence, by_number: dict[int, Evidence]) -> list[ProvenanceStep]:
    steps: list[ProvenanceStep] = []
    one: Evidence | None = file
    while one is not None and len(steps) < MAX_STEPS:
        how = "robots.txt" if one.kind == "robots_txt" else f"sitemap ({one.content.get('kind')})"
        steps.append(ProvenanceStep(one.url, how))
        one = by_number.get(one.parent) if one.parent is not None else None
    return steps


def _describe_source(page: Page) -> str:
    """Return for example `navigation: <a href> "About us" in nav`."""
    if page.sources[:1] == ("seed",):
        return "seed"
    place = f"<{page.element} {page.attribute}>" if page.element else ""
    text = f'"{page.text}"' if page.text else ""
    region = f"in {page.region}" if page.element and page.region else ""
    details = " ".join(part for part in (place, text, region) if part)
    return ", ".join(page.sources) + (f": {details}" if details else "")
