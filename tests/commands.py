"""Run the `headwater` command as users do: in another process, with real files and default signals."""

from __future__ import annotations

import os
import pty
import resource
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from tests import fork_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

HEADWATER = fork_server.HEADWATER
PATIENCE = 120.0
"""Seconds after which an expected event is reported as missing; a machine under load is slow."""

Made = TypeVar("Made")
Process = subprocess.Popen[bytes] | fork_server.ForkedCommand
PRIVATE_VARIABLES = ("HEADWATER_", "URL_DISCOVERY_", "OPENAI_")


class Result(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


@dataclass
class Record:
    """A command or a server of the current test, for the report of a failure."""

    title: str
    text: Callable[[], str]
    has_ended: bool = False


@dataclass
class Journal:
    """The commands and servers that the current test has started, and those that run longer than one test."""

    records: list[Record] = field(default_factory=list)

    def add(self, title: str, text: Callable[[], str], *, has_ended: bool = False) -> Record:
        """Remember a command or a server, and how to read its output or log."""
        self.records.append(Record(title, text, has_ended))
        return self.records[-1]

    @contextmanager
    def during(self, title: str, text: Callable[[], str]) -> Iterator[None]:
        """Remember a server that runs for the length of the block."""
        record = self.add(title, text)
        try:
            yield
        finally:
            record.has_ended = True

    def remove_ended(self) -> None:
        """Keep only the records of commands and servers that still run, for the next test."""
        self.records = [one for one in self.records if not one.has_ended]

    def text(self) -> str:
        """Return each command with its exit code and the end of its output, each server with the end of its log."""
        return "\n".join(f"{one.title}\n{one.text()[-4000:]}" for one in self.records)


JOURNAL = Journal()


def clean_environment() -> dict[str, str]:
    """Return the environment without the settings of the person who runs the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PRIVATE_VARIABLES)}


def headwater(
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    largest_file: int | None = None,
    stdout: Path | None = None,
    is_new: bool = False,
) -> Result:
    """Run `headwater` with these arguments to its end; with `stdout` its output goes to that file.

    The process is forked from one that has imported Headwater. With `is_new` it is started as a shell would.
    """
    with memory_file(stdin) as given, memory_file() as errors, stdout.open("wb") if stdout else memory_file() as out:
        process = start(arguments, (given, out, errors), environment, cwd, is_new=is_new)
        if largest_file is not None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest_file, largest_file))
        code = ended(process)
        result = Result(code, "" if stdout else read_all(out), read_all(errors))
    JOURNAL.add(_command_line(arguments), lambda: f"{result.out}{result.err}exit code {result.code}", has_ended=True)
    return result


def start(
    arguments: Sequence[str],
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    *,
    is_new: bool = False,
) -> Process:
    """Start `headwater` with these files as standard input, output and error."""
    variables = {**clean_environment(), **(environment or {})}
    stdin, stdout, stderr = (stream.fileno() for stream in streams)
    if not is_new and fork_server.can_fork(variables):
        return fork_server.start(arguments, variables, cwd, (stdin, stdout, stderr))
    return subprocess.Popen([HEADWATER, *arguments], stdin=stdin, stdout=stdout, stderr=stderr, env=variables, cwd=cwd)


def ended(process: Process) -> int:
    """Return the exit code of a process; one that does not end is killed."""
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise


@contextmanager
def memory_file(text: bytes = b"") -> Iterator[IO[bytes]]:
    """Yield a file in memory that holds this text and is read from its start."""
    with os.fdopen(os.memfd_create("stream"), "w+b", buffering=0) as file:
        file.write(text)
        file.seek(0)
        yield file


def read_all(file: IO[bytes]) -> str:
    """Return what a command has written to a file."""
    file.seek(0)
    return file.read().decode()


def on_terminal(*arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Run `headwater` on a terminal, and return what the terminal receives from standard output and error together."""
    screen, terminal = pty.openpty()
    with memory_file() as nothing, os.fdopen(terminal, "wb") as stream:
        process = start(arguments, (nothing, stream, stream), environment, cwd)
    received = b""
    with suppress(OSError):  # raised when the terminal is closed
        while text := os.read(screen, 65536):
            received += text
    os.close(screen)
    code = process.wait(PATIENCE)
    JOURNAL.add(_command_line(arguments), lambda: f"{received.decode()}exit code {code}", has_ended=True)
    return received.decode().replace("\r\n", "\n")


class Command:
    """A `headwater` command that is running; both its outputs go to files."""

    def __init__(self, process: Process, out: Path, err: Path) -> None:
        self.process, self._out, self._err = process, out, err

    @property
    def out(self) -> str:
        """Standard output so far."""
        return self._out.read_text()

    @property
    def err(self) -> str:
        """Standard error so far."""
        return self._err.read_text()

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    def children(self) -> list[int]:
        """Return the ids of its worker processes."""
        return children_of(self.pid)

    def interrupt(self) -> int:
        """Send SIGINT, like Ctrl-C, and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def terminate(self) -> int:
        """Send SIGTERM and return the exit code."""
        self.process.terminate()
        return self.wait()

    def kill(self) -> None:
        """Send SIGKILL and wait for the end."""
        self.process.kill()
        self.wait()

    def wait(self) -> int:
        """Return the exit code once it has ended."""
        return self.process.wait(PATIENCE)


@contextmanager
def running(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    has_terminal: bool = False,
    is_new: bool = False,
) -> Iterator[Command]:
    """Start `headwater` with these arguments in this folder; it and its children do not outlive the block.

    With `has_terminal` standard error is a terminal, whose screen goes to the same file.
    """
    number = len(list(folder.glob("command-*.err")))
    out, err = folder / f"command-{number}.out", folder / f"command-{number}.err"
    with (
        memory_file() as nothing,
        out.open("wb") as stdout,
        terminal_to(err) if has_terminal else err.open("wb") as stderr,
    ):
        process = start(arguments, (nothing, stdout, stderr), environment, cwd or folder, is_new=is_new)
    command = Command(process, out, err)
    record = JOURNAL.add(_command_line(arguments), lambda: f"{command.out}{command.err}exit code {process.poll()}")
    try:
        yield command
    finally:
        children = command.children() if process.poll() is None else []
        process.kill()
        process.wait()
        kill_all(children)
        record.has_ended = True


@contextmanager
def terminal_to(path: Path) -> Iterator[IO[bytes]]:
    """Yield a terminal; a thread copies its screen to a file until the last process has closed it."""
    screen, terminal = pty.openpty()

    def copy() -> None:
        with path.open("wb", buffering=0) as file, suppress(OSError):  # raised when the terminal is closed
            while text := os.read(screen, 4096):
                file.write(text)
        os.close(screen)

    path.touch()
    with os.fdopen(terminal, "wb") as stream:
        threading.Thread(target=copy, daemon=True).start()
        yield stream


def _command_line(arguments: tuple[str, ...]) -> str:
    return f"$ headwater {' '.join(arguments)}"


def children_of(pid: int) -> list[int]:
    """Return the ids of the processes that a process started, apart from Python's resource tracker."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [
            int(child) for child in listed if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
    except FileNotFoundError:
        return []


def kill_all(pids: list[int]) -> None:
    """Send SIGKILL to processes that may have ended already."""
    for pid in pids:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    """Return True while a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(condition: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Call `condition` until it returns something true, and return that."""
    deadline = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < deadline, f"{_name(condition)} did not become true within {patience:g} s"
        time.sleep(0.02)
    return found


def with_growing_limit(attempt: Callable[[float], Made], is_valid: Callable[[Made], object], limit: float) -> Made:
    """Return the result of `attempt` with this time limit, or with a longer one if the machine was too slow for it."""
    result = attempt(limit)
    for factor in (10, 100):
        if is_valid(result):
            break
        result = attempt(limit * factor)
    return result


def _name(condition: Callable[[], Any]) -> str:
    code = getattr(condition, "__code__", None)
    return f"the condition in {code.co_filename}:{code.co_firstlineno}" if code else str(condition)
