"""`headwater doctor`: check what is installed, what is missing, and how to install it."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version

import click

from headwater.cli.async_runner import run
from headwater.cli.inspect_commands.doctor_browser import CheckResult, check_browser
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.fetch.browser.chromium import INSTALL_HINT, PLAYWRIGHT_INSTALL_HINT, find_chromium, has_playwright
from headwater.fetch.http.client import libcurl_version
from headwater.version import VERSION

VERSION_TIMEOUT = 20.0
WITHOUT_BROWSER = "without it, pages are read without running their JavaScript"


@click.command("doctor", cls=SettingsCommand)
@settings_options("render", "fetch")
def command(chosen: EffectiveSettings) -> None:
    """Check what is installed, what is missing, and how to install it.

    Exit code: 1 if a required part is missing, else 0.
    """
    settings = chosen.settings
    driver, chromium = _check_driver(), _check_chromium(settings.browser)
    results = [
        CheckResult("headwater", "✓", f"{VERSION} on Python {platform.python_version()}, {platform.system()}"),
        _check_libcurl(),
        _check_package("turbohtml", "parses pages"),
        _check_package("uvloop", "a faster event loop", "fast"),
        _check_package("XlsxWriter", "writes xlsx", "xlsx"),
        _check_package("pyarrow", "writes parquet", "parquet"),
        driver,
        chromium,
    ]
    if driver.is_ok and chromium.is_ok:
        results += run(check_browser(settings))
    for result in results:
        click.echo(f"  {result.state} {result.name:<12}{result.detail}")
        if result.advice:
            click.echo(f"    {'':<12}{result.advice}")
    if any(result.is_needed and not result.is_ok for result in results):
        raise SystemExit(1)


def _check_libcurl() -> CheckResult:
    parts = libcurl_version().split()
    number = parts[1].partition("/")[2] if len(parts) > 1 else parts[0]
    protocols = "HTTP/1.1, 2 and 3" if "nghttp3" in libcurl_version() else "HTTP/1.1 and 2"
    return CheckResult("libcurl", "✓", f"{number}, {protocols}", is_needed=True)


def _check_package(name: str, purpose: str, extra: str = "") -> CheckResult:
    try:
        return CheckResult(name, "✓", f"{version(name)}, {purpose}", is_needed=not extra)
    except PackageNotFoundError:
        advice = f"pip install 'headwater[{extra}]'" if extra else f"pip install {name}"
        return CheckResult(name, "–" if extra else "✗", f"not installed; {purpose}", advice, is_needed=not extra)


def _check_driver() -> CheckResult:
    if has_playwright():
        return CheckResult("playwright", "✓", f"{version('playwright')}, drives the browser")
    return CheckResult("playwright", "–", "not installed", f"{PLAYWRIGHT_INSTALL_HINT}; {WITHOUT_BROWSER}")


def _check_chromium(setting: str | None) -> CheckResult:
    path = find_chromium(setting)
    if not path:
        detail = f"{setting} was not found" if setting else "not found on the PATH"
        return CheckResult("chromium", "–", detail, f"{INSTALL_HINT}; {WITHOUT_BROWSER}")
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return CheckResult("chromium", "✗", f"{path} does not start: {error}", INSTALL_HINT)
    return CheckResult("chromium", "✓", f"{done.stdout.strip() or 'unknown version'}, {path}")
