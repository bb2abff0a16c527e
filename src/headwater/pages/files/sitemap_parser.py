"""Parse sitemaps: XML, indexes, feeds and plain text, including broken ones.

The text is scanned, not parsed into a tree: a file of 50 MB takes no more memory than its size, entities cannot expand,
and text before and after an error is still read. Only a JSON Feed, if it is small, is parsed. `problem` describes
errors that the scan noticed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from headwater.pages.files.feeds import (
    FEED_KINDS,
    create_atom_reader,
    create_rss_reader,
    find_next_feed,
    find_next_json_feed,
    is_json_feed,
    read_json_feed,
    resolve_base,
)
from headwater.pages.files.sitemap_entries import (
    CDATA,
    ENTITY,
    LINK_TAG,
    MAX_LOC_LENGTH,
    Entry,
    decode_entity,
    decode_text,
    get_element_text,
    parse_attributes,
)
from headwater.pages.files.sitemap_text import (
    MAX_BYTES,
    decode_body,
    decompress_body,
    find_content_start,
    format_too_large_problem,
    lowercase_tags,
    strip_comments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reader = Callable[[str, str], Callable[[str], Entry | None]]

SitemapKind = Literal["urlset", "index", "rss", "atom", "json", "text", "html", "empty", "unknown"]

__all__ = ["Entry", "Sitemap", "decompress_body", "parse_sitemap", "parse_sitemap_body"]

_MAX_INSPECTED = 1_000_000
_MAX_BLOCK = 4_000_000
"""Characters that are read of one `<url>` or `<item>`; ten thousand alternates take a quarter of that."""

_ROOTS: dict[str, SitemapKind] = {
    "urlset": "urlset", "sitemapindex": "index", "rss": "rss", "rdf": "rss", "channel": "rss", "feed": "atom",
    "html": "html", "head": "html", "body": "html", "url": "urlset", "sitemap": "index",
}  # fmt: skip
_BLOCKS = {"urlset": "url", "index": "sitemap", "rss": "item", "atom": "entry"}
_XML_SITEMAPS = frozenset({"urlset", "index"})
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z]+)")
_SIMPLE_BLOCK = re.compile(
    r"\s*<url>\s*<loc>\s*([^<\s][^<]*)</loc>\s*(?:<lastmod>([^<&]*)</lastmod>\s*)?"
    r"(?:<changefreq>([^<&]*)</changefreq>\s*)?(?:<priority>([^<&]*)</priority>\s*)?</url>"
)
_STRAY_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);)")
_MEDIA_LOC = re.compile(
    r"<(?:image|video):(?:loc|content_loc|thumbnail_loc|player_loc)[^<>]*>\s*+((?:<!\[CDATA\[)?[^<]{1,4000}+)<"
)
_UPPER_CASE = re.compile(r"</(?:[\w.-]+:)?(?!loc|url|sitemap)(?i:loc|url|sitemap)\s*>")
_LOOSE_LOC = re.compile(r"<(?:[\w.-]+:)?loc\s*>\s*((?:<!\[CDATA\[)?[^<]{1,4000})", re.IGNORECASE)


class Sitemap(NamedTuple):
    """A sitemap: its kind, its text, a problem if there is one, and its URL; `entries` reads the text."""

    kind: SitemapKind
    text: str = ""
    problem: str = ""
    url: str = ""

    @property
    def pages(self) -> list[Entry]:
        """The pages that it lists."""
        return list(self.page_entries())

    @property
    def children(self) -> list[str]:
        """The URLs of the sitemaps that it lists."""
        return [entry.url for entry in self.child_entries()]

    def entries(self) -> Iterator[Entry]:
        """Yield every entry: pages, then other sitemaps."""
        yield from self.page_entries()
        yield from self.child_entries()

    def page_entries(self) -> Iterator[Entry]:
        """Yield the pages; an index may contain `<url>` elements too."""
        if self.kind == "text":
            return _read_lines(self.text)
        if self.kind == "json":
            return read_json_feed(self.text, self.url)
        if self.kind in FEED_KINDS:
            return _scan(self.text, _BLOCKS[self.kind], _READERS[self.kind], self._base())
        return self._scan_elements("url", owns_loose_locs=self.kind == "urlset")

    def child_entries(self) -> Iterator[Entry]:
        """Yield the other sitemaps, regardless of the name of the root element; of a feed, its next page."""
        if self.kind in FEED_KINDS:
            find_next = find_next_json_feed if self.kind == "json" else find_next_feed
            url = find_next(self.text, self._base())
            return iter((Entry(url),) if url else ())
        return self._scan_elements("sitemap", owns_loose_locs=self.kind == "index")

    def _scan_elements(self, name: str, *, owns_loose_locs: bool) -> Iterator[Entry]:
        """Yield the elements of this name; in a file without closed elements all `<loc>` elements are entries."""
        if self.kind not in _XML_SITEMAPS:
            return iter(())
        if _find_closing_tag(self.text, name):
            return _scan(self.text, name, _create_url_reader)
        other = "sitemap" if name == "url" else "url"
        return _scan_loose_locs(self.text) if owns_loose_locs and not _find_closing_tag(self.text, other) else iter(())

    def _base(self) -> str:
        """Return the base URL for relative links, which only feeds may have."""
        if self.kind not in FEED_KINDS:
            return ""
        start = find_content_start(self.text)
        return resolve_base(self.text[start : self.text.find(">", start)], self.url)


def parse_sitemap(body: bytes | str, url: str = "") -> Sitemap:
    """Parse a sitemap; `url` is its address, which relative links of a feed are resolved against."""
    sitemap = parse_sitemap_body(body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body, url=url)
    if sitemap.kind == "unknown" and url.partition("?")[0].endswith(".txt"):
        return Sitemap("text", sitemap.text)
    return sitemap


def parse_sitemap_body(
    body: bytes, charset: str = "", limit: int = MAX_BYTES, url: str = "", *, is_cut: bool = False
) -> Sitemap:
    """Parse the body of a response, compressed or not, in any encoding. Never raises.

    `is_cut` means that only the beginning of the response was read.
    """
    unpacked, problem = decompress_body(body, limit)
    problem = format_too_large_problem(limit) if is_cut else problem
    text = decode_body(unpacked, charset)
    start = find_content_start(text)
    if start >= len(text):
        return Sitemap("empty", problem=problem or "it is empty")
    kind = _detect_kind(text, start)
    if kind == "text" and problem:  # the last line is incomplete
        return Sitemap(kind, text[: text.rfind("\n") + 1], problem)
    if "<!--" in text and kind in _BLOCKS:
        text = strip_comments(text)
    if kind in _XML_SITEMAPS and _UPPER_CASE.search(text, 0, _MAX_INSPECTED):
        text = lowercase_tags(text)
    return Sitemap(kind, text, problem or _find_problem(text, kind), url)


def _detect_kind(text: str, start: int) -> SitemapKind:
    root = _ROOT.match(text, start)
    if root:
        return _ROOTS.get(root.group(1).lower(), "html" if "<html" in text[:2000].lower() else "unknown")
    if is_json_feed(text, start):
        return "json"
    return (
        "text" if text[start : start + 4].lower() == "http" else "html" if "<html" in text[:2000].lower() else "unknown"
    )


def _find_problem(text: str, kind: SitemapKind) -> str:
    """Return an error that a strict parser would report, if it matters here."""
    if kind == "html":
        return "it is a web page"
    if kind == "unknown":
        return "it is not a sitemap"
    if kind not in _BLOCKS:
        return ""
    tail = text[-200:].rstrip()
    if not tail.endswith(">") or "</" not in tail:
        return "it ends early"
    text = CDATA.sub("", text[:_MAX_INSPECTED])
    return "it contains an unescaped &" if _STRAY_AMPERSAND.search(text) else ""


def _find_closing_tag(text: str, name: str) -> re.Match[str] | None:
    """Return the first closing tag of this name; a plain search is faster if there is none."""
    if f"</{name}" not in text and f":{name}" not in text:
        return None
    return re.search(rf"</((?:[\w.-]+:)?){name}\s*>", text)


def _scan(text: str, name: str, reader: Reader, base: str = "") -> Iterator[Entry]:
    """Yield the entries of `<url>…</url>` blocks; if there are none, all `<loc>` elements."""
    closing = _find_closing_tag(text, name)
    if closing is None:
        yield from _scan_loose_locs(text)
        return
    end_tag, read = closing.group(), reader(closing.group(1), base)
    opening = f"<{closing.group(1)}{name}"
    start, end = 0, 0
    while end >= 0:
        while name == "url" and (simple := _SIMPLE_BLOCK.match(text, start)):
            yield _parse_simple_block(simple)
            start = simple.end()
        end = text.find(end_tag, start)
        for block in _split_blocks(text, opening, start, end):
            entry = read(block)
            if entry is not None:
                yield entry
        start = end + len(end_tag)


def _split_blocks(text: str, opening: str, start: int, end: int) -> Iterator[str]:
    """Yield the text after each opening tag up to `end`; -1 means the end of a file that ends early."""
    limit = len(text) if end < 0 else end
    place = text.find(opening, start, limit)
    while place >= 0:
        place += len(opening)
        following = text.find(opening, place, limit)
        block = text[place : min(limit if following < 0 else following, place + _MAX_BLOCK)]
        yield _strip_truncated_loc(block) if following < 0 and end < 0 else block
        place = following


def _strip_truncated_loc(block: str) -> str:
    """Remove a `<loc>` that is cut off by the end of the file, because its URL is incomplete."""
    last = max(block.rfind("<loc"), block.rfind(":loc"))
    content = block[last:].partition(">")[2].lstrip().removeprefix("<![CDATA[") if last >= 0 else "<"
    return block if "<" in content or "]]>" in content else block[:last]


def _parse_simple_block(match: re.Match[str]) -> Entry:
    """Return the entry of a block without extensions, as nearly all are; matching these first halves the time."""
    loc, lastmod, changefreq, priority = match.groups("")
    loc = loc.strip()[:MAX_LOC_LENGTH]
    if "&" in loc:
        loc = ENTITY.sub(decode_entity, loc)
    return Entry(loc, lastmod.strip(), changefreq.strip(), _parse_priority(priority) if priority else None)


def _create_url_reader(prefix: str, _: str) -> Callable[[str], Entry | None]:
    loc, lastmod, changefreq, priority = (f"<{prefix}{name}>" for name in ("loc", "lastmod", "changefreq", "priority"))

    def read(block: str) -> Entry | None:
        url = get_element_text(block, loc) or _read_bare_url(block)
        if not url:
            return None
        rank = get_element_text(block, priority)
        return Entry(
            url,
            get_element_text(block, lastmod),
            get_element_text(block, changefreq),
            _parse_priority(rank) if rank else None,
            _read_alternates(block) if "hreflang" in block else (),
            _read_media_urls(block) if "_loc" in block or ":loc" in block else (),
        )

    return read


_READERS: dict[str, Reader] = {"rss": create_rss_reader, "atom": create_atom_reader}


def _read_bare_url(block: str) -> str:
    """Return the URL of a block that contains only a URL, without `<loc>`."""
    text = block.partition(">")[2].strip()
    return decode_text(text) if text.startswith("http") and "<" not in text else ""


def _scan_loose_locs(text: str) -> Iterator[Entry]:
    for match in _LOOSE_LOC.finditer(text):
        url = decode_text(match.group(1))
        if url and match.end() < len(text):  # the URL at the end of the file may be incomplete
            yield Entry(url)


def _read_lines(text: str) -> Iterator[Entry]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if line := text[start : min(end, start + MAX_LOC_LENGTH)].strip():
            yield Entry(line)
        start = end + 1


def _parse_priority(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None


def _read_media_urls(block: str) -> tuple[str, ...]:
    return tuple([decode_text(match[1]) for match in _MEDIA_LOC.finditer(block)])


def _read_alternates(block: str) -> tuple[tuple[str, str], ...]:
    tags = (parse_attributes(match.group()) for match in LINK_TAG.finditer(block))
    return tuple((tag["hreflang"].lower(), tag["href"]) for tag in tags if tag.get("href") and tag.get("hreflang"))
