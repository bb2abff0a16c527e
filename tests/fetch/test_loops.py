"""The fetcher works on every event loop, when interrupted, and while name servers do not answer."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvloop

from headwater import Settings
from headwater.fetch import HttpFetcher
from headwater.fetch.http.curl_driver import CurlDriver
from headwater.fetch.http.socket_watchers import EventLoopWatcher
from headwater.fetch.http.transfer import Transfer
from headwater.model import FetchFailure, Request, Response
from tests.commands import PATIENCE, running, until
from tests.fetch.fetching import CountingSelector, reason
from tests.permissions import UNSHARE
from tests.sites.fault_server import FaultServer, drip, fault_server, silent, stalled_headers

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]


async def _mixed(server: FaultServer, fetcher: HttpFetcher) -> list[Response | FetchFailure]:
    """Fetch good and bad answers concurrently, then good ones over the same connections."""
    paths = ["/page", "/short-body", "/status?404", "/encoded?gzip", "/slow?0.1", "/reset", "/old-style"]
    first = [fetcher.fetch(Request(server.url(path))) for path in paths * 3]
    results = await asyncio.gather(*first)
    return results + [await fetcher.fetch(Request(server.url("/page"))) for _ in range(10)]


@pytest.mark.parametrize("portable", [False, True], ids=["epoll", "readers"])
@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_every_loop(factory: Callable[[], asyncio.AbstractEventLoop], portable: bool) -> None:
    async def run(server: FaultServer) -> list[Response | FetchFailure]:
        async with HttpFetcher(Settings(max_parallel=8, idle_timeout=60), seeds=[server.origin]) as fetcher:
            if portable:
                fetcher._driver = CurlDriver(8, EventLoopWatcher)  # noqa: SLF001  (there is no setting for it)
            return await _mixed(server, fetcher)

    with fault_server() as server, asyncio.Runner(loop_factory=factory) as runner:
        results = runner.run(run(server))
    expected = ["", "truncated", "http-404", "", "", "truncated", ""] * 3 + [""] * 10
    assert [reason(result) for result in results] == expected


def test_closing_cancels_running_requests() -> None:
    async def run(server: FaultServer) -> bool:
        fetcher = HttpFetcher(Settings(), seeds=[server.origin])
        hanging = asyncio.create_task(fetcher.fetch(Request(server.url("/silent"))))
        await asyncio.to_thread(until, lambda: server.requests_to("/silent"))
        await fetcher.aclose()
        await asyncio.wait([hanging])
        return hanging.cancelled()

    with fault_server() as server:
        assert asyncio.run(run(server))


def test_a_signal_while_a_response_is_delivered_causes_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal handler cancels the task and its future between any two steps."""
    problems: list[dict[str, Any]] = []
    finish = Transfer.finish

    def interrupted(transfer: Transfer, error: tuple[int, str] | None) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return finish(transfer, error)

    async def work(origin: str) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, problem: problems.append(problem))
        fetcher = HttpFetcher(Settings(), seeds=[origin])
        try:
            await fetcher.fetch(Request(f"{origin}/page"))
        finally:
            await fetcher.aclose()

    monkeypatch.setattr(Transfer, "finish", interrupted)
    with fault_server() as server, pytest.raises(KeyboardInterrupt):
        asyncio.run(work(server.origin))
    assert problems == []


def _sockets_of(pid: int | str) -> dict[str, int]:
    """Return the sockets that a process holds, with their descriptors."""
    places = [place for place in Path(f"/proc/{pid}/fd").iterdir() if place.is_symlink()]
    held = {}
    for place in places:
        with suppress(FileNotFoundError):  # a process that starts closes files in the meantime
            held[str(place.readlink())] = int(place.name)
    return {name: number for name, number in held.items() if name.startswith("socket:")}


def test_child_processes_inherit_no_connection() -> None:
    """A browser with these sockets could read responses, and would keep connections open."""

    async def inherited(server: FaultServer) -> set[str]:
        async with HttpFetcher(Settings(), seeds=[server.origin]) as fetcher:
            before = _sockets_of("self")
            await fetcher.fetch(Request(server.url("/page")))
            opened = _sockets_of("self").keys() - before.keys()
            assert opened
            process = await asyncio.create_subprocess_exec("sleep", "60")
            held = _sockets_of(process.pid)
            process.kill()
            await process.wait()
            return opened & held.keys()

    with fault_server() as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(inherited(server)) == set()


