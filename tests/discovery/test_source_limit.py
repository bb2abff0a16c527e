"""Pages beyond `max_urls_per_source` are held back, and a scan that is resumed with a higher limit visits them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from headwater.store import open_store
from tests.commands import headwater
from tests.sites.table_site import Answer, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.store import Counts

PAGES = ["/", *(f"/{name}{n}" for name in ("nav", "main", "deep", "foot") for n in range(9))]


def wide_site(_: str) -> dict[str, Answer | str]:
    """Return nine links in the navigation, the main part and the footer, and nine pages behind the first of them."""

    def links(name: str) -> str:
        return "".join(f"<a href=/{name}{n}>{name}</a>" for n in range(9))

    home = f"<title>Home</title><nav>{links('nav')}</nav><main>{links('main')}</main><footer>{links('foot')}</footer>"
    pages: dict[str, Answer | str] = {path: f"<title>{path}</title>{path}" for path in PAGES}
    return {**pages, "/": home, "/nav0": f"<title>0</title><main>{links('deep')}</main>"}


def listed_site(origin: str) -> dict[str, Answer | str]:
    pages: dict[str, Answer | str] = {path: f"<title>{path}</title>{path}" for path in PAGES}
    return {**pages, "/sitemap.xml": urlset(*(f"{origin}{path}" for path in PAGES))}


def counts(folder: Path) -> Counts:
    store = open_store(str(folder / "headwater.db"), must_exist=True)
    try:
        return store.counts(1)
    finally:
        store.close()


def advice(text: str) -> list[str]:
    """Return the arguments of the command that the INCOMPLETE line advises."""
    line = next(line for line in text.splitlines() if line.startswith("INCOMPLETE: --max-urls-per-source 4 ended"))
    return shlex.split(line.partition("Continue with: headwater ")[2])


@pytest.mark.parametrize("preset", ["full", "waterfall", "crawl"])
@pytest.mark.parametrize("steps", [["none"], ["6", "6", "none"]])
def test_a_raised_limit_finishes_the_site(preset: str, steps: list[str], tmp_path: Path) -> None:
    with table_site(wide_site) as site:
        command = ["crawl"] if preset == "crawl" else ["discover", "--preset", preset, "--render", "never"]
        first = headwater(*command, f"{site.origin}/", "--format", "text", "--max-urls-per-source", "4", cwd=tmp_path)
        assert len(first.out.split()) == 13  # the seed, and four of the navigation, the main part and the footer
        assert counts(tmp_path).held == 24
        assert "24 known URLs were not visited" in first.err
        assert advice(first.err) == ["resume", "--max-urls-per-source", "none"]
        for step in steps:
            last = headwater("resume", "--max-urls-per-source", step, "--format", "text", cwd=tmp_path)
            assert ("INCOMPLETE" in last.err) is (step != "none")
            assert len(last.out.split()) == (len(PAGES) if step == "none" else 19)
        assert sorted(url.removeprefix(site.origin) for url in last.out.split()) == sorted(PAGES)
        assert counts(tmp_path).held == 0
        assert "max-urls-per-source" not in counts(tmp_path).skipped
        assert {path: site.hits[path] for path in PAGES} == dict.fromkeys(PAGES, 1)


def test_sitemaps_are_read_again_under_a_higher_limit(tmp_path: Path) -> None:
    with table_site(listed_site) as site:
        first = headwater(f"{site.origin}/", "--format", "text", "--max-urls-per-source", "4", cwd=tmp_path)
        assert len(first.out.split()) == 4
        assert "not all sitemaps were read" in first.err
        last = headwater(*advice(first.err), "--format", "text", cwd=tmp_path)
        assert sorted(url.removeprefix(site.origin) for url in last.out.split()) == sorted(PAGES)
        assert "INCOMPLETE" not in last.err


def test_navigation_beyond_the_limit_is_held_back_without_a_crawl(tmp_path: Path) -> None:
    with table_site(wide_site) as site:
        command = [f"{site.origin}/", "--stages", "nav", "--format", "text", "--max-urls-per-source", "4"]
        first = headwater(*command, cwd=tmp_path)
        assert len(first.out.split()) == 4
        last = headwater(*advice(first.err), "--format", "text", cwd=tmp_path)
        assert len(last.out.split()) == 9
        assert "INCOMPLETE" not in last.err
