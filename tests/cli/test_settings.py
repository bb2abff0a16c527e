"""`headwater settings` prints values and origins; flags override variables, which override files."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

from headwater.settings import SETTINGS
from tests.commands import headwater

if TYPE_CHECKING:
    from pathlib import Path


def test_json_has_values_and_origins(tmp_path: Path) -> None:
    (tmp_path / "headwater.toml").write_text('preset = "scan"\n[fetch]\nretries = 1\n')
    done = headwater(
        "settings", "--max-depth", "none", "--format", "json", environment={"HEADWATER_DELAY": "1s"}, cwd=tmp_path
    )
    rows = json.loads(done.out)["settings"]
    assert set(rows) == set(SETTINGS)
    seen = {
        name: (rows[name]["value"], rows[name]["origin"]) for name in ("max_depth", "delay", "retries", "max_pages")
    }
    assert seen == {
        "max_depth": (None, "--max-depth"),
        "delay": (1.0, "HEADWATER_DELAY"),
        "retries": (1, "headwater.toml"),
        "max_pages": (200, "preset scan"),
    }


def test_none_empties_a_list() -> None:
    flags = ("--sources", "none", "--sitemap-places", "None", "--exclude", "/none/*")
    rows = json.loads(headwater("settings", *flags, "--format", "json").out)["settings"]
    assert [rows[name]["value"] for name in ("sources", "sitemap_places", "exclude")] == [[], [], ["/none/*"]]


def test_an_error_names_the_wrong_word_of_a_list() -> None:
    wrong = headwater("export", "--fields", "url,titel")
    assert "fields (from --fields): 'titel' is not allowed" in wrong.err
    assert wrong.err.rstrip().endswith("did you mean title?")


def test_text_lists_every_setting() -> None:
    lines = headwater("settings").out.splitlines()
    assert {line.split()[0] for line in lines if line.startswith("  ")} == set(SETTINGS)


def test_toml_can_be_read_back(tmp_path: Path) -> None:
    written = headwater(
        "settings", "--preset", "docs", "--max-pages", "7", "--max-depth", "none", "--format", "toml"
    ).out
    assert tomllib.loads(written)["limits"] == {"max_depth": "none", "max_pages": 7}
    (tmp_path / "mine.toml").write_text(written)
    rows = json.loads(headwater("settings", "--config", str(tmp_path / "mine.toml"), "--format", "json").out)
    assert (rows["preset"], rows["settings"]["max_pages"]["value"], rows["settings"]["max_depth"]["value"]) == (
        "docs",
        7,
        None,
    )


def test_errors_name_the_origin(tmp_path: Path) -> None:
    flag = headwater("settings", "--max-pages", "0")
    expected = "'0' is not allowed; expected a whole number of at least 1, or none"
    assert flag == (2, "", f"Error: max_pages (from --max-pages): {expected}\n")
    missing = headwater("settings", "--config", "no-such.toml")
    assert (missing.code, "no-such.toml cannot be read: No such file" in missing.err) == (2, True)
    (tmp_path / "headwater.toml").write_text("max_pages = \n")
    broken = headwater("settings", cwd=tmp_path)
    assert (broken.code, "headwater.toml is not valid TOML" in broken.err) == (2, True)
    for text in ("max_pages = " + "1" * 5000, "include = " + "[" * 5000):
        (tmp_path / "headwater.toml").write_text(text)
        broken = headwater("settings", cwd=tmp_path)
        assert (broken.code, "headwater.toml is not valid TOML" in broken.err) == (2, True)
    (tmp_path / "headwater.toml").write_text("max_pagse = 3\n")
    unknown = headwater("settings", cwd=tmp_path)
    assert unknown.err == "Error: max_pagse (from headwater.toml): no such setting; did you mean max_pages?\n"


def test_secrets_are_not_shown() -> None:
    secret = {
        "HEADWATER_CREDENTIALS": "https://e.com basic user:swordfish",
        "HEADWATER_PROXY": "u:swordfish@p:1",
        "HEADWATER_DB": "postgresql://u:swordfish@p:1/d?password=swordfish",
        "HEADWATER_OPENAI_BASE_URL": "http://u:swordfish@p:1/v1",
    }
    for style in ("text", "json", "toml"):
        done = headwater("settings", "--format", style, environment=secret)
        assert "hidden" in done.out
        assert "swordfish" not in done.out


def test_version_help_and_completion() -> None:
    assert headwater("--version").out.startswith("headwater, version 0.")
    assert headwater("-h").code == 0
    assert headwater("no-such-command").code == 2
    for shell in ("bash", "zsh", "fish"):
        assert "_HEADWATER_COMPLETE" in headwater("completion", shell).out
