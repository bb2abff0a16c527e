"""Parse robots.txt (RFC 9309): rules by user agent, crawl delays and sitemaps.

Groups of the same agent are merged; the longest matching rule decides and `Allow` wins a tie; `*` and `$` are the only
special characters. Lines are read as leniently as large search engines read them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 512 * 1024
MAX_NAMED_PATHS = 1000
"""Rules that are read for the paths that they name."""

_BOMS = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xef\xbb": "utf-8",
    b"\xef": "utf-8",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#;]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_WITHOUT_COLON = re.compile(r"\s*+([A-Za-z-]++)\s++([^#\s]++)\s*+(?:#.*)?")
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_DELAY = re.compile(r"\d{1,9}(?:\.\d{0,9})?")

# With common misspellings.
_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("sitemap", "site-map", "sitemaps"), "sitemap"),
    **dict.fromkeys(("crawl-delay", "crawldelay"), "delay"),
    "allow": "allow",
}


class RobotsRule(NamedTuple):
    """One `Allow` or `Disallow` line."""

    line: int
    allow: bool
    pattern: str
    text: str


class GlobRule:
    """A pattern with `*` or `$`, split for matching in time linear in the path."""

    __slots__ = ("first", "is_anchored", "longest_part", "parts", "precedence", "rule")

    def __init__(self, rule: RobotsRule) -> None:
        self.rule = rule
        self.precedence = _get_precedence(rule)
        self.is_anchored = rule.pattern.endswith("$")
        self.first, *self.parts = rule.pattern.removesuffix("$").split("*")
        self.longest_part = max((self.first, *self.parts), key=len)

    def matches(self, path: str) -> bool:
        """Return True if the pattern matches a path; each part is searched once, after the end of the previous one."""
        # The longest part is searched first: with 1,250 globs this makes a decision ten times as fast.
        if self.longest_part not in path or not path.startswith(self.first):
            return False
        position = len(self.first)
        for part in self.parts[:-1]:
            position = path.find(part, position)
            if position < 0:
                return False
            position += len(part)
        return self._matches_end(path, position)

    def _matches_end(self, path: str, position: int) -> bool:
        last = self.parts[-1] if self.parts else ""
        if not self.is_anchored:
            return path.find(last, position) >= 0
        if not self.parts:
            return position == len(path)
        return len(path) - len(last) >= position and path.endswith(last)


def _get_precedence(rule: RobotsRule) -> tuple[int, bool]:
    return len(rule.pattern), rule.allow


@dataclass(slots=True)
class _RuleBlock:
    """Lines that apply to several agents, stored once for all of them: 20,000 agents may share 20,000 rules.

    A delay is stored with the number of agents that were named before it.
    """

    agents: dict[str, int] = field(default_factory=dict)
    rules: list[RobotsRule] = field(default_factory=list)
    delays: list[tuple[int, float]] = field(default_factory=list)

    def find_delay(self, agent: str) -> float | None:
        """Return the last delay below the line that names the agent."""
        place = self.agents[agent]
        return next((delay for count, delay in reversed(self.delays) if count > place), None)


@dataclass(slots=True)
class AgentGroup:
    """The rules for one agent: plain prefixes in a dict, globs sorted by length."""

    agent: str
    _blocks: list[_RuleBlock] = field(default_factory=list)
    _is_compiled: bool = False
    _prefixes: dict[str, RobotsRule] = field(default_factory=dict)
    _lengths: list[int] = field(default_factory=list)
    _globs: list[GlobRule] = field(default_factory=list)

    @property
    def delay(self) -> float | None:
        """The seconds between requests, from the last line that sets them."""
        delays = (block.find_delay(self.agent) for block in reversed(self._blocks))
        return next((delay for delay in delays if delay is not None), None)

    def iter_rules(self) -> Iterator[RobotsRule]:
        """Yield the rules in the order of their lines."""
        for block in self._blocks:
            yield from block.rules

    def join(self, block: _RuleBlock) -> None:
        """Add the lines of a block, which may still grow."""
        self._blocks.append(block)

    def _compile(self) -> None:
        """Prepare for matching, at a cost that grows with the number of different lengths, not of rules."""
        self._is_compiled = True
        rules = list(self.iter_rules())
        for rule in sorted(rules, key=_get_precedence, reverse=True):
            if "*" in rule.pattern or rule.pattern.endswith("$"):
                self._globs.append(GlobRule(rule))
            elif rule.pattern:
                self._prefixes.setdefault(rule.pattern, rule)
        self._lengths = sorted({len(pattern) for pattern in self._prefixes}, reverse=True)

    def decide(self, path: str) -> RobotsRule | None:
        """Return the matching rule with the highest precedence."""
        if not self._is_compiled:
            self._compile()
        prefix = self._find_longest_prefix(path)
        precedence = _get_precedence(prefix) if prefix else (0, False)
        for glob in self._globs:
            if glob.precedence < precedence:
                break
            if glob.matches(path):
                return glob.rule
        return prefix

    def _find_longest_prefix(self, path: str) -> RobotsRule | None:
        for length in self._lengths:
            if length <= len(path) and (rule := self._prefixes.get(path[:length])) is not None:
                return rule
        return None


@dataclass(frozen=True, slots=True)
class Robots:
    """A parsed robots.txt."""

    groups: dict[str, AgentGroup] = field(default_factory=dict)
    sitemaps: tuple[str, ...] = ()

    def allows(self, agent: str, url: str) -> bool:
        """Return True if `agent` may fetch `url`, an absolute URL as a browser would serialize it."""
        rule = self.find_deciding_rule(agent, url)
        return rule is None or rule.allow

    def find_deciding_rule(self, agent: str, url: str) -> RobotsRule | None:
        """Return the rule that decides, or None if no rule matches and the URL is therefore allowed."""
        group = self.find_group(agent)
        return None if group is None else group.decide(_get_path(url))

    def list_allowed_paths(self, agent: str) -> list[str]:
        """Return the paths that rules for any agent name without a wildcard, and that `agent` may fetch."""
        rules = (rule for group in self.groups.values() for rule in islice(group.iter_rules(), MAX_NAMED_PATHS))
        paths = dict.fromkeys(rule.pattern.rstrip("*$") for rule in islice(rules, MAX_NAMED_PATHS))
        named = (path for path in paths if path.startswith("/") and path != "/" and "*" not in path)
        return [path for path in named if self.allows(agent, f"https://host{path}")]

    def crawl_delay(self, agent: str) -> float | None:
        """Return the seconds that `agent` is asked to wait between requests."""
        group = self.find_group(agent)
        return group.delay if group else None

    def find_group(self, agent: str) -> AgentGroup | None:
        """Return the rules for an agent, otherwise those for all agents."""
        token = agent.partition("/")[0].strip().lower()
        return self.groups.get(token) or self.groups.get("*")


def parse_robots(content: bytes | str) -> Robots:
    """Parse a robots.txt; only the first 512 KiB are read. Never raises."""
    reader = _LineReader()
    for number, line in enumerate(_LINE_END.split(_decode(content)), 1):
        reader.read(number, line)
    return Robots(reader.groups, tuple(dict.fromkeys(reader.sitemaps)))


class _LineReader:
    """Reads one line after another and assigns rules to the agents above them."""

    def __init__(self) -> None:
        self.groups: dict[str, AgentGroup] = {}
        self.sitemaps: list[str] = []
        self._block = _RuleBlock()

    def read(self, number: int, line: str) -> None:
        name, value = _parse_field(line)
        if not name:
            return
        if name == "agent":
            self._start_agent(value)
        elif name == "sitemap":
            self.sitemaps += [value] if value else []
        elif name == "delay":
            self._set_delay(value)
        else:
            self._block.rules.append(RobotsRule(number, name == "allow", _escape(value), line.strip()))

    def _start_agent(self, value: str) -> None:
        if self._block.rules:
            self._block = _RuleBlock()
        agent = "*" if value.split(maxsplit=1)[:1] == ["*"] else _parse_product_token(value)
        if agent and agent not in self._block.agents:
            self._block.agents[agent] = len(self._block.agents)
            self.groups.setdefault(agent, AgentGroup(agent)).join(self._block)

    def _set_delay(self, value: str) -> None:
        if _DELAY.fullmatch(value):
            self._block.delays.append((len(self._block.agents), float(value)))


def _parse_field(line: str) -> tuple[str, str]:
    """Return the field and value of a line; both are empty without a known field."""
    name, colon, value = line.partition(":")
    if not colon or "#" in name:
        match = _LINE_WITHOUT_COLON.fullmatch(line)
        name, value = match.groups() if match else ("", "")
    return _FIELDS.get(name.strip().lower(), ""), value.partition("#")[0].strip()


def _parse_product_token(value: str) -> str:
    match = _PRODUCT.match(value)
    return match.group().lower() if match else ""


def _decode(content: bytes | str) -> str:
    if isinstance(content, str):
        return content.removeprefix("\ufeff")[:MAX_BYTES]
    content = content[:MAX_BYTES]
    for mark, encoding in _BOMS.items():
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "surrogateescape" if encoding == "utf-8" else "replace")
    return content.decode("utf-8", "surrogateescape")


def _get_path(url: str) -> str:
    """Return path and query of a URL, with escapes written as in rules."""
    match = _ORIGIN.match(url)
    path = url[match.end() if match else 0 :].partition("#")[0]
    return _uppercase_escapes(path if path.startswith("/") else "/" + path)


def _escape(text: str) -> str:
    """Return a pattern with non-ASCII bytes as escapes, and escapes in upper case."""
    if not text.isascii():
        octets = text.encode("utf-8", "surrogateescape")
        text = "".join(chr(octet) if octet < 0x80 else f"%{octet:02X}" for octet in octets)
    return _uppercase_escapes(text)


def _uppercase_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda match: match.group().upper(), text) if "%" in text else text
