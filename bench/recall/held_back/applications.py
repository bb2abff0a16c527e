"""Applications that render in the browser: React Router in framework mode, and Docsify."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

from bench.recall.builds import NODE, PROSE, cached, node_project
from bench.recall.files import Files, live_files
from bench.recall.prose import items, paragraph, title, write_text
from bench.recall.site import LiveSite, Site

SOURCES = (Path(__file__), PROSE)


def write_catalogue(project: Path) -> None:
    """Write 36 trips, 16 ports and 10 guides; the server renders links to ten trips only."""
    kinds = {"trips": items("trip", 36), "ports": items("port", 16), "guides": items("guide", 10)}
    for place, listed in enumerate(kinds.values()):
        for number, one in enumerate(listed):
            one["title"], one["text"] = title(100 * place + number), paragraph(100 * place + number)
    write_text(project / "public" / "data" / "catalogue.json", json.dumps(kinds))


def react_router() -> LiveSite:
    """Return the files of the build, without the page that renders unknown paths in the browser."""
    build = node_project("react-router", write_catalogue, "build/client")
    folder = cached("react-router", [*SOURCES, NODE / "react-router"], build)
    return live_files(folder / "root", ignored=(r"^__spa-fallback\.html$",))


def write_markdown(project: Path) -> None:
    """Write 39 Markdown files; sidebars name 28, pages link five others, and the settings of the search name six."""
    docs = project / "docs"
    answers = [f"/answers/answer-{number}" for number in range(1, 7)]
    settings = {
        "name": "Weir",
        "loadSidebar": True,
        "loadNavbar": True,
        "subMaxLevel": 2,
        "search": {"paths": ["/", "/guide/", *answers], "placeholder": "Search"},
    }
    write_text(docs / "config.js", f"window.$docsify = {json.dumps(settings)};\n")
    write_text(docs / "_navbar.md", "* [Guide](/guide/)\n* [Reference](/reference/)\n")
    write_text(docs / "_sidebar.md", "* [Home](/)\n* [Quick start](quick-start.md)\n* [Guide](/guide/)\n")
    write_text(docs / "README.md", f"# Weir\n\n{paragraph(800)}\n\nSee the [changes](changes.md).\n")
    write_text(docs / "quick-start.md", f"# Quick start\n\n{paragraph(801)}\n")
    write_text(docs / "changes.md", f"# Changes\n\n{paragraph(802)}\n\n[Older changes](older/changes-1.md)\n")
    for number in range(1, 5):
        onward = f"[Older changes](older/changes-{number + 1}.md)\n" if number < 4 else ""
        write_text(
            docs / "older" / f"changes-{number}.md", f"# Changes {number}\n\n{paragraph(810 + number)}\n\n{onward}"
        )
    _write_section(docs / "guide", "chapter", 820, 12)
    _write_section(docs / "reference", "option", 840, 12)
    for number, target in enumerate(answers):
        write_text(docs / f"{target[1:]}.md", f"# {title(860 + number)}\n\n{paragraph(860 + number)}\n")


def _write_section(folder: Path, name: str, first: int, count: int) -> None:
    listed = "".join(f"* [{title(first + n)}](/{folder.name}/{name}-{n}.md)\n" for n in range(1, count + 1))
    write_text(folder / "README.md", f"# {folder.name.title()}\n\n{paragraph(first)}\n")
    write_text(folder / "_sidebar.md", f"* [Home](/)\n* [Overview](/{folder.name}/)\n{listed}")
    for number in range(1, count + 1):
        heading, text, example = title(first + number), paragraph(first + number), paragraph(first + number, 2)
        write_text(folder / f"{name}-{number}.md", f"# {heading}\n\n{text}\n\n## Example\n\n{example}\n")


def docsify() -> LiveSite:
    """Return the routes that the Markdown files make."""
    folder = cached("docsify", [*SOURCES, NODE / "docsify"], node_project("docsify", write_markdown, "dist")) / "root"
    names = [str(path.relative_to(folder)) for path in folder.rglob("*.md")]
    routes = frozenset(route_of(name) for name in names if not Path(name).name.startswith("_"))
    return LiveSite(routes, Files(folder).answer, docsify_route, url_of=lambda route: f"/#{route}")


def route_of(name: str) -> str:
    """Return the route of a Markdown file; the route of a README ends with a slash."""
    return "/" + name.removesuffix(".md").removesuffix("README")


def docsify_route(url: str) -> str:
    """Return the route of a URL without the heading; any other path is no page."""
    parts = urlsplit(url)
    if parts.path not in ("", "/", "/index.html"):
        return parts.path
    return route_of(parts.fragment.partition("?")[0].lstrip("/"))


SITES = (Site("react-router", "application", react_router), Site("docsify", "docs", docsify))
