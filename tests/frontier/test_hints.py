"""Which hints are requested: sources take turns, share a budget until one gains, and drop shapes that only miss."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from headwater.frontier.hints import MAX_MISSES, MAX_SCRIPT_FILES, HintBudget, HintSelection, is_error_page
from headwater.model import Hint

if TYPE_CHECKING:
    from collections.abc import Callable


def make_hints(source: str, names: str) -> list[Hint]:
    return [Hint(source, f"https://e.com/{source}/{name}") for name in names]


def run(hints: list[Hint], is_page: Callable[[str], bool], batch: int = 4) -> list[Hint]:
    """Request hints until no more are taken; return them."""
    budget = HintBudget()
    selection, requested = HintSelection(hints, budget), []
    while taken := selection.take(batch):
        for hint in taken:
            budget.record(hint, is_gain=is_page(hint.url))
        requested += taken
    return requested


@pytest.mark.parametrize("batch", [1, 4, 100])
def test_sources_share_the_budget_of_a_plain_site(batch: int) -> None:
    hints = make_hints("parents", "abcdefgh") + make_hints("scripts", "abcdefgh") + make_hints("robots", "abcdefgh")
    requested = run(hints, lambda _: False, batch)
    assert Counter(hint.source for hint in requested) == {"robots": 2, "parents": 2, "scripts": 2}
    assert len(requested) == MAX_MISSES


@pytest.mark.parametrize("batch", [1, 4])
def test_a_source_that_gains_goes_on_and_leaves_the_budget_to_the_others(batch: int) -> None:
    hints = make_hints("parents", "abcdefghijklmnop") + make_hints("scripts", "abcdefghijklmnop")
    requested = run(hints, lambda url: "/scripts/" in url, batch)
    assert Counter(hint.source for hint in requested) == {"parents": MAX_MISSES, "scripts": 16}


def test_a_source_that_gained_once_ends_after_further_misses() -> None:
    hints = make_hints("scripts", "abcdefghijklmnop")
    assert len(run(hints, lambda url: url.endswith("/a"))) == 1 + MAX_MISSES + 1


def test_forms_have_a_budget_of_their_own() -> None:
    hints = make_hints("forms", "abcdefghijklmnop") + make_hints("parents", "abcdefghijklmnop")
    assert Counter(hint.source for hint in run(hints, lambda _: False)) == {"forms": 6, "parents": 6}


def test_a_shape_that_only_misses_is_dropped() -> None:
    hints = [Hint("parents", f"https://e.com/{year}") for year in range(2000, 2020)] + make_hints("parents", "abcd")
    requested = run(hints, lambda _: False, batch=1)
    assert [hint.url for hint in requested] == [
        *(f"https://e.com/{year}" for year in (2000, 2001)),
        *(f"https://e.com/parents/{name}" for name in "abcd"),
    ]


@pytest.mark.parametrize("batch", [1, 4])
def test_few_script_files_are_read_unless_strings_gain(batch: int) -> None:
    files = [hint._replace(is_script=True) for hint in make_hints("scripts", "abcdef")]
    assert len(run(files, lambda _: False, batch)) == MAX_SCRIPT_FILES
    gained = run(make_hints("scripts", "xyz") + files, lambda url: url[-1] in "xyz", batch=1)
    assert len(gained) == 3 + MAX_SCRIPT_FILES + 3


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/404.html", True), ("/docs/404/", True), ("/_error", True), ("/not-found?from=x", True),
        ("/articles/404", True), ("/errors/404-explained", False), ("/", False), ("/404/more", False),
    ],
)  # fmt: skip
def test_names_of_error_pages(path: str, *, expected: bool) -> None:
    assert is_error_page(f"https://e.com{path}") == expected
