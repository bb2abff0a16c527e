"""Sites built by generators outside Python and Node: Doxygen, Javadoc, rustdoc, Hugo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.recall.builds import PROSE, cached, run
from bench.recall.files import live_files
from bench.recall.prose import day, paragraph, title, write_text
from bench.recall.site import LiveSite, Site

if TYPE_CHECKING:
    from collections.abc import Callable

HUGO = "github.com/gohugoio/hugo@v0.147.9"
HUGO_LAYOUTS = {
    "baseof": "<!doctype html><html><head><title>{{ .Title }}</title></head><body>"
    "{{ block `main` . }}{{ end }}</body></html>",
    "list": "{{ define `main` }}<h1>{{ .Title }}</h1><ul>{{ range .Paginator.Pages }}"
    '<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>'
    '{{ template "_internal/pagination.html" . }}{{ end }}',
    "single": "{{ define `main` }}<h1>{{ .Title }}</h1>{{ .Content }}{{ range (.GetTerms `tags`) }}"
    '<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}{{ end }}',
}


def doxygen(folder: Path, *, tree: bool) -> None:
    """Write the reference of 30 C++ classes in three namespaces."""
    for number in range(30):
        write_text(folder / "source" / f"part{number}.hpp", _header(number))
    write_text(folder / "source" / "notes.md", f"# Notes on building {{#notes}}\n\n{paragraph(1)}\n")
    settings = (
        "PROJECT_NAME=Spindle\nINPUT=source\nRECURSIVE=YES\nGENERATE_LATEX=NO\nQUIET=YES\nHAVE_DOT=NO\nEXTRACT_ALL=YES\n"
        f"SOURCE_BROWSER=YES\nGENERATE_TREEVIEW={'YES' if tree else 'NO'}\nFULL_SIDEBAR={'YES' if tree else 'NO'}\n"
        "HTML_OUTPUT=root\nWARN_IF_UNDOCUMENTED=NO\nHTML_TIMESTAMP=NO\n"
    )
    write_text(folder / "Doxyfile", settings)
    run(["doxygen", "Doxyfile"], folder)


def _header(number: int) -> str:
    space = ("core", "io", "net")[number % 3]
    before = f'#include "part{number - 3}.hpp"\n' if number >= 3 else ""
    parent = f" : public Wheel{number - 3}" if number >= 3 else ""
    return (
        f"/** @file\n * {title(number)} */\n#pragma once\n{before}namespace {space} {{\n/** {paragraph(number, 1)} */\n"
        f"class Wheel{number}{parent} {{\npublic:\n  /** {paragraph(number + 50, 1)} */\n"
        f"  int turn{number}(int times);\n}};\n}}\n"
    )


def javadoc(folder: Path) -> None:
    """Write the reference of 32 Java classes in four packages."""
    for number in range(32):
        space = ("core", "io", "net", "text")[number % 4]
        text = (
            f"package org.spindle.{space};\n\n/** {paragraph(number, 1)} */\npublic class Wheel{number} {{\n"
            f"  /** {paragraph(number + 50, 1)}\n   * @param times a number\n   * @return a number */\n"
            f"  public int turn{number}(int times) {{ return times; }}\n}}\n"
        )
        write_text(folder / "source" / "org" / "spindle" / space / f"Wheel{number}.java", text)
    packages = [f"org.spindle.{space}" for space in ("core", "io", "net", "text")]
    run(["javadoc", "-quiet", "-notimestamp", "-d", "root", "-sourcepath", "source", "-use", *packages], folder)


def rustdoc(folder: Path) -> None:
    """Write the reference of a crate with 24 modules, re-exports and traits."""
    write_text(folder / "Cargo.toml", '[package]\nname = "spindle"\nversion = "0.1.0"\nedition = "2021"\n')
    modules = "".join(f"pub mod part{number};\n" for number in range(24))
    write_text(folder / "src" / "lib.rs", f"//! Spindle spins.\n{modules}pub use part3::Wheel3;\n")
    for number in range(24):
        text = (
            f"//! {title(number)}\n\n/// {paragraph(number, 1)}\npub struct Wheel{number} {{\n    /// A number.\n"
            f"    pub size: u32,\n}}\n\n/// {paragraph(number + 50, 1)}\npub fn spin{number}(value: u32) -> u32 {{\n"
            f"    value\n}}\n\n/// {paragraph(number + 80, 1)}\npub trait Turns{number} {{\n    /// Turns.\n"
            f"    fn turn(&self);\n}}\n\nimpl Turns{number} for Wheel{number} {{\n    fn turn(&self) {{}}\n}}\n"
        )
        write_text(folder / "src" / f"part{number}.rs", text)
    run(["cargo", "doc", "--no-deps", "--offline", "--quiet"], folder)
    (folder / "target" / "doc").rename(folder / "root")


def hugo(folder: Path) -> None:
    """Write a site of 60 posts in sections with tags, paging and feeds."""
    write_text(
        folder / "hugo.toml", 'baseURL = "https://site.example/"\ntitle = "Spindle"\n[pagination]\npagerSize = 10\n'
    )
    for name, layout in HUGO_LAYOUTS.items():
        write_text(folder / "layouts" / "_default" / f"{name}.html", layout)
    for number in range(60):
        head = f'+++\ntitle = "{title(number)}"\ndate = {day(number)}\ntags = ["topic{number % 8}"]\n+++\n'
        section = ("posts", "notes", "tables")[number % 3]
        write_text(folder / "content" / section / f"post-{number}.md", head + paragraph(number))
    run([_hugo_program(), "--quiet", "--destination", "root"], folder)
    (folder / "root" / "sitemap.xml").unlink()  # so that links, feeds and paging are what is measured


def _hugo_program() -> Path:
    def install(folder: Path) -> None:
        run(["go", "install", HUGO], folder, GOBIN=str(folder), GOFLAGS="-p=2", CGO_ENABLED="0")

    return cached(f"hugo-program-{HUGO.rpartition('@')[2]}", [], install) / "hugo"


def _site(
    name: str, kind: str, build: Callable[[Path], None], *, ignored: tuple[str, ...] = (), start: str = "/"
) -> Site:
    def open_site() -> LiveSite:
        folder = cached(name, [Path(__file__), PROSE], build)
        return live_files(folder / "root", ignored=ignored, start=start)

    return Site(name, kind, open_site)


SITES = (
    _site("doxygen", "API reference", lambda folder: doxygen(folder, tree=False), ignored=(r"^search/",)),
    _site("doxygen-tree", "API reference", lambda folder: doxygen(folder, tree=True), ignored=(r"^search/",)),
    _site("javadoc", "API reference", javadoc, ignored=(r"^(legal|script-dir|resources)/",)),
    _site("rustdoc", "API reference", rustdoc, ignored=(r"^static\.files/",), start="/spindle/"),
    _site("hugo", "blog", hugo),
)
