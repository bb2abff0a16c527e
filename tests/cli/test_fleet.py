"""The commands of a fleet: results, and clear messages for mistakes, which change nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.commands import Result, headwater

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = (
    ["submit", "https://e.com"],
    ["worker"],
    ["status"],
    ["pause", "e.com"],
    ["cancel", "e.com"],
    ["resume", "e.com"],
)


@pytest.fixture
def db(database: str) -> dict[str, str]:
    return {"HEADWATER_DB": database}


def rows(db: dict[str, str], query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(db["HEADWATER_DB"]) as connection:
        return connection.execute(query.encode()).fetchall()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("headwater.db", "a fleet needs PostgreSQL"),
        ("postgresql://me:hush@127.0.0.1:9/x", "postgresql://127.0.0.1:9/x cannot be used as a store: no answer"),
    ],
)
def test_commands_need_a_reachable_server(command: list[str], url: str, message: str, tmp_path: Path) -> None:
    result = headwater(*command, "--db", url, cwd=tmp_path)
    assert (result.code, message in result.err, "hush" in result.err) == (2, True, False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS[:3], ids=lambda command: command[0])
def test_a_newer_schema_is_rejected(command: list[str], db: dict[str, str]) -> None:
    headwater("submit", "https://e.com", environment=db)
    with psycopg.connect(db["HEADWATER_DB"]) as connection:
        connection.execute("UPDATE headwater SET version = 99")
    result = headwater(*command, environment=db)
    assert (result.code, "newer Headwater" in result.err) == (2, True)


def test_a_newer_queue_is_rejected(db: dict[str, str]) -> None:
    headwater("submit", "https://e.com", environment=db)
    with psycopg.connect(db["HEADWATER_DB"]) as connection:
        connection.execute("UPDATE headwater SET queue = '99.00.00_01_later.sql'")
    result = headwater("worker", environment=db)
    assert (result.code, "queue of a newer Headwater" in result.err) == (2, True)


def submit(db: dict[str, str], *arguments: str, lines: str = "") -> Result:
    return headwater("submit", *arguments, environment=db, stdin=lines.encode())


def test_lines_that_are_not_urls_are_reported_and_skipped(db: dict[str, str]) -> None:
    garbage = "ftp://e.com/\n\x1b[31mred\nhttps://\nhttps://me:secret@e.com/\n" + "x" * 100_000 + "\n"
    result = submit(db, lines="\ufeffhttps://a.com\n\n# a comment\r\nb.com/docs\r\n" + garbage)
    assert (result.code, result.err.splitlines()[-1]) == (
        0,
        "2 new, 0 submitted again, 0 already waiting or running; 5 lines skipped",
    )
    assert "line 5: ftp://e.com/ cannot be used: ftp: is not http or https" in result.err
    assert "secret" not in result.err
    assert "\x1b" not in result.err
    assert rows(db, "SELECT seeds, host FROM site ORDER BY number") == [
        ('["https://a.com/"]', "a.com"),
        ('["https://b.com/docs"]', "b.com"),
    ]


def test_strict_submits_all_or_nothing(db: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text("https://a.com\nnonsense://\nftp://b.com\n")
    result = submit(db, "--file", str(tmp_path / "sites.txt"), "--strict")
    assert (result.code, "sites.txt:2" in result.err) == (2, True)
    assert result.err.endswith("Error: --strict: nothing was started because 2 lines are not URLs\n")
    assert rows(db, "SELECT count(*) FROM site") == [(0,)]


def test_known_sites_are_not_submitted_twice(db: dict[str, str]) -> None:
    first = submit(db, "https://a.com", "a.com", "https://A.com/", "https://b.com")
    assert first.err.startswith("2 new, 0 submitted again, 0")
    second = submit(db, "https://a.com", "https://c.com", "--priority", "5")
    assert second.err.startswith("1 new, 0 submitted again, 1 already")
    assert rows(db, "SELECT host, priority, state FROM site ORDER BY host") == [
        ("a.com", 5, "waiting"),
        ("b.com", 0, "waiting"),
        ("c.com", 5, "waiting"),
    ]


def test_files_of_many_lines_are_streamed(db: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text("".join(f"site{number}.example\n" for number in range(30_000)))
    assert submit(db, "--file", str(tmp_path / "sites.txt")).err.startswith("30,000 new")
    assert rows(db, "SELECT count(DISTINCT host) FROM site") == [(30_000,)]
    assert json.loads(headwater("status", "--format", "json", environment=db).out)["due"] == 30_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["https://e.com", "--every", "soon"], "--every"),
        (["https://e.com", "--every", "0s"], "expected a number of seconds"),
        (["https://e.com", "--header", "Cookie: x"], "never stored"),
        (["https://e.com", "--exclude", "re:("], "exclude"),
        (["--file", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["https://e.com", "--priority", "high"], "--priority"),
    ],
)
def test_mistakes_are_reported(arguments: list[str], message: str, db: dict[str, str]) -> None:
    result = submit(db, *arguments)
    assert (result.code, message in result.err) == (2, True), result.err
    assert rows(db, "SELECT count(*) FROM pg_tables WHERE tablename = 'site'")[0][0] in {0, 1}


def test_submitting_nothing_is_a_failure(db: dict[str, str]) -> None:
    assert submit(db, lines="# nothing\n").code == 1


def test_unknown_sites_are_reported_and_nothing_is_changed(db: dict[str, str]) -> None:
    submit(db, "https://a.com", "https://a.com/docs", "https://b.com")
    result = headwater("pause", "https://a.com", "https://nowhere.com", environment=db)
    assert (result.code, "nowhere.com is not a site of this fleet" in result.err) == (1, True)
    assert rows(db, "SELECT count(*) FROM site WHERE state = 'paused'") == [(0,)]
    assert headwater("pause", "https://a.com/x", environment=db).out == "2 sites paused\n"
    assert headwater("pause", "https://a.com", environment=db).out == "0 sites paused, 1 unchanged\n"
    assert headwater("resume", "https://a.com/docs", environment=db).out == "1 site resumed\n"
    assert headwater("cancel", "a.com", "b.com", environment=db).out == "2 sites cancelled\n"
    text = headwater("status", environment=db).out
    assert text.startswith("sites    1 waiting, 2 cancelled; 1 due")
