"""The result of a scan does not depend on the order in which pages respond."""

from __future__ import annotations

import json
import os
import random
from html import escape
from typing import TYPE_CHECKING, Any

import pytest

from headwater.store import SqliteStore
from tests.commands import headwater
from tests.discovery.test_listed import relative
from tests.sites.graph_site import GraphSite, serving
from tests.sites.table_site import Answer, TableSite, table_site, urlset
from tests.sites.trap_site import TrapSite, trap_hits

if TYPE_CHECKING:
    from pathlib import Path

PAGES = 240
SEEDS = range(1, 1 + int(os.environ.get("HEADWATER_TEST_SEEDS", "1")))
"""Number of generated sites; `make chaos` uses more."""

VARYING = {"first_seen", "last_seen", "response_ms"}
"""Fields that differ between two scans of an unchanged site: times."""


def links(chance: random.Random, targets: list[str], count: int, page: str = "/") -> str:
    """Links in random places of a page, with several texts for the same target."""
    regions = ("nav", "header", "footer", "aside", "main", "div")
    return "".join(
        f'<{region}><a href="{escape(chance.choice((target, relative(target, page))))}">'
        f"{chance.choice(('more', 'see', target))}</a></{region}>"
        for target in chance.choices(targets, k=count)
        for region in [chance.choice(regions)]
    )


def make_site(seed: int) -> dict[str, Answer | str]:
    """A site with cross links, redirects, dead links, duplicates, slash variants, paginated lists and a sitemap."""
    chance = random.Random(seed)
    paths = [f"/{chance.choice('abc')}/{number}" for number in range(PAGES)]
    moved = {f"/old/{number}": chance.choice(paths) for number in range(12)}
    parts = [f"/list?page={number}" for number in range(1, 15)]
    everything = [*paths, *moved, *parts, *(f"{path}/" for path in paths[:10]), "/gone/1", "/gone/2", "/"]
    navigation = "".join(f'<a href="{path}">Section {path}</a>' for path in ("/", "/a/0", *paths[:3]))
    site: dict[str, Answer | str] = {}
    for number, path in enumerate(paths):
        own = f"<title>{path}</title><nav>{navigation}</nav><p>Text of {path}</p>" if number % 9 else "<p>same</p>"
        site[path] = own + links(chance, everything, chance.randint(0, 9), path)
    site |= {path: Answer(status=301, headers={"Location": target}) for path, target in moved.items()}
    for number, part in enumerate(parts, 1):
        following = f'<a rel=next href="/list?page={number + 1}">next</a>' if number < len(parts) else ""
        site[part] = f"part {number}" + following + links(chance, paths, 4)
    site["/"] = f"<nav>{navigation}</nav>" + links(chance, paths, 12) + f'<a href="{parts[0]}">list</a>'
    return site


def served(seed: int) -> Any:
    def make(origin: str) -> dict[str, Answer | str]:
        site = make_site(seed)
        listed = [f"{origin}{path}" for path in [*sorted(site)[::5], "/only-in-sitemap"]]
        site["/only-in-sitemap"] = '<a href="/below-orphan">b</a>'
        site["/below-orphan"] = "below"
        site["/sitemap.xml"] = urlset(*listed)
        return site

    return make


def scan(site: TableSite | GraphSite, db: Path, *flags: str) -> list[dict[str, Any]]:
    """Return the JSON lines of a scan without timestamps."""
    command = ["discover", site.origin, "--db", str(db), "--format", "jsonl", "--list", "all", "--kinds", "all"]
    result = headwater(*command, "--quiet", "--retries", "0", "--render", "never", *flags)
    assert result.code == 0, result.err
    rows = [json.loads(line) for line in result.out.splitlines()]
    return [{name: value for name, value in row.items() if name not in VARYING} for row in rows]


def delay_answers(site: TableSite, seed: int) -> None:
    """Delay pages at random."""
    chance = random.Random(seed)
    for path, answer in site.answers.items():
        site.answers[path] = answer._replace(delay=chance.choice((0, 0, 0.001, 0.005, 0.03)))


