"""Run a benchmark's server in a child process: `python -m MODULE serve PORT ...`."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.sites.nginx import free_port, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def child_server(module: str, *arguments: object, host: str = "127.0.0.1") -> Iterator[int]:
    """Start the server of a module, wait until it listens, and yield its port."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", module, "serve", str(port), *map(str, arguments)])
    try:
        wait_for(port, host=host)
        yield port
    finally:
        process.terminate()
        process.wait()
