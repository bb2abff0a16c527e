"""Sketch the content of a page: its texts, links and images as small hashes, to tell what it adds to another page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin
from zlib import crc32

from headwater.model import ContentSketch
from headwater.pages.text.hashes import hash_content
from headwater.urls.shapes import shape
from headwater.urls.tracking_parameters import is_tracking_parameter
from headwater.urls.variants import SESSION_PARAMETERS, find_period_family, find_years, split_query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Document, Element

MAX_ITEMS = 4000
"""Texts and links of a page; larger pages are not compared."""

MAX_LABEL = 40
"""Characters of a label; longer texts are sentences, which are content."""

MAX_DATE_WORDS = 3
_DIGITS = re.compile(r"\d+")
_INVISIBLE = ("script", "style", "template", "noscript")


def sketch_content(document: Document, url: str, title: str, base: str = "") -> ContentSketch | None:
    """Return the sketch of a page; None if it has no content, or too much to compare.

    Links to other views of the page are not part of it, because every view has others.
    """
    body = document.select_one("body")
    if body is None:
        return None
    hidden = {" ".join(one.text.split()) for tag in _INVISIBLE for one in body.find_all(tag)}
    texts = {" ".join(one.split()) for one in body.stripped_strings} - hidden
    links, own_texts = _read_links(body, url, base or url)
    links |= {"image " + source for one in body.find_all("img", limit=MAX_ITEMS) if (source := one.attr("src"))}
    if not texts or len(texts) + len(links) > MAX_ITEMS:
        return None
    labels = {one for one in texts if len(one) <= MAX_LABEL}
    heading = body.find("h1")
    return ContentSketch(
        heading=_hash(f"{title}\n{' '.join(heading.text.split()) if heading is not None else ''}"),
        links=_hash_all(links),
        texts=_hash_all(texts - labels),
        labels=_hash_all(labels),
        masked_labels=_hash_all(_DIGITS.sub("0", one) for one in labels),
        template=_hash_template(texts - own_texts, links, url, title) if find_period_family(url) else 0,
        plain_texts=_hash_all(_drop_values(texts - labels, url)),
    )


def _drop_values(texts: Iterable[str], url: str) -> Iterable[str]:
    """Return the texts that repeat no value of the query: lists often describe the filters that were chosen."""
    values = {unquote(one.partition("=")[2]).casefold() for one in split_query(url)[1]}
    words = [value for value in values if len(value) > 2 and not value.isdecimal()]
    return [one for one in texts if not any(word in one.casefold() for word in words)] if words else texts


def _read_links(body: Element, url: str, base: str) -> tuple[set[str], set[str]]:
    """Return the targets of links, and the texts of links to other views or periods of the page."""
    path, parameters = split_query(url)
    own_shape = shape(url) if find_period_family(url) else ""
    targets: set[str] = set()
    own_texts: set[str] = set()
    for element in body.find_all("a", limit=MAX_ITEMS):
        href = element.attr("href")
        if not href or href.startswith("#"):
            continue
        target = _resolve(href, base).partition("#")[0]
        target_path, target_parameters = split_query(target)
        if target_path == path or (own_shape and shape(target) == own_shape):
            own_texts.add(" ".join(element.text.split()))
            continue
        kept = sorted(one for one in target_parameters if one not in parameters and not _is_ignored(one))
        targets.add(f"{target_path}?{'&'.join(kept)}")
    return targets, own_texts


def _resolve(href: str, base: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href


def _is_ignored(parameter: str) -> bool:
    name = parameter.partition("=")[0]
    return name.lower() in SESSION_PARAMETERS or is_tracking_parameter(name)


def _hash_template(texts: Iterable[str], links: Iterable[str], url: str, title: str) -> int:
    """Return a hash of a page without dates: digits, its title, and labels that only state the year and a name."""
    years = find_years(url)
    kept = {_DIGITS.sub("0", one) for one in texts if one not in title and not _is_date_label(one, years)}
    return hash_content("\n".join([*sorted(kept), *sorted(links)]).encode("utf-8", "surrogatepass")) or 1


def _is_date_label(text: str, years: frozenset[str]) -> bool:
    return len(text) <= MAX_LABEL and len(text.split()) <= MAX_DATE_WORDS and any(year in text for year in years)


def _hash_all(texts: Iterable[str]) -> frozenset[int]:
    return frozenset(map(_hash, texts))


def _hash(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))