def test_a_duplicated_connection_does_not_keep_the_event_loop_busy() -> None:
    """libcurl has closed it, a duplicate keeps it open, and it stays readable."""

    selector = CountingSelector()

    async def run(server: FaultServer) -> Response | FetchFailure:
        async with HttpFetcher(Settings(), seeds=[server.origin]) as fetcher:
            before = _sockets_of("self")
            await fetcher.fetch(Request(server.url("/page")))
            opened = [
                socket.socket(fileno=os.dup(number))
                for name, number in _sockets_of("self").items()
                if name not in before
            ]
            kept = [one for one in opened if one.getpeername()[1] == server.port]  # ours, not the server's
            for one in set(opened) - set(kept):
                one.close()
            await fetcher.fetch(Request(server.url("/old-style")))  # on the same connection, which ends with it
            calls = selector.calls
            await fetcher.fetch(Request(server.url("/slow?0.3")))
            assert selector.calls - calls < 100
            result = await fetcher.fetch(Request(server.url("/page")))
            for one in kept:
                one.close()
            return result

    problems: list[Any] = []
    with fault_server() as server, asyncio.Runner(loop_factory=selector.new_loop) as runner:
        runner.get_loop().set_exception_handler(lambda _, context: problems.append(context))
        result = runner.run(run(server))
    assert isinstance(result, Response)
    assert problems == []


@pytest.mark.parametrize("behaviour", [silent, drip, stalled_headers])
def test_ctrl_c_ends_the_command_and_leaks_nothing(tmp_path: Path, behaviour: Any) -> None:
    """The exit code is 130, long before any timeout, without warnings about tasks or sockets."""
    environment = {"PYTHONWARNINGS": "always", "PYTHONASYNCIODEBUG": "1"}
    endless = ("--timeout", "600", "--idle-timeout", "600")
    with (
        fault_server(robots=behaviour) as server,
        running(tmp_path, "robots", server.origin, *endless, environment=environment) as command,
    ):
        until(lambda: len(server.seen) > 0)
        command.process.send_signal(signal.SIGINT)
        code = command.process.wait(20)  # the documented limit is two seconds
    lines = [line for line in command.err.splitlines() if not line.startswith("Executing ")]  # asyncio under load
    assert (code, command.out, lines) == (130, "", ["", "Interrupted"])


DEAD_NAMES = """
import asyncio, socket
from headwater import Settings
from headwater.fetch import HttpFetcher
from headwater.model import Request, Response
from tests.sites.fault_server import fault_server

black_hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
black_hole.bind(("127.0.0.1", 53))


async def main(server):
    settings = Settings(max_parallel=100, connect_timeout=100, allow_private=("127.0.0.1",))
    async with HttpFetcher(settings) as fetcher:
        dead = [asyncio.create_task(fetcher.fetch(Request(f"http://dead{n}.test/"))) for n in range(60)]
        await asyncio.to_thread(black_hole.recv, 512)  # a name is being looked up
        alive = [fetcher.fetch(Request(f"http://alive{n}.test:{server.port}/page")) for n in range(10)]
        assert all(isinstance(result, Response) for result in await asyncio.gather(*alive))
        assert not any(task.done() for task in dead), "names that answer waited for names that do not"
        for task in dead:
            task.cancel()
        await asyncio.gather(*dead, return_exceptions=True)
    async with HttpFetcher(Settings(connect_timeout=1)) as impatient:
        assert (await impatient.fetch(Request("http://late.test/"))).reason == "timeout-connect"


with fault_server() as server:
    asyncio.run(main(server))
print("fine")
"""


@pytest.mark.namespaces
def test_lookups_without_an_answer_do_not_delay_other_hosts(tmp_path: Path) -> None:
    """Runs in its own network namespace, with a name server that never answers and a hosts file for some names."""
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:30 attempts:3\n")
    (tmp_path / "hosts").write_text("".join(f"127.0.0.1 alive{number}.test\n" for number in range(10)))
    (tmp_path / "probe.py").write_text(DEAD_NAMES)
    script = f"""
        set -e
        ip link set lo up
        mount --bind {tmp_path}/resolv.conf /etc/resolv.conf
        mount --bind {tmp_path}/hosts /etc/hosts
        cd {ROOT}
        PYTHONPATH=. exec {sys.executable} {tmp_path}/probe.py
    """
    done = subprocess.run([*UNSHARE, "sh", "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "fine\n", done.stderr
