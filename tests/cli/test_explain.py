"""`headwater explain` lists the rules in order and marks the one that decides."""

from __future__ import annotations

import json

import pytest

from tests.commands import headwater


def test_text_lists_spellings_rules_and_verdict() -> None:
    done = headwater("explain", "https://other.org/a/", "--base", "https://example.com")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "https://other.org/a/"
    assert "  fetch_url  https://other.org/a/" in lines
    assert "  url        https://other.org/a/" in lines
    assert "  key        https://other.org/a" in lines
    assert "   10  other-host         yes  other.org is not example.com   <- decides" in lines
    assert "   11  outside-base-path  -" in lines
    assert lines[-2].startswith("  skipped: other-host (not visited; recorded as external")


def test_line_format_prints_one_line_per_url() -> None:
    done = headwater("explain", "/a/", "x.pdf", "mailto:x", "--base", "https://e.com/docs/", "--format", "line")
    assert done.out.splitlines() == [
        "allowed  -                  https://e.com/a/",
        "skipped  file-extension     https://e.com/docs/x.pdf",
        "skipped  not-http           mailto:x",
    ]


def spellings(*arguments: str) -> dict[str, str]:
    """Return the spellings of a URL, and its shape, as `explain` prints them."""
    lines = headwater("explain", *arguments, "--base", "https://e.com").out.splitlines()
    return dict(line.split() for line in lines[1:5])


def test_by_default_a_url_is_listed_as_it_is_requested_without_tracking_parameters() -> None:
    found = spellings("/a/?utm_source=x&b=1")
    assert (found["fetch_url"], found["url"], found["key"]) == (
        "https://e.com/a/?b=1",
        "https://e.com/a/?b=1",
        "https://e.com/a?b=1",
    )


def test_other_presets_list_the_normalized_url() -> None:
    found = spellings("/a/?utm_source=x", "--preset", "waterfall")
    assert (found["fetch_url"], found["url"], found["key"]) == (
        "https://e.com/a/?utm_source=x",
        "https://e.com/a?utm_source=x",
        "https://e.com/a?utm_source=x",
    )


@pytest.mark.parametrize("preset", ["full", "waterfall"])
def test_the_shape_is_computed_from_the_key(preset: str) -> None:
    assert spellings("/a/12/", "--preset", preset)["shape"] == spellings("/a/12", "--preset", preset)["shape"]


def test_jsonl_prints_every_rule() -> None:
    done = headwater(
        "explain", "--base", "example.com/docs", "--preset", "docs", "--format", "jsonl", stdin=b"x\n/docs/a\n"
    )
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["url"], row["allowed"], row["reason"]) for row in rows] == [
        ("https://example.com/x", False, "outside-base-path"),
        ("https://example.com/docs/a", True, ""),
    ]
    assert [rule["rule"] for rule in rows[0]["rules"] if rule["decides"]] == ["outside-base-path"]


def test_links_are_resolved_against_their_page() -> None:
    page = ["--base", "https://e.com", "--page", "https://e.com/a/b"]
    assert "skipped: same-page" in headwater("explain", "b", *page).out
    assert "url        https://e.com/a/c" in headwater("explain", "c", *page).out
    assert "skipped: fragment-only" in headwater("explain", "#x", *page).out


def test_external_hops_are_counted() -> None:
    base = ["--base", "https://e.com", "--max-external-hops", "2"]
    assert "allowed, 2 links away from the site" in headwater("explain", "https://o.org", *base, "--hops", "1").out
    assert "skipped: other-host" in headwater("explain", "https://o.org", *base, "--hops", "2").out


def test_mistakes_exit_with_code_2() -> None:
    missing = headwater("explain", "https://e.com")
    assert (missing.code, "--base" in missing.err) == (2, True)
    wrong = headwater("explain", "https://e.com", "--base", "mailto:x")
    assert (wrong.code, wrong.err) == (2, "Error: 'mailto:x' cannot be used: mailto: is not http or https\n")
    pattern = headwater("explain", "https://e.com", "--base", "e.com", environment={"HEADWATER_EXCLUDE": "re:("})
    assert pattern.code == 2
    assert pattern.err.startswith("Error: exclude (from HEADWATER_EXCLUDE): 're:(' is not a valid RE2")


def test_control_characters_are_escaped() -> None:
    done = headwater("explain", "\x1b[2J", "--base", "e.com")
    assert "\x1b" not in done.out
