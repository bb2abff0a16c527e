"""Dives through the API: start, watch, stop, resume, read, search, ask; invalid requests."""

from __future__ import annotations

import io
import json
import sqlite3
import urllib.request
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from headwater.settings import SETTINGS
from headwater.store import Dive
from headwater.store.records import Event
from headwater.web.dives.highlight import highlight_words
from headwater.web.dives.inputs import MAX_QUESTION_LENGTH, MAX_SELECTORS
from headwater.web.dives.views import make_stages
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS
from tests.commands import PATIENCE, headwater, until
from tests.dive.canoe_site import TOPICS, guides
from tests.sites.table_site import table_site
from tests.web.scripted_model import KEY, scripted_model
from tests.web.serving import TOKEN, Server, serving
from tests.web.test_api import events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.sites.table_site import TableSite
    from tests.web.scripted_model import ScriptedModel

QUESTION = "Which knot makes a loop that does not slip?"
READ_TOPICS = set(TOPICS) - {"weather"}
UNANSWERABLE = "Which minister of finance resigned in Mongolia last week?"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        yield model


@pytest.fixture(scope="module")
def site() -> Iterator[TableSite]:
    with table_site(guides) as site:
        yield site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, site: TableSite) -> Iterator[Server]:
    """A server without a model, with scan 1 and dive 1 into its guides, one of which was deleted in between."""
    with serving(tmp_path_factory.mktemp("dives")) as server:
        scan = server.scan(site.origin, settings={"retries": 0})
        del site.answers["/guides/weather"]
        server.dive(scan, "Guides")
        yield server


@pytest.fixture(scope="module")
def with_model(tmp_path_factory: pytest.TempPathFactory, server: Server, model: ScriptedModel) -> Iterator[Server]:
    """Another server over the same store, with a model and search by words only."""
    environment = {**model.environment, "HEADWATER_EMBEDDER": "none"}
    with serving(tmp_path_factory.mktemp("with-model"), "--db", str(server.db), environment=environment) as with_model:
        yield with_model


def ask_question(server: Server, question: str, **more: Any) -> list[dict[str, Any]]:
    answer = server.request("/api/v1/dives/1/ask", {"question": question, **more})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/x-ndjson")
    return [json.loads(line) for line in answer.body.decode().splitlines()]


def test_a_dive_reports_its_stages_and_unread_pages(server: Server) -> None:
    view = server.request("/api/v1/dives/1").json
    assert (view["name"], view["state"], view["pages"], view["read"]) == ("Guides", "done", 5, 4)
    assert {one["reason"]: one["count"] for one in view["reasons"]} == {"http-404": 1}
    assert [(stage["name"], stage["state"], stage["count"]) for stage in view["stages"]] == [
        ("reading", "done", 4), ("chunking", "done", 4), ("embedding", "done", 4),
    ]  # fmt: skip
    assert all(stage["seconds"] >= 0 for stage in view["stages"])
    received = list(events(server, "/api/v1/dives/1/events"))
    assert [(name, data["state"]) for _, name, data in received] == [("state", "done"), ("end", "done")]
    assert [one["number"] for one in server.request("/api/v1/dives?scan=1").json["dives"]] == [1]
    assert server.request("/api/v1/dives?scan=2").json == {"dives": [], "cursor": None}


def test_stages_of_older_dives_have_the_current_names() -> None:
    dive = Dive(1, 1, ("https://e.com/",), {}, "done", "none", "2026-01-01", None, 4, 4, 0, 9, 0)
    stored = [{"name": name, "state": "done", "seconds": 1.0} for name in ("reading", "cutting", "embedding")]
    stages = make_stages(dive, Event(1, "2026-01-01", "dive-1", {"stages": stored}), is_live=False)
    assert [(stage.name, stage.count, stage.seconds) for stage in stages] == [
        ("reading", 4, 1.0), ("chunking", 9, 1.0), ("embedding", 0, 1.0),
    ]  # fmt: skip


