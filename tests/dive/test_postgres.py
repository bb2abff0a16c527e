"""Dives in PostgreSQL are read, searched, asked and exported from the command line and by MCP tools."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import TYPE_CHECKING

import psycopg

from headwater.mcp.tools import Tools
from headwater.settings import Settings
from tests.commands import headwater
from tests.dive.canoe_site import TOPICS, guides
from tests.sites.table_site import table_site

if TYPE_CHECKING:
    from pathlib import Path

LOADING = "How do I keep my vessel balanced when loading luggage?"


def test_a_dive_in_postgresql(database: str, tmp_path: Path) -> None:
    with table_site(guides) as site:
        found = headwater("discover", site.origin, "--db", database, "--quiet", "-o", str(tmp_path / "x.txt"))
        assert found.code == 0, found.err
        read = headwater("dive", "guides", "--db", database, "--export", "md", "-o", str(tmp_path / "out"))
        assert "5 of 5 pages, 5 passages" in read.err
    assert TOPICS["knots"][1] in (tmp_path / "out" / "guides-knots.md").read_text()
    searched = headwater("search", LOADING, "--db", database, "--format", "jsonl")
    first = json.loads(searched.out.splitlines()[0])
    assert (searched.err, first["heading"], first["meaning_rank"]) == ("", "Packing a canoe", 1)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    answer = headwater("ask", "When", "should", "I", "leave", "the", "lake?", "--db", database)
    assert TOPICS["weather"][1] in answer.out
    asyncio.run(use_tools(database, first["similarity"]))


async def use_tools(database: str, similarity: float) -> None:
    """Check that a search with pgvector, which the server has by now, finds the same."""
    async with aclosing(Tools(Settings(db=database))) as tools:
        first = (await tools.search_dive(LOADING))["hits"][0]
        assert (first["heading"], abs(first["similarity"] - similarity) < 0.01) == ("Packing a canoe", True)
        assert (await tools.search_dive("bowlines"))["hits"][0]["word_rank"] == 1
        assert (await tools.ask_dive("How does one mend a crack in the hull?"))["citations"]
        url = (await tools.list_urls(contains="rapids"))["urls"][0]["url"]
        assert TOPICS["rapids"][1] in (await tools.get_page_markdown(url))["markdown"]
