"""Control characters in the text of a site are escaped on a terminal and unchanged in files and pipes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from headwater.settings.choices import BINARY_FORMATS, FORMATS
from tests.commands import headwater, on_terminal
from tests.sites.graph_site import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOSTILE = "Well \x1b]0;title\x07\x1b[31mred \x9b31m \x90 \x7f \u202egnp.exe \u2066x\u2069 \u200e\u200f\u061c end"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OWN = re.compile("\r\x1b\\[K")
"""The escape sequence that clears the progress line."""


def page(path: str) -> str | None:
    """Return a page whose texts all contain control characters."""
    if path == "/robots.txt":
        return f"User-agent: *\nDisallow: /{HOSTILE}\nSitemap: /map.xml?{HOSTILE}\n"
    if path.startswith("/map.xml"):
        return f"<urlset><url><loc>/listed?{HOSTILE}</loc></url></urlset>"
    if path.partition("?")[0] not in {"/", "/docs/a", "/docs/b", "/new"}:
        return None
    links = "".join(f'<a href="/{name}?{HOSTILE}">{HOSTILE}</a>' for name in ("docs/a", "docs/b", "gone"))
    text = f"<p>The wells hold {HOSTILE} water, and the words of {path} say so.</p>" * 3
    return f"<html lang=en><title>{HOSTILE} {path}</title><nav>{links}</nav><main><h1>{HOSTILE}</h1>{text}</main>"


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Scan a hostile site twice, then dive into it; yield its address and the store's folder."""
    folder = tmp_path_factory.mktemp("hostile")
    with serving(page) as site:
        for seeds in [(site.origin,), (site.origin, f"{site.origin}/new")]:
            assert headwater("crawl", *seeds, "--format", "jsonl", "--quiet", cwd=folder).code == 0
        assert headwater("dive", "--match", "*", "--embedder", "none", "--quiet", cwd=folder).code == 0
        yield site.origin, folder


COMMANDS = {
    "crawl": "crawl {site} --db crawl.db",
    "discover": "discover {site} --db discover.db --render never",
    "discover --stream": "discover {site} --db discover.db --render never --stream --format jsonl",
    "discover, several sites": "discover {site} http://127.0.0.1:1/ --db list.db --retries 0 --format csv",
    "resume": "resume --db crawl.db",
    **{f"export {name}": f"export --format {name}" for name in FORMATS if name not in BINARY_FORMATS},
    "diff": "diff 1 2 --format csv --list all",
    "scans": "scans",
    "watch": "watch {site} --once --db watch.db --render never",
    "history": "history {site}/docs/a {site}/{hostile}",
    "explain": "explain {site}/docs/a",
    "explain json": "explain {site}/docs/a --db headwater.db --format jsonl",
    "robots": "robots {site} /{hostile}",
    "sitemap": "sitemap {site} --format csv",
    "normalize": "normalize {site}/{hostile} {hostile}",
    "dive --list": "dive --list",
    "dive --export": "dive --dive 1 --export jsonl",
    "search": "search wells --embedder none",
    "search json": "search wells --embedder none --format jsonl",
    "ask": "ask wells --embedder none --alone",
    "ask json": "ask wells --embedder none --alone --format json",
    "unknown command": "{hostile}",
    "invalid URL": "discover http://[{hostile}",
    "missing store": "export --db {hostile}",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_terminal_gets_no_control_characters(command: str, scanned: tuple[str, Path]) -> None:
    origin, folder = scanned
    hostile = HOSTILE.replace(" ", "_")
    screen = on_terminal(*(word.format(site=origin, hostile=hostile) for word in command.split()), cwd=folder)
    assert screen
    assert not CONTROLS.findall(OWN.sub("", screen).replace("\r\n", "\n")), repr(screen)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_control_characters_are_escaped_in_every_encoding(encoding: str, scanned: tuple[str, Path]) -> None:
    """click bypasses the text stream if it considers its encoding misconfigured."""
    screen = on_terminal(
        "search", "wells", "--embedder", "none", "--format", "jsonl",
        cwd=scanned[1], environment={"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert r"\u001b" in screen
    assert not CONTROLS.findall(screen)


@pytest.mark.parametrize("command", ["export --format jsonl", "dive --dive 1 --export jsonl"])
def test_escaped_json_on_a_terminal_parses_like_json_in_a_pipe(command: str, scanned: tuple[str, Path]) -> None:
    screen = on_terminal(*command.split(), cwd=scanned[1])
    piped = headwater(*command.split(), cwd=scanned[1]).out
    assert screen != piped
    assert [json.loads(line) for line in screen.splitlines()] == [json.loads(line) for line in piped.split("\n")[:-1]]


def test_files_and_pipes_get_the_unchanged_text(scanned: tuple[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    assert headwater("export", "-o", str(file), cwd=scanned[1]).code == 0
    assert HOSTILE in file.read_text()
    assert headwater("export", "--format", "csv", cwd=scanned[1]).out.count(HOSTILE) > 1
