"""Parse `X-Robots-Tag` headers and robots `<meta>` elements: `nofollow` and `noindex`."""

from __future__ import annotations

from typing import NamedTuple

from headwater.version import ROBOTS_NAME

_MATCHING_AGENTS = frozenset({"", "*", "robots", ROBOTS_NAME})
_WITH_VALUES = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class RobotsTag(NamedTuple):
    """The robots directives of a page."""

    nofollow: bool = False
    noindex: bool = False

    def __or__(self, other: RobotsTag) -> RobotsTag:
        """Combine the directives of header and page; the stricter ones apply."""
        return RobotsTag(self.nofollow or other.nofollow, self.noindex or other.noindex)


def parse_robots_tag(value: str, agent: str = "") -> RobotsTag:
    """Parse a header or `content` attribute; repeated headers are lines, and `name:` limits directives to a crawler.

    For a `<meta name="…">` the name is given as `agent`.
    """
    directives: set[str] = set()
    for line in value.lower().splitlines():
        directives |= _parse_directives(line, agent.lower())
    return RobotsTag(bool(directives & {"nofollow", "none"}), bool(directives & {"noindex", "none"}))


def _parse_directives(line: str, agent: str) -> set[str]:
    found: set[str] = set()
    for part in line.split(","):
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip() not in _WITH_VALUES:
            agent, name = name.strip(), rest.strip()
        if agent in _MATCHING_AGENTS:
            found.add(name.strip())
    return found
