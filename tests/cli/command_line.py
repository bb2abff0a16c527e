"""Runs the installed command as people do: another process, real pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

HEADWATER = str(Path(sys.executable).parent / "headwater")


class Result(NamedTuple):
    """What came back."""

    code: int
    out: str
    err: str


def clean_environment() -> dict[str, str]:
    """The environment without the settings of whoever runs the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("HEADWATER_", "URL_DISCOVERY_"))}


def headwater(
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    largest_file: int | None = None,
) -> Result:
    """Run `headwater` with these arguments, without the settings of whoever runs the tests."""
    limit = ["prlimit", f"--fsize={largest_file}"] if largest_file is not None else []
    done = subprocess.run(
        [*limit, HEADWATER, *arguments],
        input=stdin,
        capture_output=True,
        env={**clean_environment(), **(environment or {})},
        cwd=cwd,
        timeout=60,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
