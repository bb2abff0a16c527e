"""Decisions on suspects do not depend on the order of responses."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from headwater.frontier.file_samples import MAX_FILES
from headwater.frontier.traps.sampling import SuspectSampler
from headwater.frontier.traps.trap_detector import MAX_BARREN_SAMPLES, MIN_TRAP_PAGES, SampleResult, TrapDetector
from headwater.frontier.traps.view_runs import MAX_VIEWS
from headwater.model import Candidate
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SITE = "https://example.com"
FILTERS = [f"/shop?color=red&size={number:03}" for number in range(300)]
CALENDAR = [f"/calendar/2024/05/{number:02}" for number in range(1, 29)]
LIST = [f"/list?page={number:03}" for number in range(300)]
NUMBERED = [f"/items/{number:03}" for number in range(300)]


def suspect(path: str, depth: int = 1) -> Candidate:
    url = SITE + path
    return Candidate(compute_identity(url), url, url, url, depth, is_suspect=True)


def barren(_: str) -> SampleResult:
    return SampleResult(0)


def run(
    paths: Sequence[str],
    result_of: Callable[[str], SampleResult | None],
    parallel: int,
    seed: int = 0,
    traps: TrapDetector | None = None,
) -> tuple[list[str], list[str]]:
    """Return the paths that are visited and skipped with `parallel` visits at once, which end in a random order."""
    traps, rng = traps or TrapDetector(), random.Random(seed)
    traps.begin_round()
    sampling = SuspectSampler(traps)
    sampling.add(map(suspect, paths))
    visiting: list[Candidate] = []
    visited, skipped = [], []
    while True:
        decision = sampling.next() if len(visiting) < parallel else None
        if decision is None and not visiting:
            break
        if decision is None:
            candidate = visiting.pop(rng.randrange(len(visiting)))
            result = result_of(candidate.key.removeprefix(SITE))
            if result is not None:
                sampling.add_result(candidate, result)
            sampling.finish(candidate)
        elif decision.is_visited:
            visiting.append(decision.candidate)
            visited.append(decision.candidate.key.removeprefix(SITE))
        else:
            skipped.append(decision.candidate.key.removeprefix(SITE))
    assert sampling.undecided == 0
    return sorted(visited), sorted(skipped)


@pytest.mark.parametrize("parallel", [1, 10, 64, 1000])
@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (FILTERS, FILTERS[:MAX_BARREN_SAMPLES]),
        (LIST, LIST[: 1 + MIN_TRAP_PAGES]),  # the content of the first is new
        (NUMBERED, NUMBERED),
        (CALENDAR, CALENDAR),
        ([*FILTERS, *NUMBERED], [*FILTERS[:MAX_BARREN_SAMPLES], *NUMBERED]),
    ],
)
def test_a_trap_is_sampled(paths: list[str], expected: list[str], parallel: int) -> None:
    visited, skipped = run(paths, barren, parallel)
    assert visited == sorted(expected)
    assert sorted([*visited, *skipped]) == sorted(paths)


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_responses_makes_no_difference(seed: int) -> None:
    rng = random.Random(seed)
    paths = [*FILTERS, *LIST, *NUMBERED, *CALENDAR, *(f"/s/{letter}?sid={n}" for letter in "ab" for n in range(200))]
    shapes = ("/about", "/x?a", "/y?b", "/shop?color&size")
    results = {
        path: rng.choices(
            (
                SampleResult(0),
                SampleResult(rng.randrange(5)),
                SampleResult(0, [(rng.randrange(50), rng.choice(shapes))]),
                None,
            ),
            (100, 2, 2, 5),
        )[0]
        for path in paths
    }
    expected = run(paths, results.get, 1)
    assert expected[1]
    for parallel in (2, 10, 64, 5000):
        assert run(paths, results.get, parallel, rng.randrange(1000)) == expected


def test_a_family_stays_exhausted_in_the_next_round() -> None:
    traps = TrapDetector()
    run(FILTERS, barren, 10, traps=traps)
    assert run(FILTERS[:5], barren, 10, traps=traps) == ([], FILTERS[:5])


def test_a_late_result_with_something_new_continues_the_family() -> None:
    news = {FILTERS[MAX_BARREN_SAMPLES - 1]: SampleResult(0, [(1, "/about")])}
    visited, _ = run(FILTERS, lambda path: news.get(path, SampleResult(0)), 64)
    assert visited == FILTERS[: 2 * MAX_BARREN_SAMPLES]


def test_visits_without_a_result_do_not_count() -> None:
    visited, skipped = run(FILTERS, lambda _: None, 64)
    assert (visited, skipped) == (FILTERS, [])


SOURCES = [f"/_sources/topic{number:03}.rst.txt" for number in range(60)]
NOTES = [f"/_sources/notes/topic{number:03}.rst.txt" for number in range(60)]
PLAIN = [f"/repo/plain/file{number:03}.md" for number in range(40)]
TREE = [f"/repo/tree/file{number:03}.md" for number in range(40)]
SCATTERED = [f"/posts/{name}/index.rst" for name in ("apple", "berry", "cherry", "damson", "elder", "fig", "grape")]


@pytest.mark.parametrize("parallel", [1, 10, 64])
@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (SOURCES, [*SOURCES[:MAX_FILES], SOURCES[MAX_FILES + 31]]),
        ([*SOURCES[:20], *NOTES[:20]], [*SOURCES[:MAX_FILES], NOTES[0]]),
        ([*PLAIN[:20], *TREE], [*PLAIN[:MAX_FILES], *TREE]),  # a host that shows the files under another path
        (SCATTERED, SCATTERED[:3]),  # of which each has a directory of its own
        (TREE, TREE),
        (SOURCES[:2], SOURCES[:2]),
    ],
)
def test_of_files_that_are_not_pages_only_a_sample_is_visited(
    paths: list[str], expected: list[str], parallel: int
) -> None:
    def answer(path: str) -> SampleResult:
        return SampleResult(0, is_file="/tree/" not in path)

    visited, skipped = run(paths, answer, parallel, traps=TrapDetector(samples_files=True))
    assert (visited, skipped) == (sorted(expected), sorted(set(paths) - set(expected)))


def test_files_that_do_not_load_say_nothing_about_the_others() -> None:
    visited, _ = run(SOURCES, lambda _: None, 10, traps=TrapDetector(samples_files=True))
    assert visited == SOURCES


def test_copies_of_pages_with_another_query_are_views_once_they_have_nothing_new() -> None:
    """Links to single posts of a topic, which name the topic as canonical: only the first of a topic has new texts."""
    posts = [f"/topic?p={topic}{place}" for topic in range(10, 40) for place in range(5)]

    def answer(path: str) -> SampleResult:
        topic = int(path[9:11])
        return SampleResult(topic, [(topic, "/topic?t")], frozenset({topic}), is_copy=True)

    visited, skipped = run(posts, answer, 10)
    assert visited[:10] == posts[:10]
    assert len(visited) < 20
    assert run(posts, answer, 1) == (visited, skipped)
    assert run(posts, lambda path: answer(path)._replace(is_copy=False), 10)[0] == posts


def test_hash_routes_are_compared_by_the_names_of_their_parameters() -> None:
    anchors = [f"/#/guide{number:02}?id=part{number}" for number in range(30)]
    searches = [f"/#/find{number}?q={number}" for number in range(5)]
    visited, _ = run([*anchors, *searches], lambda path: SampleResult(0, is_view="?id=" in path), 10)
    assert visited == sorted([*anchors[:MAX_VIEWS], *searches])


def test_files_among_views_do_not_interrupt_their_run() -> None:
    """A wiki offers the source of each page as text, under the same parameter as its edit form."""
    views = [f"/wiki?do={'raw' if number % 3 == 0 else 'edit'}&id={number:03}" for number in range(60)]

    def answer(path: str) -> SampleResult:
        return SampleResult(0, is_file=True) if "do=raw" in path else SampleResult(0, is_view=True)

    visited, _ = run(sorted(views, key=lambda one: one[-3:]), answer, 10)
    assert sum("do=edit" in one for one in visited) <= MAX_VIEWS + 2
