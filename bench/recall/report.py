"""Tables and a chart of the results."""

from __future__ import annotations

from html import escape
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from bench.recall.sections import keep_sections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.recall.score import Score

COLUMNS = ("site", "kind", "pages", "found", "recall", "precision", "requests", "opened", "seconds", "CPU", "")
INTRODUCTION = """Pages found on sites with known page sets. `make recall` builds and scans the sites;
`python -m bench.recall --peers --write` writes this page. The true pages come from the output of each build, not from
links. Requests exclude scripts, styles, images and fonts loaded by the browser; `opened` counts pages opened in the
browser. Pages that only typing into a search box reveals are counted apart.
"""
HELD_BACK_SECTION = "Held-back sites"
HELD_BACK_INTRODUCTION = """`python -m bench.recall --held-back --write` writes this table. No constant is fitted to
these sites, but misses on Starlight, Docsify, VuePress and the forum have led to rules, so these are no longer unseen.
"""
DEBIAN_SECTION = "Debian documentation packages"
ROW, LEFT, WIDTH = 18, 130, 420


class Result(NamedTuple):
    """One crawler on one site."""

    crawler: str
    site: str
    kind: str
    score: Score
    requests: int
    openings: int
    wall: float
    cpu: float
    problem: str = ""

    def cells(self) -> tuple[str, ...]:
        """Return the cells of a table row."""
        score = self.score
        notes = [self.problem] if self.problem else []
        if score.search_only:
            notes.append(f"{score.search_only} search-only")
        return (
            self.site, self.kind, str(score.pages), str(score.found), f"{score.recall:.3f}", f"{score.precision:.3f}",
            str(self.requests), str(self.openings), f"{self.wall:.1f}", f"{self.cpu:.1f}", "; ".join(notes),
        )  # fmt: skip


def total_cells(results: Sequence[Result]) -> tuple[str, ...]:
    """Return the last row: means of recall and precision, sums of the rest."""
    return (
        "mean / sum", f"{len(results)} sites",
        str(sum(one.score.pages for one in results)), str(sum(one.score.found for one in results)),
        f"{fmean(one.score.recall for one in results):.3f}", f"{fmean(one.score.precision for one in results):.3f}",
        str(sum(one.requests for one in results)), str(sum(one.openings for one in results)),
        f"{sum(one.wall for one in results):.0f}", f"{sum(one.cpu for one in results):.0f}", "",
    )  # fmt: skip


def line(cells: Sequence[str]) -> str:
    """Return a row for the terminal."""
    widths = (18, 14, 6, 6, 7, 10, 9, 7, 8, 7, 0)
    return "".join(
        cell.ljust(width) if place in (0, 1, 10) else cell.rjust(width) + (" " if place == 9 else "")
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def markdown(results: Sequence[Result], old: str) -> str:
    """Return the text of docs/recall.md: one table for each crawler, and the sections that other commands write."""
    parts = [
        "# Recall\n",
        INTRODUCTION,
        "![Recall by site](images/recall.svg)\n",
    ]
    for crawler in dict.fromkeys(one.crawler for one in results):
        own = [one for one in results if one.crawler == crawler]
        parts += [f"## {crawler}\n", table(own)]
    return keep_sections("\n".join(parts), old, (HELD_BACK_SECTION, DEBIAN_SECTION))


def table(results: Sequence[Result]) -> str:
    """Return a table in Markdown, with a last row of means and sums."""
    return rows(
        [COLUMNS, ("---", "---", *["---:"] * 8, "---"), *(one.cells() for one in results), total_cells(results)]
    )


def rows(cells: Sequence[Sequence[str]]) -> str:
    """Return the rows of a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in cells) + "\n"


def chart(results: Sequence[Result]) -> str:
    """Return an SVG bar chart of Headwater's recall by site."""
    bars = []
    for place, one in enumerate(results):
        top = place * ROW
        bars.append(
            f'<text x="{LEFT - 8}" y="{top + 13}" text-anchor="end">{escape(one.site)}</text>'
            f'<rect x="{LEFT}" y="{top + 3}" width="{WIDTH}" height="12" fill="#e5e7eb"/>'
            f'<rect x="{LEFT}" y="{top + 3}" width="{one.score.recall * WIDTH:.0f}" height="12" fill="#2563eb"/>'
            f'<text x="{LEFT + WIDTH + 8}" y="{top + 13}">{one.score.recall:.0%}</text>'
        )
    height, width = len(results) * ROW + 4, LEFT + WIDTH + 50
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11" role="img"><title>Recall by site</title>\n'
        + "\n".join(bars)
        + "\n</svg>\n"
    )
