"""Settings of scans: scope, URLs, stages, sitemaps, limits, requests and the browser."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from headwater.model import LINK_KINDS, REGIONS
from headwater.settings.choices import DEFAULT_SITEMAP_PATHS, DEFAULT_SOURCES, SEED_HOSTS, SOURCE_NAMES, STAGES
from headwater.settings.setting import setting
from headwater.settings.value_kinds import Choice, Flag, Text, TextList, integer, seconds

_scope, _urls, _stages, _sitemaps, _limits, _fetch, _render, _analysis = (
    partial(setting, section)
    for section in ("scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "analysis")
)
_optional_text = Text(optional=True)
_at_least_one = integer(1, optional=True)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class ScanSettings:
    """The settings that decide what a scan requests and lists."""

    scope: Literal["host", "path"] = _scope(
        Choice(("host", "path")), "host", "Scan the whole host of the seed, or only URLs under its path"
    )
    strict_paths: bool = _scope(
        Flag(), True, "With --scope path, match whole path segments: /docs covers /docs/x but not /docs-old"
    )
    subdomains: bool = _scope(Flag(), False, "Include subdomains of the seed's host")
    max_external_hops: int = _scope(integer(0, 10), 0, "Visit and list pages of other sites up to this many links away")
    follow_links: tuple[str, ...] = _scope(
        TextList(LINK_KINDS, separator=","),
        LINK_KINDS,
        "Follow only these kinds of links; URLs found only through other kinds are recorded as skipped",
        metavar="KINDS",
    )
    follow_regions: tuple[str, ...] = _scope(
        TextList(REGIONS, separator=","),
        REGIONS,
        "Follow only links in these regions of a page; on pages without a main element, content counts as main",
        metavar="REGIONS",
    )
    include: tuple[str, ...] = _scope(
        TextList(), (), "Visit only URLs that match this glob, or regular expression after re:", metavar="PATTERN"
    )
    exclude: tuple[str, ...] = _scope(
        TextList(), (), "Skip URLs that match this glob, or regular expression after re:", metavar="PATTERN"
    )
    skip_paths: tuple[str, ...] = _scope(
        TextList(), (), "Skip URLs whose path starts with these whole segments", metavar="PATH"
    )
    skip_queries: bool = _scope(Flag(), False, "Skip URLs with a query string")
    skip_anchors: bool = _scope(Flag(), False, "Skip links with a fragment")
    max_url_length: int = _scope(integer(20, 65536, unit="characters"), 2083, "Skip URLs longer than this")

    trailing_slash: Literal["strip", "keep"] = _urls(
        Choice(("strip", "keep")), "strip", "Strip or keep the trailing slash of listed URLs"
    )
    query: Literal["keep", "drop"] = _urls(
        Choice(("keep", "drop")), "keep", "Treat URLs that differ only in their query as different pages, or as one"
    )
    drop_parameters: tuple[str, ...] = _urls(
        TextList(separator=","), (), "Ignore these query parameters (globs) when comparing URLs", metavar="NAMES"
    )
    spelling: Literal["answered", "normal"] = _urls(
        Choice(("answered", "normal")),
        "answered",
        "List each page by the URL that answered, or by its normalized URL, which may not load",
    )
    drop_tracking: bool = _urls(Flag(), True, "Drop well-known tracking parameters such as utm_source, and session ids")
    sort_query: bool = _urls(Flag(), False, "Ignore the order of query parameters when comparing URLs")
    fold_www: bool = _urls(Flag(), False, "Treat www.example.com and example.com as one site")
    force_https: bool = _urls(Flag(), False, "Request and list every URL over https")
    merge_views: bool = _urls(
        Flag(), True, "List sort orders, filters, print versions, edit forms and empty months as views, not as pages"
    )
    sample_files: bool = _urls(
        Flag(), True, "Visit only a few text files of a directory, such as .rst, if they are not HTML pages"
    )

    stages: tuple[str, ...] = _stages(TextList(STAGES, separator=","), STAGES, "Run only these stages", metavar="NAMES")
    sources: tuple[str, ...] = _stages(
        TextList(SOURCE_NAMES, separator=",", base=DEFAULT_SOURCES),
        DEFAULT_SOURCES,
        "Read these sources of URLs too, or the default with +NAME,-NAME; docs/guides/sources.md describes them",
        metavar="SOURCES",
    )
    wayback_url: str = _stages(
        Text(), "https://web.archive.org/cdx/search/cdx", "Ask this server for the source wayback", metavar="URL"
    )
    commoncrawl_url: str = _stages(
        Text(), "https://index.commoncrawl.org/collinfo.json", "Ask this server for the source commoncrawl",
        metavar="URL",
    )  # fmt: skip
    always_crawl: bool = _stages(Flag(), True, "Crawl regardless of how many URLs the sitemaps list")
    crawl_threshold: int = _stages(
        integer(0), 500, "With --no-always-crawl, crawl only if the sitemaps list fewer URLs than this"
    )
    crawl_from: Literal["everything", "seed", "homepage", "sitemaps"] = _stages(
        Choice(("everything", "seed", "homepage", "sitemaps")),
        "everything",
        "Visit everything that is linked or listed, only what links from the seed or from the homepage reach, or the "
        "seed and every sitemap URL at once",
    )

    robots_sitemaps: bool = _sitemaps(Flag(), True, "Read the sitemaps that robots.txt names")
    sitemap_places: tuple[str, ...] = _sitemaps(
        TextList(), DEFAULT_SITEMAP_PATHS, "Look for sitemaps at these paths too", metavar="PATH"
    )
    max_sitemap_depth: int = _sitemaps(
        integer(0, 20), 5, "Follow nested sitemap indexes up to this depth", alias="URL_DISCOVERY_MAX_SITEMAP_DEPTH"
    )
    max_sitemap_urls: int | None = _sitemaps(
        _at_least_one, None, "Stop reading sitemaps after this many URLs", alias="URL_DISCOVERY_MAX_SITEMAP_URLS"
    )
    sitemap_timeout: float = _sitemaps(seconds(0.1), 15.0, "Timeout for loading one sitemap")
    nested_sitemap_timeout: float = _sitemaps(seconds(0.1), 15.0, "Timeout for loading one sitemap named by an index")
    sitemaps_deadline: float | None = _sitemaps(
        seconds(0.1, optional=True), None, "Stop reading sitemaps after this time and keep the URLs found so far"
    )
    sitemaps_idle_timeout: float | None = _sitemaps(
        seconds(0.1, optional=True),
        120.0,
        "Stop reading sitemaps when they yield less than one new URL per second for this long",
    )
    max_sitemap_files: int | None = _sitemaps(
        _at_least_one, 1000, "Read at most this many sitemaps, plus one for every new URL they list"
    )
    max_sitemap_failures: int | None = _sitemaps(
        _at_least_one,
        10,
        "Stop reading a host's sitemaps after this many failures in a row; a timeout counts as three failures, a "
        "missing file as none",
    )

    max_depth: int | None = _limits(
        integer(0, optional=True),
        None,
        "Visit pages up to this many clicks from the seed",
        alias="URL_DISCOVERY_MAX_CRAWL_DEPTH",
    )
    max_pages: int | None = _limits(
        _at_least_one, None, "Request at most this many pages", alias="URL_DISCOVERY_MAX_CRAWL_PAGES"
    )
    max_time: float | None = _limits(
        seconds(0.1, optional=True), None, "Start no more requests after this time; the URLs found so far are listed"
    )
    per_shape: int | None = _limits(
        _at_least_one,
        None,
        "Visit only this many pages of each URL shape, such as /blog/{slug}; the others are listed without a visit",
    )
    max_urls: int | None = _limits(_at_least_one, None, "List and request at most this many URLs")
    max_urls_per_source: int | None = _limits(_at_least_one, None, "Take at most this many URLs from each source")
    max_links_per_page: int = _limits(
        integer(1, 10**7), 50_000, "Read at most this many links of a page; further links are only counted"
    )

    timeout: float = _fetch(
        seconds(0.1), 15.0, "Timeout for one request", alias="URL_DISCOVERY_CRAWL_TIMEOUT", alias_unit=0.001
    )
    retries: int = _fetch(integer(0, 20), 3, "Retry a failed request up to this many times")
    max_unanswered: int | None = _fetch(
        _at_least_one,
        40,
        "Defer a host's remaining URLs after this many requests in a row without an answer, or after 3 if it never "
        "answered",
    )
    max_parallel: int = _fetch(integer(1, 1024), 10, "Maximum number of concurrent requests, in total and per host")
    delay: float = _fetch(
        seconds(0.0, 3600.0), 0.0, "Time between two requests to one host; robots.txt may ask for more"
    )
    robots: Literal["obey", "ignore"] = _fetch(
        Choice(("obey", "ignore")), "obey", "Obey or ignore robots.txt; ignore it only on sites you own"
    )
    meta_robots: Literal["obey", "ignore"] = _fetch(
        Choice(("obey", "ignore")), "obey", "Obey or ignore nofollow and noindex in pages and response headers"
    )
    skip_walls: bool = _fetch(
        Flag(), True, "Count login forms and checks for robots that a site shows instead of a page as failures"
    )
    user_agent: str | None = _fetch(
        _optional_text, None, "Send this User-Agent instead of Headwater's own, which names a contact"
    )
    header: tuple[str, ...] = _fetch(
        TextList(separator="\n", secret=True),
        (),
        "Send this request header; secret headers are sent only to the origins of the seeds",
        metavar="'NAME: VALUE'",
    )
    credentials: tuple[str, ...] = _fetch(
        TextList(separator="\n", secret=True),
        (),
        "Send `ORIGIN basic USER:PASSWORD` or `ORIGIN bearer TOKEN` to that origin only",
    )
    keep_cookies: bool = _fetch(Flag(), True, "Send the cookies an origin sets back to that origin")
    cookies: str | None = _fetch(
        Text(optional=True, secret=True),
        None,
        "Send the cookies of this file (cookies.txt, or JSON as browser extensions export it) to their domains",
        metavar="FILE",
    )
    storage_state: str | None = _fetch(
        Text(optional=True, secret=True),
        None,
        "Use the cookies and the local storage of this file, as Playwright saves them",
        metavar="FILE",
    )
    login: str | None = _fetch(
        Text(optional=True, secret=True),
        None,
        "Log in with a browser before the scan, as this recipe says; docs/guides/login.md describes recipes",
        metavar="FILE",
    )
    session: str | None = _fetch(
        Text(optional=True, secret=True),
        None,
        "Keep the session of --login in this file and use it while it works  [default: beside the recipe]",
        metavar="FILE",
    )
    allow_private: tuple[str, ...] = _fetch(
        TextList(separator=","),
        (),
        "Allow requests to these private hosts or networks; seeds, or no value, stands for the hosts of the seeds",
        metavar="HOST|CIDR",
        bare_value=SEED_HOSTS,
    )
    insecure: tuple[str, ...] = _fetch(
        TextList(separator=","), (), "Do not verify the certificates of these hosts", metavar="HOSTS"
    )
    ca_file: str | None = _fetch(
        _optional_text,
        None,
        "Trust the certificates in this file instead of the system's; the browser trusts its own as well",
        metavar="FILE",
    )
    proxy: str | None = _fetch(
        _optional_text,
        None,
        "Send every request through this http:// or socks5:// proxy; proxy variables of the environment are ignored",
        metavar="URL",
        may_hold_password=True,
    )
    connect_timeout: float = _fetch(seconds(0.1), 10.0, "Timeout for name lookup, connection and TLS handshake")
    idle_timeout: int = _fetch(
        integer(1, 3600, unit="s"), 10, "Abort a transfer that stays below --min-speed for this long"
    )
    min_speed: int = _fetch(
        integer(1, unit="bytes"), 100, "Treat a transfer as idle below this number of bytes per second"
    )
    max_body: int = _fetch(integer(1024, unit="bytes"), 10_000_000, "Read at most this much of a page, as sent")
    max_decoded: int = _fetch(integer(1024, unit="bytes"), 20_000_000, "Read at most this much of a page, decompressed")
    max_sitemap_bytes: int = _fetch(
        integer(1024, unit="bytes"), 52_428_800, "Read at most this much of a sitemap or feed, as sent and decompressed"
    )
    max_redirects: int = _fetch(integer(0, 50), 10, "Follow at most this many redirects for a page")
    max_file_redirects: int = _fetch(
        integer(0, 50), 5, "Follow at most this many redirects for robots.txt, sitemaps and feeds"
    )
    max_retry_after: float = _fetch(seconds(0.0), 300.0, "Pause a host for at most this long when it sends Retry-After")
    max_crawl_delay: float = _fetch(seconds(0.0), 60.0, "Obey a Crawl-delay in robots.txt up to this long")
    ip_version: Literal["any", "4", "6"] = _fetch(Choice(("any", "4", "6")), "any", "Connect over this IP version")
    http_version: Literal["any", "1.1", "2"] = _fetch(
        Choice(("any", "1.1", "2")), "any", "Use HTTP versions up to this one; any includes HTTP/3 where offered"
    )

    render: Literal["auto", "always", "never"] = _render(
        Choice(("auto", "always", "never")),
        "auto",
        "Open pages that need JavaScript, every page or no page in a browser",
    )
    render_timeout: float = _render(seconds(1.0, 600.0), 30.0, "Timeout for one page in the browser")
    render_parallel: int | None = _render(
        integer(1, 64, optional=True), None, "Open at most this many pages at once; none means one per CPU core"
    )
    browser: str | None = _render(
        _optional_text, None, "Use this Chromium instead of the one on the PATH", metavar="PATH"
    )
    max_clicks: int = _render(integer(0, 1000), 50, "Click at most this many elements of a page to find routes")
    allow_post: tuple[str, ...] = _render(
        TextList(),
        (),
        "Let scripts send POST and other requests that may change data to URLs that match this pattern",
        metavar="PATTERN",
    )
    pointer_only: bool = _render(Flag(), False, "Click only elements that show the pointer cursor")

    extract: tuple[str, ...] = _analysis(
        TextList(separator="\n"),
        (),
        "Extract a value from every page by css:, xpath:, re: or json-ld:, for example price=css:.price@content; "
        "docs/guides/extraction.md describes them",
        metavar="NAME=KIND:EXPRESSION",
    )
    analyze: bool = _analysis(
        Flag(),
        False,
        "Count words, detect the language of the text and find near duplicates; `audit` does so by itself",
    )
    check_external: bool = _analysis(
        Flag(), False, "Check the links to other sites after the crawl, with one HEAD request for each URL"
    )
    max_external: int = _analysis(
        integer(1, 1_000_000), 1000, "Check at most this many URLs of other sites; results are kept for a day"
    )
