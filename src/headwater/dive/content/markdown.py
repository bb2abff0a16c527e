"""Convert a page's main content to Markdown, with code, tables and heading ids, without navigation and hidden text.

Pure, except that trafilatura is used, if installed, for pages without a semantic root.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Element, Markdown

from headwater.dive.content.content_root import find_content_root
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import collapse_whitespace, parse_html
from headwater.urls import resolve

if TYPE_CHECKING:
    from turbohtml import Document

BOILERPLATE_SELECTOR = (
    "nav,aside,script,style,noscript,template,form,button,input,select,textarea,dialog,iframe,object,svg,canvas,"
    "[role=navigation],[role=search],[role=banner],[role=contentinfo],[role=complementary],[role=alert],"
    "[role=menu],[role=toolbar],[role=dialog],.headerlink,.linenos,.breadcrumb,.breadcrumbs,.toc,.skip-link"
)
"""Elements that are removed anywhere inside the root."""

HIDDEN_SELECTOR = (
    "[hidden],[aria-hidden=true],.sr-only,.visually-hidden,.screen-reader-text,"
    "[style*='display:none' i],[style*='display: none' i],[style*='visibility:hidden' i],"
    "[style*='visibility: hidden' i],[style*='font-size:0' i],[style*='font-size: 0' i],[style*='opacity:0' i],"
    "[style*='opacity: 0' i],[style*='text-indent:-' i],[style*='left:-' i]"
)
"""Elements that readers do not see; text in them may contain instructions for language models."""

_PARTLY_VISIBLE = re.compile(r"(opacity|font-size)\s*:\s*0?\.\d*[1-9]", re.IGNORECASE)
_FRAMES = "header,footer"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*)([A-Za-z0-9+#_.-]+)")
_NO_LANGUAGE = frozenset({"default", "none", "text", "notranslate", "plaintext"})
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_IMAGES = Markdown.Images(mode="alt")
_TABLES = Markdown.Tables(cell_blocks="text")
_PUBLISHED = "meta[property='article:published_time' i],meta[name=date i],meta[itemprop=datePublished i]"
_MODIFIED = "meta[property='article:modified_time' i],meta[name=last-modified i],meta[itemprop=dateModified i]"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
MAX_HEADING = 300


class Heading(NamedTuple):
    """A heading of a page and its anchor."""

    level: int
    text: str
    anchor: str = ""


class ExtractedPage(NamedTuple):
    """The main content and metadata of a page."""

    title: str
    markdown: str
    headings: tuple[Heading, ...] = ()
    language: str = ""
    canonical: str = ""
    published: str = ""
    modified: str = ""
    content_hash: int = 0


def extract_page(body: bytes | str, url: str, charset: str = "") -> ExtractedPage:
    """Extract the main content of a page; the Markdown is empty if it has none."""
    document = parse_html(body, charset)
    head = Head.from_document(document)
    canonical = resolve(head.canonical, url) if head.canonical else None
    published, modified = _find_date(document, _PUBLISHED), _find_date(document, _MODIFIED)
    base = resolve(head.base, url) or url if head.base else url
    for element in document.select(HIDDEN_SELECTOR):
        if not _PARTLY_VISIBLE.search(element.attr("style") or ""):
            element.decompose()
    root = find_content_root(document)
    if root is None:
        return ExtractedPage(head.title, "", (), head.language, canonical or "", published, modified)
    _prune(root)
    _resolve_links(root, base)
    for pre in root.select("pre"):
        _set_code_language(pre)
    headings: list[Heading] = []
    text = _tidy(root.to_markdown(_create_converter(headings)))
    title = head.title or next((heading.text for heading in headings), "")
    return ExtractedPage(
        title, text, tuple(headings), head.language, canonical or "", published, modified, hash_text(f"{title}\n{text}")
    )


def hash_text(text: str) -> int:
    """Return a 64-bit hash of a text as a signed integer, which databases can store."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def _prune(root: Element) -> None:
    for element in root.select(BOILERPLATE_SELECTOR):
        element.decompose()
    for element in root.select(_FRAMES):
        if not element.select("h1,h2,h3,pre"):  # the header of an article contains its title
            element.decompose()


