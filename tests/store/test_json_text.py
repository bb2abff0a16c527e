"""Text that cannot be encoded: replaced when it is read, and never stored for a new scan."""

from __future__ import annotations

import json
import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from headwater.errors import SettingError
from headwater.runner.scan_setup import extract_credentials
from headwater.settings import Settings
from headwater.store import open_store
from headwater.store.json_text import parse_json

if TYPE_CHECKING:
    from pathlib import Path

NOT_UTF8 = os.fsdecode(b"\xff")


@pytest.mark.parametrize("text", ["plain", "\ufffd", "\U0001f600", "\\ud800", '"\\'])
def test_text_is_read_as_it_was_written(text: str) -> None:
    assert parse_json(json.dumps([text])) == [text]


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "x.db"))) as store:
        store.create_scan([f"http://example.com/{NOT_UTF8}"], {"include": [f"/{NOT_UTF8}*"]})
        scan = store.last_scan()
    assert scan is not None
    assert (scan.seeds, scan.settings["include"]) == (("http://example.com/\ufffd",), ["/\ufffd*"])


def test_a_seed_that_is_not_utf8_is_stored_as_it_is_requested() -> None:
    seeds, _ = extract_credentials([f"http://example.com/{NOT_UTF8}", "example.com/ö"], Settings())
    assert seeds == ["http://example.com/%EF%BF%BD", "example.com/ö"]


def test_a_pattern_that_is_not_utf8_is_rejected() -> None:
    with pytest.raises(SettingError, match="include"):
        Settings(include=(f"/{NOT_UTF8}*",))
