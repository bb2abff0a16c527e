"""`headwater explain` shows the rules in order and the one that decides."""

from __future__ import annotations

import json

import pytest

from tests.commands import headwater


def test_text_for_people() -> None:
    done = headwater("explain", "https://other.org/a/", "--base", "https://example.com")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "https://other.org/a/"
    assert "  fetch_url  https://other.org/a/" in lines
    assert "  url        https://other.org/a/" in lines
    assert "  key        https://other.org/a" in lines
    assert "    9  other-host         yes  other.org is not example.com   <- decides" in lines
    assert "   10  outside-base-path  -" in lines
    assert lines[-2].startswith("  refused: other-host (not visited; recorded as external")


def test_one_line_a_url() -> None:
    done = headwater("explain", "/a/", "x.pdf", "mailto:x", "--base", "https://e.com/docs/", "--format", "line")
    assert done.out.splitlines() == [
        "allowed  -                  https://e.com/a/",
        "refused  file-extension     https://e.com/docs/x.pdf",
        "refused  not-http           mailto:x",
    ]


def spellings(*arguments: str) -> dict[str, str]:
    """Return what `explain` says a URL is requested, listed and compared as, and its shape."""
    lines = headwater("explain", *arguments, "--base", "https://e.com").out.splitlines()
    return dict(line.split() for line in lines[1:5])


def test_by_default_a_url_is_listed_as_it_is_requested_without_tracking_parameters() -> None:
    told = spellings("/a/?utm_source=x&b=1")
    assert (told["fetch_url"], told["url"], told["key"]) == (
        "https://e.com/a/?b=1",
        "https://e.com/a/?b=1",
        "https://e.com/a?b=1",
    )


def test_the_other_presets_list_the_normal_form() -> None:
    told = spellings("/a/?utm_source=x", "--preset", "waterfall")
    assert (told["fetch_url"], told["url"], told["key"]) == (
        "https://e.com/a/?utm_source=x",
        "https://e.com/a?utm_source=x",
        "https://e.com/a?utm_source=x",
    )


@pytest.mark.parametrize("preset", ["full", "waterfall"])
def test_the_shape_is_that_of_the_key(preset: str) -> None:
    assert spellings("/a/12/", "--preset", preset)["shape"] == spellings("/a/12", "--preset", preset)["shape"]


def test_json_for_programs() -> None:
    done = headwater(
        "explain", "--base", "example.com/docs", "--preset", "docs", "--format", "jsonl", stdin=b"x\n/docs/a\n"
    )
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["url"], row["allowed"], row["reason"]) for row in rows] == [
        ("https://example.com/x", False, "outside-base-path"),
        ("https://example.com/docs/a", True, ""),
    ]
    assert [rule["rule"] for rule in rows[0]["rules"] if rule["decides"]] == ["outside-base-path"]


def test_links_on_a_page() -> None:
    page = ["--base", "https://e.com", "--page", "https://e.com/a/b"]
    assert "refused: same-page" in headwater("explain", "b", *page).out
    assert "url        https://e.com/a/c" in headwater("explain", "c", *page).out
    assert "refused: fragment-only" in headwater("explain", "#x", *page).out


def test_hops_off_the_site() -> None:
    base = ["--base", "https://e.com", "--max-external-hops", "2"]
    assert "allowed: 2 step(s) off the site" in headwater("explain", "https://o.org", *base, "--hops", "1").out
    assert "refused: other-host" in headwater("explain", "https://o.org", *base, "--hops", "2").out


def test_mistakes() -> None:
    missing = headwater("explain", "https://e.com")
    assert (missing.code, "--base" in missing.err) == (2, True)
    wrong = headwater("explain", "https://e.com", "--base", "mailto:x")
    assert (wrong.code, wrong.err) == (2, "error: 'mailto:x' cannot be used: mailto: is not http or https\n")
    pattern = headwater("explain", "https://e.com", "--base", "e.com", environment={"HEADWATER_EXCLUDE": "re:("})
    assert pattern.code == 2
    assert pattern.err.startswith("error: exclude (from HEADWATER_EXCLUDE): 're:(' is not a valid RE2")


def test_hostile_text_cannot_reach_the_terminal() -> None:
    done = headwater("explain", "\x1b[2J", "--base", "e.com")
    assert "\x1b" not in done.out
