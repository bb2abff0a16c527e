"""`python -m bench.recall [NAME…] [--held-back] [--peers] [--verbose] [--write]`: scan sites and score the results."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.recall.builds import BuildError
from bench.recall.crawlers import peers, run_headwater
from bench.recall.held_back import HELD_BACK
from bench.recall.report import (
    COLUMNS,
    HELD_BACK_INTRODUCTION,
    HELD_BACK_SECTION,
    Result,
    chart,
    line,
    markdown,
    table,
    total_cells,
)
from bench.recall.score import score, without_origin
from bench.recall.sections import replace_section
from bench.recall.server import serving
from bench.recall.sites import SITES
from bench.recall.truth import check_truth
from bench.run import peers_python

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.recall.crawlers import Run
    from bench.recall.site import LiveSite, Site

DOCS = Path(__file__).parent.parent.parent / "docs"
HEADWATER = "headwater"
SHOWN = 10


def main() -> None:
    """Measure the named sites, or all of a group."""
    options = _parser().parse_args()
    group = HELD_BACK if options.held_back else SITES
    unknown = set(options.names) - {site.name for site in group}
    if unknown:
        sys.exit(f"No such site: {', '.join(sorted(unknown))}. Sites: {', '.join(site.name for site in group)}")
    if options.write and options.names:
        sys.exit("--write needs a run over all sites: leave out the names.")
    crawlers = {HEADWATER: run_headwater, **(peers(peers_python()) if options.peers else {})}
    opened = _opened([site for site in group if not options.names or site.name in options.names])
    if options.build:
        return
    results: list[Result] = []
    for name, crawl in crawlers.items():
        print(f"\n{name}\n{line(COLUMNS)}")
        own = [_measured(name, crawl, site, live, verbose=options.verbose) for site, live in opened]
        print(line(total_cells(own)), flush=True)
        results += own
    if options.write:
        _write_held_back(results) if options.held_back else _write(results)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.recall", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="sites to measure instead of all")
    parser.add_argument("--held-back", action="store_true", help="measure the sites that are not used for tuning")
    parser.add_argument("--peers", action="store_true", help="measure Scrapy, Crawlee and ultimate-sitemap-parser too")
    parser.add_argument(
        "--verbose", action="store_true", help="print the first ten missed and wrong paths of each site"
    )
    parser.add_argument("--build", action="store_true", help="only build the sites")
    parser.add_argument("--write", action="store_true", help="write docs/recall.md and its chart, or its section")
    return parser


def _opened(sites: list[Site]) -> list[tuple[Site, LiveSite]]:
    """Return the sites that could be built, and report the others."""
    opened = []
    for site in sites:
        try:
            live = site.open()
            check_truth(site.name, live)
            opened.append((site, live))
        except BuildError as error:
            print(f"{site.name} was left out: {error}", file=sys.stderr)
    return opened


def _measured(name: str, crawl: Callable[[str, str], Run], site: Site, live: LiveSite, *, verbose: bool) -> Result:
    with serving(live.answer) as (origin, traffic):
        run = crawl(site.name, origin + live.start)
        counted = score(live, origin, run.urls)
    openings = traffic.openings if name == HEADWATER else 0  # Crawlee sends the headers of a browser without one
    result = Result(name, site.name, site.kind, counted, traffic.requests, openings, run.wall, run.cpu, run.problem)
    print(line(result.cells()), flush=True)
    if verbose:
        for label, listed in (("missed", counted.missed), ("wrong", counted.wrong), ("repeated", counted.repeated)):
            for one in listed[:SHOWN]:
                print(f"    {label} {without_origin(one)}")
            if len(listed) > SHOWN:
                print(f"    {label}: {len(listed) - SHOWN} more")
    return result


def _write(results: list[Result]) -> None:
    page = DOCS / "recall.md"
    page.write_text(markdown(results, page.read_text()))
    (DOCS / "images" / "recall.svg").write_text(chart([one for one in results if one.crawler == HEADWATER]))


def _write_held_back(results: list[Result]) -> None:
    page = DOCS / "recall.md"
    page.write_text(replace_section(page.read_text(), HELD_BACK_SECTION, f"{HELD_BACK_INTRODUCTION}\n{table(results)}"))


if __name__ == "__main__":
    main()
