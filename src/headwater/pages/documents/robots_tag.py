"""`X-Robots-Tag` headers and robots `<meta>`s: whether a page's links are followed and whether it is listed."""

from __future__ import annotations

from typing import NamedTuple

from headwater.version import ROBOTS_NAME

_FOR_US = frozenset({"", "*", "robots", ROBOTS_NAME})
_WITH_VALUES = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class RobotsTag(NamedTuple):
    """What a page asks of those who found it."""

    nofollow: bool = False
    noindex: bool = False

    def __or__(self, other: RobotsTag) -> RobotsTag:
        """Header and page together: the stricter wins."""
        return RobotsTag(self.nofollow or other.nofollow, self.noindex or other.noindex)


def parse_robots_tag(value: str, agent: str = "") -> RobotsTag:
    """One header or `content`; lines stand for repeated headers, `name:` begins what is for that crawler alone.

    For a `<meta name="…">` the name is given as `agent`.
    """
    directives: set[str] = set()
    for line in value.lower().splitlines():
        directives |= _directives(line, agent.lower())
    return RobotsTag(bool(directives & {"nofollow", "none"}), bool(directives & {"noindex", "none"}))


def _directives(line: str, agent: str) -> set[str]:
    found: set[str] = set()
    for part in line.split(","):
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip() not in _WITH_VALUES:
            agent, name = name.strip(), rest.strip()
        if agent in _FOR_US:
            found.add(name.strip())
    return found
