"""Topics: the phrases that are chosen, and their spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.classify.topics import MAX_PAGE_SHARE, MAX_SECTION_SHARE, MAX_TOPICS, MIN_PAGE_SHARE, Topics

if TYPE_CHECKING:
    from headwater.classify.sections import Path

Page = tuple["Path", str]
NO_TOPIC: list[Page] = [((f"s{number % 4}", "p1"), "") for number in range(200)]
"""Enough pages that no phrase is too common."""


def choose(pages: list[Page]) -> Topics:
    """Count all pages; the first folder is the section."""
    topics = Topics()
    for path, title in pages:
        topics.note(path, title)
    topics.choose(lambda folder: folder[:1])
    return topics


def in_sections(title: str, *counts: int) -> list[Page]:
    """Return pages with this title, this many in each of several sections."""
    return [((f"s{number}", "p1"), title) for number, count in enumerate(counts) for _ in range(count)]


def names(topics: Topics, title: str) -> list[str]:
    return [name for name, _ in topics.get_topics(title)]


@pytest.mark.parametrize(
    ("counts", "is_topic"),
    [((2, 1), True), ((1, 1), False), ((2,), False), ((20,), False), ((2, 2, 2), True), ((1, 1, 1), True)],
)
def test_a_topic_is_shared_by_sections(counts: tuple[int, ...], is_topic: bool) -> None:
    topics = choose([*NO_TOPIC, *in_sections("Warm boots", *counts)])
    assert names(topics, "Warm boots") == (["warm boot"] if is_topic else [])


@pytest.mark.parametrize("title", ["Min", "Max", "Sun", "Zero", "Boots", "java.util", "Uses of Class com.sun.jdi"])
def test_a_single_word_is_not_a_topic(title: str) -> None:
    assert names(choose([*NO_TOPIC, *in_sections(title, 5, 5)]), title) == []


def test_words_of_paths_are_not_topics() -> None:
    pages: list[Page] = [((f"s{number % 2}", "warm-boots"), "") for number in range(10)]
    assert names(choose([*NO_TOPIC, *pages]), "Warm boots") == []


def test_a_phrase_that_is_mostly_in_one_section_is_not_a_topic() -> None:
    threshold = round(20 * MAX_SECTION_SHARE)
    assert names(choose([*NO_TOPIC, *in_sections("Warm boots", threshold, 20 - threshold)]), "Warm boots") == []
    assert names(choose([*NO_TOPIC, *in_sections("Warm boots", threshold - 1, 21 - threshold)]), "Warm boots") == [
        "warm boot"
    ]


def test_a_phrase_on_most_pages_is_not_a_topic() -> None:
    threshold = round(40 * MAX_PAGE_SHARE)
    few, many = in_sections("Warm boots", 5, threshold - 5), in_sections("Warm boots", 5, threshold - 4)
    assert names(choose([*NO_TOPIC[: 40 - threshold], *few]), "Warm boots") == ["warm boot"]
    assert names(choose([*NO_TOPIC[: 39 - threshold], *many]), "Warm boots") == []


def test_a_rare_phrase_is_not_a_topic() -> None:
    minimum = round(1000 * MIN_PAGE_SHARE)
    many = NO_TOPIC * 5
    enough, too_few = in_sections("Warm boots", 2, minimum - 2), in_sections("Warm boots", 2, minimum - 3)
    assert names(choose([*many[minimum:], *enough]), "Warm boots") == ["warm boot"]
    assert names(choose([*many[minimum - 1 :], *too_few]), "Warm boots") == []


@pytest.mark.parametrize(
    ("rival", "wins"),
    [
        (in_sections("Rival topic", 1, 1, 1, 1, 1), True),
        (in_sections("Rival topic", 1, 1, 1), False),
        (in_sections("Rival topic", 1, 1, 1, 1), False),
        (in_sections("Rival topic", 2, 2), False),
        (in_sections("Rival topic", 3, 1), False),
        (in_sections("Rival topic", 7, 7), True),
    ],
    ids=["more pages", "fewer pages", "a tie goes by name", "fewer sections", "mostly one section", "many pages"],
)
def test_the_topics_with_the_highest_scores_are_chosen(rival: list[Page], wins: bool) -> None:
    """Enough other phrases to fill all topics have four pages each, in four sections."""
    others = [f"Extra thing{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(MAX_TOPICS)]
    topics = choose([page for other in others for page in in_sections(other, 1, 1, 1, 1)] + rival)
    chosen = [name for other in others for name in names(topics, other)]
    assert len(chosen) == MAX_TOPICS - wins
    assert bool(names(topics, "Rival topic")) is wins


def test_the_title_of_a_topic_is_its_most_frequent_spelling() -> None:
    pages = [*in_sections("JSON shoes", 2, 1), *in_sections("Json Shoe", 1, 1), *in_sections("json shoes", 1)]
    topics = choose([*NO_TOPIC, *pages])
    assert topics.get_topics("json") == []
    assert topics.get_topics("Json shoe") == [("json shoe", "JSON shoes")]
