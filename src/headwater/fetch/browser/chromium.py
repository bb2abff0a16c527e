"""Find an installed Chromium, and the flags that keep it from any network access except through our proxy."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

from headwater.fetch.browser.network.nss_home import explain_unsupported_ca_file

EXECUTABLE_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
INSTALL_HINT = "apt install chromium (or your system's package), or name one with --browser"
PLAYWRIGHT_INSTALL_HINT = "pip install 'headwater[browser]'"

DEAD_PROXY = "http://127.0.0.1:9"
"""An unreachable proxy for Chromium's own requests; contexts for pages have another one."""

_FLAGS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-domain-reliability",
    "--disable-client-side-phishing-detection", "--disable-remote-fonts", "--disable-notifications", "--mute-audio",
    "--disable-breakpad", "--disable-extensions", "--disable-dev-shm-usage",
    "--blink-settings=imagesEnabled=false",
    "--autoplay-policy=user-gesture-required",
    # chromium knows the first spelling, chromium-headless-shell the second.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Chromium itself resolves only its proxy. Multicast DNS would look up `.local` names of WebRTC nevertheless, so
    # they are mapped to an address that no socket can connect to.
    "--host-resolver-rules=MAP *.local 255.255.255.255 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--js-flags=--max-old-space-size=1024",
)  # fmt: skip


def find_chromium(setting: str | None = None) -> str:
    """Return the path of the program; empty if there is none."""
    if setting:
        return shutil.which(setting) or ""
    return next((path for name in EXECUTABLE_NAMES if (path := shutil.which(name))), "")


def has_playwright() -> bool:
    """Return True if playwright, which controls Chromium, is installed."""
    return find_spec("playwright") is not None


def explain_missing_browser(setting: str | None = None, ca_file: str | None = None) -> str:
    """Return the reason why pages cannot be opened in a browser; empty if they can."""
    if not has_playwright():
        return f"playwright is not installed: {PLAYWRIGHT_INSTALL_HINT}"
    if not find_chromium(setting):
        return f"{setting or 'Chromium'} was not found: {INSTALL_HINT}"
    return explain_unsupported_ca_file() if ca_file else ""


def build_launch_flags() -> list[str]:
    """Return Chromium's flags; root cannot use its sandbox."""
    return [*_FLAGS, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
