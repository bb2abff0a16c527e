"""`headwater watch` reports what changed on a site: on screen, by exit code, as a feed, and to a webhook."""

from __future__ import annotations

import hashlib
import hmac
import json
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import feedparser
import pytest

from headwater.store import SqliteStore
from tests.commands import headwater, running, until
from tests.sites.table_site import Answer, ReceivedRequest, TableSite, serve, table_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.commands import Result
    from tests.sites.table_site import Server

SECRET = "a secret"
QUICK_FLAGS = ("--retries", "0", "--render", "never")


class Hook(NamedTuple):
    """A running webhook; it answers with these statuses in turn, then with 200."""

    server: Server
    statuses: list[int]

    @property
    def url(self) -> str:
        return f"{self.server.origin}/hook?site=1"

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The accepted messages, whose signatures are checked."""
        for request in self.server.requests:
            expected = hmac.new(SECRET.encode(), request.body, hashlib.sha256).hexdigest()
            assert request.headers["x-headwater-signature-256"] == f"sha256={expected}"
            assert (request.method, request.headers["content-type"]) == ("POST", "application/json")
        return [json.loads(request.body) for request in self.server.requests]


@contextmanager
def webhook(*statuses: int) -> Iterator[Hook]:
    left = list(statuses)

    def answer(_: ReceivedRequest) -> Answer:
        return Answer("", left.pop(0) if left else 200)

    with serve(answer) as server:
        yield Hook(server, left)


def page(*links: str, text: str = "") -> Answer:
    return Answer("".join(f'<a href="{link}">{link}</a>' for link in links) + f"<p>{text or ' '.join(links)}</p>")


def watch(site: TableSite, folder: Path, *options: str) -> Result:
    given = ("--once", "--db", "x.db", "--feed", "changes.atom", *QUICK_FLAGS, *options)
    return headwater("watch", site.origin, *given, cwd=folder, environment={"HEADWATER_WEBHOOK_SECRET": SECRET})


def read_feed(folder: Path, origin: str) -> list[tuple[str, str]]:
    """Return the changes and paths of the entries, the newest first."""
    feed = feedparser.parse(str(folder / "changes.atom"))
    assert not feed.bozo
    return [(entry.tags[0].term, entry.link.removeprefix(origin)) for entry in feed.entries]


def test_a_site_that_changes_five_times(tmp_path: Path) -> None:
    """The feed, the webhook, the output and the exit code say exactly what changed."""
    pages = {"/": page("/a", "/b"), "/a": page(text="a"), "/b": page(text="b")}
    with table_site(lambda _: pages) as site, webhook() as hook:

        def turn(*options: str) -> list[str]:
            result = watch(site, tmp_path, "--webhook", hook.url, *options)
            lines = result.out.replace(site.origin, "").splitlines()
            assert result.code == (4 if lines else 0), result.err
            return lines

        assert turn() == []
        assert turn() == []
        assert (read_feed(tmp_path, site.origin), hook.messages) == ([], [])

        site.answers |= {"/": page("/a", "/b", "/c"), "/c": page(text="c")}
        assert turn() == ["new\t/c", "changed\t/"]
        site.answers["/a"] = page(text="a, changed")
        assert turn() == ["changed\t/a"]
        b = site.answers.pop("/b")
        assert turn() == ["gone\t/b"]
        site.answers["/b"] = b
        assert turn() == ["back\t/b"]
        site.answers |= {"/c": Answer(status=301, headers={"Location": "/d"}), "/d": page(text="c")}
        assert turn() == ["moved\t/c\t/d"]
        assert turn() == []

        expected = [
            [("new", "/c", None), ("changed", "/", None)],
            [("changed", "/a", None)],
            [("gone", "/b", None)],
            [("back", "/b", None)],
            [("moved", "/c", "/d")],
        ]
        sent = [
            [tuple(one[name] and one[name].removeprefix(site.origin) for name in ("change", "url", "moved_to"))
             for one in message["changes"]]
            for message in hook.messages
        ]  # fmt: skip
        assert sent == expected
        assert [message["scan"] for message in hook.messages] == [3, 4, 5, 6, 7]
        assert hook.messages[0]["counts"] == {"new": 1, "changed": 1, "gone": 0, "back": 0, "moved": 0}
        assert read_feed(tmp_path, site.origin) == [
            ("moved", "/d"), ("back", "/b"), ("gone", "/b"), ("changed", "/a"), ("new", "/c"), ("changed", "/")
        ]  # fmt: skip

        history = headwater("history", f"{site.origin}/b", "--db", "x.db", cwd=tmp_path).out.splitlines()
        assert [line.split()[-1] for line in history[1:]] == ["new", "gone", "back"]
        rows = json.loads(headwater("history", f"{site.origin}/c", "--json", "--db", "x.db", cwd=tmp_path).out)
        assert [(row["scan"], row["change"], row["moved_to"]) for row in rows[0]["events"]] == [
            (3, "new", ""), (7, "moved", f"{site.origin}/d")
        ]  # fmt: skip
        unknown = headwater("history", f"{site.origin}/x", "--db", "x.db", cwd=tmp_path)
        assert (unknown.code, "no scan" in unknown.err) == (1, True)


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_a_page_with_the_same_content_at_a_new_url_has_moved(
    backend: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    db = request.getfixturevalue("database") if backend == "postgres" else "x.db"
    with table_site(lambda _: {"/": page("/a"), "/a": page(text="Lakes of the Alps")}) as site:
        watch(site, tmp_path, "--db", db)
        site.answers = {"/": page("/b"), "/b": site.answers["/a"]}
        result = watch(site, tmp_path, "--db", db)
    assert read_feed(tmp_path, site.origin) == [("changed", "/"), ("moved", "/b")]
    assert result.out.replace(site.origin, "").splitlines() == ["changed\t/", "moved\t/a\t/b"]


def test_pages_that_fail_to_load_or_that_a_limit_left_out_are_not_gone(tmp_path: Path) -> None:
    pages = {f"/{number}": page(text=f"page {number}") for number in range(8)}
    with table_site(lambda _: {"/": page(*pages), **pages}) as site:
        assert watch(site, tmp_path).code == 0
        site.answers["/3"] = Answer("", 503)
        for limits in ((), ("--max-pages", "3")):
            assert watch(site, tmp_path, *limits).code == 0
            compared = headwater("diff", "1", "--db", "x.db", cwd=tmp_path)
            assert (compared.code, compared.out) == (0, ""), compared.err
        site.answers["/3"] = pages["/3"]
        del site.answers["/5"]
        result = watch(site, tmp_path)
    assert (result.code, result.out) == (4, f"gone\t{site.origin}/5\n")


def test_cron_has_nothing_to_mail_if_nothing_changed(tmp_path: Path) -> None:
    with table_site(lambda _: {"/": page("/missing")}) as site:
        results = [watch(site, tmp_path, "--quiet") for _ in range(2)]
    assert [(one.code, one.out, one.err) for one in results] == [(0, "", "")] * 2


def test_a_webhook_that_fails_is_tried_again(tmp_path: Path) -> None:
    with table_site(lambda _: {"/": page(text="1")}) as site, webhook(503) as hook:
        watch(site, tmp_path)
        site.answers["/"] = page(text="2")
        assert watch(site, tmp_path, "--webhook", hook.url).code == 4
        assert len(hook.messages) == 2
        assert hook.messages[0] == hook.messages[1]


@pytest.mark.parametrize("status", [404, 302])
def test_a_webhook_that_refuses_is_reported(status: int, tmp_path: Path) -> None:
    with table_site(lambda _: {"/": page(text="1")}) as site, webhook(status) as hook:
        watch(site, tmp_path)
        site.answers["/"] = page(text="2")
        result = watch(site, tmp_path, "--webhook", hook.url)
        assert (result.code, f"Could not post the changes to {hook.server.origin}" in result.err) == (1, True)
        assert len(hook.messages) == 1
    assert result.out.startswith("changed\t")


def test_a_feed_that_cannot_be_written_keeps_no_webhook_from_being_called(tmp_path: Path) -> None:
    (tmp_path / ".changes.atom.part").mkdir()
    with table_site(lambda _: {"/": page(text="1")}) as site, webhook() as hook:
        first = watch(site, tmp_path)
        assert (first.code, "could not write .changes.atom.part" in first.err) == (1, True), first.err
        site.answers["/"] = page(text="2")
        result = watch(site, tmp_path, "--webhook", hook.url)
        assert (result.code, len(hook.messages)) == (1, 1), result.err
        (tmp_path / ".changes.atom.part").rmdir()
        assert watch(site, tmp_path).code == 0
        assert read_feed(tmp_path, site.origin) == [("changed", "/")]


def test_a_full_disk_does_not_end_the_command(tmp_path: Path) -> None:
    (tmp_path / ".changes.atom.part").symlink_to("/dev/full")
    with table_site(lambda _: {"/": page(text="1")}) as site:
        command = ("watch", site.origin, "--db", "x.db", "--every", "1s", "--feed", "changes.atom", *QUICK_FLAGS)
        with running(tmp_path, *command, cwd=tmp_path) as watching:
            until(lambda: "No space left on device" in watching.err)
            until((tmp_path / "changes.atom").exists)
            assert watching.interrupt() == 130
    assert read_feed(tmp_path, site.origin) == []


@pytest.mark.parametrize("url", ["http://10.0.0.1/hook", "http://169.254.169.254/"])
def test_a_webhook_at_a_private_address_is_not_called(url: str, tmp_path: Path) -> None:
    with table_site(lambda _: {"/": page(text="1")}) as site:
        watch(site, tmp_path)
        site.answers["/"] = page(text="2")
        result = watch(site, tmp_path, "--webhook", url)
    assert (result.code, "is not public; --allow-private names exceptions" in result.err) == (1, True), result.err


@pytest.mark.parametrize(
    "options",
    [
        ("--every", "soon"),
        ("--every", "0s"),
        ("--webhook", "ftp://e.com"),
        ("--webhook", "hook"),
        ("--feed", "missing/changes.atom"),
    ],
)
def test_mistakes_are_reported_before_anything_is_scanned(options: tuple[str, str], tmp_path: Path) -> None:
    result = headwater("watch", "https://e.com/", *options, "--db", "x.db", cwd=tmp_path)
    assert (result.code, "Traceback" in result.err) == (2, False), result.err
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_site_is_not_gone(tmp_path: Path) -> None:
    with table_site(lambda _: {"/": page("/a"), "/a": page(text="a")}) as site:
        assert watch(site, tmp_path).code == 0
    down = watch(site, tmp_path)
    assert (down.code, down.out) == (1, ""), down.err
    store = SqliteStore(str(tmp_path / "x.db"))
    assert [store.scan(number).state for number in (1, 2)] == ["done", "interrupted"]  # type: ignore[union-attr]
    store.close()


@pytest.mark.parametrize("robots", [Answer("", 404), Answer("", 503)], ids=["pages fail", "robots.txt fails"])
def test_a_site_that_fails_for_a_while_has_not_changed(robots: Answer, tmp_path: Path) -> None:
    pages = {"/": page("/a", "/b"), "/a": page("/c"), "/b": page(text="b"), "/c": page(text="c")}
    with table_site(lambda _: pages) as site:
        assert watch(site, tmp_path).code == 0
        site.answers = dict.fromkeys(pages, Answer("", 503)) | {"/robots.txt": robots}
        down = watch(site, tmp_path)
        assert (down.code, down.out) == (1, ""), down.err
        site.answers = {**pages, "/b": page(text="b, changed")}
        up = watch(site, tmp_path)
        assert (up.code, up.out) == (4, f"changed\t{site.origin}/b\n"), up.err
        history = headwater("history", f"{site.origin}/c", f"{site.origin}/b", "--db", "x.db", cwd=tmp_path).out
    assert [line.split()[-1] for line in history.splitlines()] == [
        f"{site.origin}/c", "new", f"{site.origin}/b", "new", "changed"
    ]  # fmt: skip


def test_an_interrupted_scan_is_continued_and_reports_nothing_as_gone(tmp_path: Path) -> None:
    gate = threading.Event()
    gate.set()
    pages = {"/": page("/a", "/slow"), "/a": page(text="a"), "/slow": page("/last"), "/last": page(text="last")}

    def answer(request: ReceivedRequest) -> Answer | None:
        if request.path == "/slow":
            gate.wait()
        return pages.get(request.path)

    with serve(answer) as server:
        command = ("watch", server.origin, "--db", "x.db", *QUICK_FLAGS)
        assert headwater(*command, "--once", cwd=tmp_path).code == 0
        gate.clear()
        before = len(server.requests)
        try:
            with running(tmp_path, *command, "--every", "1h", cwd=tmp_path) as watching:
                until(lambda: any(request.path == "/slow" for request in server.requests[before:]))
                watching.process.send_signal(signal.SIGINT)
                until(lambda: "Stopping" in watching.err)
                gate.set()
                assert (watching.wait(), watching.out) == (130, "")
        finally:
            gate.set()
        result = headwater(*command, "--once", cwd=tmp_path)
    assert (result.code, result.out, "Continuing scan 2" in result.err) == (0, "", True), result.err


def test_changes_that_another_scan_saw_are_reported(tmp_path: Path) -> None:
    """A scan whose process ended before it reported, or that another command ran, is not the one to compare with."""
    with table_site(lambda _: {"/": page("/a"), "/a": page(text="a")}) as site:
        assert watch(site, tmp_path).code == 0
        site.answers |= {"/": page("/b"), "/b": page(text="b")}
        del site.answers["/a"]
        assert headwater("discover", site.origin, "--db", "x.db", *QUICK_FLAGS, cwd=tmp_path).code == 0
        result = watch(site, tmp_path)
    assert result.out.replace(site.origin, "").splitlines() == ["new\t/b", "changed\t/", "gone\t/a"]


def test_a_site_is_scanned_again_after_the_interval(tmp_path: Path) -> None:
    with table_site(lambda _: {"/": page(text="1")}) as site:
        command = ("watch", site.origin, "--db", "x.db", "--every", "1s", *QUICK_FLAGS)
        with running(tmp_path, *command, cwd=tmp_path) as watching:
            until(lambda: "is the first of this site" in watching.err)
            site.answers["/"] = page(text="2")
            until(lambda: f"changed\t{site.origin}/" in watching.out)
            assert watching.interrupt() == 130
