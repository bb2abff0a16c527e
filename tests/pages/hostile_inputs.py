"""Run every parser on hostile input and print the memory it took; each run is a fork of one process.

Started by test_bounds.py: `python -m tests.pages.hostile_inputs`. A line is a JSON object: the number of the case, the
size of its input and the growth of the process, in bytes.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import sys
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import brotli

from headwater.dive.content.markdown_blocks import parse_blocks
from headwater.fetch.http.decoding import DecoderChain, DecodingError
from headwater.pages.documents.client_redirects import MAX_REDIRECT_PAGE_BYTES, find_client_redirect
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.link_headers import extract_header_links
from headwater.pages.documents.robots_tag import parse_robots_tag
from headwater.pages.documents.script_detection import find_script_reason, is_empty_shell
from headwater.pages.documents.script_inspection import inspect_scripts
from headwater.pages.files.robots_txt import parse_robots
from headwater.pages.files.sitemap_parser import parse_sitemap_body
from headwater.pages.links.forms import find_form_targets
from headwater.pages.links.json_ld import extract_json_ld_urls
from headwater.pages.links.link_rules import read_css, read_markup, read_refresh, read_script_location, read_srcset
from headwater.pages.links.url_strings import find_script_strings, find_url_strings
from headwater.pages.site_indexes import PARSERS as INDEX_PARSERS
from headwater.pages.site_indexes import IndexFile, parse_index
from headwater.pages.text.text_language import detect_text_language
from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_SIZE = 200_000
LARGEST_SITEMAP, LARGEST_PAGE, LARGEST_ROBOTS, LARGEST_INDEX = 52_428_800, 20_000_000, 512 * 1024, 20_000_000
LARGE_INDEX = IndexFile("search-records", "https://e.com/index.json")
CPU_SECONDS = 15
"""Quadratic parsers would take hours; ours take milliseconds, or seconds for the largest files."""

MEMORY = 3 << 30
WIDE = "\U0001f600"


class Case(NamedTuple):
    """A parser and its input: a beginning, a filling that is repeated up to a size, and an end."""

    parser: str
    begin: str
    filling: str
    end: str = ""
    size: int = DEFAULT_SIZE

    def make(self) -> bytes:
        """Return the input."""
        begin, filling, end = (part.encode("utf-8", "surrogatepass") for part in (self.begin, self.filling, self.end))
        return begin + filling * ((self.size - len(begin) - len(end)) // len(filling)) + end


def read_whole_sitemap(body: bytes) -> None:
    """Read every entry of a sitemap."""
    for _ in parse_sitemap_body(body, url="https://e.com/").entries():
        pass


def read_packed_sitemap(body: bytes) -> None:
    """Read every entry of a compressed sitemap: one member, and many empty ones before it."""
    read_whole_sitemap(gzip.compress(b"") * 9_000 + gzip.compress(body, 1))


def read_page(body: bytes) -> None:
    """Parse a page and run all functions that read it."""
    document = parse_html(body)
    Head.from_document(document)
    is_empty_shell(document, find_script_reason(document))
    inspect_scripts(document)
    detect_text_language(document, "a")
    find_client_redirect(document, body[:MAX_REDIRECT_PAGE_BYTES], {})
    find_url_strings(document, body)
    find_form_targets(document)


def decode_as(encoding: str, packed: Callable[[bytes], bytes]) -> Callable[[bytes], None]:
    """Return a function that compresses a body, appends as much garbage, and decodes it in pieces."""

    def decode(body: bytes) -> None:
        chain, sent = DecoderChain(encoding, LARGEST_PAGE), packed(body) + body
        with suppress(DecodingError):
            for start in range(0, len(sent), 16_384):
                chain.feed(sent[start : start + 16_384])

    return decode


def on_text(parse: Callable[[str], object]) -> Callable[[bytes], None]:
    """Return a parser of bytes for a parser of text."""

    def parse_bytes(body: bytes) -> None:
        parse(body.decode("utf-8", "surrogatepass"))

    return parse_bytes


def read_indexes(body: bytes) -> None:
    """Parse a body as every kind of index file, and as the compressed content of a Sphinx inventory."""
    for kind in INDEX_PARSERS:
        parse_index(IndexFile(kind, "https://e.com/file"), body)
    header = b"# Sphinx inventory version 2\n#\n#\n# zlib\n"
    parse_index(IndexFile("sphinx-inventory", "https://e.com/objects.inv"), header + zlib.compress(body, 1))


PARSERS: dict[str, Callable[[bytes], None]] = {
    "index": read_indexes,
    "large index": lambda body: print(parse_index(LARGE_INDEX, body), file=sys.stderr),
    "sitemap": read_whole_sitemap,
    "packed sitemap": read_packed_sitemap,
    "page": read_page,
    "robots.txt": lambda body: print(parse_robots(body).allows("x", "https://e.com/y"), file=sys.stderr),
    "JSON-LD": on_text(extract_json_ld_urls),
    "Link": on_text(lambda text: extract_header_links({"link": text})),
    "Refresh": on_text(lambda text: (extract_header_links({"refresh": text}), read_refresh(text))),
    "X-Robots-Tag": on_text(parse_robots_tag),
    "srcset": on_text(read_srcset),
    "CSS": on_text(read_css),
    "onclick": on_text(read_script_location),
    "template": on_text(read_markup),
    "script": on_text(find_script_strings),
    "gzip": decode_as("gzip", gzip.compress),
    "gzip members": decode_as("gzip", lambda body: gzip.compress(b"") * (len(body) // 20)),
    "deflate": decode_as("deflate", zlib.compress),
    "brotli": decode_as("br", lambda body: brotli.compress(body, quality=1)),
    "gzip twice": decode_as("gzip, gzip", lambda body: gzip.compress(gzip.compress(body))),
    "URL": on_text(shape),
    "Markdown": on_text(lambda text: list(parse_blocks(text))),
}

URLSET, IN_URL = "<urlset>", "<urlset><url><loc>https://e.com/</loc>hreflang :loc "
URLS_END, UPPER, UPPER_END = "</url></urlset>", "<URLSET></LOC>", "</URL></URLSET>"
JSON_FEED = '{"version":"https://jsonfeed.org/version/1","items":['
OPEN_FORMATTING = "<p>" + "".join(f"<b a={number}>" for number in range(500))
HIDDEN_CLOSINGS = ("<!--{}-->", "<i a='{}'></i>", "<table><td>{}</table>", "<style>{}</style>", "<i a=x'{}>")

# fmt: off
CASES = [
    *(Case("large index", "[", filling, "1]", LARGEST_INDEX) for filling in ("[],", '"ab",')),
    *(Case("index", "[", filling, "]") for filling in ("[],", "{},", '"a",', '{"url":"/a"},')),
    *(Case("index", "", filling) for filling in (
        "\n", "a", " ", "ab\n", "a std:doc -1 b -\n", "[a](b)", "a ", "NAVTREEINDEX=[", '"a"\n', 'url:"',
        "VPLocalSearchBox.", "path:'/", "@localSearchIndex", "JSON.parse(", "source:https://", '"\\"',
    )),
    *(Case("sitemap", "<!DOCTYPE ", filling) for filling in ("[]a", "[", "a", "<!DOCTYPE ", "<!DOCTYPE>", "[>")),
    *(Case("sitemap", "", filling) for filling in ("<!--", "<!---->", "<?", "<??>", " ", "http://e.com/\n")),
    *(Case("sitemap", URLSET, filling, URLS_END) for filling in ("<!--", "<![CDATA[", "<loc>", "<url><loc>")),
    *(Case("sitemap", IN_URL, filling, URLS_END) for filling in ("<image:loc>", "<image:loc>a<", "<link ", "a='", " ")),
    Case("sitemap", IN_URL + "<image:loc>", " ", URLS_END),
    Case("sitemap", IN_URL, "<link hreflang='a' href='b'/>", URLS_END),
    Case("sitemap", URLSET + "<url><loc>", "<![CDATA[", URLS_END),
    *(Case("sitemap", UPPER, filling, UPPER_END) for filling in ("<x", "<URL>", "</A", "<!---->X")),
    *(Case("sitemap", "<sitemapindex>", filling, "</sitemap>") for filling in ("<sitemap>", "<sitemap><loc>", "<a>")),
    *(Case("sitemap", "<rss>", filling, "</item></rss>") for filling in ("<item>", "<guid ", "<item><link>a")),
    *(Case("sitemap", "<feed>", filling, "</entry></feed>") for filling in ("<entry>", "<link href=''>", "<link ")),
    *(Case("sitemap", JSON_FEED, filling, "1]}") for filling in ("[],", '{"":0},', '{"url":"a"},', "[")),
    Case("sitemap", '<?xml encoding="punycode"?><urlset>', "a-", ""),
    Case("packed sitemap", "<!DOCTYPE ", "[]a"),
    Case("sitemap", "<!DOCTYPE ", "[]a", size=LARGEST_SITEMAP),
    Case("sitemap", f"<urlset><url><loc>{WIDE}", "<![CDATA[", URLS_END, LARGEST_SITEMAP),
    *(Case("page", "", filling) for filling in (
        "<a>", "<p>x", "<b><p>", "<a><p>x", "<table><b>", "<", "<!>", "\0", "&", "<!--", "<!---->", "<!--[if-->",
        "<script>", "<noscript>x ", "<template>x ", "<![CDATA[", "<a b=", "<x>", "<div>", WIDE, "<svg><style>",
        "<form>", "<select>", "<form><select name=a><option>",
    )),
    Case("page", "", "<b><i><u><s><p>", size=2_000_000),
    *(Case("page", OPEN_FORMATTING + hidden.format("</b>" * 500), "<p>x", size=100_000) for hidden in HIDDEN_CLOSINGS),
    Case("page", "<p>" + "".join(f'<b a=">{number}">' for number in range(500)), "<p>x", size=100_000),
    Case("page", "<body><script></script>" + "<noscript>" * 400, "a "),
    Case("page", "<a><p>x", "<a><p>x", size=LARGEST_PAGE),
    *(Case("robots.txt", begin, filling, size=LARGEST_ROBOTS) for begin, filling in (
        ("", " "), ("x", " "), ("", " x"), ("", "\n"), ("", ":"), ("", "Sitemap:\n"), ("user-agent:*\n", "allow:/*a\n"),
        ("user-agent:*\ndisallow:", "*"),
    )),
    Case("robots.txt", "".join(f"user-agent:{chr(97 + n % 26) * (n // 26 + 1)}\n" for n in range(1000)), "allow:/\n",
         size=LARGEST_ROBOTS),
    *(Case("JSON-LD", "[", filling, "1]") for filling in ("[", "[],", '{"":0},', '{"url":"a"},', "1")),
    *(Case("Link", "", filling, size=300_000) for filling in ("<", "<a", "<a>,", ",")),
    *(Case("Refresh", begin, filling, size=300_000) for begin, filling in (("", "1"), ("1;", " "), ("1;", "url "))),
    *(Case("X-Robots-Tag", "", filling, size=300_000) for filling in (",", "a:", "\n")),
    *(Case("srcset", begin, filling) for begin, filling in (("", ","), ("a", ","), ("", " "), ("", "a "), ("", "a,"))),
    *(Case("CSS", "", filling) for filling in ("url(", "url( ", "@import ", "@import '", "url('a')")),
    *(Case("onclick", "", filling) for filling in ("location=", "location ", "location='", "navigate(")),
    *(Case("script", begin, filling) for begin, filling in (
        ("", '"'), ("", "'"), ("", "\\"), ('"', "\\"), ("", '" + "'), ("", '" +'), ("", '"/a",'), ("", "`\n"),
        ('"/', "a/"), ("'/a'", "get"), ("'/a'", "get( "), ("'/a'", "get(a."), ("'/a'", "get('"),
    )),
    *(Case("template", begin, filling) for begin, filling in (("", "<a "), ("", "<a href "), ("<a href", " "))),
    *(Case(name, "", "x") for name in ("gzip", "gzip members", "deflate", "brotli", "gzip twice")),
    *(Case("URL", "https://e.com/", filling, "!", size=2000) for filling in ("v1", "1", "1.", "1-", "a1", ";a", "a-")),
    Case("URL", "https://e.com/v", "1", "!", size=2000),
    *(Case("Markdown", begin, filling) for begin, filling in (("", " "), ("", "> "), ("# ", "a"), ("# a", " {#"))),
]
# fmt: on


def growth_of(case: Case, body: bytes) -> int:
    """Return the maximum growth in bytes of a process that runs the parser; negative if it did not finish."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        try:
            PARSERS[case.parser](body)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            os.write(writer, str(grown * 1024).encode())
        finally:
            os._exit(0)
    os.close(writer)
    text = os.read(reader, 100)
    os.close(reader)
    os.waitpid(child, 0)
    return int(text or b"-1")


def main() -> None:
    """Print a line for each case."""
    for number, case in enumerate(CASES):
        body = case.make()
        print(json.dumps({"case": number, "size": len(body), "growth": growth_of(case, body)}), flush=True)


if __name__ == "__main__":
    main()
