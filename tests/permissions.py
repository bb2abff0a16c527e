"""Find out once which permissions this user lacks; tests that need them are deselected, and the summary says why.

A test that needs such a permission has its marker. No test checks the user or skips itself.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache

UNSHARE = ("unshare", "--net", "--mount", *(("--map-root-user",) if os.geteuid() else ()))
"""The prefix of a command that runs in its own network and mount namespaces, as root inside them."""

NAMESPACES = "namespaces"


@cache
def missing_permissions() -> dict[str, str]:
    """Return the markers of tests that this user may not run, each with the reason."""
    command = [*UNSHARE, "ip", "link", "set", "lo", "up"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return {}
    return {NAMESPACES: f"this user may not create network namespaces ({tried.stderr.strip()})"}
