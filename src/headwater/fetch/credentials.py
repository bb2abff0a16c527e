"""Request headers from the settings: common headers, and secret headers for the origins they belong to."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from headwater.errors import SettingError
from headwater.urls.parsing import get_origin, parse_seed_url, serialize_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SECRET = re.compile("auth|cookie|token|secret|session|passw|credential|signature|(?:^|[-_]|api|access)key(?:$|[-_])")
"""Matches names of secret headers, such as `Authorization`, `Cookie`, `X-Api-Key` or `Private-Token`."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""Header names that RFC 9110 permits; a line break in a name would start another header."""

_FRAMING = frozenset({"content-length", "transfer-encoding"})
"""Headers that announce a body, which our requests do not have."""


def split_userinfo(seed: str) -> tuple[str, str]:
    """Split a seed into a URL that may be stored and a line for the setting `credentials`, which may be empty."""
    href = parse_seed_url(seed)
    user, at, _ = href.partition("://")[2].partition("/")[0].rpartition("@")
    if not at:
        return seed if seed.isprintable() else href, ""  # bytes that are not UTF-8 cannot be shown on a page
    return href.replace(f"{user}@", "", 1), f"{get_origin(href)} basic {unquote(user if ':' in user else user + ':')}"


@dataclass(frozen=True, slots=True)
class Headers:
    """Header lines to send: common ones, and more for some origins."""

    common: tuple[str, ...] = ()
    by_origin: Mapping[str, tuple[str, ...]] | None = None

    @classmethod
    def from_settings(cls, lines: Iterable[str], credentials: Iterable[str], seeds: Iterable[str] = ()) -> Headers:
        """Build headers from settings; secret headers and user information of seeds go to the seeds' origins only."""
        cleaned = [split_userinfo(seed) for seed in seeds]
        checked = [_validate_header(line) for line in lines]
        secret = tuple(line for line in checked if _is_secret(line))
        by_origin = {get_origin(parse_seed_url(seed)): [*secret] for seed, _ in cleaned}
        for text in (*credentials, *(line for _, line in cleaned if line)):
            origin, line = _parse_credential(text)
            by_origin.setdefault(origin, []).append(line)
        common = tuple(line for line in checked if not _is_secret(line))
        return cls(common, {origin: tuple(more) for origin, more in by_origin.items() if more})

    def for_origin(self, origin: str) -> tuple[str, ...]:
        """Return all header lines for requests to this origin."""
        return self.common + self.by_origin.get(origin, ()) if self.by_origin else self.common


def _validate_header(line: str) -> str:
    name, colon, value = (part.strip() for part in line.partition(":"))
    if not colon or not _TOKEN.fullmatch(name) or name.lower() in _FRAMING or not value.isprintable():
        raise SettingError("header", f"{_describe_line(line)} is not allowed; expected `Name: value` on one line")
    return f"{name}: {value}"


def _describe_line(line: str) -> str:
    """Describe a line in a message without the secret that it may contain."""
    return f"a line beginning {line[:12]!r}"


def _is_secret(line: str) -> bool:
    return _SECRET.search(line.partition(":")[0].lower()) is not None


def _parse_credential(text: str) -> tuple[str, str]:
    parts = text.split(None, 2)
    href = serialize_url(parts[0]) if len(parts) == 3 else None
    if href is None or parts[1].lower() not in {"basic", "bearer"} or not parts[2].isprintable():
        allowed = "`ORIGIN basic USER:PASSWORD` or `ORIGIN bearer TOKEN`"
        raise SettingError("credentials", f"{_describe_line(text)} is not allowed; expected {allowed}")
    secret = _format_basic_auth(parts[2]) if parts[1].lower() == "basic" else f"Authorization: Bearer {parts[2]}"
    return get_origin(href), secret


def _format_basic_auth(user: str) -> str:
    return f"Authorization: Basic {b64encode(user.encode()).decode()}"
