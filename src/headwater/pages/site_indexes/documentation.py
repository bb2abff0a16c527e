"""Parse the search indexes and inventories of documentation generators.

Each parser takes the body of a file and its URL. A body that is not what it claims to be lists no pages.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any

from headwater.pages.site_indexes.js_values import find_strings, read_json, read_json_after
from headwater.pages.site_indexes.links import get_folder, resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_INVENTORY_BYTES = 20_000_000
MAX_TREE_FILES = 500
MAX_LINE = 2_000

_INVENTORY_HEADER = re.compile(rb"# Sphinx inventory version 2\n[^\n]*\n[^\n]*\n[^\n]*zlib[^\n]*\n")
_LINE = re.compile(rf"^[^\n]{{1,{MAX_LINE}}}$", re.MULTILINE)
_INVENTORY_LINE = re.compile(r"(?P<name>.+?)\s+(?P<role>\S+:\S+)\s+-?\d+\s+(?P<uri>\S*)\s+(?P<title>.*)")
_DOXYGEN_URL = re.compile(r"\burl:\s*(\"[^\"\n]*\"|'[^'\n]*')")
_DOXYGEN_LIST = re.compile(r"NAVTREEINDEX\s*+=\s*+\[([^\[\]]*+)\]")
_DOXYGEN_KEY = re.compile(r'^[ \t]*+"([^"\n]+)"[ \t]*+:[ \t]*+\[', re.MULTILINE)
_VITEPRESS_SEARCH_FILE = re.compile(r"(?<![\w./-])[\w./-]*(?:VPLocalSearchBox|@localSearchIndex\w*)\.[\w-]+\.js")
_VITEPRESS_PAGE_FILE = re.compile(r"/assets/([^/]+)\.md\.[\w-]+\.lean\.js\Z")
_MAX_UNDERSCORES = 6


def parse_sphinx_inventory(body: bytes, url: str) -> ParsedIndex:
    """Read `objects.inv`: every document, and pages of labels and objects, with the spelling that loads."""
    header = _INVENTORY_HEADER.match(body)
    if header is None:
        return ParsedIndex()
    try:
        content = zlib.decompressobj().decompress(body[header.end() :], MAX_INVENTORY_BYTES)
    except zlib.error:
        return ParsedIndex()
    lines = (match.group() for match in _LINE.finditer(content.decode("utf-8", "replace")))
    matches = (match for line in lines if (match := _INVENTORY_LINE.fullmatch(line)))
    entries = ((match["uri"].replace("$", match["name"]), _title_of_object(match)) for match in matches)
    return ParsedIndex(resolve_pages(entries, get_folder(url)))


def _title_of_object(match: re.Match[str]) -> str:
    return match["title"] if match["role"] in {"std:doc", "std:label"} and match["title"] != "-" else ""


def parse_mkdocs_index(body: bytes, url: str) -> ParsedIndex:
    """Read `search/search_index.json`; locations are relative to the folder above `search/`."""
    data = read_json(body.decode("utf-8", "replace"))
    docs = data.get("docs") if isinstance(data, dict) else None
    return ParsedIndex(resolve_pages(_read_records(docs, ("location",)), get_folder(url, 1)))


def parse_mdbook_index(body: bytes, url: str) -> ParsedIndex:
    """Read `searchindex.js` or `searchindex.json`: `doc_urls` lists chapters and their headings."""
    text = body.decode("utf-8", "replace")
    data = read_json(text) if text.lstrip().startswith("{") else read_json_after(text, "window.search")
    urls = data.get("doc_urls") if isinstance(data, dict) else None
    paths = [one for one in urls if isinstance(one, str)] if isinstance(urls, list) else []
    return ParsedIndex(resolve_pages(((path, "") for path in paths), get_folder(url)))


def parse_javadoc_packages(body: bytes, url: str) -> ParsedIndex:
    """Read `package-search-index.js`, and the index of types where no package belongs to a module.

    The index of types does not name modules, which are part of URLs; pages of packages link to their types.
    """
    items = _read_javadoc_items(body)
    folder = get_folder(url)
    paths = ((_get_text(one, "u") or _javadoc_package_path(one), _get_text(one, "l")) for one in items)
    types = () if any("m" in one for one in items) else (IndexFile("javadoc-types", f"{folder}type-search-index.js"),)
    return ParsedIndex(resolve_pages(paths, folder), types if items else ())


def parse_javadoc_types(body: bytes, url: str) -> ParsedIndex:
    """Read `type-search-index.js`: classes by package."""
    items = _read_javadoc_items(body)
    paths = ((_get_text(one, "u") or _javadoc_type_path(one), _get_text(one, "l")) for one in items)
    return ParsedIndex(resolve_pages(paths, get_folder(url)))


def _read_javadoc_items(body: bytes) -> list[dict[str, Any]]:
    data = read_json_after(body.decode("utf-8", "replace"), "SearchIndex")
    return [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []


def _javadoc_package_path(item: dict[str, Any]) -> str:
    module, package = _get_text(item, "m"), _get_text(item, "l")
    return f"{f'{module}/' if module else ''}{package.replace('.', '/')}/package-summary.html"


def _javadoc_type_path(item: dict[str, Any]) -> str:
    package, name = _get_text(item, "p"), _get_text(item, "l")
    return f"{package.replace('.', '/')}/{name}.html" if package else f"{name}.html"


def parse_javadoc_elements(body: bytes, url: str) -> ParsedIndex:
    """Read `element-list` or `package-list`: a package a line, below `module:` lines where there are modules."""
    module, paths = "", []
    for line in body.decode("utf-8", "replace").split():
        if line.startswith("module:"):
            module = f"{line[7:]}/"
            paths.append(f"{module}module-summary.html")
        else:
            paths.append(f"{module}{line.replace('.', '/')}/package-summary.html")
    return ParsedIndex(resolve_pages(((path, "") for path in paths), get_folder(url)))


def parse_rustdoc_crates(body: bytes, url: str) -> ParsedIndex:
    """Read `crates.js`: the crates of a documentation, each with an index and a list of all items."""
    text = body.decode("utf-8", "replace")
    data = read_json_after(text, "ALL_CRATES")
    crates = [one for one in data if isinstance(one, str)] if isinstance(data, list) else []
    paths = [(f"{crate}/{page}", "") for crate in crates for page in ("index.html", "all.html")]
    return ParsedIndex(resolve_pages(paths, get_folder(url)))


def parse_doxygen_menu(body: bytes, url: str) -> ParsedIndex:
    """Read `menudata.js`: the menu that a script writes into every page."""
    urls = (match.group(1)[1:-1] for match in _DOXYGEN_URL.finditer(body.decode("utf-8", "replace")))
    return ParsedIndex(resolve_pages(((path, "") for path in urls), get_folder(url)))


def parse_doxygen_tree(body: bytes, url: str) -> ParsedIndex:
    """Read `navtreedata.js`: the top of the tree, and as many index files as `NAVTREEINDEX` has entries."""
    text = body.decode("utf-8", "replace")
    listed = _DOXYGEN_LIST.search(text)
    count = sum(1 for _ in find_strings(listed.group(1))) if listed else 0
    folder = get_folder(url)
    files = (IndexFile("doxygen-tree-index", f"{folder}navtreeindex{n}.js") for n in range(min(count, MAX_TREE_FILES)))
    paths = [(path, "") for path in find_strings(text[: listed.start()] if listed else text) if ".html" in path]
    return ParsedIndex(resolve_pages(paths, folder), tuple(files))


def parse_doxygen_tree_index(body: bytes, url: str) -> ParsedIndex:
    """Read `navtreeindexN.js`, whose keys are pages and places in them."""
    keys = _DOXYGEN_KEY.finditer(body.decode("utf-8", "replace"))
    return ParsedIndex(resolve_pages(((match.group(1), "") for match in keys), get_folder(url)))


def parse_vitepress_theme(body: bytes, url: str) -> ParsedIndex:
    """Find the chunk of the local search in a script of VitePress: first its dialog, then its index."""
    names = dict.fromkeys(_VITEPRESS_SEARCH_FILE.findall(body.decode("utf-8", "replace")))
    folder = get_folder(url)
    files = {folder + name.rpartition("/")[2]: "@local" in name for name in names}
    kinds = {True: "vitepress-search", False: "vitepress-theme"}
    return ParsedIndex((), tuple(IndexFile(kinds[is_index], file) for file, is_index in files.items() if file != url))


def parse_vitepress_search(body: bytes, url: str) -> ParsedIndex:
    """Read the index of VitePress' local search, a MiniSearch index whose document ids are URLs."""
    text = body.decode("utf-8", "replace")
    ids = read_json_after(next((one for one in find_strings(text) if "documentIds" in one), text), '"documentIds"')
    paths = [one for one in ids.values() if isinstance(one, str)] if isinstance(ids, dict) else []
    return ParsedIndex(resolve_pages(((path, "") for path in paths), url))


