"""`headwater doctor` says what is installed and what is missing."""

from __future__ import annotations

from tests.commands import headwater


def test_everything_is_installed() -> None:
    result = headwater("doctor")
    assert result.code == 0
    marks = {line[4:16].strip(): line[2] for line in result.out.splitlines()}
    names = ("headwater", "libcurl", "turbohtml", "uvloop", "playwright", "chromium", "a page")
    assert marks == dict.fromkeys(names, "✓")


def test_a_browser_that_is_not_there() -> None:
    result = headwater("doctor", "--browser", "/nowhere/chromium")
    assert result.code == 0
    assert "– chromium    /nowhere/chromium was not found" in result.out
    assert "without it pages that need JavaScript are read as they are" in result.out
