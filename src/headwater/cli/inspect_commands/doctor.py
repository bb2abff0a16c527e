"""`headwater doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from headwater.cli.async_runner import run
from headwater.cli.inspect_commands.check_results import CheckResult
from headwater.cli.inspect_commands.doctor_browser import check_browser
from headwater.cli.options import load_settings, settings_options
from headwater.fetch.browser.chromium import INSTALL_HINT, PLAYWRIGHT_INSTALL_HINT, find_chromium, has_playwright
from headwater.fetch.http.client import libcurl_version
from headwater.version import VERSION

VERSION_TIMEOUT = 20.0


@click.command("doctor")
@settings_options("render", "fetch")
def command(**flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Say what is installed, what is missing, and how to get it.

    Exits with 1 only if something is missing that nothing works without.
    """
    settings = load_settings(flags).settings
    findings = [_check_python(), _check_libcurl(), _check_package("turbohtml", "reads pages")]
    findings += [
        _check_package("uvloop", "a faster event loop", "fast"),
        _check_driver(),
        _check_chromium(settings.browser),
    ]
    if findings[-1].is_ok and findings[-2].is_ok:
        findings += run(check_browser(settings))
    for one in findings:
        click.echo(f"  {one.state} {one.name:<12}{one.detail}")
        if one.advice:
            click.echo(f"    {'':<12}{one.advice}")
    if any(one.is_needed and not one.is_ok for one in findings):
        raise SystemExit(1)


def _check_python() -> CheckResult:
    return CheckResult("headwater", "✓", f"{VERSION} on Python {platform.python_version()}, {platform.system()}")


def _check_libcurl() -> CheckResult:
    told = libcurl_version().split()
    speaks = "HTTP/1.1, 2 and 3" if "nghttp3" in libcurl_version() else "HTTP/1.1 and 2"
    return CheckResult(
        "libcurl", "✓", f"{told[1].partition('/')[2] if len(told) > 1 else told[0]}: {speaks}", is_needed=True
    )


def _check_package(name: str, what: str, extra: str = "") -> CheckResult:
    try:
        return CheckResult(name, "✓", f"{version(name)}, {what}", is_needed=not extra)
    except PackageNotFoundError:
        advice = f"pip install 'headwater[{extra}]'" if extra else f"pip install {name}"
        return CheckResult(name, "–" if extra else "✗", f"not installed; {what}", advice, is_needed=not extra)


def _check_driver() -> CheckResult:
    if has_playwright():
        return CheckResult("playwright", "✓", f"{version('playwright')}, drives the browser")
    advice = f"{PLAYWRIGHT_INSTALL_HINT}; without it pages that need JavaScript are read as they are"
    return CheckResult("playwright", "–", "not installed", advice)


def _check_chromium(setting: str | None) -> CheckResult:
    path = find_chromium(setting)
    if not path:
        advice = f"{INSTALL_HINT}; without it pages that need JavaScript are read as they are"
        return CheckResult("chromium", "–", f"{setting} was not found" if setting else "not found on the PATH", advice)
    try:
        told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return CheckResult("chromium", "✗", f"{path} does not answer: {error}", INSTALL_HINT)
    return CheckResult("chromium", "✓", f"{told.stdout.strip() or 'of unknown version'}, {path}")
