"""Start `headwater` commands by forking a process that has imported Headwater already.

Starting Python and importing Headwater takes most of the CPU time of a short command. A forked command is a process
like any other, with its own streams, environment, working directory, signals and exit code; only the imports are
shared. `python -m tests.fork_server` is the server: it reads requests from its standard input, a socket, and reports
the exit codes.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import types
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import headwater
from headwater.event_loop import get_loop_factory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).parent.parent
HEADWATER = str(Path(sys.executable).parent / "headwater")
START_VARIABLES = ("PYTHON", "LANG", "LC_", "TZ", "LD_", "MALLOC_")
"""Prefixes of environment variables that take effect only when a process starts."""

AT_START = dict(os.environ)
"""The environment before tests change it."""

NOT_PRELOADED = ("headwater.__main__", "headwater.mcp")
LARGEST_REQUEST = 200_000
_NUMBER = 8


class ForkedCommand:
    """A running command, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, report: int) -> None:
        self._report = report
        self.returncode: int | None = None
        self.pid = _read_number(report)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None and select.select([self._report], [], [], 0)[0]:
            self.returncode = _read_number(self._report)
            os.close(self._report)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code once it has ended."""
        if self.returncode is None and not select.select([self._report], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("headwater", timeout or 0.0)
        code = self.poll()
        assert code is not None
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


class Request(NamedTuple):
    """A command to start."""

    arguments: list[str]
    environment: dict[str, str]
    cwd: str


def can_fork(environment: Mapping[str, str]) -> bool:
    """Return False if the environment differs in variables that take effect only when a process starts."""
    changed = {name for name in {*environment, *AT_START} if environment.get(name) != AT_START.get(name)}
    return not any(name.startswith(START_VARIABLES) for name in changed)


def start(
    arguments: Sequence[str], environment: Mapping[str, str], cwd: Path | None, streams: Sequence[int]
) -> ForkedCommand:
    """Start a command with these files as its standard input, output and error."""
    request = Request(list(arguments), dict(environment), str(cwd or Path.cwd()))
    report, reporter = os.pipe()
    try:
        socket.send_fds(_connect(), [json.dumps(request).encode()], [*streams, reporter])
    finally:
        os.close(reporter)
    return ForkedCommand(report)


@dataclass
class _Connection:
    """The server of this test process, once a command was started."""

    socket: socket.socket | None = None
    process: subprocess.Popen[bytes] | None = None


_CONNECTION = _Connection()


def _connect() -> socket.socket:
    """Return the socket of the server, which is started by the first command."""
    if _CONNECTION.socket is None:
        _CONNECTION.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            _CONNECTION.process = subprocess.Popen(
                [sys.executable, "-m", __name__], stdin=theirs.fileno(), cwd=ROOT, env={**os.environ, **AT_START}
            )
    return _CONNECTION.socket


def stop() -> None:
    """Stop the server of this test process, if it was started."""
    if _CONNECTION.socket and _CONNECTION.process:
        _CONNECTION.socket.close()
        _CONNECTION.process.wait()
        _CONNECTION.socket = None


def _read_number(pipe: int) -> int:
    text = os.read(pipe, _NUMBER)
    assert text, "the fork server ended"
    return int(text)


def _write_number(pipe: int, number: int) -> None:
    with suppress(BrokenPipeError):  # the test has failed
        os.write(pipe, f"{number:{_NUMBER}}".encode())


def serve(requests: socket.socket) -> tuple[Request, list[int]]:
    """Fork a process for every request, and return in it the request and its files; report the ends of all."""
    running: dict[int, tuple[int, int]] = {}
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready != requests.fileno():
                poll.unregister(ready)
                _report_end(ready, *running.pop(ready))
                continue
            message, files, *_ = socket.recv_fds(requests, LARGEST_REQUEST, 4)
            if not message:
                os._exit(0)
            pid = os.fork()
            if not pid:
                return Request(*json.loads(message)), files[:3]
            _write_number(files[3], pid)
            handle = os.pidfd_open(pid)
            running[handle] = (pid, files[3])
            poll.register(handle, select.POLLIN)
            for file in files[:3]:
                os.close(file)


def _report_end(handle: int, pid: int, report: int) -> None:
    _write_number(report, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    os.close(handle)
    os.close(report)


def run(request: Request, files: list[int]) -> None:
    """Run a command as its console script does; this process has just been forked for it."""
    for target, file in enumerate(files):
        os.dup2(file, target)
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    _open_streams()
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.cwd)
    sys.argv = [HEADWATER, *request.arguments]
    script = types.ModuleType("__main__")
    script.__file__ = HEADWATER  # worker processes that are spawned import it
    sys.modules["__main__"] = script
    exec(compile(Path(HEADWATER).read_bytes(), HEADWATER, "exec"), script.__dict__)


def _open_streams() -> None:
    """Open the standard streams as Python does when it starts."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old: io.TextIOWrapper = getattr(sys, f"__{name}__")
        buffer = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115
        is_direct = number == 2 or buffer.isatty()
        stream = io.TextIOWrapper(
            buffer, old.encoding, old.errors, newline="\n" if number else None, line_buffering=is_direct
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def leave(code: int) -> NoReturn:
    """End the process without deleting every object, which would copy all memory that is shared with the server."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  (waits for threads, as the interpreter does)
    atexit._run_exitfuncs()  # noqa: SLF001
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def preload() -> None:
    """Import what commands import, apart from libraries that start threads."""
    for module in pkgutil.walk_packages(headwater.__path__, "headwater."):
        if not module.name.startswith(NOT_PRELOADED):
            importlib.import_module(module.name)
    get_loop_factory()
    gc.collect()
    gc.freeze()  # collections in the forked processes leave the shared memory alone


if __name__ == "__main__":
    preload()
    sys.path[0] = str(Path(HEADWATER).parent)
    requests = socket.socket(fileno=os.dup(0))
    command = serve(requests)
    requests.detach()
    try:
        run(*command)
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        leave(ended.code)
