# ruff: noqa: E501, ISC004  (tables of markup)
"""Index files of site generators: which files a page's signs name, and which pages those files list."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.site_indexes import PARSERS, IndexFile, find_index_files, list_possible_pages, parse_index

SITE = "https://e.com/docs/"
PAGE = f"{SITE}guide/start.html"

INVENTORY_HEADER = (
    b"# Sphinx inventory version 2\n# Project: Demo\n# Version: 1\n"
    b"# The remainder of this file is compressed using zlib.\n"
)
INVENTORY = b"""\
guide/start std:doc -1 guide/start.html Start
hidden std:doc -1 hidden.html A hidden page
os.path py:module 0 library/os.path.html#module-$ -
a label std:label -1 guide/start.html#a-label Label
"""

FILES_BY_SIGN = [
    ("sphinx", '<script src="../_static/documentation_options.js?v=5"></script>', ["sphinx-inventory objects.inv"]),
    ("mkdocs", '<script src="../search/main.js"></script>', ["mkdocs-search search/search_index.json"]),
    (
        "material for mkdocs",
        '<meta name="generator" content="mkdocs-1.6, mkdocs-material-9.5">'
        '<script src="../assets/javascripts/bundle.56838546.min.js"></script>',
        ["mkdocs-search search/search_index.json"],
    ),
    ("mdbook", '<script src="../elasticlunr.min.js"></script>', ["mdbook-search searchindex.js"]),
    (
        "mdbook with hashes",
        '<script>window.path_to_searchindex_js = "../searchindex-6b1b2f14.js";</script>'
        '<script src="../searcher-c2a407aa.js"></script>',
        ["mdbook-search searchindex-6b1b2f14.js"],
    ),
    (
        "javadoc",
        '<meta name="generator" content="javadoc/ClassWriter"><script src="../script.js"></script>',
        ["javadoc-packages package-search-index.js", "javadoc-elements element-list"],
    ),
    (
        "rustdoc",
        '<meta name="generator" content="rustdoc">'
        '<div id="rustdoc-vars" data-root-path="../" data-resource-suffix="1.63.0"></div>',
        ["rustdoc-crates crates1.63.0.js"],
    ),
    (
        "doxygen",
        '<script src="../navtreedata.js"></script><script src="../menudata.js"></script>',
        ["doxygen-menu menudata.js", "doxygen-tree navtreedata.js"],
    ),
    (
        "vitepress",
        '<meta name="generator" content="VitePress v1.6.4"><script type="module" src="../assets/app.B1Va4tzY.js">'
        '</script><link rel="modulepreload" href="../assets/chunks/theme.CKDtL4du.js">',
        ["vitepress-theme assets/chunks/theme.CKDtL4du.js", "vitepress-hashes hashmap.json"],
    ),
    (
        "pagefind script",
        '<script src="../pagefind/pagefind-ui.js"></script>',
        ["pagefind-entry pagefind/pagefind-entry.json"],
    ),
    (
        "pagefind starlight",
        '<script type=module src="../_astro/page.B1.js"></script><main data-pagefind-body>x</main>',
        ["pagefind-entry pagefind/pagefind-entry.json"],
    ),
    (
        "docusaurus",
        '<meta name="generator" content="Docusaurus v3.5.2"><script src="../assets/js/main.c1f7.js" defer></script>',
        ["bundle-routes assets/js/main.c1f7.js"],
    ),
    (
        "next.js",
        '<script src="../_next/static/Bx3-a/_buildManifest.js"></script>',
        ["next-manifest _next/static/Bx3-a/_buildManifest.js"],
    ),
    ("nuxt", '<script type="module" src="../_nuxt/Ck2a.js"></script>', ["nuxt-latest _nuxt/builds/latest.json"]),
    (
        "sveltekit",
        '<link rel="modulepreload" href="../_app/immutable/entry/app.D8s.js">',
        ["sveltekit-app _app/immutable/entry/app.D8s.js"],
    ),
    (
        "react router",
        '<link rel="modulepreload" href="../assets/manifest-1b2c3d.js">',
        ["remix-manifest assets/manifest-1b2c3d.js"],
    ),
    (
        "wordpress",
        '<link rel="https://api.w.org/" href="../wp-json/">',
        [
            "wordpress-types wp-json/wp/v2/types",
            "wordpress-types wp-json/wp/v2/taxonomies",
            "wordpress-list wp-json/wp/v2/users?per_page=100&page=1&_fields=link,name",
        ],
    ),
    (
        "hugo",
        '<meta name="generator" content="Hugo 0.131.0"><script>fetch("/docs/index.json")</script>',
        ["search-records index.json"],
    ),
    ("feeds", '<link rel="alternate" type="application/rss+xml" href="../tag.xml">', ["feed tag.xml"]),
    ("a feed that an ordinary link names", '<a type="application/rss+xml" href="../tag">RSS</a>', ["feed tag"]),
    ("a page's own comments", '<link rel="alternate" type="application/rss+xml" href="start.html/feed/">', []),
    ("a plain page", '<script src="../app.js"></script><link rel="stylesheet" href="a.css">', []),
    ("a script of another kind", '<script src="https://cdn.example/menudata.json"></script>', []),
]


@pytest.mark.parametrize(
    ("markup", "expected"), [row[1:] for row in FILES_BY_SIGN], ids=[row[0] for row in FILES_BY_SIGN]
)
def test_signs_name_the_files_to_read(markup: str, expected: list[str]) -> None:
    files = find_index_files(parse_html(f"<html><head>{markup}</head></html>"), PAGE)
    assert [f"{file.kind} {file.url.removeprefix(SITE)}" for file in files] == expected


FILES_BY_SITE_SIGN = [
    ("shopify", '<script src="https://cdn.shopify.com/s/x.js"></script>', ["/products.json?limit=250&page=1", "/collections.json?limit=250&page=1"]),
    ("drupal", '<meta name="Generator" content="Drupal 10">', ["/jsonapi"]),
    ("discourse", '<meta name="generator" content="Discourse 3.3">', ["/latest.json?no_definitions=true&page=0", "/site.json"]),
    (
        "ghost",
        '<script data-ghost="https://e.com/" data-key="0a1b" src="https://cdn/portal.js"></script>',
        [f"/ghost/api/content/{name}/?key=0a1b&fields=url,title,name&limit=100&page=1" for name in ("posts", "pages", "tags", "authors")],
    ),
    (
        "mediawiki",
        '<meta name="generator" content="MediaWiki 1.41"><link rel="EditURI" href="//e.com/w/api.php?action=rsd">',
        ["/w/api.php?action=query&format=json&meta=siteinfo&siprop=general&list=allpages&apfilterredir=nonredirects&aplimit=500"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("markup", "expected"), [row[1:] for row in FILES_BY_SITE_SIGN], ids=[row[0] for row in FILES_BY_SITE_SIGN]
)
def test_apis_lie_at_the_root_of_a_host(markup: str, expected: list[str]) -> None:
    files = find_index_files(parse_html(f"<html><head>{markup}</head></html>"), PAGE)
    assert [file.url.removeprefix("https://e.com") for file in files] == expected


def js(text: str) -> bytes:
    return text.encode()


FRAGMENT = gzip.compress(b'pagefind_dcd{"url":"/guide/a/","content":"x","meta":{"title":"A"}}')
PAGEFIND_LIST = (
    b"pagefind_dcd\x86e1.6.0\x83\x83jen_704ca44\x18\x87`\x82men-us_94a1d9e\x05\x83kunknown_123\x01`"
    b"\x81\x83a1gwithoutjen_c86a293\x80\x80\x81etitle"
)

PAGES_BY_FILE = [
    ("pagefind-fragment pagefind/fragment/en_1.pf_fragment", FRAGMENT, ["guide/a/ A"]),
    ("pagefind-fragment pagefind/fragment/en_2.pf_fragment", b'pagefind_dcd{"url":"/"}', [""]),
    ("pagefind-fragment pagefind/fragment/en_3.pf_fragment", b"\x1f\x8bbroken", []),
    (
        "sphinx-inventory objects.inv",
        INVENTORY_HEADER + zlib.compress(INVENTORY),
        ["guide/start.html Start", "hidden.html A hidden page", "library/os.path.html"],
    ),
    (
        "mkdocs-search search/search_index.json",
        js('{"docs":[{"location":"","title":"Home"},{"location":"a/#x","title":"X"},{"location":"a/","title":"A"}]}'),
        ["Home", "a/ A"],
    ),
    (
        "mdbook-search searchindex.js",
        js('Object.assign(window.search, {"doc_urls":["a.html#one","a.html#two","b/c.html"],"index":{}});'),
        ["a.html", "b/c.html"],
    ),
    (
        "mdbook-search searchindex.js",
        js("""window.search = Object.assign(window.search, JSON.parse('{"doc_urls":["it\\'s.html"]}'));"""),
        ["it's.html"],
    ),
    (
        "javadoc-packages package-search-index.js",
        js('packageSearchIndex = [{"l":"All Packages","u":"allpackages-index.html"},{"m":"java.base","l":"java.lang"}];'),
        ["allpackages-index.html All Packages", "java.base/java/lang/package-summary.html java.lang"],
    ),
    (
        "javadoc-types type-search-index.js",
        js('typeSearchIndex = [{"p":"p.q","l":"X.In"},{"l":"All Classes","u":"allclasses-index.html"}];updateSearchResults();'),
        ["p/q/X.In.html X.In", "allclasses-index.html All Classes"],
    ),
    (
        "javadoc-elements element-list",
        b"module:m.a\np.q\nmodule:m.b\nr\n",
        [
            "m.a/module-summary.html",
            "m.a/p/q/package-summary.html",
            "m.b/module-summary.html",
            "m.b/r/package-summary.html",
        ],
    ),
    (
        "rustdoc-crates crates.js",
        js('window.ALL_CRATES = ["alloc","std"];'),
        ["alloc/index.html", "alloc/all.html", "std/index.html", "std/all.html"],
    ),
    (
        "doxygen-menu menudata.js",
        js('var menudata={children:[\n{text:"Main Page",url:"index.html"},\n{text:"Files",url:\'files.html\'}]}'),
        ["index.html", "files.html"],
    ),
    (
        "doxygen-tree-index navtreeindex0.js",
        js('var NAVTREEINDEX0 =\n{\n"a_8h.html":[2,0,0],\n"classA.html#a1":[1,0],\n"classA.html":[1]\n};'),
        ["a_8h.html", "classA.html"],
    ),
    (
        "vitepress-search assets/chunks/@localSearchIndexroot.X.js",
        js("""const t='{"documentIds":{"0":"/docs/guide/or_phan.html#a","1":"/docs/#b"},"x":1}';export{t as default};"""),
        ["guide/or_phan.html", ""],
    ),
    ("vitepress-hashes hashmap.json", js('{"index.md":"a","about.md":"b"}'), ["", "about.html"]),
    (
        "vitepress-page assets/guide_or_phan.md.X.lean.js",
        js("""const m=JSON.parse('{"title":"Or phan","relativePath":"guide/or_phan.md"}'),s={};"""),
        ["guide/or_phan.html Or phan"],
    ),
    (
        "search-records index.json",
        js('[{"permalink":"https://e.com/docs/a/","title":"A"},{"url":"b/","title":"B"},{"title":"no address"}]'),
        ["a/ A", "b/ B"],
    ),
    (
        "next-manifest _next/static/x/_buildManifest.js",
        js('self.__BUILD_MANIFEST=function(s){return{"/":[s],sortedPages:["/","/_app","/about","/blog/[slug]"]}}("a")'),
        ["", "about"],
    ),
    ("nuxt-build _nuxt/builds/meta/1.json", js('{"id":"1","prerendered":["/","/a","/b/c"]}'), ["", "a", "b/c"]),
    (
        "sveltekit-app _app/immutable/entry/app.X.js",
        js('const d={"/":[2],"/about":[~3],"/blog/[slug]":[4,[1]]};'),
        ["", "about"],
    ),
    (
        "remix-manifest assets/manifest-1.js",
        js(
            'window.__remixManifest={"routes":{"root":{"id":"root","path":""},'
            '"routes/a":{"parentId":"root","path":"a"},"routes/a.b":{"parentId":"routes/a","path":"b"},'
            '"routes/$id":{"parentId":"root","path":":id"}}};'
        ),
        ["", "a", "a/b"],
    ),
    (
        "wordpress-list wp-json/wp/v2/posts?per_page=100&page=1",
        js('[{"link":"https://e.com/docs/2024/hello/","title":{"rendered":"Hello"}}]'),
        ["2024/hello/ Hello"],
    ),
    ("shopify-list products.json?page=1", js('{"products":[{"handle":"red hat","title":"Hat"}]}'), ["products/red%20hat Hat"]),
    ("ghost-list x/?page=1", js('{"posts":[{"url":"https://e.com/docs/p/","title":"P"}],"meta":{}}'), ["p/ P"]),
    (
        "discourse-topics latest.json?page=0",
        js('{"topic_list":{"topics":[{"id":7,"slug":"hi","title":"Hi"}]}}'),
        ["t/hi/7 Hi"],
    ),
    ("discourse-site site.json", js('{"categories":[{"id":3,"slug":"help","name":"Help"}]}'), ["c/help/3 Help"]),
    (
        "llms-txt llms.txt",
        b"# Demo\n\n- [Start](guide/start.html): first steps\n- [API](https://e.com/docs/api/index.md)\n- [B](b.md)\n",
        ["guide/start.html Start", "api/ API", "b B"],
    ),
    ("llms-txt llms-full.txt", b"# A\nSource: https://e.com/docs/a\n\ntext\n", ["a"]),
    ("feed a.xml", b'<feed xmlns="x"><entry><title>P</title><link href="p.html"/></entry></feed>', ["p.html P"]),
    (
        "opml a.opml",
        b'<opml><body><outline text="Blog" xmlUrl="/b.xml" htmlUrl="b/"/><outline xmlUrl="https://o.com/c.xml"/></opml>',
        ["b/ Blog"],
    ),
    ("feed a.html", b"<!doctype html><a href=b>", []),
    ("llms-txt llms.txt", b"<!doctype html><p>[not](markdown)", []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "body", "expected"), PAGES_BY_FILE, ids=[row[0].split("?")[0] for row in PAGES_BY_FILE]
)
def test_files_list_pages(file: str, body: bytes, expected: list[str]) -> None:
    kind, _, path = file.partition(" ")
    pages = parse_index(IndexFile(kind, SITE + path), body).pages
    assert [f"{page.url.removeprefix(SITE)} {page.title}".strip() for page in pages] == expected


