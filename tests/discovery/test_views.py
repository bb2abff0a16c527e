"""Views of pages are not listed: sort orders, print versions, reply forms, edit forms, empty months."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest

from tests.commands import headwater
from tests.sites.table_site import Answer, ReceivedRequest, serve

if TYPE_CHECKING:
    from pathlib import Path

ARTICLES = 24
MONTHS = ("May", "June", "July")
TRUE_PAGES = {
    "/", "/list", "/list?page=2", "/events/2024-05",
    *(f"/a/{number}" for number in range(ARTICLES)), *(f"/item?id={number}" for number in range(12)),
}  # fmt: skip


def sentence(number: int) -> str:
    return f"<p>Sentence {number}, which is long enough to count as the content of a page.</p>"


def wrap(title: str, body: str, head: str = "") -> str:
    return f"<title>{title}</title>{head}<body><h1>{title}</h1>{body}"


def make_page(path: str, query: dict[str, list[str]]) -> str | None:
    """Return a page of a small magazine; the same for every order of requests."""
    articles = [f'<a href="/a/{number}">Article {number}</a>' for number in range(ARTICLES)]
    if path == "/":
        items = "".join(f'<a href="/item?id={number}">Item</a>' for number in range(12))
        return wrap("Start", f'<a href="/list">List</a><a href="/events/2024-05">Events</a>{items}')
    if path == "/list":
        shown = articles[12:] if query.get("page") == ["2"] else articles[:12]
        orders = "".join(f'<a href="/list?sort={one}">{one}</a>' for one in ("age", "name"))
        return wrap(
            "List", "".join(shown[::-1] if "sort" in query else shown) + orders + '<a href="/list?page=2">2</a>'
        )
    if path.startswith("/a/") and path.count("/") == 2:
        number = int(path[3:])
        views = f'<a href="{path}?print=1">Print</a><a href="/edit?name={number}&action=edit">Edit</a>'
        canonical = f'<link rel="canonical" href="{path}">'
        reply = f'<a href="{path}?reply=7">Reply</a><p>{"Cancel" if "reply" in query else ""}</p>'
        return wrap(f"Article {number}", sentence(number) + ("" if "print" in query else views + reply), canonical)
    if path == "/edit":
        return wrap(
            f"Edit {query['name'][0]}", "<textarea></textarea>", '<meta name="robots" content="noindex,nofollow">'
        )
    if path == "/item":
        return wrap("Item", sentence(100 + int(query["id"][0])))
    return make_month(path[8:]) if path.startswith("/events/") else None


def make_month(name: str) -> str:
    place = int(name[:4]) * 12 + int(name[5:]) - 1
    around = (f"{one // 12}-{one % 12 + 1:02}" for one in (place - 1, place + 1))
    links = "".join(f'<a href="/events/{one}">{one}</a>' for one in around)
    label = f"{MONTHS[place % 3]} {name[:4]}"
    return wrap(
        f"Events in {label}", f"<h2>{label}</h2><p>{'Concert' if name == '2024-05' else 'No events'}</p>{links}"
    )


def answer(request: ReceivedRequest) -> Answer:
    path, _, query = request.path.partition("?")
    page = make_page(path, parse_qs(query))
    return Answer("", 404, "text/html") if page is None else Answer(page, type="text/html")


def scan(origin: str, db: Path, *flags: str) -> list[dict[str, Any]]:
    command = ["discover", origin, "--db", str(db), "--format", "jsonl", "--list", "all", "--render", "never"]
    result = headwater(*command, "--retries", "0", *flags)
    assert result.code == 0, result.err
    (db.parent / "summary").write_text(result.err)
    rows = [json.loads(line) for line in result.out.splitlines()]
    return [
        {name: value for name, value in row.items() if name not in {"first_seen", "last_seen", "response_ms"}}
        for row in rows
    ]


def select(rows: list[dict[str, Any]], origin: str, **wanted: str) -> set[str]:
    return {
        row["url"].removeprefix(origin) for row in rows if all(row.get(name) == value for name, value in wanted.items())
    }


def test_views_are_listed_once_and_have_a_reason(tmp_path: Path) -> None:
    with serve(answer) as site:
        rows = scan(site.origin, tmp_path / "scan.db")
        assert select(rows, site.origin, list="pages") == TRUE_PAGES
        views = {row["url"].removeprefix(site.origin): row for row in rows if row["list"] == "duplicates"}
        reasons = {row["reason"] for row in views.values()}
        assert reasons == {"same-content", "page-view", "noindex-view", "empty-period", "unvisited-view"}
        assert views["/a/0?print=1"]["duplicate_of"] == f"{site.origin}/a/0"
        assert views["/edit?name=0&action=edit"]["duplicate_of"] == f"{site.origin}/a/0"
        assert views["/list?sort=age"]["duplicate_of"] == f"{site.origin}/list"
        summary = (tmp_path / "summary").read_text()
        assert "unvisited-view 48" in summary
        assert len([row for row in rows if row["state"] == "fetched"]) < 3 * len(TRUE_PAGES)

        again = scan(site.origin, tmp_path / "scan.db")
        assert select(again, site.origin, list="pages") == TRUE_PAGES


@pytest.mark.parametrize("parallel", ["10", "64"])
def test_views_are_the_same_for_any_number_of_requests_at_once(tmp_path: Path, parallel: str) -> None:
    with serve(answer) as site:
        expected = scan(site.origin, tmp_path / "first.db", "--max-parallel", "1")
        assert scan(site.origin, tmp_path / "second.db", "--max-parallel", parallel) == expected


def test_views_are_listed_if_they_are_not_merged(tmp_path: Path) -> None:
    with serve(answer) as site:
        rows = scan(site.origin, tmp_path / "scan.db", "--no-merge-views")
        assert {"/list?sort=age", "/edit?name=0&action=edit"} <= select(rows, site.origin, list="pages")
        assert select(rows, site.origin, list="duplicates") == {"/list?sort=name"}


def test_a_second_scan_of_unchanged_pages_lists_the_same_without_further_requests(tmp_path: Path) -> None:
    requests: list[str] = []

    def validate(request: ReceivedRequest) -> Answer:
        requests.append(request.path)
        found = answer(request)
        is_known = request.headers.get("if-none-match") == '"1"' and found.status == 200
        return Answer(status=304) if is_known else found._replace(headers={"ETag": '"1"'})

    with serve(validate) as site:
        first = scan(site.origin, tmp_path / "scan.db")
        known, requests[:] = set(requests), []
        second = scan(site.origin, tmp_path / "scan.db")
        assert set(requests) <= known
        assert select(second, site.origin, list="pages") == select(first, site.origin, list="pages") == TRUE_PAGES
