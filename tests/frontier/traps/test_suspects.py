"""Suspects, and the links that lead to them."""

from __future__ import annotations

from headwater.frontier.traps.suspects import Suspects
from headwater.frontier.traps.trap_detector import get_page_template
from headwater.frontier.url_cache import CachedUrl
from headwater.model import Spelling

TRAP, OTHER = get_page_template("https://e.com/p/1"), get_page_template("https://e.com/about")


def known_at(depth: int, key: str = "https://e.com/p/2") -> CachedUrl:
    known = CachedUrl(Spelling(key, key, key), "page")
    known.depth = depth
    return known


def test_suspects_are_found_by_the_numbers_of_links() -> None:
    suspects, one, other = Suspects(), known_at(2), known_at(3)
    assert suspects.find_linked_suspects([1, 2, 3], OTHER) == []
    for known, numbers in ((one, (1, 2)), (other, (4,))):
        suspects.add(known, TRAP)
        for number in numbers:
            suspects.add_link(known, number)
    assert (one.trap_template, other.trap_template) == (TRAP, TRAP)
    assert suspects.find_linked_suspects([3, 5], OTHER) == []
    assert suspects.find_linked_suspects([5, 2, 4], OTHER) == [one, other]
    assert suspects.find_linked_suspects([5, 2, 4], TRAP) == []


def test_suspects_of_a_round_in_progress_remain_suspect() -> None:
    suspects, one, other = Suspects(), known_at(2), known_at(3)
    for number, known in enumerate((one, other)):
        suspects.add(known, TRAP)
        suspects.add_link(known, number)
    suspects.close(2)
    assert (one.trap_template, other.trap_template) == (None, TRAP)
    assert suspects.find_linked_suspects([0, 1], OTHER) == [other]


def test_a_suspect_that_becomes_less_deep_is_closed_with_its_new_depth() -> None:
    suspects, known = Suspects(), known_at(3)
    suspects.add(known, TRAP)
    suspects.add_link(known, 1)
    known.depth = 2
    suspects.add(known, TRAP)
    assert suspects.find_linked_suspects([1], OTHER) == [known]
    suspects.close(2)
    assert known.trap_template is None


def test_forgotten_suspects_are_not_found() -> None:
    suspects, known = Suspects(), known_at(2)
    suspects.add(known, TRAP)
    suspects.add_link(known, 1)
    suspects.forget()
    assert suspects.find_linked_suspects([1], OTHER) == []
