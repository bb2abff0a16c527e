"""Run the whole suite under difficult conditions: `python -m tests.hard [NAME ...]`, or `make test-hard`.

Each condition is one run of pytest. A test must pass under every condition.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parent.parent
PYTEST = (sys.executable, "-m", "pytest", *"-n 8 --dist loadfile --no-loadscope-reorder -p no:cacheprovider".split())
IN_BACKGROUND = ("sh", "-c", 'trap "" INT QUIT HUP; exec setsid -w "$@" <&-', "sh")
SETPRIV = "setpriv --reuid=65534 --regid=65534 --clear-groups --".split()
# Unlike the shell, setpriv could execute a file that the user cannot read.
AS_NOBODY = (*SETPRIV, "sh", "-c", 'exec "$@"', "sh") if os.geteuid() == 0 else ()
UNREADABLE = (
    f"{' '.join(PYTEST[:3])} does not start under it. Every user must be able to read Python and this folder: "
    "clone it to such a folder and run `make install PYTHON=/usr/bin/python3.11` there."
)
BUSY_LOOP = (sys.executable, "-c", "while True: pass")


class Condition(NamedTuple):
    """A command prefix, environment variables, arguments, and the number of busy processes that run meanwhile."""

    prefix: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}
    arguments: tuple[str, ...] = ()
    busy: int = 0


CONDITIONS: dict[str, Condition] = {
    "background": Condition(IN_BACKGROUND, {"LANG": "C", "LC_ALL": "C", "TZ": "Pacific/Chatham"}),
    "unprivileged": Condition(AS_NOBODY, {"HOME": "/proc"}),
    "random-1": Condition(arguments=("-p", "randomly", "--randomly-seed=1")),
    "random-2": Condition(arguments=("-p", "randomly", "--randomly-seed=2")),
    "random-3": Condition(arguments=("-p", "randomly", "--randomly-seed=3")),
    "loaded-1": Condition(busy=4),
    "loaded-2": Condition(busy=4),
    "loaded-3": Condition(busy=4, arguments=("-p", "randomly", "--randomly-seed=4")),
}


def main() -> int:
    """Run the given conditions, by default all, and return 0 if every run passed."""
    chosen = sys.argv[1:] or list(CONDITIONS)
    failed = [name for name in chosen if not passes(name, CONDITIONS[name])]
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


def passes(name: str, condition: Condition) -> bool:
    """Run the suite under one condition, print the exit code, and return True if it passed."""
    if subprocess.run([*condition.prefix, *PYTEST, "--version"], cwd=ROOT, capture_output=True, check=False).returncode:
        print(f"{name}: not run, {UNREADABLE}", flush=True)
        return False
    started = time.monotonic()
    with busy_processes(condition.busy), tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        environment = {**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": folder, **condition.environment}
        command = [*condition.prefix, *PYTEST, *condition.arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    print(f"{name}: exit code {done.returncode} after {time.monotonic() - started:.0f} s", flush=True)
    return done.returncode == 0


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keep this many CPUs busy while the block runs."""
    processes = [subprocess.Popen(BUSY_LOOP) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
