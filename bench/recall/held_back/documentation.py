"""Documentation and blogs that generators write as files: Starlight, VuePress, TypeDoc, Antora, YARD, Hexo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bench.recall.builds import NODE, PROSE, cached, node_project, run
from bench.recall.files import live_files
from bench.recall.prose import paragraph, title, write_text
from bench.recall.site import LiveSite, Site

if TYPE_CHECKING:
    from collections.abc import Callable

GIT_AUTHOR = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "Ferry"), ("EMAIL", "ferry@site.example"), ("DATE", "2024-05-01T10:00:00Z"))
}


def starlight(project: Path) -> None:
    """Write 37 pages, seven of them in German too; the Pagefind index names eight that no page links."""
    docs = project / "src" / "content" / "docs"
    write_text(docs / "index.md", _page("Lantern", 700, "[Install](/start/install/)"))
    write_text(docs / "start" / "install.md", _page("Install", 701, "[Upgrade from 1.x](/notes/upgrade/)"))
    write_text(docs / "start" / "first-steps.md", _page("First steps", 702, ""))
    write_text(docs / "notes" / "upgrade.md", _page("Upgrade from 1.x", 703, "[Old releases](/notes/releases/)"))
    write_text(docs / "notes" / "releases.md", _page("Old releases", 704, ""))
    for number in range(1, 13):
        write_text(docs / "guides" / f"guide-{number}.md", _page(title(number), number, ""))
        folder = "options" if number % 2 else "hooks"
        write_text(docs / "reference" / folder / f"entry-{number}.md", _page(title(50 + number), 50 + number, ""))
    for number in range(1, 9):
        write_text(docs / "archive" / f"answer-{number}.md", _page(title(100 + number), 100 + number, ""))
    write_text(docs / "de" / "index.md", _page("Laterne", 710, "[Anleitung](/de/guides/guide-1/)"))
    for number in range(1, 7):
        write_text(docs / "de" / "guides" / f"guide-{number}.md", _page(f"Anleitung {number}", 720 + number, ""))


def _page(name: str, number: int, more: str) -> str:
    text, details = paragraph(number), paragraph(number, 3)
    return f"---\ntitle: {json.dumps(name)}\n---\n\n{text}\n\n## Details\n\n{details}\n\n{more}\n"


def vuepress(project: Path) -> None:
    """Write 55 pages: the sidebar lists 24, pages link 14 others, and only the search index names the rest."""
    docs = project / "docs"
    write_text(
        docs / "README.md", "---\nhome: true\nheroText: Millrace\nactions:\n  - text: Guide\n    link: /guide/\n---\n"
    )
    write_text(docs / "guide" / "README.md", f"# Guide\n\n{paragraph(600)}\n")
    write_text(docs / "reference" / "cli.md", f"# Command line\n\n{paragraph(601)}\n")
    write_text(docs / "reference" / "config.md", f"# Configuration\n\n{paragraph(602)}\n")
    recipes = "\n".join(f"- [{title(number)}](./recipe-{number}.md)" for number in range(1, 13))
    write_text(docs / "cookbook" / "README.md", f"# Cookbook\n\n{recipes}\n")
    for number in range(1, 25):
        section = "basics" if number <= 12 else "advanced"
        write_text(docs / "guide" / section / f"lesson-{number}.md", f"# {title(number)}\n\n{paragraph(number)}\n")
    for number in range(1, 13):
        more = "[Appendix](./appendix/tables.md)" if number == 7 else ""
        text = f"# {title(50 + number)}\n\n{paragraph(50 + number)}\n\n{more}\n"
        write_text(docs / "cookbook" / f"recipe-{number}.md", text)
    write_text(docs / "cookbook" / "appendix" / "tables.md", f"# Tables\n\n{paragraph(80)}\n\n[Units](./units.md)\n")
    write_text(docs / "cookbook" / "appendix" / "units.md", f"# Units\n\n{paragraph(81)}\n")
    for number in range(1, 13):
        write_text(docs / "faq" / f"question-{number}.md", f"# {title(90 + number)}\n\n{paragraph(90 + number)}\n")
    lessons = [f"/guide/{'basics' if number <= 12 else 'advanced'}/lesson-{number}.md" for number in range(1, 25)]
    groups = [
        {"text": "Basics", "children": lessons[:12]},
        {"text": "Advanced", "collapsible": True, "children": lessons[12:]},
    ]
    write_text(project / "sidebar.json", json.dumps({"/guide/": groups}))


def typedoc(project: Path) -> None:
    """Write the reference of three modules with classes, interfaces, functions, types and four documents."""
    write_text(project / "README.md", f"# Sluice\n\n{paragraph(500)}\n")
    for number in range(1, 5):
        text = f"---\ntitle: {json.dumps(title(500 + number))}\n---\n\n{paragraph(500 + number)}\n"
        write_text(project / "documents" / f"topic-{number}.md", text)
    for place, module in enumerate(("core", "net", "text")):
        parts = "".join(_typescript(number) for number in range(place * 8, place * 8 + 8))
        write_text(project / "src" / f"{module}.ts", f"/**\n * {title(510 + place)}\n * @module\n */\n{parts}")


def _typescript(number: int) -> str:
    parent = f" extends Gate{number - 1}" if number % 8 else ""
    text, more = paragraph(number, 1), paragraph(number + 200, 1)
    return (
        f"\n/** {text} */\nexport interface Level{number} {{\n  /** {more} */\n  height: number;\n}}\n"
        f"\n/** {more} */\nexport class Gate{number}{parent} {{\n  /** {text} */\n"
        f"  lift{number}(by: number): Level{number} {{ return {{ height: by }}; }}\n}}\n"
        f"\n/** {text} */\nexport function open{number}(gate: Gate{number}): number {{ return {number}; }}\n"
        f"\n/** {more} */\nexport type Flow{number} = Level{number} | null;\n"
    )


def antora(project: Path) -> None:
    """Write a component with three versions and one with one; some pages are in no navigation, some have moved."""
    content = project / "content"
    run(["git", "init", "--quiet", "--initial-branch=v1", content], project)
    for version in (1, 2, 3):
        if version > 1:
            run(["git", "-C", content, "checkout", "--quiet", "-b", f"v{version}"], project)
        _antora_component(content / "ferry", "ferry", version, 8 + 4 * version)
        if version == 3:
            _antora_component(content / "dock", "dock", 0, 12)
        run(["git", "-C", content, "add", "."], project)
        run(["git", "-C", content, "commit", "--quiet", "-m", f"Release {version}"], project, **GIT_AUTHOR)


def _antora_component(folder: Path, name: str, version: int, count: int) -> None:
    written = f"'{version}.0'" if version else "~"
    write_text(
        folder / "antora.yml",
        f"name: {name}\ntitle: {name.title()}\nversion: {written}\nnav:\n- modules/ROOT/nav.adoc\n",
    )
    pages = folder / "modules" / "ROOT" / "pages"
    first = 300 * (name == "dock") + 40 * version
    listed = [f"page-{number}.adoc" for number in range(1, count - 2)]
    write_text(folder / "modules" / "ROOT" / "nav.adoc", "".join(f"* xref:{one}[]\n" for one in listed))
    onward = "xref:dock::index.adoc[Dock]" if (name, version) == ("ferry", 3) else ""
    write_text(pages / "index.adoc", f"= {name.title()} {version or ''}\n\n{paragraph(first)}\n\n{onward}\n")
    for number in range(1, count + 1):
        moved = f":page-aliases: old-{number}.adoc\n" if number % 6 == 0 else ""
        text = (
            f"= {title(first + number)}\n{moved}\n{paragraph(first + number)}\n\n== Details\n\n{paragraph(number, 2)}\n"
        )
        write_text(pages / f"page-{number}.adoc", text)


def hexo(project: Path) -> None:
    """Write a blog of 48 posts with paging, archives, tags and categories; only the search index names six pages."""
    for number in range(1, 49):
        topics = f"[topic-{number % 9}, topic-{number % 5 + 20}]"
        written = f"{2022 + number % 3}-{1 + number % 12:02}-{1 + number % 28:02} 10:00:00"
        head = f"title: {json.dumps(title(number))}\ndate: {written}"
        text = f"---\n{head}\ntags: {topics}\ncategories: [{('Sea', 'Land', 'Kitchen')[number % 3]}]\n---\n"
        body = f"{paragraph(number)}\n<!-- more -->\n{paragraph(number + 300)}\n"
        write_text(project / "source" / "_posts" / f"letter-{number}.md", text + body)
    for place, name in enumerate(("tags", "categories")):
        write_text(project / "source" / name / "index.md", f"---\ntitle: {name.title()}\ntype: {name}\n---\n")
        write_text(project / "source" / "about" / f"more-{place}.md", _page(f"More about me {place}", 400 + place, ""))
    write_text(project / "source" / "about" / "index.md", _page("About", 410, "[More](/about/more-0.html)"))
    for number in range(1, 7):
        write_text(
            project / "source" / "drafts-of-talks" / f"talk-{number}.md", _page(title(420 + number), 420 + number, "")
        )


def yard(folder: Path) -> None:
    """Write the reference of 36 Ruby classes in four modules with six guides."""
    for number in range(36):
        write_text(folder / "lib" / f"part{number}.rb", _ruby(number))
    write_text(folder / "README.md", f"# Capstan\n\n{paragraph(650)}\n\nSee {{file:docs/guide-1.md}}.\n")
    for number in range(1, 7):
        write_text(folder / "docs" / f"guide-{number}.md", f"# {title(650 + number)}\n\n{paragraph(650 + number)}\n")
    command = ["yardoc", "--quiet", "--no-cache", "--no-save", "--output-dir", "root", "--readme", "README.md"]
    run([*command, "lib/**/*.rb", "-", "docs/*.md"], folder)


def _ruby(number: int) -> str:
    space = ("Rope", "Deck", "Sail", "Hold")[number % 4]
    parent = f" < Drum{number - 4}" if number >= 4 else ""
    return (
        f"# {title(number % 4 + 660)}\nmodule {space}\n  # {paragraph(number, 1)}\n  class Drum{number}{parent}\n"
        f"    # {paragraph(number + 50, 1)}\n    # @param times [Integer] a number\n    # @return [Integer]\n"
        f"    def wind{number}(times)\n      times\n    end\n  end\nend\n"
    )


def _node(name: str, kind: str, write: Callable[[Path], None], output: str, *, ignored: tuple[str, ...] = ()) -> Site:
    return _site(name, kind, node_project(name, write, output), NODE / name, ignored=ignored)


def _site(
    name: str,
    kind: str,
    build: Callable[[Path], None],
    *sources: Path,
    ignored: tuple[str, ...] = (),
    optional: tuple[str, ...] = (),
) -> Site:
    def open_site() -> LiveSite:
        folder = cached(name, [Path(__file__), PROSE, *sources], build)
        return live_files(folder / "root", ignored=ignored, optional=optional)

    return Site(name, kind, open_site)


LISTS = (r"^(class|method|file)_list\.html$", r"^(frames|file\.README)\.html$")
"""Lists in frames, a redirect by script, and the text of the front page under a second name."""
SITES = (
    _node("starlight", "docs", starlight, "dist"),
    _node("vuepress", "docs", vuepress, "docs/.vuepress/dist"),
    _node("typedoc", "API reference", typedoc, "dist"),
    _node("antora", "docs", antora, "dist"),
    _node("hexo", "blog", hexo, "public", ignored=(r"^lib/",)),
    _site("yard", "API reference", yard, optional=LISTS),
)
