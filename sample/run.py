"""Scan a URL, or the sample site if none is given; `make run` runs this."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sample.serve import sample_site

HEADWATER = str(Path(sys.executable).parent / "headwater")


def main() -> int:
    """Run Headwater as a user would, and return its exit code."""
    folder = Path(".build")
    folder.mkdir(exist_ok=True)
    command = [HEADWATER, "discover", "--db", str(folder / "headwater.db")]
    if len(sys.argv) > 1:
        return subprocess.call([*command, *sys.argv[1:]])
    with sample_site() as origin:
        sys.stderr.write(f"The sample site is served at {origin}\n\n")
        return subprocess.call([*command, origin])


if __name__ == "__main__":
    sys.exit(main())
