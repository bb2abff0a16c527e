"""What `make run` does: the main job on a given URL, or on the sample site if there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sample.serve import sample_site

HEADWATER = str(Path(sys.executable).parent / "headwater")


def main() -> int:
    """Run Headwater as a user would; its exit code is ours."""
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