def differences(rows: list[dict[str, Any]], expected: list[dict[str, Any]]) -> dict[str, dict[str, tuple[Any, Any]]]:
    """Return the fields in which URLs differ."""
    one, other = ({row["url"]: row for row in some} for some in (rows, expected))
    return {
        url: fields
        for url in one.keys() | other.keys()
        if (
            fields := {
                name: (value, other.get(url, {}).get(name))
                for name, value in one.get(url, {"missing": True}).items()
                if value != other.get(url, {}).get(name)
            }
        )
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_two_scans_have_the_same_result(tmp_path: Path, seed: int) -> None:
    with table_site(served(seed)) as site:
        expected = scan(site, tmp_path / "first.db", "--max-parallel", "1")
        assert len(expected) > PAGES
        for number, parallel in enumerate(("1", "10", "64")):
            if number:
                delay_answers(site, number)
            rows = scan(site, tmp_path / f"{number}.db", "--max-parallel", parallel)
            assert differences(rows, expected) == {}
            assert rows == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_two_scans_stop_at_the_same_page_of_a_trap(tmp_path: Path, seed: int) -> None:
    traps = TrapSite(seed)
    with serving(traps.answer) as site:
        expected = scan(site, tmp_path / "first.db", "--max-parallel", "1")
        hits = trap_hits(site.hits)
        assert min(hits.values()) > 0
        assert sum(hits.values()) < 1000
        assert sum(row["reason"] == "trap-exhausted" for row in expected) > 100
        for number, parallel in enumerate(("10", "64")):
            traps.delay(10 * seed + number)
            rows = scan(site, tmp_path / f"{number}.db", "--max-parallel", parallel)
            assert differences(rows, expected) == {}
            assert rows == expected


def test_traps_end_at_the_same_page_without_stored_links(tmp_path: Path) -> None:
    traps = TrapSite(4)
    with serving(traps.answer) as site:
        expected = scan(site, tmp_path / "first.db", "--max-parallel", "1", "--links", "first")
        traps.delay(4)
        rows = scan(site, tmp_path / "second.db", "--max-parallel", "64", "--links", "first")
    assert {row["url"]: row["reason"] for row in rows} == {row["url"]: row["reason"] for row in expected}


def test_a_second_scan_of_an_unchanged_site_has_the_same_result(tmp_path: Path) -> None:
    with table_site(served(3)) as site:
        for number, (path, answer) in enumerate(site.answers.items()):
            if answer.status == 200:
                site.answers[path] = answer._replace(headers={"ETag": f'"{number}"'})
        first = scan(site, tmp_path / "x.db")
        second = scan(site, tmp_path / "x.db")
    assert sum(row["unchanged"] for row in second) > PAGES
    assert differences([row | {"unchanged": False} for row in second], first) == {}


def test_links_beyond_the_limit_are_counted_only(tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {f"/{n}": "".join(f"<a href=/{m}>{m}</a>" for m in range(30)) for n in range(30)}
    with table_site(lambda _: pages | {"/": "<a href=/0>0</a>"}) as site:
        everything = scan(site, tmp_path / "a.db", "--max-parallel", "1")
        command = ["discover", site.origin, "--db", str(tmp_path / "b.db"), "--max-links", "100", "--max-parallel", "1"]
        result = headwater(*command, "--render", "never", "--retries", "0", "--format", "jsonl")
        limited = [json.loads(line) for line in result.out.splitlines()]
    assert "Links beyond --max-links 100 were counted but not stored" in result.err
    inlinks = {row["url"]: row["inlinks"] for row in everything}
    assert {row["url"]: row["inlinks"] for row in limited} == {row["url"]: inlinks[row["url"]] for row in limited}
    store = SqliteStore(str(tmp_path / "b.db"))
    assert 100 < store.links.next_numbers(1).kept_links < 200
    store.close()
