"""Sections: the folders that are chosen, the shared root, and the top level."""

from __future__ import annotations

import pytest

from headwater.classify.sections import (
    DOMINANT_SHARE,
    MAX_SECTIONS,
    MIN_SUBSECTION_PAGES,
    SUBSECTION_SHARE,
    Sections,
    iterate_folders,
)

ROOTS = ["", "/docs", "/docs/en"]


def path_of(text: str) -> tuple[str, ...]:
    return tuple(text.split("/")[1:])


def choose(*paths: str) -> Sections:
    sections = Sections()
    for path in paths:
        sections.note(path_of(path))
    sections.choose()
    return sections


def names(sections: Sections, path: str) -> list[str]:
    return [name for name, _ in sections.get_sections(path_of(path))]


def pages(folder: str, count: int) -> list[str]:
    return [f"{folder}/page{number}" for number in range(count)]


@pytest.mark.parametrize("root", ROOTS)
def test_a_section_has_two_pages(root: str) -> None:
    sections = choose(*pages(f"{root}/web", 2), *pages(f"{root}/shop", 5), *pages(f"{root}/blog", 1))
    assert names(sections, f"{root}/web/page9") == [f"{root}/web"]
    assert names(sections, f"{root}/blog/page0") == []


@pytest.mark.parametrize("root", ROOTS)
def test_the_page_of_a_folder_counts_for_it(root: str) -> None:
    sections = choose(f"{root}/web", *pages(f"{root}/web", 1), *pages(f"{root}/shop", 5))
    assert names(sections, f"{root}/web") == [f"{root}/web"]
    assert names(sections, f"{root}/web/page0") == [f"{root}/web"]


@pytest.mark.parametrize("root", ROOTS)
def test_a_subsection_has_enough_pages(root: str) -> None:
    paths = [*pages(f"{root}/web", 5), *pages(f"{root}/web/guides", MIN_SUBSECTION_PAGES), *pages(f"{root}/shop", 5)]
    guide = f"{root}/web/guides/page1"
    assert names(choose(*paths), guide) == [f"{root}/web", f"{root}/web/guides"]
    assert names(choose(*(path for path in paths if path != guide)), guide) == [f"{root}/web"]


@pytest.mark.parametrize("root", ROOTS)
def test_the_page_of_a_subsection_counts_for_it(root: str) -> None:
    few = pages(f"{root}/web/guides", MIN_SUBSECTION_PAGES - 1)
    sections = choose(f"{root}/web/guides", *few, *pages(f"{root}/web", 5), *pages(f"{root}/shop", 5))
    assert names(sections, f"{root}/web/guides/page0") == [f"{root}/web", f"{root}/web/guides"]


def test_a_subsection_with_nearly_all_pages_of_its_section_is_omitted() -> None:
    threshold = round(20 * DOMINANT_SHARE)
    shop = pages("/shop", 20)
    nearly_all = choose(*shop, *pages("/web/guides", threshold), *pages("/web", 20 - threshold))
    fewer = choose(*shop, *pages("/web/guides", threshold - 1), *pages("/web", 21 - threshold))
    assert names(nearly_all, "/web/guides/page0") == ["/web"]
    assert names(fewer, "/web/guides/page0") == ["/web", "/web/guides"]


def test_a_subsection_has_its_share_of_a_large_section() -> None:
    minimum = MIN_SUBSECTION_PAGES + 1
    size = round(minimum / SUBSECTION_SHARE)
    shop, guides = pages("/shop", size), pages("/web/guides", minimum)
    enough = choose(*shop, *guides, *pages("/web", size - minimum))
    too_few = choose(*shop, *guides[1:], *pages("/web", size - minimum + 1))
    assert names(enough, guides[0]) == ["/web", "/web/guides"]
    assert names(too_few, guides[0]) == ["/web"]


def test_a_root_is_shared_by_nearly_all_pages() -> None:
    threshold = round(20 * DOMINANT_SHARE)
    web, shop = pages("/docs/web", 5), pages("/docs/shop", threshold - 5)
    assert names(choose(*web, *shop, *pages("/blog", 20 - threshold)), web[0]) == ["/docs/web"]
    assert names(choose(*web, *shop[1:], *pages("/blog", 21 - threshold)), web[0]) == ["/docs", "/docs/web"]


def test_a_root_has_two_levels_at_most() -> None:
    sections = choose(*pages("/a/b/c/web", 5), *pages("/a/b/c/shop", 5))
    assert names(sections, "/a/b/c/web/page0") == ["/a/b/c", "/a/b/c/web"]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize(
    ("at_top", "is_level"),
    [(["/about", "/contact"], True), (["/about"], False), ([], False), (["/about", "/web"], False)],
)
def test_the_top_level_has_two_pages_of_no_section(root: str, at_top: list[str], is_level: bool) -> None:
    top = [root + path for path in at_top]
    sections = choose(*top, *pages(f"{root}/web", 20), *pages(f"{root}/shop", 20))
    assert names(sections, f"{root}/about") == (["/"] if is_level else [])
    assert names(sections, f"{root}/web/page0") == [f"{root}/web"]


