"""Topics: which words are chosen, which of many win, and how they are spelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.classify.topics import COMMON, FAMILY, MAX_TOPICS, ONE_SIDED, RARE, SAME, Topics

if TYPE_CHECKING:
    from headwater.classify.sections import Path

Page = tuple["Path", str]
NO_TOPIC: list[Page] = [((f"s{number % 4}", "p1"), "") for number in range(200)]
"""Enough pages that no word is too common; paths with digits have no telling words."""


def choose(pages: list[Page], taken: set[str] | None = None) -> Topics:
    """Count all pages; the first folder is the section."""
    topics = Topics()
    for path, title in pages:
        topics.note(path, title)
    topics.choose(lambda folder: folder[:1], taken or set())
    return topics


def in_sections(title: str, *counts: int) -> list[Page]:
    """Pages with this title, so many in each of as many sections."""
    return [((f"s{number}", "p1"), title) for number, count in enumerate(counts) for _ in range(count)]


def names(topics: Topics, title: str) -> list[str]:
    return [name for name, _ in topics.topics_of(("s0", "p1"), title)]


@pytest.mark.parametrize(
    ("counts", "is_topic"),
    [((1, 1), True), ((2,), False), ((1,), False), ((20,), False), ((2, 2, 2), True), ((1, 1, 1), True)],
)
def test_a_topic_is_shared_by_sections(counts: tuple[int, ...], is_topic: bool) -> None:
    topics = choose([*NO_TOPIC, *in_sections("Boots", *counts)])
    assert names(topics, "Boots") == (["boot"] if is_topic else [])


def test_a_word_that_mostly_stands_in_one_section_is_no_topic() -> None:
    most = round(20 * ONE_SIDED)
    assert names(choose([*NO_TOPIC, *in_sections("Boots", most, 20 - most)]), "Boots") == []
    assert names(choose([*NO_TOPIC, *in_sections("Boots", most - 1, 21 - most)]), "Boots") == ["boot"]


def test_a_common_word_is_no_topic() -> None:
    most = round(40 * COMMON)
    assert names(choose([*NO_TOPIC[: 40 - most], *in_sections("Boots", 5, most - 5)]), "Boots") == ["boot"]
    assert names(choose([*NO_TOPIC[: 39 - most], *in_sections("Boots", 5, most - 4)]), "Boots") == []


def test_a_word_of_a_small_site_is_not_too_common() -> None:
    assert names(choose(in_sections("Boots", 1, 1)), "Boots") == ["boot"]
    assert names(choose(in_sections("Boots", 2, 1)), "Boots") == []


def test_a_rare_word_is_no_topic() -> None:
    least = round(1000 * RARE)
    many = NO_TOPIC * 5
    assert names(choose([*many[least:], *in_sections("Boots", 2, least - 2)]), "Boots") == ["boot"]
    assert names(choose([*many[least - 1 :], *in_sections("Boots", 2, least - 3)]), "Boots") == []


@pytest.mark.parametrize("mark", ["-", "_", "."])
def test_a_family_of_names_is_a_topic_within_one_section(mark: str) -> None:
    family: list[Page] = [(("s0", f"asyncio{mark}x{number}"), "") for number in range(FAMILY)]
    assert names(choose([*NO_TOPIC, *family]), "asyncio") == ["asyncio"]
    assert names(choose([*NO_TOPIC, *family[1:]]), "asyncio") == []


def test_a_family_needs_a_name_before_the_break() -> None:
    pages: list[Page] = [(("s0", f"x{number}-asyncio"), "") for number in range(FAMILY)]
    assert names(choose([*NO_TOPIC, *pages]), "asyncio") == []


@pytest.mark.parametrize("taken", [{"boots"}, {"Boot"}, {"boot"}])
def test_words_of_section_names_are_no_topics(taken: set[str]) -> None:
    pages = [*NO_TOPIC, *in_sections("Boots", 2, 2), *in_sections("Socks", 2, 2)]
    assert names(choose(pages, taken), "Boots Socks") == ["sock"]


@pytest.mark.parametrize(
    ("together", "alone", "expected"),
    [
        (round(10 * SAME), 10 - round(10 * SAME), ["floating point"]),
        (round(10 * SAME) - 1, 11 - round(10 * SAME), ["floating", "floating point"]),
    ],
)
def test_a_word_that_mostly_stands_in_a_phrase_is_left_to_it(together: int, alone: int, expected: list[str]) -> None:
    pages = [*NO_TOPIC, *in_sections("Floating point", 3, together - 3), *in_sections("Floating", 1, alone - 1)]
    assert names(choose(pages), "Floating point") == expected


@pytest.mark.parametrize(
    ("rival", "wins"),
    [
        (in_sections("Rival", 1, 1, 1, 1, 1), True),
        (in_sections("Rival", 1, 1, 1), False),
        (in_sections("Rival", 1, 1, 1, 1), False),
        (in_sections("Rival", 2, 2), False),
        (in_sections("Rival", 3, 1), False),
        (in_sections("Rival", 7, 7), True),
        (in_sections("Rival", 8, 2), False),
        (in_sections("Rival topic", 1, 1, 1), True),
        (in_sections("Rival topic", 1, 1), False),
        ([(("s0", f"rival-x{number}"), "") for number in range(4)], True),
    ],
    ids=[
        "more pages", "fewer pages", "a tie goes by name", "fewer sections", "mostly one section", "many pages",
        "many pages, mostly one section", "a phrase", "a phrase on too few pages", "a family",
    ],
)  # fmt: skip
def test_the_most_telling_topics_win(rival: list[Page], wins: bool) -> None:
    """As many others as there may be topics have four pages each, in four sections."""
    others = [f"other{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(MAX_TOPICS)]
    topics = choose([page for other in others for page in in_sections(other, 1, 1, 1, 1)] + rival)
    chosen = [name for other in others for name in names(topics, other)]
    assert len(chosen) == MAX_TOPICS - wins
    assert bool(names(topics, "Rival topic")) is wins


def test_a_topic_is_titled_by_its_usual_spelling() -> None:
    pages = [*in_sections("JSON shoes", 2, 1), *in_sections("Json Shoe", 1, 1), *in_sections("json shoes", 1)]
    topics = choose([*NO_TOPIC, *pages])
    assert topics.topics_of((), "json") == []
    assert topics.topics_of((), "Json shoe") == [("json shoe", "JSON shoes")]


def test_words_of_paths_and_titles_are_topics() -> None:
    topics = choose([*NO_TOPIC, (("s0", "red-boots"), "Warm boots"), (("s1", "boots"), "")])
    assert topics.topics_of(("anything", "BOOT"), "") == [("boot", "Boots")]
    assert topics.topics_of(("boots",), "Boots") == [("boot", "Boots")]
    assert topics.topics_of(("socks",), "Socks") == []
