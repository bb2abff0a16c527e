"""Export pages of a dive for other tools: Markdown with front matter, JSON lines, llms.txt. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from headwater.dive.content.chunks import strip_site_name
from headwater.dive.content.markdown import strip_inline_markup
from headwater.dive.content.markdown_blocks import parse_blocks
from headwater.dive.content.selection import get_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from headwater.store import DivePage

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_LISTED = re.compile(r"^- \[.*?\]\((\S+)\)(?:: |$)", re.MULTILINE)
MAX_NAME = 120
MAX_SUMMARY = 160


def build_front_matter(page: DivePage) -> str:
    """Return a page's metadata as YAML front matter; values are JSON strings."""
    fields = {
        "title": page.title,
        "url": page.url,
        "canonical": page.canonical,
        "language": page.language,
        "published": page.published,
        "modified": page.modified,
        "read": page.read_at,
        "hash": f"{(page.content_hash or 0) & (2**64 - 1):016x}",
    }
    lines = [f"{name}: {_quote_yaml(value)}" for name, value in fields.items() if value]
    return "\n".join(["---", *lines, "---", ""])


def _quote_yaml(value: str) -> str:
    """Return a JSON string with all characters escaped that YAML forbids."""
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def parse_front_matter_url(text: str) -> str:
    """Return the URL in the front matter of a file; empty if it has none."""
    head = text.partition("\n---\n")[0].splitlines() if text.startswith("---\n") else []
    line = next((line for line in head if line.startswith('url: "')), "")
    try:
        return str(json.loads(line.removeprefix("url: "))) if line else ""
    except ValueError:
        return ""


def parse_llms_urls(index: str, name: str) -> set[str]:
    """Return the URLs in an llms.txt if it belongs to the export with this name."""
    title, _, rest = index.partition("\n")
    return set(_LISTED.findall(rest)) if title == next(iter(iter_llms_txt(name, ()))).partition("\n")[0] else set()


def build_page_record(page: DivePage, markdown: str) -> dict[str, object]:
    """Return the record of a page for JSON lines."""
    return {
        "url": page.url,
        "title": page.title,
        "language": page.language or None,
        "canonical": page.canonical or None,
        "published": page.published or None,
        "modified": page.modified or None,
        "read": page.read_at,
        "hash": f"{(page.content_hash or 0) & (2**64 - 1):016x}",
        "headings": [{"level": level, "text": text, "anchor": anchor} for level, text, anchor in page.headings],
        "markdown": markdown,
    }


def choose_file_name(url: str, taken: dict[str, int]) -> str:
    """Return a unique and safe file name for a page, made from its path.

    `taken` maps names in lower case to the number to try next for another page of the same name.
    """
    words = _UNSAFE.sub("-", re.sub(r"\.(x?html?|php|aspx?)\Z", "", get_path(url).strip("/"))).strip("-.")
    stem = words[:MAX_NAME] or "index"
    name = f"{stem}.md"
    first, number = name.lower(), taken.get(name.lower(), 2)
    while name.lower() in taken:
        name, number = f"{stem}-{number}.md", number + 1
    taken[first] = number
    taken.setdefault(name.lower(), 2)
    return name


def iter_llms_txt(name: str, pages: Iterable[tuple[DivePage, str]]) -> Iterator[str]:
    """Yield an llms.txt: a list of the pages with one sentence each."""
    yield f"# {_flat(name)}\n\n> Pages of this site on one topic, read by Headwater.\n\n## Pages\n\n"
    for page, markdown in pages:
        summary = extract_first_sentence(markdown)
        yield f"- [{_flat(strip_site_name(page.title) or page.url)}]({page.url}){f': {summary}' if summary else ''}\n"


def iter_llms_full_txt(name: str, pages: Iterable[tuple[DivePage, str]]) -> Iterator[str]:
    """Yield an llms-full.txt: the full text of all pages."""
    yield f"# {_flat(name)}\n"
    for page, markdown in pages:
        yield f"\n---\n\nSource: {page.url}\n\n{markdown}"


def extract_first_sentence(markdown: str) -> str:
    """Return the first sentence of a page, truncated to one line."""
    for block in parse_blocks(markdown):
        if block.kind == "text":
            text = " ".join(strip_inline_markup(block.text).split())
            end = re.search(r"[.!?](?=\s|\Z)", text)
            text = text[: end.end()] if end else text
            return text if len(text) <= MAX_SUMMARY else text[: MAX_SUMMARY - 1] + "…"
    return ""


def _flat(text: str) -> str:
    return " ".join(text.replace("[", "(").replace("]", ")").split())