ROOT = "https://e.com"
ALL_PAGES = {
    "query": {"general": {"articlepath": "/wiki/$1"}, "allpages": [{"title": "A b"}]},
    "continue": {"apcontinue": "B"},
}
FILES_BY_FILE = [
    (
        "javadoc-packages /package-search-index.js",
        'packageSearchIndex = [{"l":"p.q"}];updateSearchResults();',
        ["javadoc-types /type-search-index.js"],
    ),
    (
        "doxygen-tree /navtreedata.js",
        'var NAVTREE =[["Demo","index.html",[]]];\nvar NAVTREEINDEX =\n[\n"a.html",\n"m.html"\n];',
        ["doxygen-tree-index /navtreeindex0.js", "doxygen-tree-index /navtreeindex1.js"],
    ),
    (
        "vitepress-theme /assets/chunks/theme.X.js",
        'm.f=["assets/chunks/VPLocalSearchBox.D4.js"];import("./VPLocalSearchBox.D4.js")',
        ["vitepress-theme /assets/chunks/VPLocalSearchBox.D4.js"],
    ),
    (
        "vitepress-theme /assets/chunks/VPLocalSearchBox.D4.js",
        'import("./@localSearchIndexroot.Cv.js")',
        ["vitepress-search /assets/chunks/@localSearchIndexroot.Cv.js"],
    ),
    (
        "vitepress-hashes /hashmap.json",
        '{"guide_or_phan.md":"CZ"}',
        ["vitepress-page /assets/guide_or_phan.md.CZ.lean.js"],
    ),
    (
        "pagefind-entry /pagefind/pagefind-entry.json",
        '{"version":"1.6.0","languages":{"en":{"hash":"en_1","page_count":2},"de":{"hash":"../x"},"fr":1}}',
        ["pagefind-list /pagefind/pagefind.en_1.pf_meta"],
    ),
    ("feed /a.xml", '<feed xmlns="x"><link rel="next" href="/a.xml?page=2"/></feed>', ["feed /a.xml?page=2"]),
    (
        "opml /a.opml",
        '<outline xmlUrl="/b.xml"/><OUTLINE xmlurl="https://e.com/c.rss"/><outline xmlUrl="https://o.com/d.xml"/>',
        ["feed /b.xml", "feed /c.rss"],
    ),
    ("feed /a.json", '{"version":"https://jsonfeed.org/version/1.1","next_url":"/b.json"}', ["feed /b.json"]),
    ("nuxt-latest /_nuxt/builds/latest.json", '{"id":"a-1"}', ["nuxt-build /_nuxt/builds/meta/a-1.json"]),
    (
        "wordpress-types /wp-json/wp/v2/types",
        '{"post":{"rest_base":"posts"},"attachment":{"rest_base":"media"},"book":{"rest_base":"books"}}',
        [
            "wordpress-list /wp-json/wp/v2/posts?per_page=100&page=1&_fields=link,title,name",
            "wordpress-list /wp-json/wp/v2/books?per_page=100&page=1&_fields=link,title,name",
        ],
    ),
    (
        "wordpress-list /wp-json/wp/v2/posts?per_page=100&page=1&_fields=link",
        json.dumps([{"link": f"{ROOT}/{n}"} for n in range(100)]),
        ["wordpress-list /wp-json/wp/v2/posts?per_page=100&page=2&_fields=link"],
    ),
    (
        "ghost-list /x/?key=k&page=1",
        '{"posts":[],"meta":{"pagination":{"next":2}}}',
        ["ghost-list /x/?key=k&page=2"],
    ),
    (
        "drupal-entry /jsonapi",
        '{"links":{"node--article":{"href":"https://e.com/jsonapi/node/article"},"user--user":{"href":"/x"}}}',
        ["drupal-list /jsonapi/node/article"],
    ),
    (
        "drupal-list /jsonapi/node/article",
        '{"data":[],"links":{"next":{"href":"https://e.com/jsonapi/node/article?page=2"}}}',
        ["drupal-list /jsonapi/node/article?page=2"],
    ),
    (
        "discourse-topics /latest.json?page=0",
        '{"topic_list":{"more_topics_url":"/latest?page=1","topics":[{"id":1,"slug":"a"}]}}',
        ["discourse-topics /latest.json?page=1"],
    ),
    ("mediawiki-pages /w/api.php?list=allpages", json.dumps(ALL_PAGES), ["mediawiki-pages /w/api.php?list=allpages&apcontinue=B"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "body", "expected"), FILES_BY_FILE, ids=[row[0].split("?")[0] for row in FILES_BY_FILE]
)
def test_files_name_further_files(file: str, body: str, expected: list[str]) -> None:
    kind, _, path = file.partition(" ")
    files = parse_index(IndexFile(kind, ROOT + path), body.encode()).files
    assert [f"{one.kind} {one.url.removeprefix(ROOT)}" for one in files] == expected


@pytest.mark.parametrize("body", [PAGEFIND_LIST, gzip.compress(PAGEFIND_LIST)])
def test_a_list_of_pagefind_names_the_fragments_of_its_pages(body: bytes) -> None:
    files = parse_index(IndexFile("pagefind-list", f"{ROOT}/docs/pagefind/pagefind.en_1.pf_meta"), body).files
    folder = f"{ROOT}/docs/pagefind/fragment/"
    names = ("en_704ca44", "en-us_94a1d9e")
    assert files == tuple(IndexFile("pagefind-fragment", f"{folder}{name}.pf_fragment") for name in names)


def test_titles_of_a_wiki_become_paths() -> None:
    file = IndexFile("mediawiki-pages", f"{ROOT}/w/api.php?list=allpages")
    assert parse_index(file, json.dumps(ALL_PAGES).encode()).pages[0] == (f"{ROOT}/wiki/A_b", "A b")


def test_text_that_is_not_unicode_hides_no_other_page() -> None:
    body = b'{"topic_list":{"topics":[{"id":1,"slug":"\\ud800"},{"id":2,"slug":"b"}]}}'
    pages = parse_index(IndexFile("discourse-topics", f"{ROOT}/latest.json"), body).pages
    assert f"{ROOT}/t/b/2" in [page.url for page in pages]


def test_drupal_pages_without_an_alias_have_a_number() -> None:
    nodes = [
        {"attributes": {"title": "A", "path": {"alias": "/about"}, "drupal_internal__nid": 1}},
        {"attributes": {"title": "B", "path": {"alias": None}, "drupal_internal__nid": 2}},
    ]
    pages = parse_index(
        IndexFile("drupal-list", f"{ROOT}/jsonapi/node/page"), json.dumps({"data": nodes}).encode()
    ).pages
    assert [page.url for page in pages] == [f"{ROOT}/about", f"{ROOT}/node/2"]


@pytest.mark.parametrize("kind", PARSERS)
@pytest.mark.parametrize(
    "body",
    [b"", b"<!doctype html><h1>Not found</h1>", b"null", b"[[[", b'{"links":1,"docs":{},"topic_list":[]}', b"\xff\xfe"],
    ids=["empty", "html", "null", "cut off", "other types", "not text"],
)
def test_a_body_of_another_kind_lists_nothing(kind: str, body: bytes) -> None:
    parsed = parse_index(IndexFile(kind, f"{ROOT}/file"), body)
    assert not parsed.pages or kind == "javadoc-elements"


@pytest.mark.parametrize("kind", PARSERS)
def test_a_huge_body_is_read_in_linear_time(kind: str) -> None:
    """Each of these made an earlier version, or its regular expressions, quadratic."""
    for part in (b'"\\', b"[", b"{", b'path:"/', b'"a":', b"JSON.parse('\\'", b"[a](", b'url:"', b"a  std:doc "):
        parse_index(IndexFile(kind, f"{ROOT}/file"), b"SearchIndex Manifest window.search" + part * 200_000)


@pytest.mark.parametrize(
    ("file", "pages"),
    [
        ("vitepress-page assets/guide_start.md.CZ-1.lean.js", ["guide/start", "guide_start", "guide/start.html"]),
        ("vitepress-page assets/a_index.md.CZ.lean.js", ["a", "a/index.html", "a_index"]),
        ("vitepress-page assets/a_b_c.md.CZ.lean.js", ["a/b/c", "a/b_c", "a_b/c", "a_b_c"]),
        ("vitepress-page assets/a_b_c_d_e_f_g_h.md.CZ.lean.js", []),
        ("vitepress-hashes assets/a_b.md.CZ.lean.js", []),
    ],
)
def test_pages_that_a_script_may_belong_to(file: str, pages: list[str]) -> None:
    kind, _, path = file.partition(" ")
    found = list_possible_pages(IndexFile(kind, SITE + path))
    assert {SITE + page for page in pages} <= set(found)
    assert bool(found) == bool(pages)
