"""`headwater normalize` with arguments, pipes and invalid lines."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.commands import HEADWATER, PATIENCE, headwater


def test_arguments_are_normalized() -> None:
    done = headwater("normalize", "HTTPS://Docs.Example.COM/Page/", "https://example.com/a/../b#c")
    assert done == (0, "https://docs.example.com/Page\nhttps://example.com/b\n", "")


def test_lines_of_stdin_may_have_any_line_ends() -> None:
    done = headwater("normalize", stdin=b"https://e.com/a/\r\n\nhttps://e.com/b#x\n   \nhttps://e.com/c")
    assert done == (0, "https://e.com/a\nhttps://e.com/b\nhttps://e.com/c\n", "")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\xff\xfe\x00\x01garbage", "not UTF-8 text"),
        (b"https://e.com/" + b"a" * 10_000_000, "longer than 65,536 bytes"),
        (b"http://[::1/a", "no closing bracket"),
        (b"http://e\x00vil.com/", "host or port is not valid: http://e\\x00vil.com/"),
        ("http://\ud800.com/".encode("utf-8", "surrogatepass"), "not UTF-8 text"),
        (b"mailto:x@example.com", "mailto: is not http or https"),
        (b"\x1b[31mred", "no scheme; an absolute URL begins with https:// or http://: \\x1b[31mred"),
        (b"example.com/a", "no scheme"),
        (b"http://", "no host"),
    ],
)
def test_invalid_lines_are_reported_and_the_others_normalized(line: bytes, message: str) -> None:
    done = headwater("normalize", stdin=b"https://e.com/1\n" + line + b"\nhttps://e.com/3\n")
    assert (done.code, done.out) == (1, "https://e.com/1\nhttps://e.com/3\n")
    report, summary = done.err.splitlines()
    assert report.startswith("line 2: ")
    assert message in report
    assert len(report) < 300
    assert summary == "1 line is not an http or https URL"


def test_the_last_line_may_be_invalid_and_lack_a_line_end() -> None:
    done = headwater("normalize", stdin=b"https://e.com/1\n" + b"x" * 200_000)
    assert (done.code, done.out) == (1, "https://e.com/1\n")


def test_flags_environment_and_presets_set_the_policy(tmp_path: object) -> None:
    url = "http://www.e.com/a/?utm_source=x&b=2&a=1"
    flags = headwater("normalize", "--drop-tracking", "--sort-query", "--fold-www", "--force-https", url)
    assert flags.out == "https://e.com/a?a=1&b=2\n"
    assert headwater("normalize", url, environment={"HEADWATER_QUERY": "drop"}).out == "http://www.e.com/a\n"
    both = headwater("normalize", "--query", "keep", url, environment={"HEADWATER_QUERY": "drop"})
    assert both.out == "http://www.e.com/a?utm_source=x&b=2&a=1\n"
    assert headwater("normalize", "--preset", "scan", url).out.startswith("https://e.com/a?")
    assert headwater("normalize", "--drop-parameters", "a,b", url).out == "http://www.e.com/a?utm_source=x\n"


def test_a_closed_pipe_is_not_an_error() -> None:
    lines = b"https://e.com/some/path\n" * 200_000
    pipe = subprocess.Popen(f"{HEADWATER} normalize | head -n 1", shell=True, stdin=-1, stdout=-1, stderr=-1)
    out, err = pipe.communicate(lines, timeout=PATIENCE)
    assert (out, err) == (b"https://e.com/some/path\n", b"")


def test_results_are_written_while_the_input_is_still_open() -> None:
    with subprocess.Popen([HEADWATER, "normalize"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"https://e.com/a/\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"https://e.com/a\n"
        process.stdin.close()


def test_memory_does_not_grow_with_the_input() -> None:
    """Read 20 MB of input with one long line, and compare the peak memory that the kernel reports."""
    block = b"https://example.com/some/path/?page=2#x\n" * 5000
    code = "import atexit, sys; from headwater.cli import main; sys.argv = ['headwater', 'normalize']\n"
    code += "atexit.register(lambda: print(open('/proc/self/status').read(), file=sys.stderr)); main()"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=block * 100 + b"x" * 10_000_000, capture_output=True, check=False)
    assert done.returncode == 1
    peak = re.search(rb"VmHWM:\s+(\d+) kB", done.stderr)
    assert peak
    assert int(peak.group(1)) < 100 * 1024
