"""Crawlers as commands that print the URLs they list: Headwater by default, and its peers."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.measure import read_cpu_seconds
from bench.recall.builds import CACHE
from bench.side_by_side import list_processes

if TYPE_CHECKING:
    from collections.abc import Callable

TIME_LIMIT = 120.0
STOP_LIMIT = 15.0
PEERS = Path(__file__).parent / "peers"


class Run(NamedTuple):
    """The URLs a crawler listed, and its cost in seconds."""

    urls: list[str]
    wall: float
    cpu: float
    problem: str = ""


def run_headwater(name: str, url: str, *, limit: float = TIME_LIMIT) -> Run:
    """Run `headwater URL` with default settings; the store stays in `.build/recall/runs/NAME` for inspection."""
    folder = CACHE / "runs" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "headwater"]
    wall, cpu, problem = _timed([*command, url, "--db", "scan.db", "-o", "urls.txt"], folder, limit)
    if problem and (folder / "scan.db").exists():
        export = [*command, "export", "--db", "scan.db", "--format", "text", "-o", "urls.txt", "--quiet"]
        subprocess.run(export, cwd=folder, check=False, stdin=subprocess.DEVNULL)
    listed = folder / "urls.txt"
    return Run(listed.read_text().split() if listed.exists() else [], wall, cpu, problem)


def run_peer(name: str, url: str, script: str, python: str) -> Run:
    """Run a script of `peers/`, which prints one URL a line."""
    folder = CACHE / "runs" / f"{name}-{script}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wall, cpu, problem = _timed([python, str(PEERS / f"{script}.py"), url], folder)
    return Run((folder / "stdout").read_text().split(), wall, cpu, problem)


def peers(bench_python: str) -> dict[str, Callable[[str, str], Run]]:
    """Return the peers by name."""
    pythons = {"scrapy_links": bench_python, "crawlee_links": bench_python, "usp_sitemaps": sys.executable}
    return {
        script.partition("_")[0]: partial(run_peer, script=script, python=python) for script, python in pythons.items()
    }


def _timed(command: list[str], folder: Path, limit: float = TIME_LIMIT) -> tuple[float, float, str]:
    """Run a command; return wall time, CPU time of all its processes, and a problem if there was one."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with (folder / "stdout").open("wb") as output, (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
        )
        sampled = _watch(process, began + limit)
    wall, problem = time.monotonic() - began, ""
    if process.poll() is None:
        problem = f"stopped after {limit:.0f} s"
        _stop(process)
    elif process.returncode:
        problem = f"exit code {process.returncode}: {_last_line(folder / 'stderr')}"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, max(sampled, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), problem


def _last_line(path: Path) -> str:
    lines = path.read_text(errors="replace").strip().splitlines()
    return lines[-1].strip()[:80] if lines else "no message"


def _watch(process: subprocess.Popen[bytes], deadline: float) -> float:
    """Wait for a process; return the CPU time of it and its descendants, seen every tenth of a second."""
    seconds: dict[int, float] = {}
    while process.poll() is None and time.monotonic() < deadline:
        for pid in list_processes(process.pid):
            seconds[pid] = max(seconds.get(pid, 0.0), read_cpu_seconds(pid))
        time.sleep(0.1)
    return sum(seconds.values())


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
