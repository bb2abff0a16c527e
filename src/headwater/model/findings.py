"""Findings: the result of examining a response, and the records it consists of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003  (NamedTuple needs them at run time)
from types import MappingProxyType
from typing import NamedTuple

from headwater.model.discovered_url import DiscoveredUrl  # noqa: TC001  (NamedTuple needs it at run time)
from headwater.model.link import Region  # noqa: TC001  (NamedTuple needs it at run time)
from headwater.model.url import UrlKind  # noqa: TC001  (NamedTuple needs it at run time)

NO_COUNTS: Mapping[str, int] = MappingProxyType({})


class ScriptRoute(NamedTuple):
    """A URL that the scripts of a page lead to; `how` is the means: a call such as `pushState`, a click, a route table.

    For an endpoint `how` is its method. `keeps_fragment` marks a hash route, a page that is identified by its fragment.
    `region` is the region of the link, if it was on an element that the page showed only for a moment.
    """

    url: str
    how: str
    text: str = ""
    kind: UrlKind = "page"
    keeps_fragment: bool = False
    region: Region | None = None


class IndexFile(NamedTuple):
    """An index file to request, and the kind of index that its content is parsed as."""

    kind: str
    url: str


class Hint(NamedTuple):
    """A URL that a source suggests; it is requested within a budget, and listed only if it proves to be a page.

    `source` is a name in the setting `sources`. Hints of a lower `rank` are requested first. A script file is no page,
    but it is requested for the strings in it.
    """

    source: str
    url: str
    rank: int = 0
    is_script: bool = False


class PageFacts(NamedTuple):
    """Facts from the head, the first heading and the response headers of a page; empty if the page does not say.

    `alternates`, `headers` and `extracted` are JSON objects, as stored. `robots` are the directives that apply to us,
    `size` the bytes of the decoded body. `word_count`, `text_language`, `simhash` and `minhash` are from the main text,
    if pages are analyzed.
    """

    description: str = ""
    heading: str = ""
    og_title: str = ""
    og_image: str = ""
    published: str = ""
    modified: str = ""
    robots: str = ""
    alternates: str = ""
    headers: str = ""
    insecure_resources: int = 0
    size: int | None = None
    response_ms: int | None = None
    word_count: int | None = None
    text_language: str = ""
    simhash: int | None = None
    minhash: bytes | None = None
    extracted: str = ""


class ContentSketch(NamedTuple):
    """The content of a page as sets of small hashes, to compare it with other pages.

    `heading` is the title with the first heading, `texts` are sentences, `labels` shorter texts, and `masked_labels`
    the labels without their digits. `template` is a hash of all that does not state the date, if the URL has one.
    `plain_texts` are the sentences without a value of the query; they are not stored.
    """

    heading: int = 0
    links: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()
    labels: frozenset[int] = frozenset()
    masked_labels: frozenset[int] = frozenset()
    template: int = 0
    plain_texts: frozenset[int] = frozenset()


class Findings(NamedTuple):
    """The result of examining one response; `found` are URLs that are new, or reached in fewer clicks than before.

    `links` are the numbers of all links of the page, if links are kept. `cleared` are the identities of URLs that are
    no longer suspect, because a trap could not have generated them on this page. `new_links` are, for a suspect page,
    the identities and shapes of links that no page of an earlier round had; `new_pages` are, for a page that may be
    opened in a browser, the identities of pages that it links to and no page of an earlier round did. `wall` is the
    reason why the response is not the page that was asked for, such as `login-required`. `is_shell` means that only a
    browser can show the page; `max_probes` and `template` are from `ScriptInspection`.
    """

    found: list[DiscoveredUrl]
    links: Sequence[int] = ()
    skipped: Mapping[str, int] = NO_COUNTS
    title: str = ""
    language: str = ""
    canonical: str = ""
    fingerprint: int = 0
    facts: PageFacts = PageFacts()
    is_soft_404: bool = False
    script_reason: str = ""
    is_shell: bool = False
    max_probes: int = 0
    template: int = 0
    index_files: Sequence[IndexFile] = ()
    hints: Sequence[Hint] = ()
    content_hash: int | None = None
    text_hash: int | None = None
    noindex: bool = False
    redirect_to: str = ""
    spellings: Sequence[tuple[int, str]] = ()
    new_links: Sequence[tuple[int, str]] = ()
    cleared: Sequence[int] = ()
    wall: str = ""
    nofollow: bool = False
    new_pages: frozenset[int] = frozenset()
    sketch: ContentSketch | None = None
