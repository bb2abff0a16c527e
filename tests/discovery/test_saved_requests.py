"""Requests that a scan does without, because earlier answers of the site predict what they would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.commands import headwater
from tests.sites.table_site import Answer, ReceivedRequest, serve

if TYPE_CHECKING:
    from pathlib import Path

CHAPTERS = [f"chapter{number}" for number in range(20)]


def wrap(title: str, *links: str) -> Answer:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return Answer(f"<title>{title}</title><h1>{title}</h1><p>The text of {title}.</p>{anchors}")


def scan(origin: str, folder: Path, *flags: str) -> list[str]:
    result = headwater(origin, "--quiet", "--render", "never", "--sources", "", *flags, cwd=folder)
    assert result.code == 0, result.err
    return sorted(url.removeprefix(origin) for url in result.out.split())


def documentation(request: ReceivedRequest) -> Answer | None:
    """Return pages that link to their sources; those of /shown/ are pages, all others plain text."""
    path = request.path
    if path == "/":
        return wrap("Start", *(f"/{one}.html" for one in CHAPTERS), *(f"/shown/{one}.md" for one in CHAPTERS))
    if path.endswith(".html"):
        return wrap(path, f"/_sources/{path[1:-5]}.rst.txt")
    if path.startswith("/shown/"):
        return wrap(path)
    return Answer("Plain text", type="text/plain") if path.startswith("/_sources/") else None


@pytest.mark.parametrize("parallel", ["1", "16"])
def test_of_source_files_that_are_no_pages_only_a_few_are_requested(tmp_path: Path, parallel: str) -> None:
    with serve(documentation) as site:
        found = scan(site.origin, tmp_path, "--max-parallel", parallel)
        assert found == sorted(["/", *(f"/{one}.html" for one in CHAPTERS), *(f"/shown/{one}.md" for one in CHAPTERS)])
        sources = sorted(one.path for one in site.requests if one.path.startswith("/_sources/"))
        assert sources == [f"/_sources/{one}.rst.txt" for one in ("chapter0", "chapter1", "chapter10")]


def test_every_source_file_is_requested_on_demand(tmp_path: Path) -> None:
    with serve(documentation) as site:
        scan(site.origin, tmp_path, "--no-sample-files")
        assert len([one for one in site.requests if one.path.startswith("/_sources/")]) == len(CHAPTERS)


def slashes(request: ReceivedRequest) -> Answer | None:
    """Return pages of three sections: one adds a slash to every path, one to none, one adds or removes it."""
    path = request.path
    if path == "/":
        return wrap("Start", *(f"/{section}/{one}" for section in ("docs", "plain", "mixed") for one in CHAPTERS))
    section, _, name = path.strip("/").partition("/")
    if name not in CHAPTERS:
        return None
    adds_slash = section == "docs" or (section == "mixed" and name in CHAPTERS[:3] + CHAPTERS[10:])
    if path.endswith("/") == adds_slash:
        return wrap(path)
    if section == "plain":
        return None
    return Answer(status=301, headers={"Location": path.rstrip("/") if path.endswith("/") else f"{path}/"})


@pytest.mark.parametrize("parallel", ["1", "16"])
def test_pages_are_requested_with_the_slash_that_the_site_adds(tmp_path: Path, parallel: str) -> None:
    with serve(slashes) as site:
        found = scan(site.origin, tmp_path, "--max-parallel", parallel)
        mixed = [f"/mixed/{one}" + ("/" if one in CHAPTERS[:3] + CHAPTERS[10:] else "") for one in CHAPTERS]
        expected = ["/", *(f"/docs/{one}/" for one in CHAPTERS), *(f"/plain/{one}" for one in CHAPTERS), *mixed]
        assert found == sorted(expected)
        paths = [one.path for one in site.requests]
        redirected = [one for one in paths if one.startswith("/docs/") and not one.endswith("/")]
        assert sorted(redirected) == ["/docs/chapter0", "/docs/chapter1", "/docs/chapter2"]
        assert not [one for one in paths if one.startswith("/plain/") and one.endswith("/")]
