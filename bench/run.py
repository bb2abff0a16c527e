"""Run all benchmarks (`make bench`), with peers installed in their own virtual environment."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
PEERS = HERE.parent / ".venv-bench"
BENCHMARKS = (
    "normalize", "fetch", "latency", "crawl", "links", "growth", "sitemaps", "render", "postgres", "fleet", "sites",
    "web", "dive",
)  # fmt: skip


def peers_python() -> str:
    """Return a Python with the peers of `bench/requirements.lock`; create its environment if necessary."""
    python, lock, ready = str(PEERS / "bin" / "python"), HERE / "requirements.lock", PEERS / ".ready"
    if not ready.exists() or ready.read_text() != lock.read_text():
        venv.create(PEERS, with_pip=True, clear=True)
        quiet = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*quiet, "-r", lock], check=True)
        ready.write_text(lock.read_text())
    return python


def main() -> None:
    """Run the benchmarks given on the command line, by default all."""
    python = peers_python()
    for name in sys.argv[1:] or BENCHMARKS:
        subprocess.run([sys.executable, "-m", f"bench.{name}", python], check=True)


if __name__ == "__main__":
    main()
