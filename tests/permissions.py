"""Decide once what this user may do; tests that need more are left out of the run, and its end says why.

A test that needs such a permission has its marker. Nothing else asks who runs the tests or skips for lack of rights.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache

UNSHARE = ("unshare", "--net", "--mount", *(("--map-root-user",) if os.geteuid() else ()))
"""How to start a command in network and mount namespaces of its own; without root it is root in there only."""

NAMESPACES = "namespaces"


@cache
def missing_permissions() -> dict[str, str]:
    """Return the markers of tests that this user may not run, each with the reason."""
    command = [*UNSHARE, "ip", "link", "set", "lo", "up"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return {}
    return {NAMESPACES: f"this user may not create network namespaces ({tried.stderr.strip()})"}
