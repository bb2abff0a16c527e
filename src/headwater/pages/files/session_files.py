"""Parse files that hold the session of a browser: cookies.txt, JSON lists of cookies, and Playwright's storage state.

Messages never contain values, because those are secrets.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.pages.documents.login_forms import NO_SIGNS, LoginSigns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAX_COOKIES = 10_000
MAX_COOKIE_LENGTH = 8192
MAX_STORAGE_LENGTH = 5_000_000
MAX_LOGIN_FORMS = 100
_OWN_KEY = "headwater"
_HTTP_ONLY = "#HttpOnly_"
_NETSCAPE_FIELDS = 7
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[^\x00-\x1f;\x7f]*")
"""Printable characters except the semicolon, which would start an attribute."""

_ADDRESS = re.compile(r"[0-9.]+|\[.*\]|.*:.*")


class Cookie(NamedTuple):
    """A cookie of a domain, without its leading dot; `expires` is a time in seconds, or None for a session."""

    name: str
    value: str
    domain: str
    path: str = "/"
    is_host_only: bool = True
    is_secure: bool = False
    is_http_only: bool = False
    expires: float | None = None

    def matches(self, host: str) -> bool:
        """Return True if the cookie is sent to this host, without a port."""
        if host == self.domain:
            return True
        is_name = "." in self.domain and not _ADDRESS.fullmatch(self.domain)
        return is_name and not self.is_host_only and host.endswith("." + self.domain)


class BrowserSession(NamedTuple):
    """Cookies, the local storage of each origin as names and values, and what a recipe has learned of the login."""

    cookies: tuple[Cookie, ...] = ()
    storage: Mapping[str, Mapping[str, str]] = {}
    login: LoginSigns = NO_SIGNS

    def select_cookies(self, host: str, *, is_secure: bool) -> list[Cookie]:
        """Return the cookies that are sent to a host; secure ones only over https."""
        return [one for one in self.cookies if one.matches(host) and (is_secure or not one.is_secure)]


class SessionFileError(ValueError):
    """The file is not one of the known formats; the message does not contain values."""


def parse_session_file(text: str) -> BrowserSession:
    """Parse a file of any known format."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in {"[", "{"}:
        return _parse_json(text)
    cookies = tuple(_parse_netscape(text))
    if not cookies:
        raise SessionFileError("it holds no cookies; expected a cookies.txt, a JSON list of cookies or a storage state")
    return BrowserSession(cookies)


def format_netscape(cookie: Cookie) -> str:
    """Return the line of a cookies.txt for a cookie."""
    prefix = _HTTP_ONLY if cookie.is_http_only else ""
    domain = cookie.domain if cookie.is_host_only else f".{cookie.domain}"
    flags = ("FALSE" if cookie.is_host_only else "TRUE", cookie.path, "TRUE" if cookie.is_secure else "FALSE")
    return "\t".join((prefix + domain, *flags, str(int(cookie.expires or 0)), cookie.name, cookie.value))


def format_session_file(state: Mapping[str, Any], login: LoginSigns) -> str:
    """Return the text of a file with Playwright's storage state and what a recipe has learned of the login."""
    forms = sorted(sorted(form) for form in login.forms)
    own = {"start_url": login.start_url, "checked_url": login.checked_url, "forms": forms}
    return json.dumps({**state, _OWN_KEY: own}, indent=1) + "\n"


def _parse_netscape(text: str) -> Iterator[Cookie]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.rstrip("\r\n")  # noqa: PLW2901
        is_http_only = line.startswith(_HTTP_ONLY)
        if not line.strip() or (line.startswith("#") and not is_http_only):
            continue
        fields = line.removeprefix(_HTTP_ONLY).split("\t")
        if len(fields) != _NETSCAPE_FIELDS:
            raise SessionFileError(f"line {number} does not have seven fields separated by tabs")
        if number > MAX_COOKIES:
            raise SessionFileError(f"it holds more than {MAX_COOKIES:,} cookies")
        domain, subdomains, path, secure, expires, name, value = fields
        yield _make_cookie(
            f"line {number}",
            Cookie(
                name, value, domain, path, subdomains.upper() != "TRUE" and not domain.startswith("."),
                secure.upper() == "TRUE", is_http_only, _parse_time(expires),
            ),
        )  # fmt: skip


def _parse_json(text: str) -> BrowserSession:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise SessionFileError("it is not valid JSON") from None
    rows = data.get("cookies", []) if isinstance(data, dict) else data
    if not isinstance(rows, list) or len(rows) > MAX_COOKIES:
        raise SessionFileError(f"expected a list of at most {MAX_COOKIES:,} cookies")
    cookies = tuple(_parse_cookie(number, row) for number, row in enumerate(rows, 1))
    storage = _parse_storage(data.get("origins", [])) if isinstance(data, dict) else {}
    if not cookies and not storage:
        raise SessionFileError("it holds neither cookies nor local storage")
    return BrowserSession(cookies, storage, _parse_login(data.get(_OWN_KEY)) if isinstance(data, dict) else NO_SIGNS)


def _parse_login(own: object) -> LoginSigns:
    if not isinstance(own, dict):
        return NO_SIGNS
    rows = own.get("forms")
    forms = [row for row in rows[:MAX_LOGIN_FORMS] if isinstance(row, list) and row] if isinstance(rows, list) else []
    start_url, checked_url = (str(own.get(name, "")) for name in ("start_url", "checked_url"))
    return LoginSigns(start_url, checked_url, frozenset(frozenset(map(str, form)) for form in forms))


def _parse_cookie(number: int, row: object) -> Cookie:
    place = f"cookie {number}"
    if not isinstance(row, dict):
        raise SessionFileError(f"{place} is not an object")
    domain = row.get("domain") or row.get("host")
    name, value, path = row.get("name"), row.get("value"), row.get("path") or "/"
    if not all(isinstance(text, str) for text in (domain, name, value, path)):
        raise SessionFileError(f"{place} needs name, value and domain as texts")
    is_host_only = row.get("hostOnly")
    if not isinstance(is_host_only, bool):
        is_host_only = not str(domain).startswith(".")
    expires = row.get("expirationDate", row.get("expires"))
    cookie = Cookie(
        str(name), str(value), str(domain), str(path), is_host_only, row.get("secure") is True,
        row.get("httpOnly") is True, _parse_time(expires),
    )  # fmt: skip
    return _make_cookie(place, cookie)


def _make_cookie(place: str, cookie: Cookie) -> Cookie:
    """Return a cookie with its domain in lower case and without a dot; raise an error if it could not be sent."""
    domain = cookie.domain.strip().lower().removeprefix(".")
    if not domain or not cookie.path.startswith("/") or not cookie.path.isprintable() or not domain.isprintable():
        raise SessionFileError(f"{place} has no usable domain and path")
    is_usable = _NAME.fullmatch(cookie.name) and _VALUE.fullmatch(cookie.value)
    if not is_usable or len(cookie.name) + len(cookie.value) > MAX_COOKIE_LENGTH:
        raise SessionFileError(f"{place} has a name or value that cannot be sent")
    return cookie._replace(domain=domain)


def _parse_time(value: Any) -> float | None:  # noqa: ANN401  (whatever the file holds)
    """Return the time at which a cookie expires; None if it lasts for the session."""
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return min(seconds, 2.0**53) if seconds > 0 else None


def _parse_storage(origins: object) -> dict[str, dict[str, str]]:
    if not isinstance(origins, list):
        raise SessionFileError("its origins are not a list")
    storage: dict[str, dict[str, str]] = {}
    length = 0
    for one in origins:
        rows: Sequence[Any] = one.get("localStorage") or [] if isinstance(one, dict) else []
        origin = one.get("origin") if isinstance(one, dict) else None
        if not isinstance(origin, str) or not isinstance(rows, list):
            raise SessionFileError("an origin needs a name and localStorage as a list")
        items = {
            str(row["name"]): str(row["value"])
            for row in rows
            if isinstance(row, dict) and {"name", "value"} <= row.keys()
        }
        length += sum(len(name) + len(value) for name, value in items.items())
        if length > MAX_STORAGE_LENGTH:
            raise SessionFileError(f"its local storage is larger than {MAX_STORAGE_LENGTH:,} characters")
        if items:
            storage[origin.rstrip("/").lower()] = items
    return storage