@pytest.mark.parametrize("root", ROOTS[1:])
def test_the_page_of_the_root_is_not_counted_at_the_top(root: str) -> None:
    rest = [*pages(f"{root}/web", 20), *pages(f"{root}/shop", 20)]
    two, one = choose(root, f"{root}/about", f"{root}/contact", *rest), choose(root, f"{root}/about", *rest)
    assert names(two, f"{root}/about") == names(two, root) == ["/"]
    assert names(one, f"{root}/about") == names(one, root) == []


def test_the_page_of_a_subsection_does_not_reduce_the_top_level() -> None:
    below = [*pages("/web/guides", 5), *pages("/web/api", 5)]
    sections = choose("/about", "/contact", "/web/guides", *below)
    assert names(sections, "/about") == ["/"]


def test_the_top_level_ends_one_segment_below_the_root() -> None:
    sections = choose("/docs/about", "/docs/contact", *pages("/docs/web", 20), *pages("/docs/shop", 20))
    assert names(sections, "/docs/imprint") == ["/"]
    assert names(sections, "/imprint") == ["/"]
    assert names(sections, "/docs/legal/imprint") == []
    assert names(sections, "/legal/imprint") == []


def test_the_largest_sections_are_chosen() -> None:
    folders = [f"/f{number:03}x" for number in range(MAX_SECTIONS + 1)]
    sections = choose(*(path for folder in folders for path in pages(folder, 2)), *pages(folders[-1], 3)[2:])
    missing = [folder for folder in folders if names(sections, f"{folder}/page0") != [folder]]
    assert missing == [folders[-2]], "of equally large folders the last by name is left out"


@pytest.mark.parametrize("root", ROOTS)
def test_titles_are_paths_below_the_root(root: str) -> None:
    sections = choose(
        *(path for module in ("java.base", "Java_SQL") for path in pages(f"{root}/{module}/x86_64", 4)),
        *pages(f"{root}/java.base/2.0", 4),
        *pages(f"{root}/Java_SQL", 4),
    )
    titles = [title for path in ("java.base/x86_64/p", "java.base/2.0/p", "Java_SQL/x86_64/p")
              for _, title in sections.get_sections(path_of(f"{root}/{path}"))]  # fmt: skip
    assert titles == ["java.base", "java.base/x86_64", "java.base", "java.base/2.0", "Java_SQL", "Java_SQL/x86_64"]


def test_folders_of_a_dominant_folder_belong_to_its_section() -> None:
    arch = [path for name, count in (("x86", 50), ("arm", 40)) for path in pages(f"/core/arch/{name}", count)]
    sections = choose(*arch, *pages("/core", 5), *pages("/std", 20))
    assert names(sections, "/core/arch/x86/page0") == ["/core", "/core/arch/x86"]


def test_the_section_of_a_page_is_the_outermost() -> None:
    sections = choose(*pages("/web/guides", 4), *pages("/web", 4), *pages("/shop", 4), "/blog/x")
    assert sections.get_outermost_section(path_of("/web/guides/page0")) == ("web",)
    assert sections.get_outermost_section(path_of("/web")) == ("web",)
    assert sections.get_outermost_section(path_of("/blog/x")) == ()
    assert sections.get_outermost_section(()) == ()


@pytest.mark.parametrize(
    ("path", "folders"),
    [
        ("/a", []),
        ("/a/b", ["a"]),
        ("/a/b/c", ["a", "a/b"]),
        ("/a/b/c/d/e", ["a", "a/b", "a/b/c", "a/b/c/d"]),
        ("/a/b/c/d/e/f", ["a", "a/b", "a/b/c", "a/b/c/d"]),
        ("/items/1234/reviews", ["items"]),
        ("/3/library/os", ["3", "3/library"]),
        ("/10/library/os", ["10", "10/library"]),
        ("/100/library/os", []),
        ("/blog/2024/posts/x", ["blog", "blog/2024", "blog/2024/posts"]),
        ("/blog/2024-05/posts/x", ["blog"]),
        ("/c/9fceb02d0ae598e95dc970b74767f19372d61af8/x/y", ["c"]),
    ],
)
def test_folders_are_names_and_not_values(path: str, folders: list[str]) -> None:
    assert ["/".join(folder) for folder in iterate_folders(path_of(path))] == folders
