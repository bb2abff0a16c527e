"""Output that cannot be written: the error names it and says what to do, the exit code is 1, and nothing is lost."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import HEADWATER, PATIENCE, clean_environment, headwater
from tests.sites.graph_site import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

FULL = Path("/dev/full")
NO_SPACE = "(No space left on device). "
PAGES = {
    "/": '<a href="/a">A</a><a href="/b">B</a>',
    "/a": "<p>The wells hold water.</p>",
    "/b": "<p>Nothing here.</p>",
}
EXPORT = "`headwater export --db headwater.db -o FILE` writes them."
RESUME = "`headwater resume --db"
AGAIN = "Free some space or choose another file, and run the command again."


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Scan a site and dive into it; yield its address and the store's folder."""
    folder = tmp_path_factory.mktemp("unwritable")
    with serving(PAGES.get) as site:
        assert headwater("crawl", site.origin, "--format", "text", cwd=folder).code == 0
        assert headwater("dive", "--match", "*", "--embedder", "none", cwd=folder).code == 0
        yield site.origin, folder


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        ("crawl {site} --db x.db", RESUME),
        ("discover {site} --db x.db --render never --stream", RESUME),
        ("discover {site} http://127.0.0.1:1/ --db x.db --retries 0", "--all-sites -o FILE"),
        ("export", EXPORT),
        (
            "dive --dive 1 --export jsonl",
            "`headwater dive --db headwater.db --dive 1 --export jsonl -o FILE` writes it.",
        ),
        ("search wells --embedder none", AGAIN),
        ("normalize {site}", AGAIN),
        ("--help", AGAIN),
    ],
)
def test_a_full_disk_behind_standard_output_is_reported(command: str, advice: str, scanned: tuple[str, Path]) -> None:
    result = headwater(*command.format(site=scanned[0]).split(), cwd=scanned[1], stdout=FULL)
    assert (result.code, "Traceback" in result.err) == (1, False), result.err
    assert f"Error: could not write standard output {NO_SPACE}" in result.err
    assert advice in result.err.splitlines()[-1]


@pytest.mark.parametrize(
    "command",
    [
        "crawl {site} --db y.db --format jsonl",
        "discover {site} --db y.db --render never --stream --format jsonl",
        "export --format xml",
        "export --format xlsx",
        "export --format parquet",
        "dive --dive 1 --export jsonl",
    ],
)
def test_a_full_disk_behind_a_file_is_reported(command: str, scanned: tuple[str, Path]) -> None:
    result = headwater(*command.format(site=scanned[0]).split(), "-o", str(FULL), cwd=scanned[1])
    assert (result.code, "Traceback" in result.err, "ignored" in result.err) == (1, False, False), result.err
    assert f"Error: could not write {FULL} {NO_SPACE}" in result.err


def test_a_full_disk_behind_a_folder_is_reported(scanned: tuple[str, Path], tmp_path: Path) -> None:
    (tmp_path / "llms.txt").symlink_to(FULL)
    result = headwater("dive", "--dive", "1", "--export", "md", "-o", str(tmp_path), cwd=scanned[1])
    assert (result.code, "Traceback" in result.err) == (1, False), result.err
    assert f"Error: could not write {tmp_path / 'llms.txt'} {NO_SPACE}" in result.err


def test_a_named_pipe_that_its_reader_closes_is_an_error(scanned: tuple[str, Path], tmp_path: Path) -> None:
    """A named output must be complete, unlike standard output in `| head`."""
    pipe = tmp_path / "pages.html"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)  # less than the size of the report

    def read_a_little() -> None:
        os.read(reader, 10)
        os.close(reader)

    threading.Thread(target=read_a_little, daemon=True).start()
    result = headwater("export", "-o", str(pipe), cwd=scanned[1])
    assert (result.code, f"could not write {pipe} (Broken pipe)" in result.err) == (1, True), result.err


def test_messages_that_cannot_be_written_do_not_stop_a_scan(scanned: tuple[str, Path], tmp_path: Path) -> None:
    with FULL.open("wb") as stderr:
        done = subprocess.run(
            [HEADWATER, "discover", scanned[0], "--render", "never"],
            stdout=subprocess.PIPE, stderr=stderr, cwd=tmp_path, env=clean_environment(), timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout.decode().split()) == (0, [f"{scanned[0]}{path}" for path in sorted(PAGES)])


@pytest.mark.parametrize(("option", "code"), [("", 1), ("-o pages.txt", 0)])
def test_closed_standard_output_is_an_error_only_if_it_is_written_to(
    option: str, code: int, scanned: tuple[str, Path]
) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {HEADWATER} export {option} >&-"],
        stderr=subprocess.PIPE, cwd=scanned[1], env=clean_environment(), timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False), done.stderr
    assert (b"could not write standard output (Bad file descriptor)" in done.stderr) is bool(code)


def test_nothing_is_lost_when_streaming_to_a_file_fails(tmp_path: Path) -> None:
    with serving(PAGES.get) as site:
        result = headwater("crawl", site.origin, "--format", "jsonl", "-o", str(FULL), cwd=tmp_path)
        assert result.code == 1
        finished = headwater("resume", "--format", "text", "-o", "pages.txt", cwd=tmp_path)
        is_unfinished = "holds no unfinished scan" not in finished.err
        assert is_unfinished or headwater("export", "-o", "pages.txt", cwd=tmp_path).code == 0
    assert sorted((tmp_path / "pages.txt").read_text().split()) == [f"{site.origin}{path}" for path in sorted(PAGES)]
