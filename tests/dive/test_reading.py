"""Pages become Markdown with content, code, tables and anchors, without navigation, repeated or hidden text."""

from __future__ import annotations

import pytest

from headwater.dive.content.markdown import Heading, extract_page, strip_inline_markup
from headwater.dive.content.markdown_blocks import find_repeated_blocks, parse_blocks, remove_repeated_blocks

URL = "https://docs.example/guide/start.html"
LONG = "The river rises in spring, when the snow of the hills melts, and falls in late summer."


def markdown(html: str) -> str:
    return extract_page(html, URL).markdown


ROOTS = {
    "main": f"<nav>Menu</nav><main><p>{LONG}</p></main><footer>Foot</footer>",
    "role": f"<div>Menu</div><div role=main><p>{LONG}</p></div>",
    "article": f"<div>Menu</div><article><header><h1>T</h1></header><p>{LONG}</p></article><aside>Side</aside>",
    "articles": f"<div>Menu</div><section><article><p>{LONG}</p></article><article><p>{LONG}</p></article></section>",
    "inner": f"<main><nav>Menu</nav><p>{LONG}</p><footer>Menu</footer></main>",
}


@pytest.mark.parametrize("name", ROOTS)
def test_the_semantic_root_is_found(name: str) -> None:
    text = markdown(ROOTS[name])
    assert LONG in text
    assert "Menu" not in text
    assert "Foot" not in text


def test_without_a_semantic_root_the_content_is_still_found() -> None:
    links = "".join(f'<li><a href="/{n}">Section number {n}</a></li>' for n in range(30))
    text = "".join(
        f"<p>{LONG} It is told in part {n} of the story, with all that follows from it.</p>" for n in range(12)
    )
    content = f"<div class=text><h1>Rivers</h1>{text}<pre>a = 1</pre></div>"
    page = f"<body><div class=menu><ul>{links}</ul></div>{content}</body>"
    result = markdown(page)
    assert "part 11" in result
    assert "a = 1" in result
    assert "Section number" not in result


def test_code_tables_and_anchors_are_kept() -> None:
    page = f"""<title>Guide — Example</title><main><section id=intro>
    <h2>Intro <a class=headerlink href="#intro">¶</a></h2>
    <p>{LONG} See <a href="../b">b</a> and <a href="javascript:x()">c</a>.</p></section>
    <div class="highlight-python3"><div class=highlight><pre><span>if</span> x:

        y = "`"
    </pre></div></div>
    <pre><code class="language-sh">make run</code></pre>
    <h3 id=own>Own</h3><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table></main>"""
    reading = extract_page(page, URL)
    assert reading.headings == (Heading(2, "Intro", "intro"), Heading(3, "Own", "own"))
    assert "## Intro {#intro}" in reading.markdown
    assert '```python\nif x:\n\n        y = "`"' in reading.markdown
    assert "```sh\nmake run\n```" in reading.markdown
    assert "| 1 | 2\\|3 |" in reading.markdown
    assert "[b](https://docs.example/b)" in reading.markdown
    assert "javascript" not in reading.markdown
    assert reading.title == "Guide — Example"


HIDDEN = [
    "<p hidden>SECRET</p>",
    '<p style="display:none">SECRET</p>',
    '<span style="color:red; Visibility: hidden">SECRET</span>',
    '<p style="font-size:0">SECRET</p>',
    '<p style="opacity:0">SECRET</p>',
    '<div aria-hidden="true">SECRET</div>',
    '<span class="sr-only">SECRET</span>',
    "<!-- SECRET -->",
    "<template>SECRET</template>",
    "<script>SECRET</script>",
    '<p style="position:absolute;left:-9999px">SECRET</p>',
    "<noscript>SECRET</noscript>",
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_hidden_text_is_not_read(hidden: str) -> None:
    assert "SECRET" not in markdown(f"<main><p>{LONG}</p>{hidden}</main>")


def test_translucent_text_is_read() -> None:
    assert "SHADE" in markdown(f'<main><p>{LONG}</p><p style="opacity:0.7">SHADE</p></main>')


def test_invisible_characters_are_removed() -> None:
    tag = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    assert markdown(f"<main><p>{LONG}\u200b{tag}</p></main>").strip() == LONG


def test_dates_language_and_canonical() -> None:
    page = f"""<html lang=en-GB><link rel=canonical href="/c">
    <meta property="article:published_time" content="2026-02-03T04:05Z">
    <meta property="article:modified_time" content="2026-03-04"><main><p>{LONG}</p></main>"""
    reading = extract_page(page, URL)
    assert (reading.language, reading.canonical) == ("en-GB", "https://docs.example/c")
    assert (reading.published[:10], reading.modified) == ("2026-02-03", "2026-03-04")


@pytest.mark.parametrize("html", ["", "<main></main>", "\0", "<main>" + "<div>" * 2000, "<pre>", "<h1>"])
def test_broken_pages_are_read(html: str) -> None:
    assert isinstance(markdown(html), str)


def test_blocks_repeated_on_many_pages_are_removed() -> None:
    pages = [f"# Page {n} {{#p}}\n\nWas this page helpful?\n\nText {n}.\n\n```\nsame\n```\n" for n in range(5)]
    repeated = find_repeated_blocks(pages)
    cleaned = remove_repeated_blocks(pages[2], repeated)
    assert cleaned == "# Page 2 {#p}\n\nText 2.\n\n```\nsame\n```\n"
    assert remove_repeated_blocks(pages[0], frozenset()) == pages[0]
    assert not find_repeated_blocks(pages[:2])


def test_a_fence_is_one_block() -> None:
    text = "a\n\n````py\n```\n\n# no heading\n````\nb\n\n- item\n\n  ```\n  x\n\n  y\n  ```\n"
    assert [block.kind for block in parse_blocks(text)] == ["text", "code", "text", "text", "code"]


INLINE = [
    ("[a `b`](http://x/(y)) *c* **d** e\\_f", "a b c d e_f"),
    ("2 * 3 * 4 and a*b", "2 * 3 * 4 and a*b"),
    ("<https://x.example/>", "https://x.example/"),
    ("![alt](a.png) \\[1\\]", "alt [1]"),
]


@pytest.mark.parametrize(("text", "expected"), INLINE)
def test_inline_markup_is_removed(text: str, expected: str) -> None:
    assert strip_inline_markup(text) == expected
