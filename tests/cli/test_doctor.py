"""`headwater doctor` reports what is installed and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.fetch.browser.chromium import find_chromium
from tests.commands import headwater

if TYPE_CHECKING:
    from pathlib import Path

LEAKY_CHROMIUM = """#!/bin/sh
for one do shift; case $one in *webrtc-ip-handling-policy*) ;; *) set -- "$@" "$one" ;; esac; done
exec {chromium} "$@"
"""


def test_everything_is_installed() -> None:
    result = headwater("doctor", is_new=True)
    assert result.code == 0
    marks = {line[4:16].strip(): line[2] for line in result.out.splitlines()}
    names = (
        "headwater",
        "libcurl",
        "turbohtml",
        "uvloop",
        "XlsxWriter",
        "pyarrow",
        "playwright",
        "chromium",
        "test page",
        "UDP",
    )
    assert marks == dict.fromkeys(names, "✓")


def test_a_missing_browser_is_reported() -> None:
    result = headwater("doctor", "--browser", "/nowhere/chromium")
    assert result.code == 0
    assert "– chromium    /nowhere/chromium was not found" in result.out
    assert "without it, pages are read without running their JavaScript" in result.out


def test_a_browser_that_lets_udp_bypass_the_proxy_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text(LEAKY_CHROMIUM.format(chromium=find_chromium()))
    program.chmod(0o755)
    result = headwater("doctor", "--browser", str(program))
    assert result.code == 0
    assert "✗ UDP         bypasses the proxy" in result.out


def test_a_ca_file_needs_certutil(tmp_path: Path) -> None:
    """The browser does not start, because it would not trust the given certificates."""
    (tmp_path / "chromium").symlink_to(find_chromium())
    result = headwater("doctor", "--ca-file", "ca.pem", environment={"PATH": str(tmp_path)})
    assert "✗ test page   does not load: --ca-file needs certutil for the browser" in result.out
    assert "apt install libnss3-tools" in result.out
