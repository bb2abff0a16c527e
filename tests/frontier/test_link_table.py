"""Numbers of distinct links."""

from __future__ import annotations

from headwater.frontier.link_table import CHARACTERS_PER_ENTRY, LinkTable
from headwater.model import LinkBlock, LinkPlacement

CONTENT, FOOTER = LinkPlacement("content-link"), LinkPlacement("footer", "footer")


def test_links_with_the_same_target_placement_and_text_have_one_number() -> None:
    table = LinkTable()
    links = [(7, CONTENT, "A"), (7, CONTENT, "B"), (7, FOOTER, "A"), (8, CONTENT, "A"), (7, CONTENT, "A")]
    assert [table.number_of(*link) for link in links] == [1, 2, 3, 4, 1]


def test_new_links_are_taken_once() -> None:
    table = LinkTable()
    assert table.take_new_links() is None
    table.number_of(7, CONTENT, "A")
    table.number_of(8, FOOTER, "B")
    assert table.take_new_links() == LinkBlock(1, (7, 8), (CONTENT, FOOTER), ("A", "B"))
    table.number_of(7, CONTENT, "A")
    assert table.take_new_links() is None
    table.number_of(9, CONTENT, "C")
    assert table.take_new_links() == LinkBlock(3, (9,), (CONTENT,), ("C",))


def test_numbers_continue_after_forgetting_and_resuming() -> None:
    table = LinkTable()
    table.resume_at(100)
    assert table.number_of(7, CONTENT, "A") == 100
    table.forget()
    assert table.number_of(7, CONTENT, "A") == 101
    block = table.take_new_links()
    assert block is not None
    assert (block.first, block.targets) == (100, (7, 7))


def test_long_texts_count_as_several_entries() -> None:
    table = LinkTable()
    table.number_of(7, CONTENT, "A")
    assert table.size == 1
    table.number_of(7, CONTENT, "A" * 3 * CHARACTERS_PER_ENTRY)
    assert table.size == 5
    table.forget()
    assert table.size == 0
