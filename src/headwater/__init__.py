"""Headwater finds every page of a website and can say where each one came from."""

from headwater.errors import HeadwaterError, SettingError, UrlError
from headwater.model import Spelling, Verdict
from headwater.pages import Robots, parse_robots
from headwater.settings import Settings, preset
from headwater.urls import Policy, Scope, judge, normalize, resolve, shape
from headwater.version import VERSION

__version__ = VERSION

__all__ = [
    "HeadwaterError",
    "Policy",
    "Robots",
    "Scope",
    "SettingError",
    "Settings",
    "Spelling",
    "UrlError",
    "Verdict",
    "judge",
    "normalize",
    "parse_robots",
    "preset",
    "resolve",
    "shape",
]
