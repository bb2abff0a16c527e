"""`python -m bench.recall.debian [NAME…] [--write]`: scan documentation packages of Debian and compare with files."""

from __future__ import annotations

import argparse
import tempfile
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from tests.sites.nginx import nginx

from bench.recall.crawlers import Run, run_headwater
from bench.recall.disk_crawl import ORIGIN, File, Folder, crawl
from bench.recall.report import DEBIAN_SECTION, rows
from bench.recall.sections import replace_section
from bench.recall.site import target_of

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCS = Path(__file__).parent.parent.parent / "docs"
TIME_LIMIT = 900.0
COLUMNS = ("package", "files", "unlinked", "linked", "found", "recall", "precision", "requests", "seconds", "CPU", "")
INTRODUCTION = """`python -m bench.recall.debian --write` writes this table. Each package is served by nginx. `files`
counts HTML files on disk, `linked` the pages among them that an exhaustive crawl of our own reaches by links, frames
and the package's search index (one of each content, without redirects), and `unlinked` the files that nothing names,
redirects among them. Precision is the share of the listed URLs that answer 200 with HTML.
"""
COUNTED = """set $counted 1;
if ($http_sec_fetch_dest ~ "^(script|style|image|font|manifest|audio|video|track|worker)$") {{ set $counted ""; }}
access_log {log} combined if=$counted; charset off;"""


class Package(NamedTuple):
    """An installed documentation package."""

    name: str
    root: str
    start: str = "/"


PACKAGES = (
    Package("git-doc", "/usr/share/doc/git-doc"),
    Package("gio", "/usr/share/gtk-doc/html/gio"),
    Package("gtk3", "/usr/share/gtk-doc/html/gtk3"),
    Package("python3.11-doc", "/usr/share/doc/python3.11/html"),
    Package("python-django-doc", "/usr/share/doc/python-django-doc/html"),
    Package("sqlite3-doc", "/usr/share/doc/sqlite3"),
    Package("postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html"),
    Package("cmake-doc", "/usr/share/doc/cmake-data/html"),
    Package("apache2-doc", "/usr/share/doc/apache2-doc/manual"),
    Package("libboost1.74-doc", "/usr/share/doc/libboost1.74-doc", "/doc/html/"),
    Package("openjdk-17-doc", "/usr/share/doc/openjdk-17-jre-headless/api"),
    Package("rust-doc", "/usr/share/doc/rust-doc/html"),
)


class Outcome(NamedTuple):
    """Counts of one package."""

    package: str
    files: int
    unlinked: int
    linked: int
    found: int
    listed: int
    right: int
    requests: int
    run: Run

    def cells(self) -> tuple[str, ...]:
        """Return the cells of a table row."""
        recall, precision = self.found / max(self.linked, 1), self.right / max(self.listed, 1)
        return (
            self.package, str(self.files), str(self.unlinked), str(self.linked), str(self.found), f"{recall:.4f}",
            f"{precision:.4f}", str(self.requests), f"{self.run.wall:.1f}", f"{self.run.cpu:.1f}", self.run.problem,
        )  # fmt: skip


def main() -> None:
    """Measure the named packages, or all that are installed."""
    parser = argparse.ArgumentParser(prog="python -m bench.recall.debian", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="packages to measure instead of all")
    parser.add_argument("--verbose", action="store_true", help="print the first ten missed files of each package")
    parser.add_argument("--write", action="store_true", help="write the section of docs/recall.md")
    options = parser.parse_args()
    print("  ".join(COLUMNS))
    outcomes = []
    for package in PACKAGES:
        if Path(package.root).is_dir() and (not options.names or package.name in options.names):
            outcomes.append(measured(package, verbose=options.verbose))
            print("  ".join(outcomes[-1].cells()), flush=True)
    if options.write:
        page = DOCS / "recall.md"
        page.write_text(replace_section(page.read_text(), DEBIAN_SECTION, markdown(outcomes)))


def markdown(outcomes: Sequence[Outcome]) -> str:
    """Return the section of docs/recall.md."""
    return INTRODUCTION + "\n" + rows([COLUMNS, ("---", *["---:"] * 9, "---"), *(one.cells() for one in outcomes)])


def measured(package: Package, *, verbose: bool) -> Outcome:
    """Crawl a package on disk, scan it, and compare."""
    folder = Folder(Path(package.root))
    reached = crawl(folder, package.start)
    truth = {file.digest: name for name, file in sorted(reached.items(), reverse=True) if file.is_page}
    with tempfile.TemporaryDirectory() as temporary:
        log = Path(temporary) / "access.log"
        with nginx(Path(package.root), more=COUNTED.format(log=log)) as origin:
            run = run_headwater(f"debian-{package.name}", origin + package.start, limit=TIME_LIMIT)
            requests = log.read_bytes().count(b"\n")
            right = count_html(origin, run.urls)
    found = found_digests(folder, reached, run.urls) & truth.keys()
    if verbose:
        for name in sorted(truth[one] for one in truth.keys() - found)[:10]:
            print(f"    missed /{name}")
    unlinked = len(folder.html) - len(reached)
    return Outcome(
        package.name, len(folder.html), unlinked, len(truth), len(found), len(run.urls), right, requests, run
    )


def found_digests(folder: Folder, reached: dict[str, File], urls: Sequence[str]) -> set[str]:
    """Return the contents of the files that the listed URLs name."""
    names = (folder.name_of(ORIGIN + target_of(url).lstrip("/")) for url in urls)
    return {reached[name].digest for name in names if name in reached}


def count_html(origin: str, urls: Sequence[str]) -> int:
    """Return how many URLs of the origin answer 200 with HTML."""
    connection = HTTPConnection(urlsplit(origin).netloc)
    return sum(url.startswith(origin) and _is_html(connection, target_of(url)) for url in urls)


def _is_html(connection: HTTPConnection, target: str) -> bool:
    connection.request("HEAD", target)
    answer = connection.getresponse()
    answer.read()
    return answer.status == 200 and answer.headers.get_content_type() in ("text/html", "application/xhtml+xml")


if __name__ == "__main__":
    main()