def test_documents_are_listed_and_returned_as_markdown(server: Server, site: TableSite) -> None:
    first = server.request("/api/v1/dives/1/documents?limit=3").json
    rest = server.request(f"/api/v1/dives/1/documents?limit=3&cursor={first['cursor']}").json
    urls = [one["url"].removeprefix(site.origin) for one in first["documents"] + rest["documents"]]
    assert urls == sorted(f"/guides/{name}" for name in TOPICS)
    (gone,) = server.request("/api/v1/dives/1/documents?state=failed").json["documents"]
    assert (gone["reason"], gone["url"]) == ("http-404", f"{site.origin}/guides/weather")
    page = server.request(f"/api/v1/dives/1/document?url={quote(site.origin + '/guides/knots')}").json
    assert "A bowline makes a loop" in page["markdown"]
    assert "Was this page helpful" not in page["markdown"]  # repeated on every page
    assert server.request(f"/api/v1/dives/1/document?url={quote(gone['url'])}").status == 404


def test_pages_are_exported_in_every_format(server: Server, site: TableSite) -> None:
    def exported(style: str) -> bytes:
        answer = server.request(f"/api/v1/dives/1/export?format={style}")
        assert answer.status == 200
        assert answer.headers["content-disposition"].startswith("attachment")
        return answer.body

    with zipfile.ZipFile(io.BytesIO(exported("zip"))) as archive:
        pages = {f"guides-{name}.md" for name in READ_TOPICS}
        assert set(archive.namelist()) == {*pages, "llms.txt", "llms-full.txt"}
        assert f'url: "{site.origin}/guides/knots"' in archive.read("guides-knots.md").decode()
    lines = [json.loads(line) for line in exported("jsonl").splitlines()]
    assert {line["url"].rpartition("/")[2] for line in lines} == READ_TOPICS
    assert exported("llms").decode().startswith(f"# Guides ({site.origin})")
    assert exported("llms-full").decode().count("Source: ") == len(READ_TOPICS)


def test_search_uses_words_and_meaning_and_can_be_filtered(server: Server, with_model: Server) -> None:
    def found(query: str, where: Server = server) -> Any:
        return where.request(f"/api/v1/dives/1/search?q={query}").json

    best = found("which%20loop%20does%20not%20slip")["hits"][0]
    assert (best["heading"], best["word_rank"], best["meaning_rank"]) == ("Knots for the shore", 1, 1)
    assert best["url"].endswith("/guides/knots#top")
    assert [hit["page_url"].rpartition("/")[2] for hit in found("boat&path=/guides/p*")["hits"]] == ["packing"]
    assert found("boat&language=de")["hits"] == []
    assert found("boat&cluster=Guides&limit=2")["hits"]
    assert found("%22%20OR%20NEAR(*%20AND%20%5B")["note"] == ""
    assert "embedder=none" in found("loop", with_model)["note"]
    assert [hit["meaning_rank"] for hit in found("loop", with_model)["hits"]] == [None]


def test_without_a_model_answers_are_quoted_and_the_conversation_is_kept_until_deleted(server: Server) -> None:
    server.request("/api/v1/dives/1/messages", method="DELETE")
    passages, *pieces, answer = ask_question(server, QUESTION)
    assert passages["passages"][0]["number"] == 1
    assert "".join(piece["text"] for piece in pieces) == answer["text"]
    assert (answer["citations"][0], "no model is configured" in answer["note"]) == (1, True)
    assert ask_question(server, UNANSWERABLE, keep=False)[-1]["is_answered"] is False
    question, kept = server.request("/api/v1/dives/1/messages").json["messages"]
    assert (question["text"], kept["text"]) == (QUESTION, answer["text"])
    assert kept["citations"][0]["passage"] == passages["passages"][0]["passage"]
    assert server.request("/api/v1/dives/1/messages", method="DELETE").json == {"forgotten": 2}
    assert server.request("/api/v1/dives/1/messages").json == {"messages": []}


def test_a_model_answers_and_its_failure_is_reported_without_the_key(with_model: Server, model: ScriptedModel) -> None:
    model.pieces = ["A bowline makes a loop ", "that does not slip [1]. ", "It is famous [7]."]
    answer = ask_question(with_model, QUESTION, keep=False)[-1]
    assert (answer["model"], answer["citations"], answer["dropped"]) == ("scripted", [1], 1)
    model.status = 401
    failure = ask_question(with_model, QUESTION)[-1]
    model.status = 200
    assert failure["kind"] == "failure"
    assert "does not accept the key" in failure["detail"]
    assert KEY not in failure["detail"]
    assert set(model.keys) == {f"Bearer {KEY}"}
    assert with_model.request("/api/v1/dives/1/messages").json == {"messages": []}


