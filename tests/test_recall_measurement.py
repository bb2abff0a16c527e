"""The measurement of recall: true pages answer, and optional pages do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.recall.builds import BuildError
from bench.recall.files import live_files
from bench.recall.held_back.applications import docsify_route
from bench.recall.held_back.forum import forum
from bench.recall.held_back.portal import portal
from bench.recall.score import score
from bench.recall.sections import keep_sections, replace_section
from bench.recall.site import Answer, LiveSite, Request, url_of_name
from bench.recall.truth import check_truth

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ORIGIN = "http://127.0.0.1:1"


@pytest.mark.parametrize("build", [forum, portal])
def test_every_true_page_answers_with_html(build: Callable[[], LiveSite]) -> None:
    check_truth("site", build())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(b"", status=404), "answers 404"),
        (Answer(b"", "application/pdf"), "answers 200 application/pdf"),
        (Answer(b"", status=301, headers=(("Location", "/"),)), "answers 301"),
    ],
)
def test_a_true_page_that_is_no_page_is_an_error(answer: Answer, message: str) -> None:
    def respond(_: Request) -> Answer:
        return answer

    with pytest.raises(BuildError, match=message):
        check_truth("site", LiveSite(frozenset({"/a"}), respond))


def test_a_site_without_pages_is_an_error() -> None:
    with pytest.raises(BuildError, match="has no pages"):
        check_truth("site", LiveSite(frozenset(), lambda _: Answer(b"")))


def test_a_true_page_counted_under_another_name_is_an_error() -> None:
    site = LiveSite(frozenset({"/a"}), lambda _: Answer(b""), page_of=lambda _: "/b")
    with pytest.raises(BuildError, match="is counted as /b"):
        check_truth("site", site)


def test_optional_pages_are_neither_missed_nor_wrong(tmp_path: Path) -> None:
    for name in ("index.html", "menu.html", "page.html"):
        (tmp_path / name).write_text(name)
    site = live_files(tmp_path, optional=(r"^menu\.html$",))
    for urls in (["/", "/page.html"], ["/", "/page.html", "/menu.html"]):
        counted = score(site, ORIGIN, [ORIGIN + one for one in urls])
        assert (counted.pages, counted.found, counted.wrong, counted.repeated) == (2, 2, [], [])


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("index.html", "/"),
        ("guide/index.html", "/guide/"),
        ("keyword_index.html", "/keyword_index.html"),
        ("a b.html", "/a%20b.html"),
        ("/forum?f=2", "/forum?f=2"),
    ],
)
def test_urls_of_pages(name: str, url: str) -> None:
    assert url_of_name(name) == url


@pytest.mark.parametrize(
    ("target", "route"),
    [
        ("/", "/"),
        ("/#/", "/"),
        ("/#/guide/", "/guide/"),
        ("/#/guide/README", "/guide/"),
        ("/#/guide/chapter-1?id=example", "/guide/chapter-1"),
        ("/guide/chapter-1.md", "/guide/chapter-1.md"),
    ],
)
def test_routes_of_docsify(target: str, route: str) -> None:
    assert docsify_route(ORIGIN + target) == route


def test_sections_are_replaced_added_and_kept() -> None:
    page = "# Recall\n\nText.\n\n## one\n\n1\n\n## two\n\n2\n"
    assert replace_section(page, "one", "new\n") == "# Recall\n\nText.\n\n## one\n\nnew\n\n## two\n\n2\n"
    added = replace_section(page, "three", "3")
    assert added == page + "\n## three\n\n3\n"
    assert replace_section(added, "three", "3") == added
    assert keep_sections("# Recall\n\n## one\n\n5\n", added, ("three", "four")) == (
        "# Recall\n\n## one\n\n5\n\n## three\n\n3\n"
    )
