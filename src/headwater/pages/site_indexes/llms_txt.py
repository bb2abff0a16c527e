"""Parse `llms.txt`: Markdown with a link to each page of a documentation."""

from __future__ import annotations

import re

from headwater.pages.site_indexes.links import resolve_pages
from headwater.pages.site_indexes.records import ParsedIndex

_LINK = re.compile(r"\[([^\[\]\n]{0,500})\]\(\s{0,9}<?([^()<>\[\]\s]{1,2000})")
_SOURCE_LINE = re.compile(r"^(?:source|url):[ \t]*(https?://\S{1,2000})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MARKDOWN_FILE = re.compile(r"(?:/index|/README)?\.mdx?(?=$|[?#])")


def parse_llms_txt(body: bytes, url: str) -> ParsedIndex:
    """Read the links of `llms.txt`, and the `Source:` lines of `llms-full.txt`.

    A link to a Markdown file stands for the page that the file was made from.
    """
    text = body.decode("utf-8", "replace")
    if text.lstrip()[:1] == "<":
        return ParsedIndex()
    links = [(match.group(2), match.group(1)) for match in _LINK.finditer(text)]
    sources = [(match.group(1), "") for match in _SOURCE_LINE.finditer(text)]
    return ParsedIndex(resolve_pages(((_page_of(href), title) for href, title in (*links, *sources)), url))


def _page_of(href: str) -> str:
    """Return the URL of the page behind a Markdown file."""
    page = _MARKDOWN_FILE.sub("", href, count=1)
    return f"{page}/" if page != href and re.match(r"[^?#]*/(?:index|README)\.mdx?", href) else page