def _resolve_links(root: Element, base: str) -> None:
    for heading in root.select("h1 a,h2 a,h3 a,h4 a,h5 a,h6 a"):
        heading.unwrap()
    for link in root.select("a[href]"):
        target = resolve(link.attr("href") or "", base)
        if target is None:
            link.unwrap()
        else:
            link.attrs["href"] = target
            link.attrs.pop("title", None)


def _set_code_language(pre: Element) -> None:
    """Move the language of a code block to the class that the Markdown converter reads."""
    code = pre.select_one("code")
    places = (code, pre, pre.parent, pre.parent.parent if pre.parent is not None else None)
    for place in places:
        if isinstance(place, Element):
            name = place.attr("data-lang") or place.attr("data-language") or _parse_class_language(place)
            if name:
                if code is None:
                    code = Element("code", {})
                    pre.wrap_children(code)
                code.attrs["class"] = f"language-{name}"
                return


def _parse_class_language(element: Element) -> str:
    match = _LANGUAGE.search(str(element.attr("class") or ""))
    name = match.group(1).lower() if match else ""
    return "" if name in _NO_LANGUAGE else {"python3": "python", "pycon3": "pycon"}.get(name, name)


def _create_converter(headings: list[Heading]) -> Markdown:
    """Return a Markdown converter that adds every heading with its anchor to the list."""

    def write(element: Element, inner: str) -> str:
        text = collapse_whitespace(inner)[:MAX_HEADING]
        if not text:
            return ""
        level = int(element.tag[1])
        anchor = _find_anchor(element)
        headings.append(Heading(level, strip_inline_markup(text), anchor))
        return f"{'#' * level} {text}{f' {{#{anchor}}}' if anchor else ''}"

    return Markdown(images=_IMAGES, tables=_TABLES, converters=dict.fromkeys(_HEADINGS, write))


def _find_anchor(heading: Element) -> str:
    """Return the id of the heading, of an element inside it, or of the section it starts."""
    inner = heading.select_one("[id],a[name]")
    parent = heading.parent
    candidates = [heading.attr("id"), (inner.attr("id") or inner.attr("name")) if inner is not None else None]
    if isinstance(parent, Element) and parent.tag in {"section", "div", "article", "header"}:
        first = parent.select_one("h1,h2,h3,h4,h5,h6")
        candidates.append(parent.attr("id") if first is not None and first.equals(heading) else None)
    return next((str(one) for one in candidates if one and not re.search(r"[\s{}]", str(one))), "")


_LINK = re.compile(r"!?\[((?:[^\[\]\\]++|\\.)*+)\]\((?:<[^>]*+>|(?:[^()\s]++|\([^()]*+\))*+)(?:\s++\"[^\"]*+\")?\)")
_AUTOLINK = re.compile(r"<(https?://[^>\s]+)>")
_MARKUP = re.compile(r"\*\*|(?<![\w\\*])\*(?=[^\s*])|(?<=[^\s*\\])\*(?![\w*])|`+")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")


def strip_inline_markup(text: str) -> str:
    """Return a line of Markdown as plain text: links as their text, no emphasis, no escapes."""
    text = _AUTOLINK.sub(r"\1", _LINK.sub(r"\1", text))
    return _ESCAPED.sub(r"\1", _MARKUP.sub("", text))


def _find_date(document: Document, selector: str) -> str:
    for element in document.select(selector):
        match = _DATE.search(str(element.attr("content") or element.attr("datetime") or ""))
        if match:
            return match.group()
    return ""


def _tidy(text: str) -> str:
    """Remove invisible characters and repeated blank lines."""
    text = _INVISIBLE.sub("", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n" if text.strip() else ""
