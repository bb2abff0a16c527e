"""Sites built by documentation and blog generators written in Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.recall.builds import LOCK, PROSE, cached, python_tool, run
from bench.recall.files import live_files
from bench.recall.prose import day, paragraph, title, write_text
from bench.recall.site import LiveSite, Site

if TYPE_CHECKING:
    from collections.abc import Callable

SPHINX = """
project = "Spindle"
extensions = ["sphinx.ext.autosectionlabel"]
html_theme = "{theme}"
html_baseurl = "https://site.example/"
"""
MKDOCS = """
site_name: Spindle
site_url: https://site.example/
theme: {theme}
plugins: [search]
nav:
{nav}
"""


def sphinx(folder: Path, builder: str, theme: str) -> None:
    """Write 40 pages in three chapters and eight orphan pages that only the search index names."""
    source = folder / "source"
    write_text(source / "conf.py", SPHINX.format(theme=theme))
    chapters = {"guide": range(1, 15), "howto": range(15, 27), "api": range(27, 37)}
    listed = "\n   ".join(f"{chapter}/index" for chapter in chapters)
    write_text(source / "index.rst", f"Spindle\n=======\n\n.. toctree::\n   :maxdepth: 1\n\n   {listed}\n")
    for chapter, numbers in chapters.items():
        listed = "\n   ".join(f"page-{number}" for number in numbers)
        write_text(source / chapter / "index.rst", f"{chapter}\n=======\n\n.. toctree::\n\n   {listed}\n")
        for number in numbers:
            write_text(source / chapter / f"page-{number}.rst", _rst(number, chapter))
    for number in range(37, 45):
        write_text(source / "notes" / f"note-{number}.rst", ":orphan:\n\n" + _rst(number, "notes"))
    run([python_tool("sphinx-build"), "-q", "-b", builder, source, folder / "root"], folder)


def _rst(number: int, chapter: str) -> str:
    heading = title(number)
    entry = f".. py:function:: spindle.call_{number}(value)\n\n   {paragraph(number + 500, 1)}\n" * (chapter == "api")
    return f"{heading}\n{'=' * len(heading)}\n\n{paragraph(number)}\n\n{entry}"


def mkdocs(folder: Path, theme: str) -> None:
    """Write 40 pages of which the navigation lists 25; the search index names all."""
    docs = folder / "docs"
    write_text(docs / "index.md", "# Spindle\n\nA tool for spinning.\n")
    for number in range(1, 41):
        write_text(docs / _section(number) / f"page-{number}.md", f"# {title(number)}\n\n{paragraph(number)}\n")
    nav = ["  - index.md", *(f"  - {_section(number)}/page-{number}.md" for number in range(1, 26))]
    write_text(folder / "mkdocs.yml", MKDOCS.format(theme=theme, nav="\n".join(nav)))
    run([python_tool("mkdocs"), "build", "--quiet", "--site-dir", folder / "root"], folder, NO_MKDOCS_2_WARNING="1")
    (folder / "root" / "sitemap.xml").unlink()  # so that navigation and search index are what is measured
    (folder / "root" / "sitemap.xml.gz").unlink(missing_ok=True)


def _section(number: int) -> str:
    return ("start", "use", "extend", "internals")[number % 4]


def write_package(folder: Path) -> Path:
    """Write a Python package of 30 modules in three subpackages."""
    package = folder / "spindle"
    write_text(package / "__init__.py", '"""Spindle spins."""\n')
    for place, part in enumerate(("core", "tools", "contrib")):
        write_text(package / part / "__init__.py", f'"""Modules of {part}."""\n')
        for number in range(place * 10, place * 10 + 10):
            write_text(package / part / f"part{number}.py", _module(number))
    return package


def _module(number: int) -> str:
    return (
        f'"""{title(number)}."""\n\n\nclass Wheel{number}:\n    """{paragraph(number, 1)}"""\n\n'
        f'    def turn(self, times: int) -> int:\n        """{paragraph(number + 200, 1)}"""\n        return times\n\n'
        f'\n\ndef spin{number}(value: int) -> int:\n    """{paragraph(number + 100, 1)}"""\n    return value\n'
    )


def pdoc(folder: Path) -> None:
    """Write the reference of a package; the sidebar lists the submodules of the current module."""
    write_package(folder)
    run([python_tool("pdoc"), "-o", folder / "root", "spindle"], folder, PYTHONPATH=str(folder))


def pydoctor(folder: Path) -> None:
    """Write the reference of a package with one page for each module and class."""
    package = write_package(folder)
    run([python_tool("pydoctor"), "--html-output", folder / "root", "--project-name", "Spindle", package], folder)


def pelican(folder: Path) -> None:
    """Write a blog of 50 articles with tags, categories, authors, paging and feeds."""
    settings = (
        'SITENAME = "Spindle"\nSITEURL = "https://site.example"\nPATH = "content"\nDEFAULT_PAGINATION = 8\n'
        'TIMEZONE = "UTC"\nFEED_ALL_ATOM = "feeds/all.atom.xml"\nDEFAULT_LANG = "en"\n'
    )
    write_text(folder / "pelicanconf.py", settings)
    for number in range(1, 51):
        head = f"Title: {title(number)}\nDate: {day(number)}\nAuthor: Author {number % 4}\n"
        tags = f"Tags: {', '.join(f'topic{one}' for one in range(number % 7, number % 7 + 2))}\n"
        write_text(
            folder / "content" / f"part{number % 5}" / f"article-{number}.md", f"{head}{tags}\n{paragraph(number)}\n"
        )
    for number in range(4):
        write_text(
            folder / "content" / "pages" / f"page-{number}.md", f"Title: Page {number}\n\n{paragraph(number + 70)}\n"
        )
    run([python_tool("pelican"), "--settings", "pelicanconf.py", "--output", "root", "--quiet"], folder)


def nikola(folder: Path) -> None:
    """Write a blog of 40 posts with archives and feeds."""
    run([python_tool("nikola"), "init", "--quiet", "site"], folder)
    site = folder / "site"
    for number in range(1, 41):
        head = f".. title: {title(number)}\n.. slug: post-{number}\n.. date: {day(number)} 10:00:00 UTC\n"
        write_text(site / "posts" / f"post-{number}.rst", f"{head}.. tags: topic{number % 6}\n\n{paragraph(number)}\n")
    conf = (site / "conf.py").read_text().replace("https://example.com/", "https://site.example/")
    write_text(site / "conf.py", conf + "\nUSE_BUNDLES = False\nUSE_CDN = False\nENABLE_WATCH = False\n")
    run([python_tool("nikola"), "build", "-q"], site)
    (site / "output").rename(folder / "root")


def _site(
    name: str, kind: str, build: Callable[[Path], None], *, ignored: tuple[str, ...] = (), start: str = "/"
) -> Site:
    def open_site() -> LiveSite:
        folder = cached(name, [Path(__file__), PROSE, LOCK], build)
        return live_files(folder / "root", ignored=ignored, start=start)

    return Site(name, kind, open_site)


STATIC = (r"^_static/", r"^assets/")
SITES = (
    _site("sphinx", "docs", lambda folder: sphinx(folder, "html", "alabaster"), ignored=STATIC),
    _site("sphinx-dirhtml", "docs", lambda folder: sphinx(folder, "dirhtml", "alabaster"), ignored=STATIC),
    _site("sphinx-furo", "docs", lambda folder: sphinx(folder, "html", "furo"), ignored=STATIC),
    _site("mkdocs", "docs", lambda folder: mkdocs(folder, "mkdocs"), ignored=STATIC),
    _site("mkdocs-material", "docs", lambda folder: mkdocs(folder, "material"), ignored=STATIC),
    _site("pdoc", "API reference", pdoc),
    _site("pydoctor", "API reference", pydoctor, ignored=(r"^all-documents\.html$",)),  # data of its search
    _site("pelican", "blog", pelican),
    _site("nikola", "blog", nikola),
)
