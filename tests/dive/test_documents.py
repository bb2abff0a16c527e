"""Exported files have safe and unique names, and front matter that is valid YAML."""

from __future__ import annotations

import re

import pytest

from headwater.dive.content.export_formats import build_front_matter, choose_file_name, parse_front_matter_url
from headwater.store import DivePage

NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML 1.2 does not permit unescaped, or reads as a line break or byte order mark."""


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["", "index", ""], ["index.md", "index-2.md", "index-3.md"]),
        (["A", "a", "a-2", "A.html"], ["A.md", "a-2.md", "a-2-2.md", "A-3.md"]),
        (["a-2", "a", "a", "a"], ["a-2.md", "a.md", "a-3.md", "a-4.md"]),
        (["../../x", "-rf", ".hidden", "%2e%2e/x"], ["x.md", "rf.md", "hidden.md", "2e-2e-x.md"]),
        (["x" * 300, "x" * 301], ["x" * 120 + ".md", "x" * 120 + "-2.md"]),
    ],
)
def test_file_names_are_safe_and_unique(paths: list[str], expected: list[str]) -> None:
    taken: dict[str, int] = {}
    assert [choose_file_name(f"https://example.com/{path}", taken) for path in paths] == expected


def test_many_pages_of_one_name_are_named_in_linear_time() -> None:
    """A quadratic search takes minutes, longer than the time limit of a test."""
    taken: dict[str, int] = {}
    names = {choose_file_name(f"https://example.com/{'%E6%97%A5' * 14}{number}", taken) for number in range(30_000)}
    assert len(names) == 30_000


def test_front_matter_has_no_character_that_yaml_forbids() -> None:
    url = "https://example.com/?\x7f"
    text = build_front_matter(_page(url, "A \x7f \x9b31m \x85 \u2028 \ufeff \ufffe \uffff \ud800 title"))
    assert NOT_YAML.findall(text) == []
    assert parse_front_matter_url(text) == url


def _page(url: str, title: str) -> DivePage:
    return DivePage(**dict.fromkeys(DivePage._fields) | {"url": url, "title": title})  # type: ignore[arg-type]
