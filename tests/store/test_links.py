"""Packing of links, and reading them from every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import LinkGraph
from headwater.frontier.link_table import LinkTable
from headwater.model import Candidate, LinkBlock, LinkPlacement
from headwater.store import VisitResult
from headwater.store.links import packed_links
from headwater.store.links.link_blocks import (
    StoredBlock,
    pack_ascending,
    pack_links,
    pack_lists,
    unpack_ascending,
    unpack_links,
    unpack_lists,
)
from headwater.store.links.packed_links import LinkCounters
from headwater.urls.identity import compute_identity
from tests.store.test_contract import found, store  # noqa: F401  (a fixture)

if TYPE_CHECKING:
    from headwater.store import Store

CONTENT, MENU = LinkPlacement("content-link"), LinkPlacement("navigation", "nav")
IDENTITY = st.integers(-(1 << 63), (1 << 63) - 1)
NUMBER = st.integers(1, (1 << 32) - 1)
WORDS = st.text(st.characters(exclude_characters="\n"), max_size=20)


def candidate(path: str) -> Candidate:
    url = f"https://e.com{path}"
    return Candidate(identity=compute_identity(url), key=url, url=url, fetch_url=url)


@given(st.lists(st.tuples(IDENTITY, st.sampled_from([CONTENT, MENU]), WORDS), min_size=1, max_size=20), NUMBER)
def test_packed_links_are_unpacked_unchanged(links: list[tuple[int, LinkPlacement, str]], first: int) -> None:
    targets, places, texts = zip(*links, strict=True)
    block = unpack_links(pack_links(7, LinkBlock(first, targets, places, texts)))
    assert (block.first, list(block.targets), list(block.places), list(block.texts)) == (
        first,
        *map(list, (targets, places, texts)),
    )


@given(st.lists(st.none() | st.lists(NUMBER, max_size=5), max_size=6))
def test_packed_lists_are_unpacked_unchanged(lists: list[list[int] | None]) -> None:
    batch = [VisitResult(candidate(f"/{number}"), "fetched", links=links) for number, links in enumerate(lists)]
    row = pack_lists(3, 5, batch)
    kept = [(visit.candidate.identity, list(visit.links)) for visit in batch if visit.links is not None]
    if row is None:
        assert not kept
        return
    again = list(unpack_lists(row))
    assert [one.number for one in again] == list(range(5, 5 + len(kept)))
    assert [(one.page, list(one.links)) for one in again] == kept


@given(st.lists(st.sampled_from([0, 1, 256, -1, 0x0101010101010101])), st.sampled_from([0, 1, 0x0101010101010101]))
def test_links_to_a_target_are_found_in_a_block(targets: list[int], target: int) -> None:
    """Bytes of two adjacent targets that together look like the target are not a match."""
    block = LinkBlock(9, targets, [CONTENT] * len(targets), [str(number) for number in range(len(targets))])
    stored = StoredBlock(pack_links(7, block))
    found = list(stored.find_links_to(target))
    assert found == [number for number, one in enumerate(targets) if one == target]
    assert [(stored.place(at), stored.texts[at]) for at in found] == [(CONTENT, str(at)) for at in found]
    assert stored.end == 9 + len(targets)


@given(st.sets(NUMBER).map(sorted))
def test_ascending_numbers_are_unpacked_unchanged(numbers: list[int]) -> None:
    assert unpack_ascending(pack_ascending(numbers)) == numbers


def test_equal_links_have_one_number() -> None:
    table = LinkTable()
    assert [table.number_of(*link) for link in ((5, CONTENT, "a"), (5, MENU, "a"), (5, CONTENT, "a"))] == [1, 2, 1]
    assert table.take_new_links() == LinkBlock(1, (5, 5), (CONTENT, MENU), ("a", "a"))
    assert table.take_new_links() is None
    table.forget()
    assert table.number_of(5, CONTENT, "a") == 3
    table.resume_at(40)
    assert table.number_of(6, CONTENT, "b") == 40


def fill(store: Store) -> int:  # noqa: F811
    """Store three pages: / links to /a twice and to /b, /a links to /b, /b has no links."""
    scan = store.create_scan(["https://e.com/"], {}).number
    a, b = compute_identity("https://e.com/a"), compute_identity("https://e.com/b")
    store.save_batch(scan, (), [found("/", 0), found("/a"), found("/b", 2)], {})
    first = LinkBlock(1, [a, a, b], [MENU, CONTENT, CONTENT], ["A", "more", "B"])
    store.save_batch(
        scan, [VisitResult(candidate("/"), "fetched", 200, links=[1, 2, 3])], (), {}, links=first, first_list=1
    )
    batch = [
        VisitResult(candidate("/a"), "fetched", 200, links=[4]),
        VisitResult(candidate("/b"), "fetched", 200, links=[]),
    ]
    store.save_batch(scan, batch, (), {}, links=LinkBlock(4, [b], [CONTENT], ["to b"]), first_list=2)
    return scan


@pytest.mark.parametrize("kept", [1, 100_000])
def test_links_of_a_page_are_read_in_document_order(store: Store, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(packed_links, "_MAX_CACHED_LINKS", kept)
    scan = fill(store)
    urls = {compute_identity(f"https://e.com{path}"): path for path in ("/", "/a", "/b")}
    links = {
        path: [(urls[link.page], link.text) for link in store.links.links_from(scan, identity) or ()]
        for identity, path in urls.items()
    }
    assert links == {"/": [("/a", "A"), ("/a", "more"), ("/b", "B")], "/a": [("/b", "to b")], "/b": []}
    assert store.links.links_from(scan, 1234) is None
    assert store.links.next_numbers(scan) == LinkCounters(next_link=5, next_list=4, kept_links=4)
    assert store.links.next_numbers(scan + 1) == LinkCounters(next_link=1, next_list=1, kept_links=0)
    assert [child.fetch_url for child in store.links.children(scan, compute_identity("https://e.com/"))] == [
        "https://e.com/a", "https://e.com/a", "https://e.com/b",
    ]  # fmt: skip


def test_links_to_a_page_are_known_after_link_analysis(store: Store) -> None:  # noqa: F811
    scan = fill(store)
    graph = LinkGraph()
    for node in store.links.nodes(scan):
        graph.add_node(node)
    for block in store.links.blocks(scan):
        graph.add_links(block)
    for links in store.links.lists(scan):
        graph.add_page_links(links)
    assert (list(graph.compute_depths()), len(list(graph.count_inlinks()))) == ([], 1)
    graph.read_texts(lambda: store.links.blocks(scan))
    store.save_link_data(scan, list(graph.summarize_links()))
    b = compute_identity("https://e.com/b")
    assert [(link.page, link.text) for link in store.links.links_to(scan, b, 10)] == [
        (compute_identity("https://e.com/"), "B"), (compute_identity("https://e.com/a"), "to b"),
    ]  # fmt: skip
    assert len(store.links.links_to(scan, b, 1)) == 1
    pages = {page.url.removeprefix("https://e.com"): page for page in store.pages(scan)}
    assert (pages["/b"].inlinks, pages["/b"].content_inlinks) == (2, 2)
    assert (pages["/a"].inlinks, pages["/a"].content_inlinks) == (1, 1)


def test_links_of_scans_are_separate(store: Store) -> None:  # noqa: F811
    first, second = fill(store), fill(store)
    assert len(list(store.links.edges(first))) == len(list(store.links.edges(second))) == 4
    assert list(store.links.edges(second + 1)) == []
