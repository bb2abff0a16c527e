"""Write the links between pages as GraphML or DOT, page by page and link by link."""

from __future__ import annotations

from collections import Counter
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.export.text_values import NOT_XML, flatten, make_encodable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from headwater.export.output import Output
    from headwater.model import Page, StoredLink

_NODE_FIELDS: dict[str, tuple[str, Callable[[Page], object]]] = {
    "url": ("string", attrgetter("url")),
    "title": ("string", attrgetter("title")),
    "list": ("string", attrgetter("list_name")),
    "status": ("int", attrgetter("status")),
    "depth": ("int", attrgetter("depth")),
}
_START = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


class _Edge:
    """All links from one page to another: how many there are, and the text of the first."""

    __slots__ = ("count", "source", "target", "text")

    def __init__(self, source: int, target: int, count: int, text: str) -> None:
        self.source, self.target, self.count, self.text = source, target, count, text


def write_graphml(pages: Iterable[Page], output: Output) -> None:
    """Write a directed graph; nodes have the facts of their page, edges the number of links and a text."""
    write = output.main.write
    write(_START)
    for name, (kind, _) in _NODE_FIELDS.items():
        write(f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n')
    write('<key id="weight" for="edge" attr.name="weight" attr.type="int"/>\n')
    write('<key id="text" for="edge" attr.name="text" attr.type="string"/>\n<graph edgedefault="directed">\n')
    numbers: dict[str, int] = {}
    for number, page in enumerate(pages):
        numbers[page.url] = number
        values = ((name, read(page)) for name, (_, read) in _NODE_FIELDS.items())
        data = "".join(f'<data key="{name}">{_escape(value)}</data>' for name, value in values if value is not None)
        write(f'<node id="n{number}">{data}</node>\n')
    for edge in _read_edges(numbers, output):
        text = f'<data key="text">{_escape(edge.text)}</data>' if edge.text else ""
        data = f'<data key="weight">{edge.count}</data>{text}'
        write(f'<edge source="n{edge.source}" target="n{edge.target}">{data}</edge>\n')
    write("</graph>\n</graphml>\n")


def write_dot(pages: Iterable[Page], output: Output) -> None:
    """Write a directed graph in the language of Graphviz; nodes are numbered and labelled with their URL."""
    write = output.main.write
    write(f"digraph {_quote(output.title)} {{\n")
    numbers: dict[str, int] = {}
    for number, page in enumerate(pages):
        numbers[page.url] = number
        tooltip = f" tooltip={_quote(page.title)}" if page.title else ""
        write(f"n{number} [label={_quote(page.url)}{tooltip}];\n")
    for edge in _read_edges(numbers, output):
        write(f"n{edge.source} -> n{edge.target} [weight={edge.count}];\n")
    write("}\n")


def _read_edges(numbers: dict[str, int], output: Output) -> Iterator[_Edge]:
    """Yield the edges between pages that are nodes; links come sorted by their page."""
    if output.read_links is None:
        raise SettingError("format", "a graph needs the stored links of one scan; use `headwater export`")
    for source, links in groupby(output.read_links(), attrgetter("source")):
        number = numbers.get(source)
        if number is not None:
            yield from _merge_links(number, numbers, links)


def _merge_links(source: int, numbers: dict[str, int], links: Iterable[StoredLink]) -> Iterator[_Edge]:
    counts: Counter[int] = Counter()
    texts: dict[int, str] = {}
    for link in links:
        target = numbers.get(link.target)
        if target is not None:
            counts[target] += 1
            texts[target] = texts.get(target) or flatten(link.text)
    for target, count in counts.items():
        yield _Edge(source, target, count, texts[target])


def _escape(value: object) -> str:
    return escape(NOT_XML.sub("", make_encodable(str(value))))


def _quote(text: str) -> str:
    """Return a quoted text of the DOT language, which gives backslashes in labels a meaning."""
    escaped = flatten(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
