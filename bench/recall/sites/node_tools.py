"""Sites and applications built by generators written in JavaScript; their projects are in `node/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bench.recall.builds import NODE, PROSE, cached, node_project
from bench.recall.files import Files, live_files
from bench.recall.prose import day, paragraph, title, write_items, write_text
from bench.recall.site import LiveSite, Site

if TYPE_CHECKING:
    from collections.abc import Callable


def vitepress(project: Path) -> None:
    """Write 40 pages of which the sidebar lists 15."""
    write_text(project / "docs" / "index.md", "# Kiln\n\nKiln bakes pages.\n\n[Guide](./guide/)\n")
    write_text(project / "docs" / "guide" / "index.md", "# Guide\n\nRead the pages in order.\n")
    for number in range(1, 39):
        section = "guide" if number <= 20 else "reference"
        write_text(project / "docs" / section / f"page-{number}.md", f"# {title(number)}\n\n{paragraph(number)}\n")
    listed = [{"text": title(number), "link": f"/guide/page-{number}"} for number in range(1, 16)]
    write_text(project / "sidebar.json", json.dumps(listed))


def docusaurus(project: Path) -> None:
    """Write 20 listed and 15 unlisted documents and 18 blog posts."""
    for number in range(1, 36):
        section = "guide" if number <= 20 else "reference"
        write_text(project / "docs" / section / f"topic-{number}.md", f"# {title(number)}\n\n{paragraph(number)}\n")
    for number in range(1, 19):
        head = f"---\ntitle: {json.dumps(title(number + 100))}\ntags: [topic{number % 4}]\n---\n"
        write_text(project / "blog" / f"2024-01-{number:02}-post-{number}.md", f"{head}\n{paragraph(number + 100)}\n")


def next_js(project: Path) -> None:
    """Write the data that the client fetches to list 40 pages."""
    write_items(project / "public" / "data" / "varieties.json", "tree", 40)


def sveltekit(project: Path) -> None:
    """Write the data that the client imports to list 40 pages."""
    write_items(project / "src" / "lib" / "walks.json", "walk", 40)


def astro(project: Path) -> None:
    """Write 30 recipes."""
    write_items(project / "src" / "recipes.json", "dish", 30)


def eleventy(project: Path) -> None:
    """Write 60 posts with tags."""
    for number in range(1, 61):
        head = f"---\nlayout: plain.njk\ntitle: {json.dumps(title(number))}\ndate: {day(number)}\n"
        tags = f'tags: ["posts", "topic-{number % 7}"]\npermalink: /letters/letter-{number}/\n---\n'
        write_text(project / "content" / "posts" / f"letter-{number}.md", f"{head}{tags}\n{paragraph(number)}\n")


def nuxt(project: Path) -> None:
    """Write the data that the client fetches to list 40 pages."""
    write_items(project / "public" / "stations.json", "stop", 40)


def react_history(project: Path) -> None:
    """Write the objects that the application fetches, and the routes they make."""
    objects = write_items(project / "public" / "api" / "objects.json", "object", 40)
    rooms = [f"/rooms/{number}" for number in range(1, 9)]
    _write_routes(project, ["/", "/objects", "/about", *rooms, *(f"/objects/{one['id']}" for one in objects)])


def vue_hash(project: Path) -> None:
    """Write the birds that the application fetches, and the routes they make."""
    birds = write_items(project / "public" / "birds.json", "bird", 30)
    _write_routes(project, ["/", "/birds", *(f"/birds/{one['id']}" for one in birds)])


def _write_routes(project: Path, routes: list[str]) -> None:
    write_text(project / "public" / "routes.truth", json.dumps(routes))


def _files(name: str, kind: str, write: Callable[[Path], None], output: str, ignored: tuple[str, ...] = ()) -> Site:
    def open_site() -> LiveSite:
        return live_files(_built(name, write, output) / "root", ignored=ignored)

    return Site(name, kind, open_site)


def _application(name: str, kind: str, write: Callable[[Path], None], page_of: Callable[[str], str]) -> Site:
    def open_site() -> LiveSite:
        folder = _built(name, write, "dist")
        truth = folder / "root" / "routes.truth"
        if truth.exists():
            truth.rename(folder / "routes.truth")  # the crawler must not find it
        routes = frozenset(json.loads((folder / "routes.truth").read_text()))
        files = Files(folder / "root", fallback="index.html")
        return LiveSite(routes, files.answer, page_of)

    return Site(name, kind, open_site)


def _built(name: str, write: Callable[[Path], None], output: str) -> Path:
    return cached(name, [Path(__file__), PROSE, NODE / name], node_project(name, write, output))


def path_route(url: str) -> str:
    """Return the route of a URL of an application with history routes."""
    return urlsplit(url).path.rstrip("/") or "/"


def hash_route(url: str) -> str:
    """Return the route of a URL of an application with hash routes; any other path is no page."""
    parts = urlsplit(url)
    if parts.path not in ("", "/", "/index.html"):
        return parts.path
    return "/" + parts.fragment.strip("/")


SITES = (
    _files("vitepress", "docs", vitepress, "docs/.vitepress/dist"),
    _files("docusaurus", "docs", docusaurus, "build"),
    _files("next", "application", next_js, "out"),
    _files("sveltekit", "application", sveltekit, "build"),
    _files("astro", "site", astro, "dist"),
    _files("eleventy", "blog", eleventy, "dist"),
    _files("nuxt", "application", nuxt, ".output/public", ignored=(r"^200\.html$",)),
    _application("react-history", "application", react_history, path_route),
    _application("vue-hash", "application", vue_hash, hash_route),
)