def test_disconnecting_cancels_the_request_to_the_model(with_model: Server, model: ScriptedModel) -> None:
    model.is_disconnected.clear()
    body = json.dumps({"question": "Is an endless loop of a knot safe, does it slip?"}).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{with_model.origin}/api/v1/dives/1/ask", body, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
        assert json.loads(stream.readline())["kind"] == "passages"
        assert json.loads(stream.readline())["kind"] == "piece"
    assert model.is_disconnected.wait(PATIENCE)
    assert with_model.request("/api/v1/dives/1/messages").json == {"messages": []}


def test_a_dive_is_stopped_and_continued_and_reads_no_page_twice(tmp_path: Path) -> None:
    with serving(tmp_path, environment={"HEADWATER_EMBEDDER": "none"}) as server, table_site(guides) as site:
        server.scan(site.origin, settings={"retries": 0})
        answers = dict(site.answers)
        for path in set(answers) - {"/guides/packing", "/guides/rapids"}:  # these are read first
            site.answers[path] = answers[path]._replace(delay=PATIENCE)
        site.hits.clear()
        body = {"scan": 1, "match": ["/guides/*"], "settings": {"max_dive_pages": 4}}
        assert server.request("/api/v1/dives", body).json == {"dive": 1}
        until(lambda: server.request("/api/v1/dives/1").json["read"] >= 2)
        assert server.request("/api/v1/dives", body).status == 409
        assert server.request("/api/v1/dives/1/again", b"").status == 409
        assert server.request("/api/v1/dives/1/cancel", b"").status == 200
        assert server.wait(1, "dives") == "interrupted"
        site.answers = answers
        assert server.request("/api/v1/dives/1/again", b"").status == 200
        assert server.wait(1, "dives") == "done"
        assert server.request("/api/v1/dives/1/cancel", b"").status == 409
        assert (site.hits["/guides/packing"], site.hits["/guides/rapids"]) == (1, 1)
        view = server.request("/api/v1/dives/1").json
        assert (view["read"], view["stages"][2]["state"]) == (4, "skipped")  # it keeps the settings it was started with
        assert server.request("/api/v1/dives/1/documents").json["documents"][0]["state"] == "done"


def test_private_addresses_are_rejected_and_dives_of_the_command_line_are_shown(tmp_path: Path) -> None:
    environment = {"HEADWATER_EMBEDDER": "none"}
    with serving(tmp_path, allow_private="", environment=environment) as server, table_site(guides) as site:
        db = str(server.db)
        headwater("discover", site.origin, "--db", db, "--quiet", "-o", str(tmp_path / "x"), "--retries", "0")
        hits = sum(site.hits.values())
        assert server.request("/api/v1/dives", {"scan": 1, "clusters": ["Guides"]}).status == 403
        assert sum(site.hits.values()) == hits
        assert headwater("dive", "guides", "--db", db, "--quiet", environment=environment).code == 0
        assert [stage["state"] for stage in server.request("/api/v1/dives/1").json["stages"]] == [
            "done",
            "done",
            "skipped",
        ]
        hits = sum(site.hits.values())
        assert server.request("/api/v1/dives/1/again", b"").status == 403
        assert sum(site.hits.values()) == hits
        with closing(sqlite3.connect(server.db)) as store, store:
            store.execute("UPDATE dive SET state = 'running', started = '2020-01-01T00:00:00+00:00'")
            store.execute("UPDATE event SET at = ? WHERE kind = 'dive-1'", (datetime.now(UTC).isoformat(),))
            store.commit()
            assert server.request("/api/v1/dives/1").json["state"] == "running"  # its last event is recent
            store.execute("UPDATE event SET at = '2020-01-01T00:00:01+00:00' WHERE kind = 'dive-1'")
            store.commit()
        view = server.request("/api/v1/dives/1").json
        assert (view["state"], view["is_live"]) == ("stalled", False)


