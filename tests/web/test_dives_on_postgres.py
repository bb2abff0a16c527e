"""Dives through the API over PostgreSQL: reading, search, questions, conversation, export."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.dive.canoe_site import TOPICS, guides
from tests.sites.table_site import table_site
from tests.web.conftest import store_of
from tests.web.serving import serving

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

KNOT = "Which knot makes a loop that does not slip?"


def test_a_dive_from_start_to_end(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with (
        table_site(guides) as site,
        store_of("postgres", tmp_path, request) as db,
        serving(tmp_path, db=db, environment={"HEADWATER_EMBEDDER": "none"}) as server,
    ):
        number = server.dive(server.scan(site.origin), "Guides")
        dive = f"/api/v1/dives/{number}"
        assert server.request(dive).json["state"] == "done"
        documents = server.request(f"{dive}/documents").json["documents"]
        assert {row["url"].rpartition("/")[2] for row in documents} == set(TOPICS)
        hits = server.request(f"{dive}/search?q={quote(KNOT)}").json["hits"]
        assert hits[0]["page_url"].endswith("/guides/knots")
        lines = server.request(f"{dive}/ask", {"question": KNOT}).body.decode().splitlines()
        answer = json.loads(lines[-1])
        assert answer["kind"] == "answer"
        assert answer["citations"]
        assert [turn["role"] for turn in server.request(f"{dive}/messages").json["messages"]] == ["user", "assistant"]
        assert server.request(f"{dive}/messages", method="DELETE").status in {200, 204}
        assert server.request(f"{dive}/messages").json["messages"] == []
        assert server.request(f"{dive}/export?format=jsonl").body.count(b"\n") == len(TOPICS)
        assert server.request(f"/dives/{number}/documents").status == 200
        assert server.request(f"{dive}/again", b"").json == {"dive": number}
        assert server.wait(number, "dives") == "done"
