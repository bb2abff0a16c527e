"""Compute depth, parent page and number of inlinks of each page from the stored links."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING

from headwater.classify import LinkGraph

if TYPE_CHECKING:
    from headwater.store import Store

WRITE_BATCH_SIZE = 1000
YIELD_EVERY = 10_000


async def analyze_links(store: Store, scan: int, batch_size: int | None = None) -> None:
    """Replace the values that the crawl stored in order of arrival; other tasks run between two steps."""
    if not store.links.next_numbers(scan).kept_links:
        return
    graph = LinkGraph()
    for done, node in enumerate(store.links.nodes(scan)):
        graph.add_node(node)
        if done % YIELD_EVERY == 0:
            await asyncio.sleep(0)
    for block in store.links.blocks(scan):
        graph.add_links(block)
        await asyncio.sleep(0)
    for done, links in enumerate(store.links.lists(scan)):
        graph.add_page_links(links)
        if done % YIELD_EVERY == 0:
            await asyncio.sleep(0)
    for step in (graph.compute_depths(), graph.count_inlinks()):
        for _ in step:
            await asyncio.sleep(0)
    graph.read_texts(lambda: store.links.blocks(scan))
    summaries = graph.summarize_links()
    while part := list(islice(summaries, batch_size or WRITE_BATCH_SIZE)):
        store.save_link_data(scan, part)
        await asyncio.sleep(0)
