"""Every command with --db works with a PostgreSQL server and never shows its password."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest
from sample.serve import sample_site

from headwater.store import open_store
from tests.cli.test_discover import slow_site
from tests.commands import headwater, running, until
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from pathlib import Path


def test_commands_print_the_same_as_with_a_file(database: str, tmp_path: Path) -> None:
    stores = (str(tmp_path / "x.db"), database)
    with sample_site() as origin:
        outputs_by_store = []
        for db in stores:
            outputs = [headwater("discover", origin, "--db", db).out]
            outputs.append(headwater("export", "--db", db, "--format", "md").out)
            outputs.append(headwater("crawl", origin, "--db", db, "--format", "text", "--quiet").out)
            outputs.append(headwater("explain", f"{origin}/guides/winter.html", "--db", db).out)
            outputs.append(headwater("resume", "--db", db).out)
            outputs_by_store.append(outputs)
    assert outputs_by_store[0] == outputs_by_store[1]


def test_diff_prints_changes(database: str) -> None:
    with table_site(lambda _: {"/": '<a href="/a">a</a><a href="/b">b</a>', "/a": "A", "/b": "B"}) as site:
        headwater("discover", site.origin, "--db", database)
        site.answers["/a"] = Answer("changed")
        site.answers["/"] = Answer('<a href="/a">a</a><a href="/c">c</a>')
        site.answers["/c"] = site.answers.pop("/b")
        headwater("discover", site.origin, "--db", database)
        result = headwater("diff", "--db", database)
    assert result.code == 4
    assert sorted(result.out.replace(site.origin, "").splitlines()) == ["+ /c", "- /b", "~ /", "~ /a"]


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_scan_can_be_resumed(kind: signal.Signals, database: str, tmp_path: Path) -> None:
    with table_site(slow_site) as site:
        options = ["--max-depth", "20", "--max-parallel", "4"]
        uninterrupted = headwater("discover", site.origin, "--db", str(tmp_path / "calm.db"), *options)
        with running(tmp_path, "discover", site.origin, "--db", database, *options) as command:
            store = open_store(database)
            until(lambda: (scan := store.last_scan()) and store.counts(scan.number).fetched > 5)
            command.process.send_signal(kind)
            command.wait()
        assert "Traceback" not in command.err
        assert headwater("resume", "--db", database).code == 0
        assert headwater("export", "--db", database).out == uninterrupted.out
        store.close()


def test_the_password_is_neither_shown_nor_stored(database: str) -> None:
    secret = database.replace("postgres:@", "postgres:hush@").replace("postgres@", "postgres:hush@")
    assert "hush" in secret
    with sample_site() as origin:
        results = [
            headwater("discover", origin, "--db", secret),
            headwater("export", "--db", secret, "--format", "json"),
            headwater("settings", "--db", secret),
            headwater("resume", "--db", secret),
            headwater("diff", "--db", secret),
        ]
    assert not any("hush" in result.out + result.err for result in results)
    store = open_store(database)
    scan = store.last_scan()
    assert scan is not None
    assert "hush" not in json.dumps(scan.settings)
    store.close()


def test_an_unreachable_server_is_reported() -> None:
    for command in (
        ["discover", "https://e.com"],
        ["resume"],
        ["export"],
        ["diff"],
        ["explain", "https://e.com/"],
        ["serve"],
    ):
        result = headwater(*command, "--db", "postgresql://me:hush@127.0.0.1:9/x")
        assert (result.code, "cannot be used as a store" in result.err, "hush" in result.err) == (2, True, False), (
            command
        )