def parse_vitepress_hashes(body: bytes, url: str) -> ParsedIndex:
    """Read `hashmap.json`: a script for each page, named after the page's source file.

    Slashes of a path are written as underscores; a name with an underscore is looked up in the script itself.
    """
    data = read_json(body.decode("utf-8", "replace"))
    hashes = data.items() if isinstance(data, dict) else ()
    sources = {name[:-3]: value for name, value in hashes if name.endswith(".md") and isinstance(value, str)}
    plain = [(_vitepress_path(name), "") for name in sources if "_" not in name]
    folder = get_folder(url)
    scripts = (f"{folder}assets/{name}.md.{value}.lean.js" for name, value in sources.items() if "_" in name)
    files = tuple(IndexFile("vitepress-page", script) for script in scripts)
    return ParsedIndex(resolve_pages(plain, folder), files)


def parse_vitepress_page(body: bytes, url: str) -> ParsedIndex:
    """Read the path of a page's source file from the page's script."""
    data = read_json_after(body.decode("utf-8", "replace"), "JSON.parse")
    data = data if isinstance(data, dict) else read_json_after(body.decode("utf-8", "replace"), "const __pageData")
    path = _get_text(data, "relativePath") if isinstance(data, dict) else ""
    pages = [(_vitepress_path(path.removesuffix(".md")), _get_text(data, "title"))] if path else []
    return ParsedIndex(resolve_pages(pages, get_folder(url, 1)))


