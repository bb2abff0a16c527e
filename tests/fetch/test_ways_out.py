"""Every installed Chromium sends all traffic through the proxy: no other connection, UDP packet or name lookup."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headwater.fetch.browser.chromium import EXECUTABLE_NAMES
from tests.commands import PATIENCE
from tests.permissions import UNSHARE
from tests.sites.ways_out import Reached, open_ways_out

PROGRAMS = [name for name in EXECUTABLE_NAMES if shutil.which(name)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_private_address_is_not_reached(program: str) -> None:
    assert open_ways_out(program) == Reached(connections=0, packets=0)


@pytest.mark.namespaces
def test_no_udp_packet_is_sent() -> None:
    """WebRTC, QUIC and name lookups send none, in a network where all of them could."""
    script = f"""set -e
      ip link set lo up
      ip link add near type veth peer name far
      ip address add 10.9.0.1/24 dev near
      ip link set near up
      ip link set far up
      ip route add default via 10.9.0.2
      ip neighbour add 10.9.0.2 lladdr 02:00:00:00:00:02 dev near
      exec {sys.executable} -m tests.sites.ways_out {PROGRAMS[0]}"""
    done = subprocess.run(
        [*UNSHARE, "sh", "-c", script],
        capture_output=True, text=True, timeout=2 * PATIENCE, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr
