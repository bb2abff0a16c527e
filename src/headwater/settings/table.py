"""The settings themselves: a field with default, kind of value, section and help is all it takes to add one.

Command-line flag, environment name, TOML key and documentation follow from the field. Defaults are those of
preset `full`, which is what `headwater URL` uses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from headwater.errors import SettingError
from headwater.model import LINK_KINDS, LIST_NAMES, REGIONS
from headwater.settings.value_kinds import Choice, Flag, Number, Text, TextList, ValueKind, integer, seconds

SECTIONS: dict[str, str] = {
    "scope": "Which URLs belong",
    "urls": "Which URLs are one page",
    "stages": "What runs",
    "sitemaps": "How sitemaps are read",
    "limits": "How far a scan goes",
    "fetch": "How pages are requested",
    "render": "Pages that need a browser",
    "dive": "Reading, searching and asking a cluster",
    "store": "What is kept, and where",
    "output": "What is written",
    "many": "Many sites at once",
    "worker": "How a fleet works",
}

SETTINGS_WITH_PASSWORD = frozenset({"proxy", "db", "openai_base_url"})
"""Settings whose address may hold a user and a password."""

_PASSWORD = re.compile(r"([?&](?:password|sslpassword)=)[^&]*")
SOURCE_NAMES = ("indexes", "apis", "llms")
STAGES = ("nav", "sitemaps", "crawl", "render")
KIND_CHOICES = ("page", "external", "resource", "endpoint", "all")
Format = Literal["text", "json", "jsonl", "csv", "html", "xml", "md"]
FORMATS: tuple[Format, ...] = get_args(Format)
DEFAULT_SITEMAP_PATHS = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemaps.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/wp-sitemap.xml",
    "/sitemap.txt",
    "/feed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the table."""

    name: str = ""
    default: object
    kind: ValueKind
    section: str
    help: str
    flags: tuple[str, ...] = ()
    alias: str = ""
    alias_unit: float = 1.0

    @property
    def flag(self) -> str:
        """Its long command-line flag."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return "HEADWATER_" + self.name.upper()

    def create_value_error(self, value: object, origin: str = "") -> SettingError:
        """The error for a value that is not allowed."""
        is_secret = getattr(self.kind, "secret", False)
        text = "the value" if is_secret else repr(_redact_password(value) if isinstance(value, str) else value)
        shown = text if len(text) <= 80 else text[:79] + "…"
        return SettingError(self.name, f"{shown} is not allowed; expected {self.kind.allowed}", origin)


def _row(section: str, kind: ValueKind, default: Any, help: str, **more: Any) -> Any:  # noqa: A002, ANN401
    """A field of Settings that is a row of the table; like dataclasses.field it stands for a value."""
    setting = Setting(default=default, kind=kind, section=section, help=help, **more)
    return field(default=default, metadata={"row": setting})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The value of every setting; `headwater settings` prints them with their origin."""

    # Which URLs belong
    scope: Literal["host", "path"] = _row(
        "scope", Choice(("host", "path")), "host", "The whole host of the seed, or only what lies under its path"
    )
    strict_paths: bool = _row(
        "scope", Flag(), True, "Under scope=path, /docs covers /docs/x but not /docs-old; off: a plain prefix"
    )
    subdomains: bool = _row("scope", Flag(), False, "Subdomains of the seed's host belong too")
    max_external_hops: int = _row(
        "scope", integer(0, 10), 0, "Visit and list pages of other sites up to this many links away"
    )
    follow_links: tuple[str, ...] = _row(
        "scope",
        TextList(LINK_KINDS, separator=","),
        LINK_KINDS,
        "The kinds of links that are followed; URLs that only other kinds lead to are recorded and skipped",
    )
    follow_regions: tuple[str, ...] = _row(
        "scope",
        TextList(REGIONS, separator=","),
        REGIONS,
        "The parts of a page whose links are followed; without a main element, content counts as main",
    )
    include: tuple[str, ...] = _row(
        "scope", TextList(), (), "Visit only URLs that match: a glob, or re: and an expression"
    )
    exclude: tuple[str, ...] = _row("scope", TextList(), (), "Refuse URLs that match: a glob, or re: and an expression")
    skip_paths: tuple[str, ...] = _row(
        "scope", TextList(), (), "Do not crawl URLs that begin with these whole segments"
    )
    skip_queries: bool = _row("scope", Flag(), False, "Do not crawl URLs with a query")
    skip_anchors: bool = _row("scope", Flag(), False, "Do not crawl links with an anchor")
    max_url_length: int = _row("scope", integer(20, 65536, unit="characters"), 2083, "Refuse URLs longer than this")

    # Which URLs are one page
    trailing_slash: Literal["strip", "keep"] = _row(
        "urls", Choice(("strip", "keep")), "strip", "List URLs without or with their trailing slash"
    )
    query: Literal["keep", "drop"] = _row(
        "urls", Choice(("keep", "drop")), "keep", "Whether the query tells pages apart"
    )
    drop_parameters: tuple[str, ...] = _row(
        "urls", TextList(separator=","), (), "Query parameters that do not tell pages apart (globs)"
    )
    spelling: Literal["answered", "normal"] = _row(
        "urls",
        Choice(("answered", "normal")),
        "answered",
        "List a page by the URL that answered, or in its normal form, which may not load",
    )
    drop_tracking: bool = _row("urls", Flag(), True, "Drop well-known tracking parameters such as utm_source")
    sort_query: bool = _row("urls", Flag(), False, "The order of query parameters does not tell pages apart")
    fold_www: bool = _row("urls", Flag(), False, "www.example.com and example.com are one site")
    force_https: bool = _row("urls", Flag(), False, "Request and list every URL over https")

    # What runs
    stages: tuple[str, ...] = _row("stages", TextList(STAGES, separator=","), STAGES, "The stages that may run")
    sources: tuple[str, ...] = _row(
        "stages",
        TextList(SOURCE_NAMES, separator=","),
        SOURCE_NAMES,
        "Sources of URLs besides links and sitemaps: indexes of site generators, APIs of CMSs, llms.txt",
    )
    always_crawl: bool = _row("stages", Flag(), True, "Crawl however many URLs the sitemaps gave")
    crawl_threshold: int = _row(
        "stages", integer(0), 500, "Without always_crawl: crawl only if the sitemaps gave fewer URLs than this"
    )
    crawl_from: Literal["everything", "seed", "homepage", "sitemaps"] = _row(
        "stages",
        Choice(("everything", "seed", "homepage", "sitemaps")),
        "everything",
        "What is visited: the seed and then all that is linked or listed; only what links from the seed or from the "
        "host's homepage reach; or the seed and every sitemap URL at once",
    )

    # How sitemaps are read
    robots_sitemaps: bool = _row("sitemaps", Flag(), True, "Read the Sitemap lines of robots.txt")
    sitemap_places: tuple[str, ...] = _row(
        "sitemaps", TextList(), DEFAULT_SITEMAP_PATHS, "Where to look for sitemaps that robots.txt does not name"
    )
    max_sitemap_depth: int = _row(
        "sitemaps", integer(0, 20), 5, "How deep sitemap indexes may nest", alias="URL_DISCOVERY_MAX_SITEMAP_DEPTH"
    )
    max_sitemap_urls: int | None = _row(
        "sitemaps",
        integer(1, optional=True),
        None,
        "Stop reading sitemaps at this many URLs",
        alias="URL_DISCOVERY_MAX_SITEMAP_URLS",
    )
    sitemap_timeout: float = _row("sitemaps", seconds(0.1), 15.0, "Time for one sitemap")
    nested_sitemap_timeout: float = _row("sitemaps", seconds(0.1), 15.0, "Time for one sitemap named by an index")
    sitemaps_deadline: float | None = _row(
        "sitemaps", seconds(0.1, optional=True), None, "Time for all sitemaps together; what was found by then counts"
    )
    sitemaps_idle_timeout: float | None = _row(
        "sitemaps",
        seconds(0.1, optional=True),
        120.0,
        "Stop reading sitemaps when they bring fewer than one new URL a second for this long",
    )
    max_sitemap_files: int | None = _row(
        "sitemaps",
        integer(1, optional=True),
        1000,
        "Read at most this many sitemaps, and one more for every new URL they bring",
    )
    max_sitemap_failures: int | None = _row(
        "sitemaps",
        integer(1, optional=True),
        10,
        "Ask a host for no more sitemaps after this many failures in a row; a timeout counts as three, a missing "
        "file as none",
    )

    # How far a scan goes
    max_depth: int | None = _row(
        "limits",
        integer(0, optional=True),
        None,
        "Visit pages up to this many clicks from the seed",
        alias="URL_DISCOVERY_MAX_CRAWL_DEPTH",
    )
    max_pages: int | None = _row(
        "limits",
        integer(1, optional=True),
        None,
        "Request at most this many pages",
        alias="URL_DISCOVERY_MAX_CRAWL_PAGES",
    )
    max_time: float | None = _row(
        "limits",
        seconds(0.1, optional=True),
        None,
        "Begin no request after this time; what was found by then is classified and written",
    )
    max_urls: int | None = _row("limits", integer(1, optional=True), None, "List and request at most this many URLs")
    max_urls_per_source: int | None = _row(
        "limits", integer(1, optional=True), None, "Take at most this many URLs from one source"
    )
    max_links_per_page: int = _row(
        "limits", integer(1, 10**7), 50_000, "Read at most this many links of a page; those beyond are only counted"
    )

    # How pages are requested
    timeout: float = _row(
        "fetch",
        seconds(0.1),
        15.0,
        "Time for one request, from first to last byte",
        alias="URL_DISCOVERY_CRAWL_TIMEOUT",
        alias_unit=0.001,
    )
    retries: int = _row("fetch", integer(0, 20), 3, "How often a failed request is tried again")
    max_unanswered: int | None = _row(
        "fetch",
        integer(1, optional=True),
        40,
        "Give a host up for this scan after so many requests in a row without an answer, 3 if it never answered; "
        "its URLs are deferred",
    )
    max_parallel: int = _row("fetch", integer(1, 1024), 10, "Requests under way at once, in all and to one host")
    delay: float = _row(
        "fetch", seconds(0.0, 3600.0), 0.0, "Time between two requests to one host; robots.txt may ask for more"
    )

    robots: Literal["obey", "ignore"] = _row(
        "fetch", Choice(("obey", "ignore")), "obey", "Whether robots.txt is obeyed; ignore it only on sites you own"
    )
    meta_robots: Literal["obey", "ignore"] = _row(
        "fetch", Choice(("obey", "ignore")), "obey", "Whether nofollow and noindex of pages and headers are obeyed"
    )
    user_agent: str | None = _row(
        "fetch", Text(optional=True), None, "The User-Agent to send instead of our own, which names a contact"
    )
    header: tuple[str, ...] = _row(
        "fetch",
        TextList(separator="\n", secret=True),
        (),
        "A header to send, `Name: value`; secret ones go to the seeds' origins only",
    )
    credentials: tuple[str, ...] = _row(
        "fetch",
        TextList(separator="\n", secret=True),
        (),
        "`ORIGIN basic USER:PASSWORD` or `ORIGIN bearer TOKEN`, sent to that origin only",
    )
    cookies: bool = _row("fetch", Flag(), True, "Keep the cookies an origin sets, for that origin")
    allow_private: tuple[str, ...] = _row(
        "fetch", TextList(separator=","), (), "Private hosts, addresses or networks that may be requested"
    )
    insecure: tuple[str, ...] = _row("fetch", TextList(separator=","), (), "Hosts whose certificates are not verified")
    ca_file: str | None = _row(
        "fetch",
        Text(optional=True),
        None,
        "Certificates to trust instead of the system's; in the browser besides its own",
    )
    proxy: str | None = _row(
        "fetch",
        Text(optional=True),
        None,
        "A proxy for every request, http:// or socks5://; the environment's are ignored",
    )
    connect_timeout: float = _row("fetch", seconds(0.1), 10.0, "Time for name lookup, connection and TLS")
    idle_timeout: int = _row(
        "fetch", integer(1, 3600, unit="s"), 10, "Give up when less than min_speed arrives for this long"
    )
    min_speed: int = _row(
        "fetch", integer(1, unit="bytes"), 100, "Bytes a second below which a transfer counts as idle"
    )
    max_body: int = _row("fetch", integer(1024, unit="bytes"), 10_000_000, "Read at most this much of a page as sent")
    max_decoded: int = _row("fetch", integer(1024, unit="bytes"), 20_000_000, "Decode at most this much of a page")
    max_sitemap_bytes: int = _row(
        "fetch", integer(1024, unit="bytes"), 52_428_800, "Read and decode at most this much of a sitemap or feed"
    )
    max_redirects: int = _row("fetch", integer(0, 50), 10, "Redirects followed for a page")
    max_file_redirects: int = _row("fetch", integer(0, 50), 5, "Redirects followed for robots.txt, sitemaps and feeds")
    max_retry_after: float = _row(
        "fetch", seconds(0.0), 300.0, "Pause a host for at most this long when it asks for a pause"
    )
    max_crawl_delay: float = _row("fetch", seconds(0.0), 60.0, "Heed a Crawl-delay of robots.txt up to this")
    ip_version: Literal["any", "4", "6"] = _row(
        "fetch", Choice(("any", "4", "6")), "any", "Which kind of address is dialled"
    )
    http_version: Literal["any", "1.1", "2"] = _row(
        "fetch",
        Choice(("any", "1.1", "2")),
        "any",
        "The highest HTTP version spoken; any includes HTTP/3 where it is offered",
    )

    # Pages that need a browser
    render: Literal["auto", "always", "never"] = _row(
        "render", Choice(("auto", "always", "never")), "auto", "Which pages are opened in a browser"
    )
    render_timeout: float = _row("render", seconds(1.0, 600.0), 30.0, "Time for one page in the browser")
    render_parallel: int | None = _row(
        "render",
        integer(1, 64, optional=True),
        None,
        "Pages open in the browser at once; none: as many as there are cores",
    )
    browser: str | None = _row(
        "render", Text(optional=True), None, "The Chromium to use instead of the one on the PATH"
    )
    max_clicks: int = _row("render", integer(0, 1000), 50, "Different elements clicked on one page in search of routes")
    pointer_only: bool = _row("render", Flag(), False, "Click only elements that show the pointer cursor")

    # Reading, searching and asking a cluster
    max_dive_pages: int | None = _row(
        "dive", integer(1, optional=True), 10_000, "Read at most this many pages in one dive"
    )
    include_noindex: bool = _row("dive", Flag(), False, "Read pages that ask not to be indexed, too")
    chunk_tokens: int = _row("dive", integer(60, 8000), 220, "Tokens of a passage at most, its heading included")
    embedder: Literal["auto", "minilm", "openai", "fastembed", "none"] = _row(
        "dive",
        Choice(("auto", "minilm", "openai", "fastembed", "none")),
        "auto",
        "What makes passages searchable by meaning; auto takes minilm where the extra `dive` is installed",
    )
    embedding_model: str | None = _row(
        "dive", Text(optional=True), None, "The model for embedder=openai or fastembed, by its name there"
    )
    openai_base_url: str | None = _row(
        "dive",
        Text(optional=True),
        None,
        "An OpenAI-compatible server for chat and embeddings, such as http://127.0.0.1:8080/v1",
        alias="OPENAI_BASE_URL",
    )
    openai_api_key: str | None = _row(
        "dive", Text(optional=True, secret=True), None, "The key for that server", alias="OPENAI_API_KEY"
    )
    chat_model: str | None = _row(
        "dive", Text(optional=True), None, "The model that answers questions; without one answers are extracts"
    )
    passages: int = _row("dive", integer(1, 50), 6, "Passages an answer is made from")
    similarity_floor: float = _row(
        "dive",
        Number(0.0, 1.0, whole=False),
        0.3,
        "A question whose best passage is less alike than this is not answered by the site",
    )
    answer_tokens: int = _row("dive", integer(16, 32_000), 700, "Tokens of an answer at most")
    answer_timeout: float = _row("dive", seconds(0.1, 3600.0), 120.0, "Time for one answer of a model")

    # What is kept, and where
    db: str = _row("store", Text(), "headwater.db", "A file, or a postgresql:// URL")
    batch_size: int | None = _row(
        "store",
        integer(1, 100_000, optional=True),
        None,
        "URLs written in one transaction; none: as many as come together in a second or on 50 pages",
    )
    transaction_timeout: float | None = _row("store", seconds(0.1, optional=True), None, "Time for one transaction")
    links: Literal["all", "first", "none"] = _row(
        "store", Choice(("all", "first", "none")), "all", "Which links between pages are kept"
    )
    max_links: int | None = _row(
        "store", integer(0, 10**9, optional=True), 50_000_000, "Links kept in a scan; links beyond are only counted"
    )
    keep_skipped: bool = _row("store", Flag(), False, "Keep every refused URL with its reason, not only the counts")

    # What is written
    format: Format = _row(  # noqa: RUF009  (the alias of a Literal)
        "output", Choice(FORMATS), "text", "How the result is written; without it, --output's name decides"
    )
    output: str | None = _row(
        "output",
        Text(optional=True),
        None,
        "The file to write to instead of standard output",
        flags=("-o", "--outputPath"),
    )
    list: Literal["pages", "redirects", "duplicates", "broken", "files", "skipped", "all"] = _row(
        "output",
        Choice((*LIST_NAMES, "all")),
        "pages",
        "What is written: the pages; or URLs that redirect, repeat a page, failed, are files, were skipped; or all",
    )
    kinds: tuple[str, ...] = _row("output", TextList(KIND_CHOICES, separator=","), ("page",), "What is listed")
    language: str = _row("output", Text(), "en", "Pages in other languages are listed but marked skip-scrape")
    text_length: int = _row("output", integer(1, unit="characters"), 50, "Link texts in lists are cut to this length")
    quiet: bool = _row("output", Flag(), False, "No progress and no summary")
    strict: bool = _row("output", Flag(), False, "Exit with code 3 if anything stayed incomplete")

    # Many sites at once
    sites: int = _row(
        "many",
        integer(1, 1000),
        10,
        "Sites of a list that are worked at once; they share max_parallel, and each may have one request at least",
    )

    # How a fleet works
    processes: int | None = _row(
        "worker",
        integer(1, 256, optional=True),
        None,
        "Processes that work sites on this machine; none: one for a worker, for a list what cores and sites justify",
    )
    concurrency: int = _row("worker", integer(1, 1000), 10, "Sites that one process works at once")
    slice_time: float = _row("worker", seconds(1.0, 3600.0), 60.0, "Time for a site before others have their turn")
    stall_limit: float = _row(
        "worker", seconds(2.0, 600.0), 15.0, "A worker that is silent for this long loses its sites to others"
    )
    grace: float = _row("worker", seconds(0.0, 600.0), 20.0, "Time for what is under way when a worker is told to stop")
    ready_sites: int = _row(
        "worker", integer(1, 1_000_000), 10_000, "Sites in the queue; the others wait in their table"
    )
    metrics: str | None = _row("worker", Text(optional=True), None, "HOST:PORT where /metrics and /health are answered")
    log: Literal["text", "json"] = _row(
        "worker", Choice(("text", "json")), "text", "How a worker writes its log to stderr"
    )

    def __post_init__(self) -> None:
        for setting in SETTINGS.values():
            value = getattr(self, setting.name)
            try:
                object.__setattr__(self, setting.name, setting.kind.validate(value))
            except (ValueError, OverflowError):
                raise setting.create_value_error(value) from None


SETTINGS: dict[str, Setting] = {spec.name: replace(spec.metadata["row"], name=spec.name) for spec in fields(Settings)}


def redact_value(name: str, value: Any) -> Any:  # noqa: ANN401  (each setting has its own type)
    """A setting's value as it may be shown or stored: secrets are counted only, a URL loses its password."""
    if getattr(SETTINGS[name].kind, "secret", False):
        return ("hidden",) * len(value) if isinstance(value, tuple) else value and "hidden"
    if name not in SETTINGS_WITH_PASSWORD or not value:
        return value
    if name == "proxy" and "://" not in value:  # which means http://
        return value.rpartition("@")[2]
    return _redact_password(value)


def _redact_password(url: str) -> str:
    return _PASSWORD.sub(r"\1hidden", re.sub(r"//[^/]*@", "//", url))
