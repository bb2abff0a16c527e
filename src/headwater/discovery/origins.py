"""How a URL came into a scan: the chain of pages and files from the seed to it, or why it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.frontier.memory import identity_of
from headwater.settings import from_mapping
from headwater.urls import Scope, spell
from headwater.urls.normalize import spell_serialised
from headwater.urls.parse import serialise

if TYPE_CHECKING:
    from headwater.model import Evidence, Page
    from headwater.store import Scan, Store

MAX_STEPS = 1000


class Step(NamedTuple):
    """One link of the chain: a page or a file, and how it was found there."""

    url: str
    how: str


class Origin(NamedTuple):
    """What a scan knows of a URL; the chain begins at the seed or at robots.txt."""

    page: Page | None
    chain: tuple[Step, ...]


def origin_in(store: Store, scan: Scan, url: str) -> Origin:
    """The URL's own row, and the way to it."""
    scope = scope_of(scan)
    spelling = spell(url, scope.policy)
    page = store.page(scan.number, identity_of(spelling.key)) if spelling else None
    return Origin(page, _chain(store, scan, page, scope) if page else ())


def scope_of(scan: Scan) -> Scope:
    """The scope a scan had."""
    return Scope.from_settings(scan.seeds, from_mapping(dict(scan.settings)))


def _chain(store: Store, scan: Scan, page: Page, scope: Scope) -> tuple[Step, ...]:
    files = {one.url: one for one in store.evidence(scan.number) if one.kind in {"sitemap_fetch", "robots_txt"}}
    numbers = {one.number: one for one in files.values()}
    steps: list[Step] = []
    seen: set[str] = set()
    current: Page | None = page
    while current is not None and current.url not in seen and len(steps) < MAX_STEPS:
        seen.add(current.url)
        steps.append(Step(current.url, _how(current)))
        if current.sources[:1] == ("seed",):
            break
        parent = current.found_on
        if parent in files:
            steps += _file_steps(files[parent or ""], numbers)
            break
        href = serialise(parent) if parent else None
        current = store.page(scan.number, identity_of(spell_serialised(href, scope.policy).key)) if href else None
    return tuple(reversed(steps))


def _file_steps(file: Evidence, numbers: dict[int, Evidence]) -> list[Step]:
    steps: list[Step] = []
    one: Evidence | None = file
    while one is not None and len(steps) < MAX_STEPS:
        steps.append(
            Step(one.url, "robots.txt" if one.kind == "robots_txt" else f"sitemap ({one.content.get('kind')})")
        )
        one = numbers.get(one.parent) if one.parent is not None else None
    return steps


def _how(page: Page) -> str:
    """`navigation: <a href> "About us" in nav`."""
    if page.sources[:1] == ("seed",):
        return "seed"
    place = f"<{page.element} {page.attribute}>" if page.element else ""
    text = f'"{page.text}"' if page.text else ""
    region = f"in {page.region}" if page.element and page.region else ""
    details = " ".join(part for part in (place, text, region) if part)
    return ", ".join(page.sources) + (f": {details}" if details else "")