def list_possible_pages(file: IndexFile) -> list[str]:
    """Return the URLs of which one is the page that a page's script belongs to; empty if the file is none.

    If a known page is among them, the script need not be read.
    """
    named = _VITEPRESS_PAGE_FILE.search(file.url) if file.kind == "vitepress-page" else None
    if named is None or named[1].count("_") > _MAX_UNDERSCORES:
        return []
    first, *parts = named[1].split("_")
    paths = [first]
    for part in parts:
        paths = [f"{path}{mark}{part}" for path in paths for mark in "/_"]
    folder = get_folder(file.url, 1)
    spelled = [spelling for path in paths for spelling in (path, f"{path}.html", path.removesuffix("/index"))]
    return list(dict.fromkeys(folder + one for one in spelled))


def _vitepress_path(name: str) -> str:
    return name.removesuffix("index") if name == "index" or name.endswith("/index") else f"{name}.html"


def parse_search_records(body: bytes, url: str) -> ParsedIndex:
    """Read the JSON that small search scripts load: a list of records that each have a URL."""
    data = read_json(body.decode("utf-8", "replace"))
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), None)
    return ParsedIndex(resolve_pages(_read_records(data, RECORD_URL_FIELDS), url))


RECORD_URL_FIELDS = ("url", "permalink", "relpermalink", "href", "uri", "location", "link", "path", "ref", "u", "i")
RECORD_TITLE_FIELDS = ("title", "name", "t")


def _read_records(records: object, fields: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for record in records if isinstance(records, list) else []:
        if isinstance(record, dict):
            path = next((value for name in fields if isinstance(value := record.get(name), str)), None)
            title = next((value for name in RECORD_TITLE_FIELDS if isinstance(value := record.get(name), str)), "")
            if path is not None:
                yield path, title
        elif isinstance(record, list):
            yield from _read_records(record, fields)


def _get_text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
