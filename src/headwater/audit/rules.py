"""The table of audit rules, the most severe first."""

from __future__ import annotations

from headwater.audit.checks import (
    HEAVY_BYTES,
    SLOW_MS,
    THIN_WORDS,
    check_alternates,
    check_broken_link,
    check_canonical,
    check_duplicate_description,
    check_duplicate_heading,
    check_duplicate_title,
    check_heavy,
    check_linked_noindex,
    check_linked_redirect,
    check_missing_description,
    check_missing_heading,
    check_missing_in_sitemap,
    check_missing_title,
    check_mixed_content,
    check_near_duplicate,
    check_orphan,
    check_redirect_chain,
    check_redirect_loop,
    check_slow,
    check_thin,
    check_wrong_in_sitemap,
)
from headwater.audit.other_checks import check_blocked_resource, check_broken_external
from headwater.audit.records import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "broken-link", "error", "Broken links",
        "Visitors and crawlers who follow these links get an error instead of a page.",
        "Correct or remove the link on each of the pages named, or bring the target back.",
        check_broken_link, names_sources=True,
    ),
    Rule(
        "broken-external-link", "error", "Broken links to other sites",
        "Visitors who follow these links get an error, and trust the page less.",
        "Correct or remove the link on each of the pages named.",
        check_broken_external, names_sources=True, kind="external",
    ),
    Rule(
        "redirect-loop", "error", "Redirect loops",
        "A browser gives up on these URLs: each redirect leads back to an earlier one.",
        "Let one of the redirects lead to a page.",
        check_redirect_loop, names_sources=True,
    ),
    Rule(
        "wrong-in-sitemap", "error", "URLs that should not be in a sitemap",
        "A sitemap should list only pages to be indexed; search engines trust one with wrong entries less.",
        "Remove the URL from the sitemap, or list the page that it leads to.",
        check_wrong_in_sitemap,
    ),
    Rule(
        "mixed-content", "error", "Insecure resources on secure pages",
        "Browsers block scripts, styles and frames that an https page loads over http, and warn about images.",
        "Load the resources over https.",
        check_mixed_content,
    ),
    Rule(
        "blocked-resource", "warning", "Scripts and styles that robots.txt disallows",
        "Search engines cannot load these files, so they may see a page without its content or layout.",
        "Allow the file in robots.txt.",
        check_blocked_resource, kind="resource",
    ),
    Rule(
        "canonical-conflict", "warning", "Canonical URLs that are not canonical",
        "A canonical URL that fails, redirects or names another page leaves search engines to guess.",
        "Name the final URL of an indexable page as canonical.",
        check_canonical,
    ),
    Rule(
        "redirect-chain", "warning", "Redirects that lead to redirects",
        "Each further redirect costs visitors a round trip, and crawlers give up after a few.",
        "Let the first URL redirect to the final one, and link to the final one.",
        check_redirect_chain, names_sources=True,
    ),
    Rule(
        "orphan", "warning", "Pages that no page links to",
        "Visitors cannot reach these pages by clicking, and search engines consider them unimportant.",
        "Link to the page from a section it belongs to, or remove it from the sitemap and the site.",
        check_orphan,
    ),
    Rule(
        "missing-title", "warning", "Pages without a title",
        "Search results, tabs and bookmarks show the title.",
        "Add a <title> that names the content of the page.",
        check_missing_title,
    ),
    Rule(
        "duplicate-title", "warning", "Pages with the same title",
        "Pages with one title cannot be told apart in search results, tabs and bookmarks.",
        "Give each page a title of its own, or name one page as canonical if the content is the same.",
        check_duplicate_title,
    ),
    Rule(
        "near-duplicate", "warning", "Pages with nearly the same text as another page",
        "Search engines show one page of each group, and visitors cannot tell which one they need.",
        "Merge the pages, name one of them as canonical, or write what is special about each.",
        check_near_duplicate,
    ),
    Rule(
        "hreflang-return", "warning", "Translations that do not refer back",
        "Search engines ignore an hreflang link unless the other page has one in the other direction.",
        "Add the missing hreflang links to the translations named.",
        check_alternates,
    ),
    Rule(
        "missing-in-sitemap", "notice", "Pages missing from the sitemap",
        "Search engines find pages in a sitemap sooner.",
        "Add the page to the sitemap, or mark it as noindex if it should not be found.",
        check_missing_in_sitemap,
    ),
    Rule(
        "linked-redirect", "notice", "Links to URLs that redirect",
        "Each visit costs an extra round trip.",
        "Link to the target of the redirect.",
        check_linked_redirect, names_sources=True,
    ),
    Rule(
        "linked-noindex", "notice", "Linked pages that ask not to be indexed",
        "Pages that the content links to are usually meant to be found.",
        "Remove noindex if the page should be found; otherwise leave it.",
        check_linked_noindex,
    ),
    Rule(
        "slow-page", "notice", f"Pages that take more than {SLOW_MS // 1000} seconds, and far longer than most",
        "Visitors leave, and crawlers visit fewer pages.",
        "Cache the page, or find out what the server waits for.",
        check_slow,
    ),
    Rule(
        "heavy-page", "notice", f"Pages with more than {HEAVY_BYTES // 1_000_000} MB of HTML",
        "Large documents take long to load and to show, above all on phones.",
        "Split the page, or load parts of it on demand.",
        check_heavy,
    ),
    Rule(
        "thin-page", "notice", f"Pages with fewer than {THIN_WORDS} words",
        "Pages with little text seldom answer a question, and search engines may leave them out.",
        "Add what visitors look for, merge the page into another one, or mark it as noindex.",
        check_thin,
    ),
    Rule(
        "missing-description", "notice", "Pages without a description",
        "Search results show the description; without one they show a piece of the text.",
        'Add a <meta name="description"> of one or two sentences.',
        check_missing_description,
    ),
    Rule(
        "duplicate-description", "notice", "Pages with the same description",
        "A description that fits several pages does not say what is special about one.",
        "Describe each page by itself.",
        check_duplicate_description,
    ),
    Rule(
        "missing-h1", "notice", "Pages without a top heading",
        "The top heading tells readers and screen readers what the page is about.",
        "Add one <h1>.",
        check_missing_heading,
    ),
    Rule(
        "duplicate-h1", "notice", "Pages with the same top heading",
        "Readers who move between these pages cannot tell them apart.",
        "Give each page a heading of its own.",
        check_duplicate_heading,
    ),
)  # fmt: skip
