"""Facts about pages that follow from links, for small sites."""

from __future__ import annotations

import random

import pytest

from headwater.classify import LinkGraph, LinkSummary, Node, decode_sources, encode_sources
from headwater.frontier.link_table import LinkTable
from headwater.model import NO_DEPTH, LinkPlacement, PageLinks
from headwater.urls.identity import compute_identity

CONTENT, MENU, FOOTER = (
    LinkPlacement("content-link"),
    LinkPlacement("navigation", "nav"),
    LinkPlacement("footer", "footer"),
)
NEXT, MOVED = LinkPlacement("content-link", is_next=True), LinkPlacement("redirect", "content", "header", "redirect")
Links = list[tuple[str, str, LinkPlacement, str]]


def node(path: str, *, seed: bool = False, listed: bool = False, sources: str = "") -> Node:
    depth = 0 if seed else NO_DEPTH
    named = sources or ("seed" if seed else "sitemap" if listed else "")
    return Node(compute_identity(path), path, depth, seed or listed, seed, encode_sources(named.split()), False, 0)


def summarize(paths: str, links: Links, listed: str = "") -> dict[str, LinkSummary]:
    """Return the summaries of pages with these links (from, to, placement, text); the first page is the seed."""
    graph, table = LinkGraph(), LinkTable()
    lists: dict[str, list[int]] = {path: [] for path in paths.split()}
    for source, target, place, text in links:
        lists[source].append(table.number_of(compute_identity(target), place, text))
    names = sorted(lists)
    for path in names:
        graph.add_node(node(path, seed=path == paths.split(maxsplit=1)[0], listed=path in listed.split()))
    block = table.take_new_links()
    assert block is not None
    graph.add_links(block)
    for number, (source, numbers) in enumerate(lists.items(), 1):
        graph.add_page_links(PageLinks(number, compute_identity(source), numbers))
    for step in (graph.compute_depths(), graph.count_inlinks()):
        list(step)
    graph.read_texts(lambda: [block])
    by_identity = {compute_identity(path): path for path in names}
    return {by_identity[summary.identity]: summary for summary in graph.summarize_links()}


def test_a_page_has_the_smallest_depth_and_the_first_parent_by_key() -> None:
    found = summarize("/ /b /a /c", [
        ("/", "/b", CONTENT, "b"), ("/", "/a", CONTENT, "a"), ("/b", "/c", CONTENT, "from b"),
        ("/a", "/c", CONTENT, "from a"), ("/c", "/a", CONTENT, "back"),
    ])  # fmt: skip
    assert {path: summary.depth for path, summary in found.items()} == {"/a": 1, "/b": 1, "/c": 2}
    assert (found["/c"].parent, found["/c"].text, found["/c"].inlinks) == (compute_identity("/a"), "from a", 2)


@pytest.mark.parametrize(
    ("place", "target", "depth"),
    [(CONTENT, "/b", 2), (NEXT, "/b", 2), (NEXT, "/a?after=x", 1), (CONTENT, "/a?after=x", 2), (MOVED, "/b", 1)],
)
def test_redirects_and_next_parts_are_not_deeper(place: LinkPlacement, target: str, depth: int) -> None:
    found = summarize(f"/ /a {target}", [("/", "/a", CONTENT, "a"), ("/a", target, place, "b")])
    assert found[target].depth == depth


def test_parts_of_a_list_are_as_deep_as_the_first() -> None:
    links: Links = [("/", "/l?page=1", CONTENT, "list"), ("/l?page=2", "/x", CONTENT, "x")]
    links += [(f"/l?page={number}", f"/l?page={number + 1}", CONTENT, "more") for number in range(1, 6)]
    found = summarize("/ /x " + " ".join(f"/l?page={number}" for number in range(1, 7)), links)
    assert {summary.depth for path, summary in found.items() if path != "/x"} == {1}
    assert found["/x"].depth == 2


def test_a_page_that_is_only_in_a_sitemap_has_no_depth() -> None:
    found = summarize("/ /a /orphan /below", [
        ("/", "/a", CONTENT, "a"), ("/orphan", "/below", CONTENT, "b"), ("/orphan", "/a", CONTENT, "a"),
    ], listed="/orphan /a")  # fmt: skip
    assert {path: summary.depth for path, summary in found.items()} == {"/a": 1, "/below": NO_DEPTH + 1}
    assert decode_sources(found["/a"].sources) == ("sitemap", "content-link")


def test_navigation_links_are_on_most_pages_or_the_front_page() -> None:
    pages = [f"/p{number}" for number in range(10)]
    links: Links = [("/", page, CONTENT, page) for page in pages]
    links += [(page, "/everywhere", MENU, "menu") for page in pages]
    links += [("/p1", "/p2", MENU, "next"), ("/", "/front", MENU, "front"), ("/p3", "/front", FOOTER, "front")]
    found = summarize(f"/ /everywhere /front {' '.join(pages)}", links)
    assert {
        path: decode_sources(summary.sources)
        for path, summary in found.items()
        if path in {"/everywhere", "/front", "/p2"}
    } == {
        "/everywhere": ("navigation",),
        "/front": ("navigation", "footer"),
        "/p2": ("content-link",),
    }
    assert found["/p2"].content_inlinks == 1
    assert (found["/everywhere"].inlinks, found["/everywhere"].content_inlinks) == (10, 0)


def test_a_link_that_most_pages_have_is_not_content() -> None:
    pages = [f"/p{number}" for number in range(12)]
    links: Links = [("/", page, CONTENT, page) for page in pages]
    links += [(page, "/legal", CONTENT, "Legal notice") for page in pages] + [("/p1", "/legal", CONTENT, "our terms")]
    found = summarize(f"/ /legal {' '.join(pages)}", links)
    assert (found["/legal"].inlinks, found["/legal"].content_inlinks) == (12, 1)


def test_a_link_without_text_gets_the_text_of_another() -> None:
    found = summarize("/ /a /b", [
        ("/", "/a", CONTENT, ""), ("/", "/b", CONTENT, "b"), ("/b", "/a", CONTENT, "zebra"),
        ("/b", "/a", MENU, "apple"),
    ])  # fmt: skip
    assert found["/a"].text == "apple"


def test_links_of_a_page_to_itself_do_not_count() -> None:
    found = summarize("/ /a", [("/", "/a", CONTENT, "a"), ("/a", "/a", CONTENT, "self")])
    assert (found["/a"].inlinks, found["/a"].parent) == (1, compute_identity("/"))


def test_the_order_of_pages_makes_no_difference() -> None:
    rng = random.Random(4)
    paths = ["/", *(f"/{number}" for number in range(60))]
    links: Links = [
        (rng.choice(paths), rng.choice(paths), rng.choice((CONTENT, MENU, FOOTER, NEXT)), rng.choice("abc"))
        for _ in range(300)
    ]
    by_page = sorted(links, key=lambda link: paths.index(link[0]))
    shuffled = paths[1:]
    rng.shuffle(shuffled)
    in_other_order = sorted(links, key=lambda link: ["/", *shuffled].index(link[0]))
    one, other = summarize(" ".join(paths), by_page), summarize(" ".join(["/", *shuffled]), in_other_order)
    assert {path: summary._replace(lists=()) for path, summary in one.items()} == {
        path: summary._replace(lists=()) for path, summary in other.items()
    }