def test_a_dive_is_offered_for_filters_that_a_dive_can_express(server: Server, site: TableSite) -> None:
    def offers(path: str) -> bool:
        return b"Deep dive into these pages" in server.request(f"/scans/1/urls?{path}").body

    number = server.request("/api/v1/scans/1/clusters").json["clusters"][0]["number"]
    under = quote(f"{site.origin}/guides/")
    assert offers(f"cluster={number}")
    assert offers(f"under={under}&sort=title")
    assert not offers("")
    assert not offers(f"cluster={number}&status=200")
    assert f'value="{site.origin}/guides/*"'.encode() in server.request(f"/scans/1/dive?under={under}").body


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("", {}, 422),
        ("", {"scan": 1}, 422),
        ("", {"scan": 1, "clusters": []}, 422),
        ("", {"scan": True, "clusters": ["Guides"]}, 422),
        ("", {"scan": 99, "clusters": ["Guides"]}, 404),
        ("", {"scan": 1, "clusters": ["Nobody has this"]}, 422),
        ("", {"scan": 1, "clusters": "Guides"}, 422),
        ("", {"scan": 1, "clusters": ["\ud800"]}, 422),
        ("", {"scan": 1, "clusters": ["Guides"] * (MAX_SELECTORS + 1)}, 422),
        ("", {"scan": 1, "match": ["re:("]}, 422),
        ("", {"scan": 1, "match": ["/nothing/*"]}, 422),
        ("", {"scan": 1, "clusters": ["Guides"], "all_languages": "yes"}, 422),
        ("", {"scan": 1, "clusters": ["Guides"], "model": "x"}, 422),
        ("/1/ask", {}, 422),
        ("/1/ask", {"question": "   "}, 422),
        ("/1/ask", {"question": "x" * (MAX_QUESTION_LENGTH + 1)}, 422),
        ("/1/ask", {"question": "\udcff"}, 422),
        ("/1/ask", {"question": "x", "model": "other"}, 422),
        ("/1/ask", {"question": "x", "keep": 1}, 422),
        ("/1/ask", b"question", 400),
        ("/99/ask", {"question": "x"}, 404),
        ("/99/cancel", b"", 404),
        ("/99/again", b"", 404),
        ("/1/cancel", b"", 409),
        ("/1/search", None, 400),
        ("/1/search?q=x&cluster=Nobody", None, 422),
        ("/1/search?q=x&path=re:(", None, 422),
        ("/1/search?q=x&limit=1000", None, 400),
        ("/1/export?format=../../etc/passwd", None, 400),
        ("/1/document?url=file:///etc/passwd", None, 400),
        ("/1/documents?cursor=W10", None, 400),
        ("/99", None, 404),
        ("/99/events", None, 404),
    ],
)
def test_invalid_requests_are_problems(server: Server, path: str, body: Any, status: int) -> None:
    answer = server.request(f"/api/v1/dives{path}", body)
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json["status"] == status
    assert len(server.request("/api/v1/dives").json["dives"]) == 1


@pytest.mark.parametrize("name", sorted(set(SETTINGS) - set(ALLOWED_SETTINGS)))
def test_a_request_cannot_set_files_model_servers_or_keys(server: Server, name: str) -> None:
    assert {"openai_base_url", "openai_api_key", "chat_model", "embedding_model"}.isdisjoint(ALLOWED_SETTINGS)
    answer = server.request("/api/v1/dives", {"scan": 1, "clusters": ["Guides"], "settings": {name: "x"}})
    assert (answer.status, answer.json["name"]) == (422, name)


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Packing a canoe, packed well.", "how do I pack", ["Packing", "packed"]),
        ("<b>bold</b>", "bold <b>", ["b", "bold", "b"]),
        ("the of and", "the of and", []),
        ("snake_case here", "snake_case", ["snake", "case"]),
        ("", "x", []),
    ],
)
def test_words_of_a_query_are_highlighted(text: str, query: str, marked: list[str]) -> None:
    pieces = highlight_words(text, query)
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, is_marked in pieces if is_marked] == marked
