"""Headwater finds every page of a website and can say where each one came from."""

from importlib import import_module
from typing import TYPE_CHECKING

from headwater.errors import HeadwaterError, LoginError, SettingError, StoreError, UnreachableError, UrlError
from headwater.version import VERSION

if TYPE_CHECKING:
    from headwater.api import Discovery, adiscover, discover, discover_initial_urls, discover_urls, stream
    from headwater.examination.link_extraction import extract_links
    from headwater.model import Evidence, Link, Page, Spelling, Verdict
    from headwater.pages import Robots, Sitemap, parse_robots, parse_sitemap
    from headwater.settings import Settings, preset
    from headwater.urls import Policy, Scope, judge, normalize, resolve, shape

__version__ = VERSION

# A module is imported when one of its names is first used, so that small commands start fast.
_NAMES_BY_MODULE = {
    "api": ("Discovery", "adiscover", "discover", "discover_initial_urls", "discover_urls", "stream"),
    "examination.link_extraction": ("extract_links",),
    "model": ("Evidence", "Link", "Page", "Spelling", "Verdict"),
    "pages": ("Robots", "Sitemap", "parse_robots", "parse_sitemap"),
    "settings": ("Settings", "preset"),
    "urls": ("Policy", "Scope", "judge", "normalize", "resolve", "shape"),
}
_MODULE_BY_NAME = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}

__all__ = [
    "Discovery",
    "Evidence",
    "HeadwaterError",
    "Link",
    "LoginError",
    "Page",
    "Policy",
    "Robots",
    "Scope",
    "SettingError",
    "Settings",
    "Sitemap",
    "Spelling",
    "StoreError",
    "UnreachableError",
    "UrlError",
    "Verdict",
    "adiscover",
    "discover",
    "discover_initial_urls",
    "discover_urls",
    "extract_links",
    "judge",
    "normalize",
    "parse_robots",
    "parse_sitemap",
    "preset",
    "resolve",
    "shape",
    "stream",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    if name not in _MODULE_BY_NAME:
        raise AttributeError(f"module 'headwater' has no attribute {name!r}")
    return getattr(import_module(f"headwater.{_MODULE_BY_NAME[name]}"), name)
