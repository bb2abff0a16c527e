"""The scope of a scan: the base URLs of a site, how far from them it may go, and which URLs it skips."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from headwater.urls.normalization import DEFAULT_POLICY, Policy, normalize, strip_www
from headwater.urls.parsing import DEFAULT_MAX_URL_LENGTH, get_authority, parse_seed_url
from headwater.urls.patterns import UrlPattern, compile_patterns
from headwater.urls.recognition.file_types import get_extension

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings

PAGE_EXTENSIONS = frozenset({"html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp"})


MAX_HOSTS = 10_000


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """A base URL split for comparison: host with port, and path without its trailing slash."""

    authority: str
    path: str


@dataclass(frozen=True)
class Scope:
    """The URLs under one or several base URLs; the rules that apply it are in `skip_rules`.

    A base that names a file, such as `/docs/index.html`, stands for its directory. With `subdomains`,
    `www.example.com` stands for `example.com` and all of its subdomains.
    """

    base_urls: str | Sequence[str]
    strict_paths: bool = True
    subdomains: bool = False
    fold_www: bool = False
    max_external_hops: int = 0
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    skip_paths: Sequence[str] = ()
    skip_queries: bool = False
    skip_anchors: bool = False
    skip_actions: bool = False
    max_url_length: int = DEFAULT_MAX_URL_LENGTH
    policy: Policy = DEFAULT_POLICY
    bases: tuple[BaseUrl, ...] = field(init=False, repr=False)
    include_patterns: tuple[UrlPattern, ...] = field(init=False, repr=False, compare=False)
    exclude_patterns: tuple[UrlPattern, ...] = field(init=False, repr=False, compare=False)
    has_no_filters: bool = field(init=False, repr=False, compare=False)
    _hosts: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        urls = (self.base_urls,) if isinstance(self.base_urls, str) else tuple(self.base_urls)
        policy = replace(self.policy, fold_www=True) if self.fold_www else self.policy
        derived = {
            "base_urls": urls,
            "policy": policy,
            "skip_paths": tuple("/" + path.strip("/*") for path in self.skip_paths),
            "include_patterns": compile_patterns(self.include, "include"),
            "exclude_patterns": compile_patterns(self.exclude, "exclude"),
            "has_no_filters": not any(
                (self.include, self.exclude, self.skip_paths, self.skip_queries, self.skip_anchors, self.skip_actions)
            ),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "bases", tuple(self._parse_base_url(url) for url in urls))

    @classmethod
    def from_settings(cls, seeds: Sequence[str], settings: Settings) -> Scope:
        """Return the scope of a scan: whole hosts, or only the URLs under the paths of the seeds."""
        urls = [parse_seed_url(seed) for seed in seeds]
        return cls(
            [_get_root_url(url) for url in urls] if settings.scope == "host" else urls,
            strict_paths=settings.strict_paths,
            subdomains=settings.subdomains,
            max_external_hops=settings.max_external_hops,
            include=settings.include,
            exclude=settings.exclude,
            skip_paths=settings.skip_paths,
            skip_queries=settings.skip_queries,
            skip_anchors=settings.skip_anchors,
            skip_actions=settings.has_session,
            max_url_length=settings.max_url_length,
            policy=Policy.from_settings(settings),
        )

    def extended_to(self, href: str) -> Scope:
        """Return a scope that also includes the site of this URL, such as the target of a seed's redirect."""
        is_whole_host = not any(base.path for base in self.bases)
        return replace(self, base_urls=(*self.base_urls, _get_root_url(href) if is_whole_host else href))

    def for_sitemap_urls(self) -> Scope:
        """Return the scope for URLs that a sitemap lists: without skip rules, which decide only what is crawled."""
        return replace(self, skip_paths=(), skip_queries=False, skip_anchors=False)

    def get_base_paths_for_url(self, href: str) -> tuple[str, ...]:
        """Return the base paths on the host of a URL; empty if the host is outside the scope."""
        return self.base_paths(get_authority(href))

    def base_paths(self, authority: str) -> tuple[str, ...]:
        """Return the base paths on a host; empty if the host is outside the scope."""
        known = self._hosts.get(authority)
        if known is None:
            name = strip_www(authority) if self.policy.fold_www else authority
            known = tuple(base.path for base in self.bases if self._is_host(name, base.authority))
            if len(self._hosts) < MAX_HOSTS:
                self._hosts[authority] = known
        return known

    def covers(self, base_path: str, path: str) -> bool:
        """Return True if a path is below a base path; without `strict_paths` any path that begins with it is."""
        if not path.startswith(base_path):
            return False
        return not self.strict_paths or len(path) == len(base_path) or path[len(base_path)] == "/"

    def _is_host(self, authority: str, base: str) -> bool:
        return authority == base or (self.subdomains and authority.endswith("." + base))

    def _parse_base_url(self, url: str) -> BaseUrl:
        href = parse_seed_url(url)
        authority = get_authority(href)
        if self.policy.fold_www or self.subdomains:
            authority = strip_www(authority)
        path = urlsplit(normalize(href) or href).path
        if get_extension(path) in PAGE_EXTENSIONS:
            path = path[: path.rfind("/")]
        return BaseUrl(authority, path.rstrip("/"))


def _get_root_url(href: str) -> str:
    return href[: href.index("/", 8) + 1]
